// Makes an element ready for input and says where to aim. Polls by frames inside one call, so that
// the moment an obstacle goes is not missed between two round trips. It never dispatches anything.

const SCROLL_AGAIN_MS = 200;
const ALIGNMENTS = ["if-needed", "center", "end", "start", "nearest"];

function isDisabled(element) {
  for (let n = element; n; n = composedParent(n)) {
    if (!(n instanceof Element)) continue;
    // Events end at a disabled control, also those of what it holds. A fieldset disables others.
    if (n.getAttribute("aria-disabled") === "true" || n.matches(":disabled:not(fieldset)")) return true;
  }
  return false;
}

// A point of an element that is larger than the viewport: that point, not the element, is wanted.
function scrollToPoint(element, position) {
  const [x, y] = requestedPoint(element, position);
  scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: "instant" });
}

function scrollTo(element, alignment) {
  const anchor =
    rectsOf(element).length && !element.getClientRects().length
      ? element.firstElementChild || element.parentElement || element
      : element;
  const target = anchor.getClientRects().length ? anchor : labelsOf(element)[0] || anchor;
  if (alignment === "if-needed" && target.scrollIntoViewIfNeeded) target.scrollIntoViewIfNeeded(true);
  else
    target.scrollIntoView({
      block: alignment === "if-needed" ? "center" : alignment,
      inline: alignment === "if-needed" ? "nearest" : alignment,
      behavior: "instant",
    });
}

// In the middle of every viewport around it, those of parent documents included.
function center(element) {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
}

// Where in its document the pointer is wanted: at that position of the frame's element, or in the
// middle, which is scrolled into view: the frame may be larger than what is around it.
function frameSpot(element, position) {
  const [x, y] = position || [element.clientWidth / 2, element.clientHeight / 2];
  const [left, top] = requestedPoint(element, [x, y]);
  if (!position && (left < 0 || top < 0 || left >= innerWidth || top >= innerHeight)) center(element);
  return insideFrame(element, [x, y]);
}

function aim(element, roots, position) {
  const own = aimAt(element, rectsOf(element), roots, position);
  if (!own.why || position) return own;
  // A design may hide the control itself and show only its label.
  const labels = labelsOf(element)
    .filter(isRendered)
    .flatMap((label) => rectsOf(label));
  const byLabel = labels.length ? aimAt(element, labels, roots, null) : own;
  return byLabel.why ? own : byLabel;
}

function aimAt(element, rects, roots, position) {
  if (!rects.length && !position) return { why: "empty" };
  const wished = position ? [requestedPoint(element, position)] : candidatePoints(rects);
  const points = wished.filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
  if (!points.length) return { why: "outside" };
  let cover = null;
  let onControl = null; // a point that acts for a control in the element rather than for it
  for (const [x, y] of points) {
    const hit = elementAt(x, y, roots);
    if (belongs(element, hit)) {
      if (position || !isOnOtherControl(element, hit)) return { x, y };
      onControl ||= { x, y };
    } else if (hit && !cover) {
      cover = hit;
    }
  }
  if (onControl) return onControl;
  for (const [x, y] of position ? [] : pointsOfShape(element))
    if (belongs(element, elementAt(x, y, roots))) return { x, y };
  return cover ? { why: "covered", cover } : { why: "outside" };
}

async function steady(element, seen) {
  if (isWhereSeen(element, seen) && !isAnimated(element)) return true;
  const before = boxKey(element);
  await nextFrame();
  if (boxKey(element) !== before) return false;
  await nextFrame();
  return boxKey(element) === before;
}

// For a log: left, top, right and bottom of the first lines of an element.
function quadsOf(element) {
  return rectsOf(element)
    .slice(0, 4)
    .map((r) => [r.x, r.y, r.x + r.width, r.y + r.height].map(Math.round));
}

// What never rests may still never leave some of its place: seen for a whole turn, that is where to
// aim. A press that lands beside it all the same is stopped by the guard.
class Swing {
  constructor() {
    this.began = now();
    this.place = null;
    this.looks = 0;
  }

  see(element) {
    const box = element.getBoundingClientRect();
    this.place = this.place === null ? box : meet(this.place, box);
    this.looks += 1;
  }

  // The place as a list of boxes, once it is known.
  rects(element) {
    const turn = swingOf(element);
    if (!turn || now() - this.began < turn || this.looks < 10) return [];
    const { left, top, right, bottom } = this.place;
    return right - left < 4 || bottom - top < 4 ? [] : [new DOMRect(left, top, right - left, bottom - top)];
  }
}

async function prepare(element, options) {
  const {
    timeoutMs,
    enabled = true,
    pointer = true,
    position = null,
    seen = null,
    guard = null,
    avoid = 0,
    tell = false,
    plain = false,
  } = options;
  const deadline = now() + timeoutMs;
  // A page that swallows the click which ends a drag lets go of that in the next task.
  await nextTask();
  const roots = rootsOf(element);
  let scrolls = avoid;
  let scrolledOut = null; // since when every way to scroll has been tried in vain
  let swing = null;
  let failure = { why: "hidden" };
  for (;;) {
    if (!element.isConnected || element.ownerDocument !== document) return { why: "detached" };
    failure = await attempt();
    if (failure.ok) return failure;
    if (["frame", "embed"].includes(failure.why)) return failure;
    if (now() >= deadline) break;
    if (failure.why === "outside" && scrolls >= ALIGNMENTS.length) scrollAgain();
    await nextFrame();
  }
  if (failure.cover) {
    prepare.cover = failure.cover;
    const inert = inertAround(element);
    if (inert) return { why: "inert", inert: sketch(inert) };
    return {
      why: "covered",
      cover: sketchCover(element, failure.cover),
      frame: failure.cover instanceof HTMLIFrameElement,
    };
  }
  return failure;

  // A page that is scrolling by itself, to what it was opened at for instance, ends that some time.
  function scrollAgain() {
    scrolledOut ??= now();
    if (now() - scrolledOut < SCROLL_AGAIN_MS) return;
    scrolledOut = null;
    scrolls = 0;
  }

  async function attempt() {
    if (!isRendered(element)) return { why: "hidden" };
    if (enabled && isDisabled(element)) return { why: "disabled" };
    if (!pointer) {
      if (guard) arm(element, guard);
      return { ok: true };
    }
    const holder = lockAway(element);
    if (holder) return { why: "locked", holder: sketch(holder) };
    // At a position there may be what CSS adds to an element that has no size itself.
    if (!rectsOf(element).length && !position) return { why: "empty" };
    if (element.contentWindow) return { why: "frame" }; // its document takes what a pointer does
    if (element instanceof HTMLEmbedElement && !plain) return { why: "embed" }; // no script knows what it shows
    if (avoid > 0 && scrolls === avoid) {
      scrollTo(element, ALIGNMENTS[scrolls % ALIGNMENTS.length]);
      scrolls += 1;
      await nextFrame();
    }
    if (!(await steady(element, seen))) {
      swing ||= swingOf(element) && !position ? new Swing() : null;
      if (swing) swing.see(element);
      const aimed = aimAt(element, swing ? swing.rects(element) : [], roots, null);
      return aimed.why ? { why: "moving" } : ready(aimed);
    }
    if (!element.isConnected) return { why: "hidden" };
    let aimed = aim(element, roots, position);
    for (; aimed.why && scrolls < ALIGNMENTS.length; ) {
      scrollTo(element, ALIGNMENTS[scrolls]);
      scrolls += 1;
      if (position && aim(element, roots, position).why === "outside") scrollToPoint(element, position);
      await nextFrame();
      if (!element.isConnected) return { why: "hidden" };
      aimed = aim(element, roots, position);
      if (!aimed.why && !(await steady(element, null))) return { why: "moving" };
      if (!aimed.why) aimed = aim(element, roots, position);
    }
    return aimed.why ? aimed : ready(aimed);
  }

  function ready(aimed) {
    if (guard) arm(element, guard);
    const quads = tell ? quadsOf(element) : null;
    return { ok: true, x: aimed.x, y: aimed.y, width: innerWidth, height: innerHeight, quads };
  }
}
