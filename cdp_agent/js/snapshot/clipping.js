// Clipping: the region in which the content of an element can be seen or scrolled to.

// Of a size that leaves no trace.
const SPECK = 2;

function meet(one, other) {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

// The sides of an element or range as a plain object: those of a `DOMRect` are slow to read, and are
// compared with those of all covers.
function plainBox(source) {
  const { left, top, right, bottom } = source.getBoundingClientRect();
  return { left, top, right, bottom };
}

// Whether enough of a box is inside a region; what is smaller than a speck by itself is not seen.
function isShownIn(box, region) {
  if (!region) return false;
  const width = Math.min(box.right, region.right) - Math.max(box.left, region.left);
  const height = Math.min(box.bottom, region.bottom) - Math.max(box.top, region.top);
  return height >= SPECK && width >= Math.min(SPECK, box.right - box.left) && width >= 0.5;
}

// Where the document can be scrolled to, in today's coordinates of its viewport.
function documentRegion() {
  const scroller = document.scrollingElement || document.documentElement;
  const room = scroller.scrollWidth - scroller.clientWidth;
  const style = getComputedStyle(document.documentElement);
  const rightToLeft =
    style.direction === "rtl" || (document.body && getComputedStyle(document.body).direction === "rtl");
  const cut = [style.overflowX, document.body ? getComputedStyle(document.body).overflowX : ""];
  const left = -window.scrollX - (rightToLeft ? Math.max(room, 0) : 0);
  const isCut = cut.some((one) => one === "hidden" || one === "clip");
  return { left, top: -window.scrollY, right: isCut ? window.innerWidth - window.scrollX : Infinity, bottom: Infinity };
}

function isScroller(overflow) {
  return overflow.includes("auto") || overflow.includes("scroll");
}

// Where the contents of an element that clips can be seen or scrolled to; null for nowhere.
function clippedRegion(element, overflow, region) {
  if (!region) return null;
  // With its borders: they are thin, and not worth four further questions.
  const box = element.getBoundingClientRect();
  const [alongX, alongY = alongX] = overflow.split(" ");
  const shown = meet(region, {
    left: alongX === "visible" ? -Infinity : box.left,
    right: alongX === "visible" ? Infinity : box.right,
    top: alongY === "visible" ? -Infinity : box.top,
    bottom: alongY === "visible" ? Infinity : box.bottom,
  });
  if (shown.right - shown.left < SPECK || shown.bottom - shown.top < SPECK) return null;
  if (isScroller(alongX) && element.scrollWidth > element.clientWidth) {
    const room = element.scrollWidth - element.clientWidth;
    const gone = element.scrollLeft;
    shown.left = box.left - (gone < 0 ? room + gone : gone);
    shown.right = box.right + (gone < 0 ? -gone : room - gone);
  }
  if (isScroller(alongY) && element.scrollHeight > element.clientHeight) {
    shown.top = box.top - element.scrollTop;
    shown.bottom = box.bottom + element.scrollHeight - element.clientHeight - element.scrollTop;
  }
  return shown;
}

// Whether `clip` or `clip-path` leaves nothing of an element. A path nobody can read leaves all.
function isClippedAway(element, style, position) {
  if (position === "absolute" || position === "fixed") {
    const clip = /^rect\((.+)\)$/.exec(style.getPropertyValue("clip"));
    if (clip) {
      const [top, right, bottom, left] = clip[1]
        .split(/,\s*|\s+/)
        .map((part) => (part === "auto" ? NaN : parseFloat(part)));
      if (bottom - top < SPECK || right - left < SPECK) return true;
    }
  }
  const path = style.getPropertyValue("clip-path");
  if (path === "none") return false;
  const { width, height } = element.getBoundingClientRect();
  const length = (part, whole) => (part.endsWith("%") ? (parseFloat(part) / 100) * whole : parseFloat(part));
  let found = /^inset\(([^)]*?)(?: round .*)?\)/.exec(path);
  if (found) {
    const [top, right = top, bottom = top, left = right] = found[1].trim().split(/\s+/);
    return (
      height - length(top, height) - length(bottom, height) < SPECK ||
      width - length(left, width) - length(right, width) < SPECK
    );
  }
  found = /^(?:circle|ellipse)\(([^)]*?)(?: at .*)?\)/.exec(path);
  if (found)
    return found[1]
      .trim()
      .split(/\s+/)
      .some((part) => 2 * length(part, Math.min(width, height)) < SPECK);
  found = /^polygon\((.*)\)/.exec(path);
  if (!found) return false;
  const corners = found[1]
    .split(",")
    .map((pair) => pair.trim().split(/\s+/))
    .filter((pair) => pair.length === 2);
  const xs = corners.map((pair) => length(pair[0], width));
  const ys = corners.map((pair) => length(pair[1], height));
  return Math.max(...xs) - Math.min(...xs) < SPECK || Math.max(...ys) - Math.min(...ys) < SPECK;
}
