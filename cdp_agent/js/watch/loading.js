// Tells whether this document has drawn what it loads.
//
// The browser says when a document was read and when its pictures and scripts have come. An
// application begins to draw only then: it asks its server, and shows the answers. What a document
// shows after it was read is noted here until it has once come to rest.

const drawing = {
  active: true, // the document has not come to rest since it was made
  lastShown: 0, // when a script last changed what is shown
  counts: new WeakMap(), // node → times it was changed so
  timers: 0, // booked by the page since the document was made
  asked: false, // for anything: timers, frames, idle callbacks
  byScript: false, // what was read has no control: scripts make the page
};

// A node that has changed as often as this is a clock or a spinner: it will not stop.
const CLOCK = 8;
const MOST_RECORDS = 200;
// A page made by scripts that book timers may show more this long after it last did.
const TIMERS_MS = 250;
// Nothing has come to be seen: given this long after the last sign of life.
const EMPTY_MS = 1000;
// Little has, and a timer was booked.
const LITTLE_MS = 300;
const LITTLE_TEXT = 200;
const MOST_WALKED = 3000;
// Frames that a document may book one after the other, each in the one before.
const MOST_FRAMES = 6;

const UNSHOWN = new Set(["SCRIPT", "STYLE", "LINK", "META", "TITLE", "TEMPLATE", "NOSCRIPT", "HEAD"]);
const SHOWN_STATE = /^(class|style|hidden|disabled|open|value|checked|src|href|aria-)/;

function isShownChange({ type, target, attributeName, addedNodes, removedNodes }) {
  const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
  if (
    element !== null &&
    (UNSHOWN.has(element.nodeName) || (element.parentElement && element.parentElement.nodeName === "HEAD"))
  )
    return false;
  if (type === "attributes") return !(target instanceof SVGElement) && SHOWN_STATE.test(attributeName);
  if (type === "characterData") return true;
  const isShown = (node) => node.nodeType !== Node.COMMENT_NODE && !UNSHOWN.has(node.nodeName);
  return Array.prototype.some.call(addedNodes, isShown) || Array.prototype.some.call(removedNodes, isShown);
}

function noteDrawing(records, time) {
  if (!drawing.active || document.readyState === "loading") return;
  for (let i = 0; i < records.length && i < MOST_RECORDS; i += 1) {
    if (!isShownChange(records[i])) continue;
    const count = (drawing.counts.get(records[i].target) || 0) + 1;
    drawing.counts.set(records[i].target, count);
    if (count <= CLOCK) drawing.lastShown = time;
  }
}

const CONTROL =
  "a[href],button,input:not([type=hidden]),select,textarea,iframe,frame,object,embed,video,audio,[tabindex],[contenteditable]," +
  "[role=button],[role=link],[role=textbox],[role=tab],[role=menuitem],[role=checkbox],[role=option]";
// These say what they are by themselves; the others by a name.
const FIELD_OR_FRAME = "input,select,textarea,iframe,frame,object,embed,video,audio,[contenteditable]";
const PICTURE = "img,canvas,svg,picture";
const BUSY = /^\W*(loading|please wait|initiali[sz]ing|starting)\b/i;
const ELLIPSIS = /\u2026|\.\.\./;
// So many controls beside such words may be those of a footer.
const FEW_CONTROLS = 3;

const SKELETON = "[class*=skeleton i],[data-testid*=skeleton i],[aria-busy=true]";
const MOST_SKELETONS = 20;

// Whether the main part is still empty, or has boxes that stand for content to come.
function isMainBare() {
  const isEmpty = (element) =>
    element.textContent.trim() === "" && element.querySelector(`${CONTROL},${PICTURE}`) === null;
  const mains = Array.from(document.querySelectorAll("main,[role=main]")).filter(isRendered);
  if (mains.length > 0 && mains.every(isEmpty)) return true;
  const boxes = Array.from(document.querySelectorAll(SKELETON)).slice(0, MOST_SKELETONS);
  return boxes.some((box) => isRendered(box) && rectsOf(box).length > 0 && isEmpty(box));
}

// A control with an icon alone tells no more of what a page is for than none.
function isTelling(control) {
  if (!control.checkVisibility(RENDERED)) return true; // to measure what is left out would lay it out
  const name = control.textContent.trim() || control.ariaLabel || control.title;
  return rectsOf(control).length > 0 && (control.matches(FIELD_OR_FRAME) || Boolean(name));
}

// A page of little text without a control: nothing at all, a sign that it loads, or just little. One
// with more may lack a part.
function findLack() {
  const lack = findWholeLack();
  return lack === "" && document.body && isMainBare() ? "a part" : lack;
}

function findWholeLack() {
  if (!document.body) return document.documentElement && !(document instanceof HTMLDocument) ? "" : "nothing";
  if (
    document.body.matches("[aria-busy=true]") ||
    document.querySelector("main[aria-busy=true],[role=main][aria-busy=true]")
  )
    return "a sign";
  const stack = [document.body];
  let text = "",
    telling = 0,
    hasControl = false,
    hasPicture = false,
    hasProgress = false;
  for (let n = 0; stack.length; n += 1) {
    if (n > MOST_WALKED) return "";
    const node = stack.pop();
    if (node.nodeType === Node.TEXT_NODE) {
      text += node.data.trim() && ` ${node.data.trim()}`;
      if (text.length > LITTLE_TEXT) return "";
      continue;
    }
    if (node instanceof Element) {
      if (UNSHOWN.has(node.nodeName) || getComputedStyle(node).display === "none") continue;
      if (node.matches("progress:not([value]),[role=progressbar]:not([aria-valuenow])")) hasProgress = true;
      else if (node.matches(CONTROL) && isRendered(node)) {
        if (isTelling(node)) telling += 1;
        if (telling > FEW_CONTROLS) return "";
        hasControl = true;
      }
      if (node.matches(PICTURE)) {
        hasPicture = true;
        continue;
      }
    }
    for (let child = node.lastChild; child; child = child.previousSibling) stack.push(child);
    if (node.shadowRoot) stack.push(node.shadowRoot);
  }
  if (telling > 0) return BUSY.test(text) && ELLIPSIS.test(text) ? "a sign" : "";
  if (hasProgress || BUSY.test(text)) return "a sign";
  if (text) return "little";
  if (hasControl) return "a part";
  return hasPicture ? "little" : "nothing";
}

// How long after the last sign of life a document that lacks something is given.
function patience(lack, isAsking) {
  if (lack === "a sign") return Infinity;
  // Modules are compiled and run after they have come, and nobody tells when.
  const isAtWork = isAsking || drawing.asked || document.querySelector("script[src],script[type=module]") !== null;
  if (lack === "nothing") return isAtWork ? EMPTY_MS : 0;
  if (lack === "a part") return isAsking ? EMPTY_MS : 0;
  return lack === "little" && (isAsking || drawing.timers > 0) ? LITTLE_MS : 0;
}

function takeLoadingBookings() {
  const booked = takeFollowingBookings();
  drawing.timers += booked.timers;
  if (booked.timers + booked.frames + booked.idle > 0) drawing.asked = true;
  return booked;
}

// After this document has loaded: until it has drawn and is at rest, or `ceilingMs` have passed.
// `asks`: the page has asked its server for something by itself, and was last answered `answeredMs`
// ago. Where it has not, nothing but frames that it booked is waited for, unless it lacks something.
async function restAfterLoading({ ceilingMs, quietMs, asks, answeredMs }) {
  const began = now(),
    deadline = began + ceilingMs;
  drawing.active = true;
  await lastTask();
  let frames = 0,
    isIdle = !asks;
  for (;;) {
    onMutations(observer.takeRecords());
    const left = deadline - now();
    if (left <= 0) return { settled: false, lack: isFrameShown() ? findLack() : "" };
    const ago = now() - (Math.max(drawing.lastShown, asks ? began - answeredMs : 0) || began);
    const booked = takeLoadingBookings();
    const quiet = drawing.byScript && drawing.timers > 0 ? TIMERS_MS : quietMs;
    if (booked.frames > 0 && frames < MOST_FRAMES) {
      frames += 1;
      await nextFrame(FRAME_MS);
    } else if (asks && ago < quiet) {
      isIdle = false;
      await pause(Math.min(quiet - ago, left));
    } else if (!isIdle) {
      isIdle = true;
      await nextIdle();
    } else {
      const lack = isFrameShown() ? findLack() : "";
      const waitMs = patience(lack, asks) - ago;
      if (waitMs <= 0) {
        drawing.active = false;
        return { settled: true, lack };
      }
      await nextStep(Math.min(waitMs, left));
      await nextFrame(FRAME_MS);
    }
  }
}

// The next change, but no longer than `ms`.
function nextStep(ms) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      watch.stirred.delete(done);
      resolve();
    };
    const timer = askTimer(done, ms);
    watch.stirred.add(done);
  });
}

// When the document has been read, before its deferred scripts run.
function onRead() {
  if (document.readyState !== "interactive") return;
  drawing.byScript = document.body !== null && document.body.querySelector(CONTROL) === null;
}

function installLoading() {
  document.addEventListener("readystatechange", onRead);
}
