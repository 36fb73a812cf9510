// Receipts: which input events arrived, where, and whether the page wanted them.
//
// The listeners stand on the window before any script of the page, in a world of their own. While
// an action is armed, a press that would land on another element than the one meant is stopped
// before the page sees it, and reported. Once a press has landed right, nothing more is stopped.

const POINTER_TYPES = ["pointermove", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "wheel"];
const KEY_TYPES = ["keydown", "keypress", "beforeinput", "input", "keyup", "change"];
const PRESS = new Set(["pointerdown", "mousedown"]);
const FINAL = new Set(["click", "auxclick", "contextmenu", "dblclick"]);

let action = null;

function report(kind, data) {
  if (typeof cdpAgentReceipt === "function") {
    cdpAgentReceipt(JSON.stringify({ token: action.token, kind, ...data }));
  }
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
  if (!isUnder("pointer", event)) return;
  const target = targetOf(event);
  const right = belongs(action.element, target);
  if (action.presses && PRESS.has(event.type) && action.state === "waiting") {
    action.state = right ? "landed" : "missed";
    if (!right) {
      action.cover = target;
      report("missed", { cover: target instanceof Element ? sketchCover(action.element, target) : "" });
    } else {
      report("landed", { type: event.type });
    }
  }
  if (action.state === "missed" && event.type !== "pointermove" && event.type !== "mousemove") {
    stop(event);
    return;
  }
  if (right) {
    action.events.push(event);
    if (FINAL.has(event.type)) report("final", { type: event.type });
  }
}

// Text goes to the element or to where the page itself moves the caret; never to a page's shortcuts.
function takesText(node) {
  return (
    node instanceof HTMLTextAreaElement ||
    (node instanceof HTMLInputElement && !["button", "submit", "reset", "image", "file", "checkbox", "radio"].includes(node.type)) ||
    (node instanceof HTMLElement && node.isContentEditable)
  );
}

function deepActive() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  for (const root of action ? action.roots : []) if (root.activeElement) active = root.activeElement;
  return active;
}

function onKey(event) {
  if (!isUnder("key", event)) return;
  const top = event.composedPath()[0];
  const target = action.roots.some((r) => r.host === top) ? deepActive() : top;
  const own = action.element === null || belongs(action.element, target) || composedContains(target, action.element);
  if (action.text && !own && !takesText(target)) {
    stop(event);
    if (!action.lost) report("lost", {});
    action.lost = true;
    return;
  }
  if (own) action.own += event.type === "keydown" ? 1 : 0;
  else action.elsewhere += event.type === "keydown" ? 1 : 0;
  action.events.push(event);
  if (action.events.length > 2000) action.events.splice(0, 1000);
  if (action.events.length === 1) report("landed", { type: event.type });
}

function installGuard() {
  for (const type of POINTER_TYPES) addEventListener(type, onPointer, { capture: true, passive: false });
  for (const type of KEY_TYPES) addEventListener(type, onKey, { capture: true, passive: false });
}

// Begin to watch for one action. `document.open()` removes listeners, so they are put back here.
function arm(element, { kind, text = false, presses = true, token, lifeMs = 10000 }) {
  installGuard();
  const roots = element ? rootsOf(element) : [];
  for (const root of roots) observe(root);
  onMutations(observer.takeRecords());
  action = { kind, text, presses, expires: now() + lifeMs, element, roots, token, state: "waiting", events: [], cover: null, own: 0, elsewhere: 0, lost: false };
  watch.armed = 1;
  watch.booked = booked();
  return watch.novel;
}

// A press that did its work before the release, which then fell on something else: a field took the
// focus (and its pop-up covers it), or a handler that claimed the press has put the element away.
function pressWasTaken(element, events) {
  const down = events.find((event) => event.type === "mousedown");
  if (down === undefined) return false;
  if (element.isConnected && takesText(element)) return hasFocus(element);
  const claimed = events.some((event) => PRESS.has(event.type) && event.defaultPrevented);
  return claimed && (!element.isConnected || !isRendered(element));
}

function receipt() {
  if (action === null) return null;
  const { state, events, element, own, elsewhere, lost } = action;
  const last = events.findLast((e) => FINAL.has(e.type)) || events[events.length - 1];
  return {
    state, own, elsewhere, lost,
    events: events.slice(-40).map((e) => e.type),
    prevented: events.some((e) => e.defaultPrevented),
    trusted: last ? last.isTrusted : false,
    connected: element ? element.isConnected : true,
    taken: element !== null && pressWasTaken(element, events),
    download: last !== undefined && leadsToFile(last),
  };
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

function disarm() {
  action = null;
  watch.armed = 0;
  watch.booked = null;
}

// After the input: wait until the page is at rest, then tell what was seen.
async function finish(options) {
  const outcome = await rest(options);
  const seen = receipt();
  if (seen && action.kind === "key" && action.element) seen.value = readValue(action.element);
  if (!options.keep) disarm();
  return { ...outcome, receipt: seen };
}
