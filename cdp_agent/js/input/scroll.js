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
const hasRange = (box, axis) => {
  const s = span(box, axis);
  return s.max - s.min > 1;
};

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
    if (
      n instanceof Element &&
      n !== rootBox() &&
      n !== document.body &&
      n !== document.documentElement &&
      canScroll(n, axis)
    )
      boxes.push(n);
  }
  // In quirks mode the body is the root; otherwise a body may scroll on its own.
  if (document.body && document.body !== rootBox() && composedContains(document.body, node) && bodyScrolls(axis))
    boxes.push(document.body);
  boxes.push(rootBox());
  return boxes;
}

// The body has a scroll of its own only when the viewport did not take its overflow.
function bodyScrolls(axis) {
  return getComputedStyle(document.documentElement)[OVERFLOW[axis]] !== "visible" && canScroll(document.body, axis);
}

// The box that an element is, that shows its content, or that it stands in. A grid often draws its
// rows in a box inside it or over it.
function boxOf(element, axis) {
  const around = scrollChain(element, axis)[0];
  if (around === element) return element;
  const own = element.getBoundingClientRect();
  const shown = clip(own);
  const hit = shown && elementAt(shown.x + shown.width / 2, shown.y + shown.height / 2, rootsOf(element));
  const fills = (box) => {
    const { left, top, right, bottom } = meet(own, box.getBoundingClientRect());
    return right > left && (right - left) * (bottom - top) * 2 > own.width * own.height;
  };
  return (
    (hit &&
      scrollChain(hit, axis).find(
        (box) =>
          box !== around &&
          !composedContains(box, element) &&
          (composedContains(element, box) || isOnTopOf(box, element)) &&
          fills(box),
      )) ||
    around
  );
}

// Whether it is no larger than the element that it lies over: the scroller of a canvas.
function isOnTopOf(box, element) {
  const one = box.getBoundingClientRect(),
    other = element.getBoundingClientRect();
  return one.width <= other.width + 20 && one.height <= other.height + 20;
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
  let best = root,
    area = 0;
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
  const rects = isRoot
    ? [
        new DOMRect(
          0,
          0,
          document.documentElement.clientWidth || innerWidth,
          document.documentElement.clientHeight || innerHeight,
        ),
      ]
    : [innerRect(box)];
  if (within && within !== box && within.isConnected) rects.unshift(...rectsOf(within).slice(0, 4));
  const roots = rootsOf(within || box);
  for (const [x, y] of candidatePoints(rects)) {
    const hit = elementAt(x, y, roots);
    if (!hit || hit.matches(FRAMES) || (!isRoot && !composedContains(box, hit))) continue;
    // A number field that has the focus would count up instead.
    if (hit === document.activeElement && hit.matches("input[type=number]")) continue;
    const first = scrollChain(hit, axis).find((b) => room(b, axis, sign) >= 1 && letsScroll(b, axis));
    if (first === undefined || composedContains(first, box)) return { x, y };
  }
  return null;
}

// Without its borders and scrollbars.
function innerRect(box) {
  const r = box.getBoundingClientRect();
  return new DOMRect(r.x + box.clientLeft, r.y + box.clientTop, box.clientWidth, box.clientHeight);
}

// A wheel is heard by its old name: a node calls `mousewheel` listeners only where it has none for
// `wheel`, so that ours keep nothing from the page's, which `wheel` listeners of ours would. One on
// each node of the way, because the page may have its own on some of them.
function onWheel(event) {
  if (scrolling === null || !event.isTrusted || now() > scrolling.expires || scrolling.wheels.includes(event)) return;
  scrolling.wheels.push(event);
  openEvent("action");
}

function listenForWheel(hit) {
  for (let n = hit; n; n = composedParent(n)) scrolling.listening.push(n);
  scrolling.listening.push(window);
  for (const node of scrolling.listening)
    node.addEventListener("mousewheel", onWheel, { capture: true, passive: true });
}

function onScrollEnd(event) {
  if (scrolling === null) return;
  const box = event.target === document ? rootBox() : event.target;
  if (scrolling.before.has(box) || !scrolling.strict) scrolling.ended = true;
}

// `box` is expected to move. Those around it and at the point of the wheel are measured as well.
function scrollArm(box, strict, lifeMs, hit = null) {
  if (scrolling) scrollDisarm();
  addEventListener("scrollend", onScrollEnd, { capture: true, passive: true });
  const measured = [box, ...(hit ? [...scrollChain(hit, "y"), ...scrollChain(hit, "x")] : [])];
  const before = new Map(measured.map((one) => [one, spot(one)]));
  scrolling = {
    box,
    strict,
    expires: now() + lifeMs,
    wheels: [],
    listening: [],
    ended: false,
    before,
    by: "wheel",
    snaps: snaps(box),
  };
  if (hit) listenForWheel(hit);
  beginWatch(null);
}

// The box that has moved: the one that was meant, or the one that took its wheel.
function movedBox() {
  const { box, before } = scrolling;
  const distance = (one) => Math.hypot(one.scrollLeft - before.get(one).x, one.scrollTop - before.get(one).y);
  return distance(box) > 0
    ? box
    : [...before.keys()].sort((a, b) => distance(b) - distance(a)).find((one) => distance(one) > 0) || box;
}

const spot = (box) => ({ x: box.scrollLeft, y: box.scrollTop });
const snaps = (box) => getComputedStyle(box === rootBox() ? document.documentElement : box).scrollSnapType !== "none";

// Choose the box and the way. Answers a point to turn the wheel at, or that it is done already.
//
// `to` is a share of the whole way (0 to 1), `place` a position in pixels; `pixels` or `pages` is how
// far to go in `sign`.
function scrollBegin(
  element,
  { axis, sign = 1, to = null, place = null, pixels = null, pages = 1, lifeMs = 10000, script = false },
) {
  if (element && !element.isConnected) return { why: "detached" };
  const wanted = element && element !== document.documentElement ? element : null;
  if (wanted && !wanted.getClientRects().length && !rectsOf(wanted).length) return { why: "hidden" };
  const box = wanted && !wanted.matches("iframe,frame") ? boxOf(wanted, axis) : wanted || mainBox(axis);
  if (box.matches("iframe,frame")) {
    scrollBegin.frame = box;
    return { why: "frame" };
  }
  const size = axis === "x" ? box.clientWidth : box.clientHeight;
  const key = axis === "x" ? "left" : "top";
  if (to !== null || place !== null) {
    scrollArm(box, true, lifeMs);
    const s = span(box, axis);
    scrolling.by = "script"; // as a drag of the scrollbar's thumb would
    const share = s.min < 0 ? -(s.max - s.min) * to : s.min + (s.max - s.min) * to;
    const there = place === null ? share : Math.min(Math.max(place, s.min), s.max);
    const locked = isLocked(box, axis, there < s.at ? -1 : 1);
    if (!locked) box.scrollTo({ [key]: there, behavior: "instant" });
    return { ok: true, done: true, locked, expected: Math.abs(there - s.at) >= 1 };
  }
  const distance = sign * (pixels === null ? Math.max(Math.round(size * pages), 1) : pixels);
  const locked = isLocked(box, axis, sign),
    expected = room(box, axis, sign) >= 1;
  let point = script ? null : wheelPoint(box, axis, sign, wanted);
  if (!point && !script && box !== rootBox() && visibleArea(box) === 0) {
    box.scrollIntoViewIfNeeded(true);
    point = wheelPoint(box, axis, sign, wanted);
  }
  scrollArm(box, true, lifeMs, point && elementAt(point.x, point.y, rootsOf(wanted || box)));
  if (!point) {
    scrolling.by = "script"; // no point of it is in sight and its own
    if (!locked) box.scrollBy({ [key]: distance, behavior: "instant" });
    return { ok: true, done: true, locked, expected };
  }
  // At its end the box would hand the wheel on to what is around it, which was not asked for.
  const spent = !expected && !(box === rootBox() && window === window.top);
  return {
    ok: true,
    locked,
    expected,
    spent,
    ...point,
    width: innerWidth,
    height: innerHeight,
    dx: axis === "x" ? distance : 0,
    dy: axis === "y" ? distance : 0,
  };
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
  return scrollArm(box, false, lifeMs, hit);
}

const inUnits = (value) => Math.round(value * 100) / 100;

function scrollFacts() {
  const { before, wheels, by } = scrolling;
  const box = movedBox();
  const x = span(box, "x"),
    y = span(box, "y");
  const share = (s) =>
    s.max - s.min > 1 ? Math.min((100 * Math.abs(s.at - (s.min < 0 ? s.max : s.min))) / (s.max - s.min), 100) : 100;
  return {
    x: inUnits(x.at),
    y: inUnits(y.at),
    min_x: x.min,
    max_x: x.max,
    min_y: y.min,
    max_y: y.max,
    percent_x: inUnits(share(x)),
    percent_y: inUnits(share(y)),
    moved_x: inUnits(x.at - before.get(box).x),
    moved_y: inUnits(y.at - before.get(box).y),
    width: box.clientWidth,
    height: box.clientHeight,
    prevented: wheels.some((e) => e.defaultPrevented),
    wheels: wheels.length,
    by,
    root: box === rootBox(),
    box: box === rootBox() ? "the document" : sketch(box),
  };
}

// Wait until the box rests (snapping and smooth scrolling included), then until the page does.
async function scrollFinish({ firstMs, scrollMs, ceilingMs }) {
  const began = now();
  const at = () => [...scrolling.before.keys()].map((box) => `${box.scrollLeft},${box.scrollTop}`).join();
  const before = [...scrolling.before.values()].map(({ x, y }) => `${x},${y}`).join();
  let last = at(),
    still = 0,
    settled = true;
  while (scrolling) {
    await nextFrame();
    if (scrolling === null) break;
    const here = at();
    still = here === last ? still + 1 : 0;
    last = here;
    const moved = here !== before || scrolling.ended;
    const prevented = scrolling.wheels.length > 0 && scrolling.wheels.every((e) => e.defaultPrevented);
    if (
      moved
        ? (scrolling.ended && still > 0) || still > (scrolling.snaps ? 30 : 8)
        : prevented || now() - began > firstMs
    )
      break;
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
  for (const node of scrolling ? scrolling.listening : [])
    node.removeEventListener("mousewheel", onWheel, { capture: true });
  scrolling = null;
  endWatch();
}
