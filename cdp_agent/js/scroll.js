// Which box scrolls, where a wheel would move it, how far it got, and when it has come to rest.

let scrolling = null; // the scroll under way in this document

const OVERFLOW = { x: "overflowX", y: "overflowY" };
const NEGATIVE = { x: "row-reverse", y: "column-reverse" };
const FRAMES = "iframe,frame,object,embed";

const rootBox = () => document.scrollingElement || document.documentElement;

// What a person could scroll: a box with `overflow: hidden` moves only by script.
function letsScroll(box, axis) {
  const own = getComputedStyle(box)[OVERFLOW[axis]];
  if (box !== rootBox()) return own === "auto" || own === "scroll";
  const html = getComputedStyle(document.documentElement)[OVERFLOW[axis]];
  const body = document.body ? getComputedStyle(document.body)[OVERFLOW[axis]] : "visible";
  const viewport = html === "visible" ? body : html;
  return viewport !== "hidden" && viewport !== "clip";
}

// The positions it can take. Right-to-left and reversed boxes count down from 0.
function span(box, axis) {
  const length = axis === "x" ? box.scrollWidth - box.clientWidth : box.scrollHeight - box.clientHeight;
  const at = axis === "x" ? box.scrollLeft : box.scrollTop;
  const style = getComputedStyle(box === rootBox() ? document.documentElement : box);
  const reversed = style.display.includes("flex") && style.flexDirection === NEGATIVE[axis];
  const backwards = at < 0 || reversed !== (axis === "x" && style.direction === "rtl");
  const extent = Math.max(length, 0);
  return backwards ? { at, min: -extent, max: 0 } : { at, min: 0, max: extent };
}

// A pixel more than its frame is rounding, not content.
const hasRange = (box, axis) => { const s = span(box, axis); return s.max - s.min > 1; };

function room(box, axis, sign) {
  const s = span(box, axis);
  return sign > 0 ? s.max - s.at : s.at - s.min;
}

// Its content goes on, and a person cannot get there: a page under a dialog is often locked so. A
// body that cuts its content off keeps the document from having any more of it.
function isLocked(box, axis, sign) {
  if (box !== rootBox() || letsScroll(box, axis)) return false;
  const { body } = document;
  const cut = body && body !== box && getComputedStyle(body)[OVERFLOW[axis]] === "hidden" && hasRange(body, axis);
  return room(box, axis, sign) >= 1 || (cut && room(body, axis, sign) >= 1);
}

const canScroll = (box, axis) => hasRange(box, axis) && letsScroll(box, axis);

// The boxes around a node that a wheel on it may move, the innermost first, the document's last.
function scrollChain(node, axis) {
  const boxes = [];
  for (let n = node; n; n = composedParent(n)) {
    if (n instanceof Element && n !== rootBox() && n !== document.body && n !== document.documentElement && canScroll(n, axis)) boxes.push(n);
  }
  // In quirks mode the body is the root; otherwise a body may scroll on its own.
  if (document.body && document.body !== rootBox() && composedContains(document.body, node) && bodyScrolls(axis)) boxes.push(document.body);
  boxes.push(rootBox());
  return boxes;
}

// The body has a scroll of its own only when the viewport did not take its overflow.
function bodyScrolls(axis) {
  return getComputedStyle(document.documentElement)[OVERFLOW[axis]] !== "visible" && canScroll(document.body, axis);
}

function visibleArea(box) {
  const shown = clip(box.getBoundingClientRect());
  return shown ? shown.width * shown.height : 0;
}

// What a reader means by "the page": its document, or where that does not scroll, the box that
// takes its place, which may be a document in a frame.
function mainBox(axis) {
  const modal = Array.from(document.querySelectorAll("dialog:modal")).pop();
  const middle = elementAt(innerWidth / 2, innerHeight / 2, []);
  if (modal && middle && composedContains(modal, middle)) {
    const inner = scrollChain(middle, axis).find((b) => b !== rootBox() && composedContains(modal, b));
    if (inner) return inner;
  }
  const root = rootBox();
  if (canScroll(root, axis)) return root;
  const around = middle ? scrollChain(middle, axis)[0] : root;
  if (around !== root && visibleArea(around) * 4 > innerWidth * innerHeight) return around;
  let best = root, area = 0;
  for (const box of document.querySelectorAll("*")) {
    if (box.clientHeight < 40 || box.clientWidth < 40) continue;
    const isFrame = box.localName === "iframe" || box.localName === "frame";
    if (!isFrame && !canScroll(box, axis)) continue;
    const size = isRendered(box) ? visibleArea(box) : 0;
    // A frame may turn out not to scroll: it has to fill most of the view.
    if (size > area && (!isFrame || size * 2 > innerWidth * innerHeight)) [best, area] = [box, size];
  }
  return best;
}

// A point at which a wheel would move this box and no other.
function wheelPoint(box, axis, sign, within) {
  const isRoot = box === rootBox();
  const rects = isRoot ? [new DOMRect(0, 0, document.documentElement.clientWidth || innerWidth, document.documentElement.clientHeight || innerHeight)] : [innerRect(box)];
  if (within && within !== box && within.isConnected) rects.unshift(...rectsOf(within).slice(0, 4));
  const roots = rootsOf(within || box);
  for (const [x, y] of candidatePoints(rects)) {
    const hit = elementAt(x, y, roots);
    if (!hit || hit.matches(FRAMES) || (!isRoot && !composedContains(box, hit))) continue;
    // A number field that has the focus would count up instead.
    if (hit === document.activeElement && hit.matches("input[type=number]")) continue;
    const first = scrollChain(hit, axis).find((b) => room(b, axis, sign) >= 1 && letsScroll(b, axis));
    if (first === undefined || first === box || room(box, axis, sign) < 1) return { x, y };
  }
  return null;
}

// Without its borders and scrollbars.
function innerRect(box) {
  const r = box.getBoundingClientRect();
  return new DOMRect(r.x + box.clientLeft, r.y + box.clientTop, box.clientWidth, box.clientHeight);
}

function onWheel(event) {
  if (scrolling === null || !event.isTrusted || now() > scrolling.expires) return;
  scrolling.wheels.push(event);
  if (scrolling.contain) {
    // At its end the box would hand the wheel on to what is around it, which was not asked for.
    addEventListener("wheel", (e) => {
      if (scrolling) scrolling.pagePrevented ||= e.defaultPrevented;
      e.preventDefault();
    }, { once: true, passive: false });
  }
}

function onScrollEnd(event) {
  if (scrolling === null) return;
  const box = event.target === document ? rootBox() : event.target;
  if (box === scrolling.box || !scrolling.strict) scrolling.ended = true;
}

function scrollArm(box, strict, lifeMs) {
  addEventListener("wheel", onWheel, { capture: true, passive: false });
  addEventListener("scrollend", onScrollEnd, { capture: true, passive: true });
  scrolling = { box, strict, expires: now() + lifeMs, wheels: [], ended: false, contain: false, pagePrevented: false, before: spot(box), by: "wheel", snaps: snaps(box) };
  beginWatch(null);
}

const spot = (box) => ({ x: box.scrollLeft, y: box.scrollTop });
const snaps = (box) => getComputedStyle(box === rootBox() ? document.documentElement : box).scrollSnapType !== "none";

// Choose the box and the way. Answers a point to turn the wheel at, or that it is done already.
//
// `to` is a share of the whole way (0 to 1); `pixels` or `pages` is how far to go in `sign`.
function scrollBegin(element, { axis, sign = 1, to = null, pixels = null, pages = 1, lifeMs = 10000, script = false }) {
  if (element && !element.isConnected) return { why: "detached" };
  const wanted = element && element !== document.documentElement ? element : null;
  if (wanted && !wanted.getClientRects().length && !rectsOf(wanted).length) return { why: "hidden" };
  const box = wanted && !wanted.matches("iframe,frame") ? scrollChain(wanted, axis)[0] : wanted || mainBox(axis);
  if (box.matches("iframe,frame")) {
    scrollBegin.frame = box;
    return { why: "frame" };
  }
  scrollArm(box, true, lifeMs);
  const size = axis === "x" ? box.clientWidth : box.clientHeight;
  const key = axis === "x" ? "left" : "top";
  if (to !== null) {
    const s = span(box, axis);
    scrolling.by = "script"; // as a drag of the scrollbar's thumb would
    const there = s.min < 0 ? -(s.max - s.min) * to : s.min + (s.max - s.min) * to;
    const locked = isLocked(box, axis, there < s.at ? -1 : 1);
    if (!locked) box.scrollTo({ [key]: there, behavior: "instant" });
    return { ok: true, done: true, locked, expected: Math.abs(there - s.at) >= 1 };
  }
  const distance = sign * (pixels === null ? Math.max(Math.round(size * pages), 1) : pixels);
  const locked = isLocked(box, axis, sign), expected = room(box, axis, sign) >= 1;
  let point = script ? null : wheelPoint(box, axis, sign, wanted);
  if (!point && !script && box !== rootBox() && visibleArea(box) === 0) {
    box.scrollIntoViewIfNeeded(true);
    point = wheelPoint(box, axis, sign, wanted);
  }
  if (!point) {
    scrolling.by = "script"; // no point of it is in sight and its own
    if (!locked) box.scrollBy({ [key]: distance, behavior: "instant" });
    return { ok: true, done: true, locked, expected };
  }
  const isTop = box === rootBox() && window === window.top;
  scrolling.contain = !isTop && !expected;
  return { ok: true, locked, expected, ...point, width: innerWidth, height: innerHeight, dx: axis === "x" ? distance : 0, dy: axis === "y" ? distance : 0 };
}

// Where a wheel over the page as a whole goes: its middle, beside frames if there is such a place.
function wheelSpot() {
  const all = [new DOMRect(0, 0, innerWidth, innerHeight)];
  for (const [x, y] of candidatePoints(all)) {
    const hit = elementAt(x, y, []);
    if (hit && !hit.matches(FRAMES)) return { ok: true, x, y, width: innerWidth, height: innerHeight };
  }
  scrollBegin.frame = elementAt(innerWidth / 2, innerHeight / 2, []);
  return { why: scrollBegin.frame ? "frame" : "empty" };
}

// A plain wheel at a point: whatever is there may scroll. The innermost box with room is watched.
function wheelBegin(element, { dx, dy, x, y, lifeMs = 10000 }) {
  const axis = Math.abs(dx) > Math.abs(dy) ? "x" : "y";
  const sign = (axis === "x" ? dx : dy) < 0 ? -1 : 1;
  const hit = elementAt(x, y, element ? rootsOf(element) : []) || document.documentElement;
  const chain = scrollChain(hit, axis);
  const box = chain.find((b) => room(b, axis, sign) >= 1 && letsScroll(b, axis)) || chain[0];
  return scrollArm(box, false, lifeMs);
}

const inUnits = (value) => Math.round(value * 100) / 100;

function scrollFacts() {
  const { box, before, wheels, by, contain, pagePrevented } = scrolling;
  const x = span(box, "x"), y = span(box, "y");
  const share = (s) => (s.max - s.min > 1 ? Math.min((100 * Math.abs(s.at - (s.min < 0 ? s.max : s.min))) / (s.max - s.min), 100) : 100);
  return {
    x: inUnits(x.at), y: inUnits(y.at), min_x: x.min, max_x: x.max, min_y: y.min, max_y: y.max,
    percent_x: inUnits(share(x)), percent_y: inUnits(share(y)),
    moved_x: inUnits(x.at - before.x), moved_y: inUnits(y.at - before.y),
    width: box.clientWidth, height: box.clientHeight,
    prevented: contain ? pagePrevented : wheels.some((e) => e.defaultPrevented),
    wheels: wheels.length, by, root: box === rootBox(),
  };
}

// Wait until the box rests (snapping and smooth scrolling included), then until the page does.
async function scrollFinish({ firstMs, scrollMs, ceilingMs }) {
  const began = now();
  const at = () => `${scrolling.box.scrollLeft},${scrolling.box.scrollTop}`;
  const before = `${scrolling.before.x},${scrolling.before.y}`;
  let last = at(), still = 0, settled = true;
  while (scrolling) {
    await nextFrame();
    if (scrolling === null) break;
    const here = at();
    still = here === last ? still + 1 : 0;
    last = here;
    const moved = here !== before || scrolling.ended;
    const prevented = scrolling.wheels.length > 0 && scrolling.wheels.every((e) => e.defaultPrevented);
    if (moved ? (scrolling.ended && still > 0) || still > (scrolling.snaps ? 30 : 8) : prevented || now() - began > firstMs) break;
    if (now() - began > scrollMs) {
      settled = false;
      break;
    }
  }
  if (scrolling === null) return { settled: false, awaited: [], facts: null };
  const rested = await rest({ ceilingMs, answers: true });
  const facts = scrolling ? scrollFacts() : null;
  scrollDisarm();
  return { ...rested, settled: rested.settled && settled, facts };
}

function scrollDisarm() {
  scrolling = null;
  endWatch();
}

