// What of a document stands in its viewport now: neither scrolled out of it nor out of a box in it.

const ALL_SHOWN = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

// Something without a size is where its corner is.
function touches(box, region) {
  return (
    box.left < region.right &&
    box.top < region.bottom &&
    (box.right > region.left || (box.width === 0 && box.right >= region.left)) &&
    (box.bottom > region.top || (box.height === 0 && box.bottom >= region.top))
  );
}

// Where the contents of an element can be seen as it is scrolled now.
function windowOf(element, style, region) {
  const { overflowX, overflowY } = style;
  if (overflowX === "visible" && overflowY === "visible") return region;
  const box = element.getBoundingClientRect();
  return meet(region, {
    left: overflowX === "visible" ? -Infinity : box.left,
    right: overflowX === "visible" ? Infinity : box.right,
    top: overflowY === "visible" ? -Infinity : box.top,
    bottom: overflowY === "visible" ? Infinity : box.bottom,
  });
}

// A positioned element is not clipped by all that it stands in.
function clippedBy(element, position, spot) {
  if (position !== "absolute" && position !== "fixed") return spot.region;
  if (element.matches(":modal, :popover-open")) return ALL_SHOWN;
  const around = element.offsetParent;
  for (let at = spot; at && around; at = at.parent) if (at.element === around) return at.region;
  return ALL_SHOWN;
}

// Elements and texts of which a part is in view; what has no box of its own goes by what it holds.
function nodesInView() {
  const root = document.documentElement;
  if (!root) return "";
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const scrollers = new Set([root, document.body]);
  const range = document.createRange();
  const found = [];
  const waiting = [root, { element: null, parent: null, region: ALL_SHOWN }];
  while (waiting.length) {
    const around = waiting.pop();
    const node = waiting.pop();
    if (node.nodeType === TEXT) {
      range.selectNodeContents(node);
      const region = meet(view, around.region);
      if (Array.prototype.some.call(range.getClientRects(), (box) => touches(box, region))) found.push(node);
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const style = getComputedStyle(node);
    if (style.display === "none") continue;
    const region = clippedBy(node, style.position, around);
    const boxes = node instanceof HTMLAreaElement ? areaRects(node) : node.getClientRects();
    const seen = meet(view, region);
    if (Array.prototype.some.call(boxes, (box) => touches(box, seen))) {
      found.push(node);
      // The options of a closed list have no boxes, and belong to it.
      if (node instanceof HTMLSelectElement && node.size < 2 && !node.multiple)
        found.push(...node.querySelectorAll("option, optgroup"));
    }
    const inner = scrollers.has(node) ? region : windowOf(node, style, region);
    pushChildren(node, node.localName, { element: node, parent: around, region: inner }, waiting, null);
  }
  return found.length ? found : "";
}
