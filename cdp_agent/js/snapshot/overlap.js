// @ts-check
// What else is painted where a text stands: behind it, so that its colour shows after all, or over
// it, so that it does not show.

// What comes up over a page for a while. What is under it will be seen again.
const FOR_A_WHILE =
  "dialog,[popover],[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[role=tree],[role=grid],[aria-modal=true]";

// Boxes that are painted with something; with no colour where it is a picture.
function paintedBoxes(walk) {
  walk.painted ||= walk.spots.map(paintedBox).filter((box) => box !== null);
  return walk.painted;
}

function paintedBox(spot) {
  if (spot.gone || spot.mute || spot.bare || spot.opacity < 0.1) return null;
  const isDrawn = spot.drawing && REPLACED.has(spot.element.localName);
  const isPicture = isDrawn || (!spot.drawing && hasPicture(spot));
  if (!isPicture && (spot.drawing || paintOf(spot)[3] <= 0.1)) return null;
  return { spot, box: plainBox(spot.element), colour: isPicture ? null : paintOf(spot) };
}

function stoodIn(outer, inner) {
  for (let at = inner; at; at = at.parent) if (at === outer) return true;
  return false;
}

function isTouching(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

// Whether something that is not an ancestor may be the background of a text, in another colour.
function isPaintedUnder(entry, walk) {
  const { spot, box } = entry;
  const fill = colourOf(spot.style.getPropertyValue("-webkit-text-fill-color"));
  if (fill[3] * spot.opacity <= NO_PAINT) return false;
  const differs = (colour) => !colour || !isLostOn(colour, fill, fill[3]);
  for (const other of paintedBoxes(walk)) {
    if (isTouching(other.box, box) && !stoodIn(other.spot, spot) && differs(other.colour)) return true;
  }
  return hasPaintedPseudo(spot, differs);
}

// `::before` and `::after` of what the text stands in, and of what stands before that.
function hasPaintedPseudo(spot, differs) {
  for (let at = spot, level = 0; at && level < 8; at = at.parent, level += 1) {
    for (const element of [at.element, at.element.previousElementSibling]) {
      for (const which of element ? ["::before", "::after"] : []) {
        const style = getComputedStyle(element, which);
        if (style.content === "none" || style.content === "normal") continue;
        const colour = colourOf(style.backgroundColor);
        if (style.backgroundImage !== "none" || (colour[3] > 0.1 && differs(colour))) return true;
      }
    }
  }
  return false;
}

// Whether a text stands under something opaque that goes wherever it goes. A header that stays while
// the page scrolls, or a menu that is open, does not count.
function isCovered(entry, walk) {
  const { spot, box } = entry;
  if (spot.changing) return false;
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  const isInView = x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
  let stack = isInView ? null : [];
  for (const cover of covers(walk, spot.sunk)) {
    if (!isOver(cover, entry)) continue;
    stack ||= document.elementsFromPoint(x, y);
    const place = stack.indexOf(cover.spot.element);
    const own = stack.findIndex(
      (element) => composedContains(element, spot.element) && !composedContains(element, cover.spot.element),
    );
    // Out of the viewport, or where the pointer goes through, nobody can be asked who is on top.
    if (place >= 0 && own >= 0 ? own > place : isSurelyOver(cover.spot, spot)) return true;
  }
  return false;
}

// Opaque boxes that are there for good: the positioned ones, and all of them for text that has a
// negative z-index.
function covers(walk, forSunk) {
  const kind = forSunk ? "allCovers" : "covers";
  walk[kind] ||= walk.spots
    .filter((spot) => (forSunk || spot.lifted) && isOpaque(spot))
    .map(paintedBox)
    .filter((box) => box !== null && box.colour !== null);
  return walk[kind];
}

function isOpaque(spot) {
  if (spot.bare || spot.opacity < 0.98 || spot.changing || paintOf(spot)[3] < 0.99) return false;
  return !spot.element.closest(FOR_A_WHILE);
}

function isOver(cover, entry) {
  const { spot, box } = cover;
  const text = entry.box;
  const holds =
    box.left <= text.left + 1 &&
    box.top <= text.top + 1 &&
    box.right >= text.right - 1 &&
    box.bottom >= text.bottom - 1;
  if (!holds || spot.pinned !== entry.spot.pinned || !(spot.lifted || entry.spot.sunk)) return false;
  // What has a negative z-index lies under the backgrounds of those it stands in, but not under the
  // page's own.
  if (!stoodIn(spot, entry.spot)) return true;
  const isGround = spot.element === document.body || spot.element === document.documentElement;
  return entry.spot.sunk && !spot.sunk && !isGround;
}

// Painted later whatever else holds: positioned where the other is not, or not sunk where it is.
function isSurelyOver(cover, spot) {
  const around = new Set();
  for (let at = spot; at; at = at.parent) around.add(at);
  let common = cover;
  let isRaised = false;
  for (; common && !around.has(common); common = common.parent) {
    if (common.isSunk) return false;
    isRaised ||= common.isRaised;
  }
  let sinks = false;
  let rises = false;
  for (let at = spot; at && at !== common; at = at.parent) {
    sinks ||= at.isSunk;
    rises ||= at.isRaised;
  }
  return sinks || (isRaised && !rises);
}
