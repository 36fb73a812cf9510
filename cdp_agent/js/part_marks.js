// What the accessibility tree may show of the nodes that `parts.js` chose, and neither they nor how
// they are rendered tells: compared with the look before, it says which of them to ask about again.

const HOLDS_STATE = new Set(["input", "textarea", "select", "option", "progress", "meter"]);
const REFERRING = ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant", "aria-details", "aria-errormessage", "aria-flowto",
  "popovertarget", "commandfor", "interestfor", "list"];

// -- elements that are looked for among all ---------------------------------------------------------

// The query takes 15 ms in a document of 50,000 elements: it is made again only after a change that
// may concern it.
let peculiars = null;

const peculiarObserver = new MutationObserver((records) => {
  const isOne = (node) => node.nodeType === Node.ELEMENT_NODE && (node.matches(PECULIAR) || node.querySelector(PECULIAR) !== null);
  for (const record of records) {
    if (peculiars === null) return;
    const concerns = record.type === "attributes" || Array.prototype.some.call(record.addedNodes, isOne) || Array.prototype.some.call(record.removedNodes, isOne);
    if (concerns) peculiars = null;
  }
});

function peculiarElements() {
  if (!peculiarElements.on) {
    peculiarElements.on = true;
    const attributeFilter = ["open", "popover", "role", "aria-live", "aria-labelledby", "aria-owns"];
    peculiarObserver.observe(document, { subtree: true, childList: true, attributeFilter });
  }
  // All records were delivered before this script began.
  if (peculiars === null) peculiars = Array.from(document.querySelectorAll(PECULIAR));
  return peculiars;
}

// -- what is said of a node ---------------------------------------------------------------------------

// Node → what was last said of it, and how often that was another.
const saidOf = new WeakMap();

// A number that grows whenever something else is said of a node. What a field holds stays here.
function versionOf(node, said) {
  const known = saidOf.get(node);
  if (known === undefined) saidOf.set(node, { said, version: 1 });
  else if (known.said !== said) {
    known.said = said;
    known.version += 1;
  }
  return saidOf.get(node).version;
}

// Places of the elements that something names, describes or labels which is not among them.
function distant(nodes, labels) {
  const found = [];
  const labelled = new Set();
  for (const label of labels) if (!parts.chosen.has(label) && label.control) labelled.add(label.control);
  nodes.forEach((element, index) => {
    if (element.nodeType !== Node.ELEMENT_NODE) return;
    const isFar = (name) => {
      const ids = element.getAttribute(name);
      return ids !== null && ids.split(/\s+/).some((id) => !parts.chosen.has(id && element.getRootNode().getElementById(id)));
    };
    if (labelled.has(element) || (element.hasAttributes() && REFERRING.some(isFar))) found.push(index);
  });
  return found;
}

// As `vitals`, of these nodes alone; `circumstances` concern all of them.
function vitalsOf(nodes, circumstances) {
  const unseen = [circumstances];
  for (const node of nodes) if (node.nodeType === Node.ELEMENT_NODE && node.matches(ANY_UNSEEN)) unseen.push(...unseenStates(node));
  return `${focusNumber()}|${document.designMode} ${unseen.join()}`;
}
