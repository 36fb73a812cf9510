// Boxes that scroll: the one that holds an element, the main one, and the point where a wheel moves it.

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

let searched = null; // what is scrolled for a text, and searched

// The element, or the box that scrolls it. Without one a box in view that has more than the document
// has, and is more than a tenth of the view.
function chooseSearched(element, axis) {
  if (!element.isConnected) return { why: "detached" };
  searched = element;
  if (element !== document.documentElement && !element.matches(FRAMES)) {
    const box = boxOf(element, axis);
    if (!composedContains(element, box)) searched = box;
  } else if (element === document.documentElement) {
    searched = fullestBox(axis);
  }
  return { ok: searched !== null };
}

function fullestBox(axis) {
  const range = (box) => span(box, axis).max - span(box, axis).min;
  const own = room(rootBox(), axis, 1) + room(rootBox(), axis, -1);
  const boxes = Array.from(document.querySelectorAll("*")).filter(
    (box) => box.clientHeight >= 40 && box !== rootBox() && box !== document.body && range(box) > own,
  );
  const large = boxes.filter((box) => letsScroll(box, axis) && visibleArea(box) * 10 > innerWidth * innerHeight);
  return large.sort((one, other) => range(other) - range(one))[0] || null;
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
