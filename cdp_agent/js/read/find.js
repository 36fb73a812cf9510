// Finds elements by what a selector says, in one document and its open shadow trees. It looks, and
// nothing else.

function openRoots() {
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    // Three times as fast as a list of all elements.
    const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode())
      if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  return roots;
}

function byPath(path) {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)).filter(
    (node) => node instanceof Element,
  );
}

// Children in the flat tree: those of a shadow root, those assigned to a slot.
function flatChildren(element) {
  const assigned = element.localName === "slot" ? element.assignedElements() : [];
  return assigned.length ? assigned : (rootOf(element) || element).children;
}

// The element at a path as snapshots write it (`/html[1]/body[1]/div[2]`); null for none.
function atPath(path) {
  let at = document;
  for (const step of path.split("/").slice(1)) {
    const [, tag, number] = /^(.+)\[(\d+)\]$/.exec(step) || [];
    if (!tag) return null;
    const siblings = Array.from(at === document ? document.children : flatChildren(at));
    at = siblings.filter((child) => child.localName.toLowerCase() === tag)[number - 1];
    if (!at) return null;
  }
  // One that is not laid out before it comes near is not in the accessibility tree, and may be equal.
  const isSkipped = (element) => element.checkVisibility() && !element.checkVisibility({ contentVisibilityAuto: true });
  return Array.prototype.some.call(document.getElementsByTagName(at.localName), isSkipped) ? null : at;
}

// The same for what only its text names: the only one of its tag with this text.
function atPathWithText(path, text) {
  // Names lack the glyphs of icon fonts.
  const squeezed = (words) => words.replace(/[\s\ue000-\uf8ff\u{f0000}-\u{10ffff}]+/gu, "");
  const at = atPath(path);
  const hasText = (element) =>
    squeezed(element.textContent) === squeezed(text) && (element === at || !element.contains(at));
  const equal = at
    ? openRoots()
        .flatMap((root) => [...root.querySelectorAll(CSS.escape(at.localName))])
        .filter(hasText)
    : [];
  return equal.length === 1 && equal[0] === at ? at : null;
}

function byAttribute(attributes, value, exact) {
  const wanted = value.trim().toLowerCase();
  const fits = (text) => text !== null && (exact ? text === value : text.trim().toLowerCase().includes(wanted));
  const found = openRoots().flatMap((root) => [...root.querySelectorAll(attributes.map((a) => `[${a}]`).join())]);
  return found.filter((element) => attributes.some((a) => fits(element.getAttribute(a))));
}

function search(kind, value, exact) {
  if (kind === "css") return openRoots().flatMap((root) => [...root.querySelectorAll(value)]);
  if (kind === "xpath") return byPath(value);
  if (kind === "test_id") return byAttribute(TEST_ID_ATTRIBUTES, value, true);
  return byAttribute(["placeholder", "aria-placeholder"], value, exact);
}

const takesPointer = (element) => getComputedStyle(element).pointerEvents !== "none";

// The group of a label and of the shape that it is drawn on: the next but one around it at most.
function drawingOf(label) {
  const groups = [label.closest("g")];
  groups.push(groups[0] && groups[0].parentElement.closest("g"));
  const hasShape = (group) => [...group.querySelectorAll("rect,circle,ellipse,polygon,path,image")].some(takesPointer);
  return groups.find((group) => group && hasShape(group));
}

// An element with what a condition asks about it. A text stands for the element around it.
function factsOf(node) {
  let element = node instanceof Element ? node : node.parentElement;
  if (!element) return null;
  // The label of a drawn shape that takes no pointer stands for the group of both.
  if (element instanceof SVGTextContentElement && !takesPointer(element)) element = drawingOf(element) || element;
  const name =
    element.getAttribute("aria-label") ||
    element.getAttribute("name") ||
    element.id ||
    (element.innerText || "").trim().slice(0, 60);
  return [element, isRendered(element) && rectsOf(element).length > 0, isDisabled(element), element.localName, name];
}

const MOST_FOUND = 50;

function find(kind, value, exact) {
  return search(kind, value, exact).slice(0, MOST_FOUND).map(factsOf);
}
