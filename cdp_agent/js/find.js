// Finds elements by what a selector says, in one document and its open shadow trees. It looks, and
// nothing else.

const TEST_ID_ATTRIBUTES = ["data-testid", "data-test-id", "data-test", "data-cy"];

function openRoots() {
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    // Three times as fast as a list of all elements.
    const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode()) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  return roots;
}

const HOST_TAGS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

// Elements that may have a closed shadow root; null where they are more than `most`.
function possibleHosts(most) {
  const found = [];
  for (const root of openRoots()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode()) {
      if (!element.shadowRoot && (HOST_TAGS.has(element.localName) || element.localName.includes("-"))) found.push(element);
    }
  }
  return found.length > most ? null : found;
}

function byPath(path) {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)).filter((node) => node instanceof Element);
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

// An element with what a condition asks about it. A text stands for the element around it.
function factsOf(node) {
  const element = node instanceof Element ? node : node.parentElement;
  if (!element) return null;
  const name = element.getAttribute("aria-label") || element.getAttribute("name") || element.id || (element.innerText || "").trim().slice(0, 60);
  return [element, isRendered(element) && rectsOf(element).length > 0, isDisabled(element), element.localName, name];
}

const MOST_FOUND = 50;

function find(kind, value, exact) {
  return search(kind, value, exact).slice(0, MOST_FOUND).map(factsOf);
}
