// A scroll under way: how far it got, and when it has come to rest.

let scrolling = null; // the scroll under way in this document

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

// A wheel in a frame that has no room is handed on: what is around the frame is measured as well.
function scrollAround(owner, { lifeMs }) {
  return scrollArm(rootBox(), false, lifeMs, owner);
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
