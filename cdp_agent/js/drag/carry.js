// A drag under way, as each frame on its way sees it: the press, the carrying, where it was let go.
//
// A press or a drop that would land on another element than the one meant is stopped before the page
// sees it. What happens is reported at once, because a drop may take the document with it.

const CARRY_TYPES = [
  "pointerdown",
  "mousedown",
  "pointermove",
  "mousemove",
  "pointerup",
  "mouseup",
  "click",
  "dragstart",
  "drag",
  "dragenter",
  "dragover",
  "drop",
  "dragend",
];

let carry = null; // {source, target: elements of this document or null, …}

function carryReport(kind, data = {}) {
  if (typeof cdpAgentReceipt === "function") cdpAgentReceipt(JSON.stringify({ token: carry.token, kind, ...data }));
}

function carryTarget(event) {
  const top = event.composedPath()[0];
  if (carry.roots.length && top instanceof Element && carry.roots.some((r) => r.host === top)) {
    return elementAt(event.clientX, event.clientY, carry.roots) || top;
  }
  return top instanceof Text ? top.parentElement : top;
}

// What the node under the pointer is to this drag. A list may have made room at the target, so
// that the carried element itself or the list around both is there.
function relation(node) {
  const { source, target } = carry;
  if (!(node instanceof Element)) return "other";
  if (target && belongs(target, node)) return "target";
  if (source && composedContains(source, node)) return "source";
  if (target && !target.isConnected) return "other";
  if (target && node !== document.body && node !== document.documentElement && composedContains(node, target))
    return "around";
  return "other";
}

// The same for a drag by mouse alone: what is carried may be a copy, with the target beneath it.
function relationBeneath(event) {
  const direct = relation(carryTarget(event));
  if (direct !== "other" || !carry.target) return direct;
  const root = carry.target.getRootNode();
  const stack = root.elementsFromPoint ? root.elementsFromPoint(event.clientX, event.clientY) : [];
  return stack.some((node) => relation(node) !== "other") ? "beneath" : "other";
}

function onCarry(event) {
  if (carry === null && event.type === "drop") onPointerElsewhere(event);
  if (carry === null || !event.isTrusted) return;
  if (now() > carry.expires) return carryEnd();
  if (carry.closing) return onClosing(event);
  const handler = ON_CARRY[event.type];
  if (handler) handler(event);
}

function onCarryPress(event) {
  if (carry.state === "waiting") {
    const hit = carryTarget(event);
    carry.state = carry.source && belongs(carry.source, hit) ? "landed" : "missed";
    if (carry.state === "landed") carryReport("landed", { type: event.type });
    else carryReport("missed", { cover: hit instanceof Element ? sketch(hit) : "" });
    carry.cover = hit;
  }
  carry.mouse ||= event.type === "mousedown";
  if (carry.state === "missed") stop(event);
}

function onCarryRelease(event) {
  if (carry.state === "missed" || (carry.aborted && event.type === "click")) return stop(event);
  // A page that prevents `pointerdown` is told of no mouse until the release.
  if (event.type === "mouseup" || (event.type === "pointerup" && !carry.mouse)) carryReport("up", { type: event.type });
}

function onCarryOver(event) {
  if (event.type === "pointermove" && carry.mouse) return;
  const hit = carryTarget(event);
  carry.over = { event, hit };
  if (event.type.endsWith("move")) return;
  if (!carry.entered) carryReport("entered");
  carry.entered = true;
}

function onCarryDrop(event) {
  const hit = carryTarget(event);
  const to = carry.anywhere ? "target" : relation(hit);
  const effect = event.dataTransfer ? event.dataTransfer.dropEffect : "none";
  const files = event.dataTransfer
    ? Array.from(event.dataTransfer.files, (f) => ({ name: f.name, type: f.type, size: f.size }))
    : [];
  if (to === "other") {
    stop(event);
    carryReport("strayed", { cover: hit instanceof Element ? sketch(hit) : "" });
  } else {
    carryReport("dropped", { to, effect, files });
  }
}

// Around a field that was pressed, to select its text perhaps, Chromium drags what is draggable.
function onCarryStart(event) {
  const { source } = carry;
  const dragged = event.composedPath()[0];
  const isAround =
    source !== null &&
    takesText(source) &&
    dragged instanceof Element &&
    dragged !== source &&
    composedContains(dragged, source);
  carry.started = event;
  carryReport("started", isAround ? { around: sketch(dragged) } : {});
}

const ON_CARRY = {
  pointerdown: onCarryPress,
  mousedown: onCarryPress,
  pointerup: onCarryRelease,
  mouseup: onCarryRelease,
  click: onCarryRelease,
  pointermove: onCarryOver,
  mousemove: onCarryOver,
  dragenter: onCarryOver,
  dragover: onCarryOver,
  drop: onCarryDrop,
  dragstart: onCarryStart,
  dragend: (event) => carryReport("ended", { effect: event.dataTransfer ? event.dataTransfer.dropEffect : "none" }),
};

// Chromium does not tell a source in one process of a drop in another. It is told by a drop of our
// own in its document, of which the page sees nothing but the `dragend` with the true effect.
function onClosing(event) {
  if (event.type === "dragend") {
    ON_CARRY.dragend(event);
    return;
  }
  if (!["drag", "dragenter", "dragover", "drop"].includes(event.type)) return;
  if (event.dataTransfer && event.type !== "drag") event.dataTransfer.dropEffect = carry.closing;
  stop(event);
}

// Before any listener of the page; `document.open()` removes it, so `carryBegin` puts it back.
function installCarry() {
  for (const type of CARRY_TYPES) addEventListener(type, onCarry, { capture: true, passive: false });
}

function carryBegin(source, target, { token, lifeMs, anywhere = false }) {
  installCarry();
  disarm(); // a click that a dialog interrupted may still be guarded
  beginHolding({});
  const roots = [source, target].filter(Boolean).flatMap(rootsOf);
  for (const root of roots) observe(root);
  other = null;
  carry = {
    source,
    target,
    token,
    anywhere,
    roots,
    expires: now() + lifeMs,
    state: "waiting",
    started: null,
    entered: false,
    over: null,
    closing: null,
    aborted: false,
    cover: null,
    mouse: false, // Chromium tells of the mouse, not only of a pointer
    began: now(),
    before: null,
  };
  carry.before = shownElements();
  beginWatch(source);
}

// What is at a point of this document's viewport, for a drag that begins there.
function hitAt(top, x, y) {
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  // A straight line of an SVG has no area to press on: what it is drawn in has.
  const isFlat = (n) => Math.min(n.getBoundingClientRect().width, n.getBoundingClientRect().height) < 1;
  while (hit instanceof SVGElement && isFlat(hit) && hit.parentElement) hit = hit.parentElement;
  hitAt.element = hit;
  if (!hit) return null;
  const box = hit.getBoundingClientRect();
  const own = [x - box.left - hit.clientLeft, y - box.top - hit.clientTop];
  const isFrame = hit.matches(FRAMES) && hit.contentWindow !== null; // an image is none
  const spot = isFrame ? insideFrame(hit, own) : own;
  return { frame: isFrame, x: spot[0], y: spot[1], sketch: sketch(hit) };
}

// Where the drag stands, in this document. `at` is what the pointer was last over.
function carryState() {
  if (carry === null) return { over: null, started: false, accepts: false, cover: "" };
  const { over, started } = carry;
  const byMouse = over && over.event.type.endsWith("move");
  return {
    started: started !== null && !started.defaultPrevented,
    over: over === null ? null : carry.anywhere ? "target" : byMouse ? relationBeneath(over.event) : relation(over.hit),
    accepts:
      over !== null &&
      !byMouse &&
      (over.event.defaultPrevented ||
        (over.hit instanceof HTMLInputElement && over.hit.type === "file" && !over.hit.disabled)),
    cover: over && over.hit instanceof Element ? sketch(over.hit) : "",
  };
}

// The target was replaced, and this is its heir.
function carryRetarget(element) {
  if (!carry) return;
  carry.target = element;
  carry.roots.push(...rootsOf(element));
}

function carryClose(effect) {
  if (carry) carry.closing = effect;
  return plainPoint();
}

// Given up: the press goes back to where it began, and that must be no click.
function carryAbort() {
  if (carry) carry.aborted = true;
}

function carryEnd() {
  carry = null;
  endWatch();
}

// A point of this document that belongs to no frame in it.
function plainPoint() {
  for (const [x, y] of candidatePoints([new DOMRect(0, 0, innerWidth, innerHeight)])) {
    const hit = elementAt(x, y, []);
    if (hit && !hit.matches(FRAMES)) return { x, y };
  }
  return { x: 0, y: 0 };
}
