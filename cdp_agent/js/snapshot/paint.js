// @ts-check
// What colour a thing is painted in, and whether an eye could tell it from what is behind it.

// Distances in CIELAB: 2.3 is just noticeable side by side; letters need somewhat more.
const NOTICEABLE = 4;
// A share of the paint that leaves no trace, whatever is behind.
const NO_PAINT = 0.02;
const WHITE = [255, 255, 255, 1];
const NOTHING = [0, 0, 0, 0];

const parsed = new Map();
const lostOn = new WeakMap(); // background → paint → whether it cannot be told from it
let probe = null;

// `rgb(1, 2, 3)`, or whatever else a computed colour may be, as [red, green, blue, alpha].
function colourOf(text) {
  let colour = parsed.get(text);
  if (colour === undefined) {
    if (parsed.size > 5000) parsed.clear();
    colour = plainColour(text) || probedColour(text);
    parsed.set(text, colour);
  }
  return colour;
}

function plainColour(text) {
  const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  return found && [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]];
}

function probedColour(text) {
  probe ||= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = "#000";
  probe.fillStyle = text;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

function over(top, below, alpha) {
  const mix = (i) => top[i] * alpha + below[i] * (1 - alpha);
  return [mix(0), mix(1), mix(2), 1];
}

function lab([red, green, blue]) {
  const linear = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const curve = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// Whether paint of which this share is left cannot be told from what is behind it.
function isLostOn(behind, paint, alpha) {
  if (alpha !== paint[3]) return isNear(over(paint, behind, alpha), behind);
  // Thousands of texts share a handful of colours.
  let answers = lostOn.get(behind);
  if (answers === undefined) lostOn.set(behind, (answers = new Map()));
  let answer = answers.get(paint);
  if (answer === undefined) answers.set(paint, (answer = isNear(over(paint, behind, alpha), behind)));
  return answer;
}

function isNear(one, other) {
  const a = lab(one);
  const b = lab(other);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < NOTICEABLE;
}

// What is behind everything. Null for a frame, behind which its parent's document stands, and for
// a page that may be dark by its scheme.
function canvasColour() {
  if (window !== window.top) return null;
  const meta = document.querySelector('meta[name="color-scheme" i]');
  const scheme = `${getComputedStyle(document.documentElement).colorScheme} ${meta ? meta.content : ""}`;
  return scheme.includes("dark") ? null : WHITE;
}

// The background of a walked element by itself, pictures aside.
function paintOf(spot) {
  if (spot.paint === undefined) {
    spot.paint = spot.bare ? NOTHING : colourOf(spot.style.getPropertyValue("background-color"));
  }
  return spot.paint;
}

function hasPicture(spot) {
  return !spot.bare && spot.style.getPropertyValue("background-image") !== "none";
}

// The colour behind the contents of a walked element, pictures aside; null where nobody can tell.
function backdrop(spot) {
  if (spot.backdrop !== undefined) return spot.backdrop;
  // A stack, because pages nest deeper than functions do.
  const unknown = [];
  let at = spot;
  for (; at && at.backdrop === undefined; at = at.parent) unknown.push(at);
  let behind = at ? at.backdrop : canvasColour();
  while (unknown.length) {
    const one = unknown.pop();
    const own = paintOf(one);
    if (own[3] >= 0.99) behind = own;
    else if (own[3] > 0 && behind) behind = over(own, behind, own[3]);
    one.backdrop = behind;
  }
  return behind;
}

// Whether the letters right in a walked element leave no trace on what its ancestors paint.
function isPaintedAway(spot) {
  const fill = colourOf(spot.style.getPropertyValue("-webkit-text-fill-color"));
  const alpha = fill[3] * spot.opacity;
  if (alpha > NO_PAINT) {
    const behind = backdrop(spot);
    if (!behind || !isLostOn(behind, fill, alpha) || isOverPicture(spot)) return false;
  }
  return !hasOtherInk(spot);
}

function isOverPicture(spot) {
  for (let at = spot; at; at = at.parent) {
    if (hasPicture(at)) return true;
    if (paintOf(at)[3] >= 0.99) return false;
  }
  return false;
}

// Outlines, shadows, gradients cut to the letters, blending: letters without a fill can be seen.
function hasOtherInk(spot) {
  const style = spot.style;
  const behind = backdrop(spot);
  const shows = (text) => {
    const colour = colourOf(text);
    return colour[3] > 0.1 && (!behind || !isLostOn(behind, colour, colour[3]));
  };
  if (parseFloat(style.webkitTextStrokeWidth) > 0 && shows(style.webkitTextStrokeColor)) return true;
  const shadow = style.textShadow;
  if (shadow !== "none" && (shadow.match(/[a-z-]+\([^)]*\)/g) || []).some(shows)) return true;
  for (let at = spot; at; at = at.parent) {
    if (at.style.backgroundClip.includes("text") && (hasPicture(at) || shows(at.style.backgroundColor))) return true;
    if (at.style.mixBlendMode !== "normal") return true;
  }
  return false;
}
