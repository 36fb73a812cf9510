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

const ANY_UNSEEN = UNSEEN.join();

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

// Has styles and layout worked out: what is counted after this call is all there is.
function rendered() {
  document.documentElement?.getClientRects();
}

// One string, to be compared with an earlier one: the focus, then everything else. It begins with "="
// where nobody could tell what is seen of the document from what `unseen` answered under this number.
function vitals(surveyNumber) {
  rendered();
  const unseen = document.designMode === "on" ? ["editing"] : [];
  const roots = openRoots();
  for (const root of roots) {
    // One query for all of them: each takes 10 ms in a document of 50,000 elements.
    for (const element of root.querySelectorAll(ANY_UNSEEN)) unseen.push(...unseenStates(element));
  }
  return `${isAsSurveyed(surveyNumber, roots) ? "=" : ""}${focusNumber()}|${unseen.join()}`;
}

function unseenStates(element) {
  const found = [numberOf(element), ...UNSEEN.filter((name) => element.matches(name))];
  if (element.matches(":invalid")) found.push(reasons(element));
  return found;
}

function focusNumber() {
  const holder = focusHolder();
  return `${holder ? numberOf(holder) : 0}${document.hasFocus() ? "" : "-"}`;
}
