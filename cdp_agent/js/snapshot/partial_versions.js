// States of chosen nodes that the accessibility tree may show and neither the nodes nor their layout
// do. Compared with the previous capture, they say which nodes to ask the tree about again.

const HOLDS_STATE = new Set(["input", "textarea", "select", "option", "progress", "meter"]);

// Text that CSS generates in an element, with its rendering.
function generated(element, pseudo) {
  const style = getComputedStyle(element, pseudo);
  return style.content === "none" || style.content === "normal"
    ? ""
    : `${pseudo} ${style.content} ${style.display} ${style.visibility} ${style.textTransform} ${style.cursor} `;
}

function controlState(control) {
  const { localName } = control;
  const value =
    localName === "select" ? control.selectedIndex : localName === "option" ? control.selected : control.value;
  return `${value} ${control.checked} ${control.matches(":disabled")}`;
}

// A number for a text (cyrb53): equal texts have equal numbers. What a field holds stays here.
function hashOf(text) {
  let high = 0xdeadbeef,
    low = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

// Indices of the elements that are named, described or labelled by a node that was not chosen.
function distant(nodes, labels) {
  const found = [];
  const labelled = new Set();
  for (const label of labels) if (!chooseNodes.chosen.has(label) && label.control) labelled.add(label.control);
  nodes.forEach((element, index) => {
    if (element.nodeType !== Node.ELEMENT_NODE) return;
    const isFar = (name) => {
      const ids = element.getAttribute(name);
      return (
        ids !== null &&
        ids.split(/\s+/).some((id) => !chooseNodes.chosen.has(id && element.getRootNode().getElementById(id)))
      );
    };
    if (labelled.has(element) || (element.hasAttributes() && REFERRING.some(isFar))) found.push(index);
  });
  return found;
}

// The states of `documentState`, of these nodes alone; `circumstances` concern all of them.
function statesOf(nodes, circumstances) {
  const states = [document.designMode, circumstances];
  for (const node of nodes)
    if (node.nodeType === Node.ELEMENT_NODE && node.matches(ANY_HIDDEN_STATE)) states.push(...hiddenStates(node));
  return states.join();
}
