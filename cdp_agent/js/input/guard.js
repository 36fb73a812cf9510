// @ts-check
// Receipts: which input events arrived, where, and whether the page wanted them.
//
// The listeners stand on the window before any script of the page, in a world of their own. While
// an action is armed, a press that would land on another element than the one meant is stopped
// before the page sees it, and reported. Once a press has landed right, nothing more is stopped but
// a further press of the same gesture: the second click of two must not hit what the first brought.

const POINTER_TYPES = [
  "pointerover",
  "mouseover",
  "pointermove",
  "mousemove",
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
];
const MOVES = new Set(["pointerover", "mouseover", "pointermove", "mousemove"]);
const PRESS = new Set(["pointerdown", "mousedown"]);
const FINAL = new Set(["click", "auxclick", "contextmenu", "dblclick"]);
const RELEASE = new Set(["pointerup", "mouseup", ...FINAL]);

let action = null;

function report(kind, data, { token } = action) {
  if (typeof cdpAgentReceipt === "function") cdpAgentReceipt(JSON.stringify({ token, kind, ...data }));
}

// The real target, seen from here: a window listener is shown only the host of a closed root.
function targetOf(event) {
  const top = event.composedPath()[0];
  if (action.roots.length && top instanceof Element && action.roots.some((r) => r.host === top) && "clientX" in event) {
    return elementAt(event.clientX, event.clientY, action.roots) || top;
  }
  return top;
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function isUnder(kind, event) {
  if (action === null || action.kind !== kind || !event.isTrusted) return false;
  if (now() > action.expires) disarm(); // nobody came back for it: a person may be at the mouse
  return action !== null;
}

function onPointer(event) {
  if (action === null && carry === null) onPointerElsewhere(event);
  if (!isUnder("pointer", event)) return;
  if (event.type === "pointerup") endPressing({ tell: true });
  const target = targetOf(event);
  if (action.state === "landed" && RELEASE.has(event.type)) noteRelease(event, target);
  const right =
    belongs(action.element, target) ||
    (action.count > 1 && action.arrivals.length > 0 && isSameWidget(action.element, target));
  if (action.presses && PRESS.has(event.type)) judgePress(event, target, right);
  // A listener of the press has moved something: what has come there is not meant. (A release finds
  // out by itself where it began.)
  if ((event.type === "mousedown" || event.type === "contextmenu") && action.state === "landed" && !right)
    action.astray = true;
  const isAstray = action.state === "missed" || action.state === "strayed" || action.astray;
  if ((isAstray || isLoneRelease(event)) && !MOVES.has(event.type)) {
    stop(event);
    return;
  }
  if (right) {
    action.events.push(event);
    if (action.presses && PRESS.has(event.type)) awaitReaction(event);
    if (FINAL.has(event.type)) {
      watchArrival(event);
      report("final", { type: event.type });
    }
  }
}

// A release whose press went elsewhere: to a frame that the compositor still showed there, and which
// stopped it. The gesture is sent again.
function isLoneRelease({ type }) {
  const { state, presses, element, kind } = action;
  return state === "waiting" && presses && RELEASE.has(type) && element !== null && !isKept(element, kind);
}

function judgePress(event, target, right) {
  const isNext = event.type === "pointerdown" && action.state === "landed" && action.pressed < action.count;
  if (action.state === "waiting") action.state = right ? "landed" : "missed";
  else if (isNext && !right) action.state = "strayed";
  else if (!isNext) return;
  if (event.type === "pointerdown" || action.pressed === 0) action.pressed += 1;
  if (right) {
    report("landed", { type: event.type });
  } else {
    action.cover = target;
    report(action.state, { cover: target instanceof Element ? sketchCover(action.element, target) : "" });
  }
}

// What listeners of the press itself do to the element: an act of the page, unlike what happens to
// come between press and release. Added now, this listener is the last of all; where the page stops
// the event, its mutations tell.
function awaitReaction(event) {
  if (action.count > 1) return;
  action.press = event;
  action.at = [event.clientX, event.clientY];
  action.booked ??= causes.action.timers + causes.action.frames;
  addEventListener(event.type, noteReaction, { once: true, passive: true });
}

function onPressFocus(event) {
  if (action !== null && action.press !== null && event.isTrusted && belongs(action.element, event.composedPath()[0]))
    action.press = event;
}

function noteReaction() {
  if (action === null || action.press === null || action.reacted || action.press.eventPhase === Event.NONE) return;
  action.reacted = hasLeftPointer(action);
}

// Whether the element has been removed, hidden, moved or covered where the pointer is.
function hasLeftPointer({ element, at, roots }) {
  return !element.isConnected || !isRendered(element) || !belongs(element, elementAt(...at, roots));
}

// Controls for which Chromium itself does something, at the click and not before.
function actsOnClick(element) {
  const { form, type } = element;
  return (
    Boolean(form && ["submit", "reset", "image"].includes(type)) ||
    element.matches("a[href],area[href],summary,label,select,option,input:not([type=button],[type=submit])")
  );
}

// Who gets the release when the element does not: what has captured the pointer, or what is there.
function noteRelease(event, target) {
  if (
    event.type === "pointerup" &&
    target instanceof Element &&
    target.hasPointerCapture(event.pointerId) &&
    !belongs(action.element, target)
  ) {
    action.captor = target;
    action.reacted = true;
  }
  const deferred = causes.action.timers + causes.action.frames > action.booked; // by listeners of the press
  if (action.press !== null && deferred) action.reacted ||= hasLeftPointer(action);
  action.press = null;
  action.release ||= target;
}

function describeRelease({ element, captor, release, events }) {
  if (captor !== null) return `captured by ${sketch(captor)}`;
  if (release === null || events.some(({ type }) => RELEASE.has(type))) return "";
  if (!element.isConnected) return "the element had been removed";
  if (!isRendered(element)) return "the element had been hidden";
  return release instanceof Element ? `it was over ${sketchCover(element, release)}` : "the element had moved";
}

// A table or list draws a frame or an editor over the cell that was clicked: still its own.
const WIDGETS = "table,[role=grid],[role=treegrid],[role=table],[role=listbox],[role=tree]";

function isSameWidget(element, hit) {
  const widget = element.closest(WIDGETS);
  return widget !== null && hit instanceof Element && composedContains(widget, hit);
}

// A page may stop an event above its target. Only a listener on the target itself knows.
function watchArrival(event) {
  const { arrivals } = action;
  const one = { node: event.composedPath()[0], type: event.type, arrived: false };
  one.hear = (heard) => {
    one.arrived ||= heard === event;
  };
  arrivals.push(one);
  one.node.addEventListener(one.type, one.hear, { capture: true });
}

// A form that is not sent because of this field says so in a bubble that no snapshot shows.
function onInvalid({ target, isTrusted }) {
  if (action === null || !isTrusted || !(target instanceof Element) || action.invalid.length > 4) return;
  const name =
    labelsOf(target)
      .map((label) => label.textContent.trim().replace(/\s+/g, " "))
      .join(" ") ||
    target.getAttribute("aria-label") ||
    target.getAttribute("name") ||
    sketch(target);
  // A listener that merely asks whether a field is valid sends no form: then the focus stays.
  const asked = action.events.some((event) => event.eventPhase !== Event.NONE) ? target : null;
  action.invalid.push({ asked, said: `${name.slice(0, 60)}: ${target.validationMessage || "not valid"}` });
}

function onFocusIn(event) {
  if (action !== null && action.element !== null && event.composedPath()[0] === action.element) action.focused = true;
}

function installGuard() {
  addEventListener("focusin", onFocusIn, { capture: true });
  addEventListener("invalid", onInvalid, { capture: true });
  addEventListener("focus", onPressFocus, { capture: true });
  for (const type of POINTER_TYPES) addEventListener(type, onPointer, { capture: true, passive: false });
  for (const type of KEY_TYPES) addEventListener(type, onKey, { capture: true, passive: false });
  addEventListener("blur", onWindowBlur, { capture: true });
}

// Begin to watch for one action. `document.open()` removes listeners, so they are put back here.
function arm(element, guard) {
  const { kind, text = false, whole = false, presses = true, count = 1, token, id = "", lifeMs = 10000 } = guard;
  installCauses();
  installGuard();
  beginHolding(guard, element);
  const roots = element ? rootsOf(element) : [];
  for (const root of roots) observe(root);
  forgetArrivals();
  other = null;
  action = {
    kind,
    text,
    whole,
    presses,
    count,
    element,
    roots,
    token,
    id,
    expires: now() + lifeMs,
    state: "waiting",
    events: [],
    arrivals: [],
    invalid: [],
    cover: null,
    pressed: 0,
    focused: false,
    press: null,
    at: null,
    booked: null,
    reacted: false,
    astray: false,
    captor: null,
    release: null, // of presses
    holder: element,
    beside: null,
    typed: 0,
    down: false,
    path: [],
    away: false,
    own: 0,
    elsewhere: 0,
    lost: false, // of keys
  };
  beginWatch(element);
}

// A press that did its work before the release, which then fell on something else: a field took the
// focus (and its pop-up covers it), or a handler that claimed the press has put the element away.
function pressWasTaken({ element, events, reacted }) {
  const down = events.find((event) => event.type === "mousedown");
  if (down === undefined) return false;
  // It may have lost the focus again: one that the page disables does, but only some time later.
  if (element.isConnected && takesText(element)) return action.focused || hasFocus(element);
  const claimed = events.some((event) => PRESS.has(event.type) && event.defaultPrevented);
  return claimed && (reacted || !element.isConnected || !isRendered(element));
}

function receipt() {
  if (action === null) return null;
  const { state, events, element, own, elsewhere, lost, typed, arrivals, invalid } = action;
  const last = events.findLast((e) => FINAL.has(e.type)) || events[events.length - 1];
  return {
    state,
    own,
    elsewhere,
    lost,
    typed,
    invalid: invalid.some(({ asked }) => asked === null || hasFocus(asked)) ? invalid.map(({ said }) => said) : [],
    events: events.slice(-40).map((e) => e.type),
    prevented: events.some((e) => e.defaultPrevented),
    refused: isRefused(events),
    trusted: last ? last.isTrusted : false,
    connected: element ? element.isConnected : true,
    kept: element !== null && isKept(element, action.kind),
    taken: element !== null && pressWasTaken(action),
    reacted: element !== null && action.reacted && !actsOnClick(element),
    release: element !== null && action.presses ? describeRelease(action) : "",
    finals: Object.fromEntries(Array.from(FINAL, (type) => [type, events.filter((e) => e.type === type).length])),
    stopped: arrivals.length > 0 && !arrivals.some((one) => one.arrived),
    download: last !== undefined && leadsToFile(last),
    leads: last !== undefined && leadsOn(last),
    covered: last !== undefined && !action.presses ? coverNow(last) : "",
  };
}

// What has come between the pointer and the element that it was put on.
function coverNow(event) {
  if (!action.element.isConnected) return "";
  const hit = "clientX" in event ? elementAt(event.clientX, event.clientY, action.roots) : null;
  return hit && !belongs(action.element, hit) ? sketchCover(action.element, hit) : "";
}

// Whether Chromium itself does something because of a click: follows a link or sends a form.
function leadsOn(event) {
  if (event.type !== "click" || event.defaultPrevented || !(event.target instanceof Element)) return false;
  if (event.target.closest("a[href],area[href]")) return true;
  const button = event.target.closest("button,input");
  return Boolean(button && button.form && ["submit", "image"].includes(button.type) && button.form.matches(":valid"));
}

// Whether Chromium fetches a file because of a click. Nothing else announces such a request.
function leadsToFile(event) {
  if (event.type !== "click" || event.defaultPrevented) return false;
  const link = event.target instanceof Element && event.target.closest("a[download],area[download]");
  return Boolean(link && link.href);
}

// The element that received the last key, unless it was the document as a whole.
function receiver() {
  const last = action && action.events[action.events.length - 1];
  const target = last ? last.composedPath()[0] || last.target : null;
  const node = target || (action && deepActive());
  return node instanceof Element && node !== document.body && node !== document.documentElement ? node : null;
}

function forgetArrivals() {
  for (const { node, type, hear } of action ? action.arrivals : [])
    node.removeEventListener(type, hear, { capture: true });
}

function disarm() {
  forgetArrivals();
  action = null;
  endWatch();
}

// After the input: wait until the page is at rest, then tell what was seen.
async function finish(options) {
  const finished = action; // after a dialog the next action may begin before this one is at rest
  const outcome = await rest(options);
  endPressing({ tell: false });
  const seen = receipt();
  if (options.answers && action !== null && action.element) hold(action.element, action.id);
  if (seen && action.kind === "key" && action.element) seen.value = readValue(action.element);
  if (!options.keep && action === finished) disarm();
  return { ...outcome, receipt: seen };
}
