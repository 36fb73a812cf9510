// @ts-check
// Guards of frames: the input of an action in another frame is not for this document, and is stopped
// before its page sees it.

let other = null; // an action in another frame: its presses or keys are not for this document

// Begins to stop the input of an action that is for another document: presses, a key, or text.
function guardFrame({ token, kind, gives, lifeMs }) {
  if ((action || carry || {}).token === token) return;
  installGuard();
  beginHolding({ gives });
  other = { token, kind, expires: now() + lifeMs, told: false, root: document.documentElement, inert: null };
}

// A document that is new takes over the guard of its parent, if that is of its origin.
function inheritGuard() {
  if (window === top) return;
  try {
    const guard = parent.cdpAgent.guardOfChildren();
    if (guard !== null) guardFrame(guard);
  } catch {
    return;
  }
}

function guardOfChildren() {
  const { token, expires, kind = "press", presses = true, text = false } = action || carry || other || {};
  if (token === undefined || !presses || now() > expires) return null;
  return { token, kind: kind === "pointer" ? "press" : text ? "text" : kind, gives: true, lifeMs: expires - now() };
}

function unguardFrame(token) {
  if (other === null || other.token !== token) return;
  if (other.inert !== null) other.inert.inert = false;
  other = null;
}

// Whether an event is input of an action that is for another document.
function isOthers(event, isKey) {
  if (other === null || !event.isTrusted) return false;
  if (now() > other.expires) unguardFrame(other.token);
  return other !== null && (other.kind !== "press") === isKey;
}

// `document.open()` removes our listeners, and the page may have put its own before them since: the
// frame gets no input at all, until the action is over.
function keepGuard() {
  if (other === null || other.root === document.documentElement) return;
  other.root = document.documentElement;
  installGuard();
  try {
    if (frameElement === null || frameElement.inert) return;
    other.inert = frameElement;
    other.inert.inert = true;
    setTimeout(unguardFrame, other.expires - now(), other.token);
  } catch {
    return; // its parent is of another origin
  }
}

function onPointerElsewhere(event) {
  if (MOVES.has(event.type) || !isOthers(event, false)) return;
  stop(event);
  if (PRESS.has(event.type))
    report("missed", { cover: window.frameElement ? sketch(window.frameElement) : `a frame of ${origin}` }, other);
}
