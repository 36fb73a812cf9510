// What the accessibility tree shows although neither the DOM nor its rendering does: who has the
// focus, what is modal, half checked or invalid. Equal vitals and an equal DOM: an equal tree.

const numbers = new WeakMap();
let lastNumber = 0;

function numberOf(node) {
  let number = numbers.get(node);
  if (number === undefined) {
    number = lastNumber += 1;
    numbers.set(node, number);
  }
  return number;
}

const UNSEEN = [":modal", ":fullscreen", ":indeterminate", ":invalid", ":user-invalid", ":popover-open", ":open", ":picture-in-picture"]
  .filter((name) => CSS.supports(`selector(${name})`));

function focusHolder() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

// A field that only lacks a value counts as invalid once there is another reason.
function reasons({ validity }) {
  let found = "";
  for (const reason in validity) if (validity[reason]) found += reason;
  return found;
}

// One string, to be compared with an earlier one: the focus, then everything else.
function vitals() {
  document.documentElement?.getClientRects();  // what is counted after this call is worked out
  const unseen = document.designMode === "on" ? ["editing"] : [];
  for (const root of openRoots()) {
    for (const name of UNSEEN) {
      const found = root.querySelectorAll(name);
      if (found.length) unseen.push(name, ...Array.from(found, numberOf));
      if (name === ":invalid") unseen.push(...Array.from(found, reasons));
    }
  }
  const holder = focusHolder();
  return `${holder ? numberOf(holder) : 0}${document.hasFocus() ? "" : "-"}|${unseen.join()}`;
}
