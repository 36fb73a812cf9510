// Where an element is, and what a pointer would meet there. Works from the frame's own viewport.

function composedParent(node) {
  return node.assignedSlot || node.parentNode || node.host || null;
}

function composedContains(ancestor, node) {
  for (let n = node; n; n = composedParent(n)) if (n === ancestor) return true;
  // A slotted node's own parent counts as well as the slot it is shown in.
  for (let n = node; n; n = n.parentNode || n.host) if (n === ancestor) return true;
  return false;
}

// Shadow roots from the document down to the one that holds `element`, closed ones included.
function rootsOf(element) {
  const roots = [];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
    roots.unshift(root);
  }
  return roots;
}

// The innermost element at a point, looking into open roots and into those given.
function elementAt(x, y, roots) {
  let found = document.elementFromPoint(x, y);
  for (let depth = 0; found && depth < 100; depth += 1) {
    const host = found;
    const root = host.shadowRoot || roots.find((r) => r.host === host);
    const inner = root && root.elementFromPoint(x, y);
    if (!inner || inner === host || inner.getRootNode() !== root) break;
    found = inner;
  }
  return found;
}

// Chromium keeps presses and keys at the controls that it draws for audio and video to itself: no
// listener hears of them, those of the page included. Moves are heard.
function keeperOf(element) {
  let node = element;
  while (node && !(node instanceof HTMLMediaElement)) node = node.getRootNode().host;
  return node && node.controls ? node : null;
}

// Whether input that was sent to an element, and that nothing heard, is with such controls.
function isKept(element, kind) {
  const keeper = keeperOf(element);
  return keeper !== null && (kind === "pointer" || keeper.getRootNode().activeElement === keeper);
}

function labelsOf(element) {
  return element.labels ? Array.from(element.labels) : [];
}

// Whether a pointer event at `hit` is the element's own: itself, what it holds, or its label.
function belongs(element, hit) {
  if (!hit) return false;
  if (composedContains(element, hit) || isHandleOf(hit, element)) return true;
  if (standsFor(hit, element) || isLayerOf(hit, element)) return true;
  if (hit instanceof HTMLAreaElement && element instanceof HTMLImageElement) return hasArea(element, hit);
  return labelsOf(element).some((label) => composedContains(label, hit) && !otherControl(hit, label));
}

// A web component may take the pointer itself, for the control in its shadow tree.
function standsFor(host, element) {
  return element.getRootNode().host === host && getComputedStyle(element).pointerEvents === "none";
}

// A slider that draws its own handle keeps the real one inside it, clipped to nothing.
function isHandleOf(hit, element) {
  if (!(element instanceof HTMLInputElement) || element.type !== "range") return false;
  const handle = element.parentElement;
  return handle !== null && composedContains(handle, hit) && getComputedStyle(element).clip !== "auto";
}

// An empty layer that takes the input for a drawing: both fill one box, and a person sees the drawing.
function isLayerOf(hit, element) {
  if (!(element instanceof HTMLCanvasElement) || !(hit instanceof HTMLDivElement || hit.localName === "canvas"))
    return false;
  let around = element.parentElement;
  while (around && !composedContains(around, hit)) around = around.parentElement;
  const isEmpty = hit.innerText.trim() === "" && !hit.matches("[role]") && !hit.querySelector("img,svg,video,input");
  const isPainted = colourOf(getComputedStyle(hit).backgroundColor)[3] > 0;
  return isEmpty && !isPainted && around !== null && isOnTopOf(hit, element) && isOnTopOf(around, element);
}

// A link or button inside a label acts for itself, not for the labelled control.
function otherControl(hit, label) {
  for (let n = hit; n && n !== label; n = composedParent(n)) {
    if (n instanceof Element && n.matches("a[href],button,input,select,textarea,[tabindex],[contenteditable]")) {
      return n !== label.control;
    }
  }
  return false;
}

// What does something of its own when clicked, whatever it stands in.
const ACTS_ALONE =
  "a[href],area[href],button,select,summary,input:not([type=hidden]),textarea," +
  "[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=menuitem],[role=tab]";
const MADE_OF_FIELDS =
  "[role=combobox],[role=textbox],[role=searchbox],[role=spinbutton],[role=slider],[contenteditable]";

// Parts of a widget, which often stand around a link or box that is the same thing to a person.
const ITEMS = [
  "tab",
  "option",
  "treeitem",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "gridcell",
  "columnheader",
  "rowheader",
]
  .map((role) => `[role=${role}]`)
  .join();

// Whether a click at `hit` is for a control inside the element: the link or the "delete" in a card.
// Not what it is made of itself, in its own shadow tree or as the field of a combobox.
function isOnOtherControl(element, hit) {
  if (hit instanceof HTMLAreaElement && hit !== element) return hit.hasAttribute("href");
  if (element.matches(MADE_OF_FIELDS) || !element.contains(hit)) return false;
  for (let n = hit; n && n !== element; n = n.parentElement) {
    if (n.matches(FRAMES) || (n.matches(ACTS_ALONE) && isControlOfItsOwn(n, element))) return true;
  }
  return false;
}

const BOXES = "[role=checkbox],[role=radio],[role=switch]";
const NATIVE_BOXES = "input[type=checkbox],input[type=radio]";

// Whether a person takes the inner one for another control: by its role, its name and its place in
// the tab order. The link of a tab has none of them, the text of the tab is its own.
function isControlOfItsOwn(inner, element) {
  if (inner === element.control || inner.matches("[role=presentation],[role=none]")) return false;
  if (element.matches(BOXES) && inner.matches(NATIVE_BOXES)) return false; // drawn by the one around it
  const isStop = inner.tabIndex >= 0;
  if (isStop && !element.matches(ITEMS)) return true;
  const name = optionName(inner);
  return name !== optionName(element) && (isStop || (name !== "" && !inner.closest("[aria-hidden=true]")));
}

const SHAPE_POINTS = 24;

// Points on a drawn shape, which may leave most of its box free: a ring, a thin arc.
function pointsOfShape(element) {
  if (!(element instanceof SVGGeometryElement)) return [];
  const matrix = element.getScreenCTM();
  const length = element.getTotalLength();
  if (!matrix || !(length > 0)) return [];
  const found = [];
  const box = element.getBBox();
  const style = getComputedStyle(element);
  for (let i = 0; i < SHAPE_POINTS && style.fill !== "none"; i += 1) {
    for (let j = 0; j < SHAPE_POINTS; j += 1) {
      const point = new DOMPoint(
        box.x + (box.width * (i + 0.5)) / SHAPE_POINTS,
        box.y + (box.height * (j + 0.5)) / SHAPE_POINTS,
      );
      if (element.isPointInFill(point)) found.push(point);
    }
  }
  for (let i = 0; i < SHAPE_POINTS; i += 1) found.push(element.getPointAtLength((length * (i + 0.5)) / SHAPE_POINTS));
  return found
    .map((point) => new DOMPoint(point.x, point.y).matrixTransform(matrix))
    .map(({ x, y }) => [x, y])
    .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
}

function hasArea(image, area) {
  const map = area.closest("map");
  return map !== null && [`#${map.name}`, `#${map.id}`].includes(image.useMap);
}

function imageOf(area) {
  const map = area.closest("map");
  const name = map && (map.name || map.id);
  return name
    ? document.querySelector(`img[usemap="#${CSS.escape(name)}"],object[usemap="#${CSS.escape(name)}"]`)
    : null;
}

function areaRects(area) {
  const image = imageOf(area);
  if (!image) return [];
  const box = image.getBoundingClientRect();
  const n = (area.getAttribute("coords") || "").split(/[,\s]+/).map(Number);
  let left = 0,
    top = 0,
    right = box.width,
    bottom = box.height;
  if (area.shape === "circle") {
    [left, top, right, bottom] = [n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]];
  } else if (area.shape !== "default" && n.length >= 4) {
    const xs = n.filter((_, i) => i % 2 === 0),
      ys = n.filter((_, i) => i % 2 === 1);
    [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  return [new DOMRect(box.x + left, box.y + top, right - left, bottom - top)];
}

const hasSize = (rect) => rect.width > 0 && rect.height > 0;

function contentRects(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const rects = Array.from(range.getClientRects()).filter(hasSize);
  if (rects.length) return rects;
  const found = [];
  const inside = (element.shadowRoot || element).querySelectorAll("*");
  for (let i = 0; i < inside.length && i < 200 && found.length < 20; i += 1) {
    found.push(...Array.from(inside[i].getClientRects()).filter(hasSize));
  }
  return found;
}

// The element's boxes, line by line; where it has none of its own, those of what it shows.
function rectsOf(element) {
  if (element instanceof HTMLAreaElement) return areaRects(element);
  const own = Array.from(element.getClientRects()).filter(hasSize);
  if (own.length) return own;
  // The root takes the pointer wherever nothing else does, however little it holds.
  if (element === document.documentElement) return [new DOMRect(0, 0, innerWidth, innerHeight)];
  const style = getComputedStyle(element);
  const clips = style.display !== "contents" && style.overflow !== "visible" && element.getClientRects().length > 0;
  const content = clips ? [] : contentRects(element);
  if (content.length) return content;
  return labelsOf(element)
    .filter(isRendered)
    .flatMap((l) => Array.from(l.getClientRects()).filter(hasSize));
}

function isRendered(element) {
  if (element instanceof HTMLAreaElement) return true;
  if (getComputedStyle(element).display === "contents") {
    if (getComputedStyle(element).visibility !== "visible") return false;
    const parent = composedParent(element);
    return !(parent instanceof Element) || parent.checkVisibility() || isRendered(parent);
  }
  return element.checkVisibility({ visibilityProperty: true });
}

function clip(rect) {
  const left = Math.max(rect.left, 0),
    top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, innerWidth),
    bottom = Math.min(rect.bottom, innerHeight);
  return right > left && bottom > top ? new DOMRect(left, top, right - left, bottom - top) : null;
}

// Points to try, the middle of each box first, then a grid inside each.
function candidatePoints(rects) {
  const boxes = rects
    .map(clip)
    .filter(Boolean)
    .sort((a, b) => b.width * b.height - a.width * a.height);
  const shown = boxes.slice(0, 8);
  const points = shown.map((b) => [b.x + b.width / 2, b.y + b.height / 2]);
  for (const b of shown) {
    for (const fy of [0.5, 0.2, 0.8, 0.05, 0.95]) {
      for (const fx of [0.5, 0.2, 0.8, 0.05, 0.95]) {
        if (fx !== 0.5 || fy !== 0.5) points.push([b.x + b.width * fx, b.y + b.height * fy]);
      }
    }
  }
  return points;
}

function requestedPoint(element, [dx, dy]) {
  const box = element.getBoundingClientRect();
  return [box.x + element.clientLeft + dx, box.y + element.clientTop + dy];
}

// A point of a frame's element, from inside its border, as the viewport of its document counts it.
function insideFrame(element, [x, y]) {
  const style = getComputedStyle(element);
  return [x - Number.parseFloat(style.paddingLeft), y - Number.parseFloat(style.paddingTop)];
}

function boxKey(element) {
  return rectsOf(element)
    .map((r) => [r.x, r.y, r.width, r.height].map((v) => Math.round(v * 8)).join())
    .join(";");
}

// Whether something of CSS or the Web Animations API is moving the element or what it stands in.
function isAnimated(element) {
  for (let n = element; n; n = composedParent(n)) {
    if (n instanceof Element && n.getAnimations().some((a) => a.playState === "running")) return true;
  }
  return false;
}

// How long one turn of what moves the element takes, where that goes on for ever: a button that
// throbs. 0: nothing does, it comes to rest, or its turns are long.
function swingOf(element) {
  let longest = 0;
  for (let n = element; n; n = composedParent(n)) {
    for (const animation of n instanceof Element ? n.getAnimations() : []) {
      if (animation.playState !== "running") continue;
      const { duration, iterations, direction } = animation.effect.getComputedTiming();
      const turn = duration * (direction.startsWith("alternate") ? 2 : 1);
      if (iterations !== Infinity || !(turn > 0) || turn > LONGEST_SWING_MS) return 0;
      longest = Math.max(longest, turn);
    }
  }
  return longest;
}

const LONGEST_SWING_MS = 3000;

// Whether it stands where the last snapshot saw it (document coordinates of that moment).
function isWhereSeen(element, seen) {
  if (!seen) return false;
  const box = element.getBoundingClientRect();
  return (
    Math.abs(box.x + scrollX - seen[0]) < 0.6 &&
    Math.abs(box.y + scrollY - seen[1]) < 0.6 &&
    Math.abs(box.width - seen[2]) < 0.6 &&
    Math.abs(box.height - seen[3]) < 0.6
  );
}

// A short picture of an element for people: <button id="x" class="y">.
function sketch(element) {
  let text = `<${element.localName}`;
  for (const name of ["id", "class", "name", "type", "role", "href", "src", "title"]) {
    const value = element.getAttribute(name);
    if (value) text += ` ${name}="${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  }
  return `${text}>`;
}

// What keeps the pointer and the focus out of an element, by an attribute; null: nothing does.
function inertAround(element) {
  for (let n = element; n; n = composedParent(n)) if (n instanceof HTMLElement && n.inert) return n;
  return null;
}

// The element that holds the pointer's lock, where that keeps the pointer from another one.
function lockAway(element) {
  let holder = document.pointerLockElement;
  while (holder && holder.shadowRoot && holder.shadowRoot.pointerLockElement)
    holder = holder.shadowRoot.pointerLockElement;
  return holder && !belongs(element, holder) && !rootsOf(element).some((root) => root.host === holder) ? holder : null;
}

// What covers the element, with the top of the covering subtree when that is another element.
function sketchCover(element, cover) {
  let top = cover;
  for (let n = composedParent(cover); n instanceof Element || n instanceof ShadowRoot; n = composedParent(n)) {
    if (n instanceof ShadowRoot) continue;
    if (composedContains(n, element) || n === document.body || n === document.documentElement) break;
    top = n;
  }
  return top === cover ? sketch(cover) : `${sketch(cover)} from ${sketch(top)} subtree`;
}
