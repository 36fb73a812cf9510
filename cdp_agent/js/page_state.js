// States that the accessibility tree shows although neither the DOM nor its layout does: the focus,
// what is modal, indeterminate or invalid. Equal states and an equal DOM mean an equal tree.

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

const HIDDEN_STATES = [":modal", ":fullscreen", ":indeterminate", ":invalid", ":user-invalid", ":popover-open", ":open", ":picture-in-picture"]
  .filter((name) => CSS.supports(`selector(${name})`));

const ANY_HIDDEN_STATE = HIDDEN_STATES.join();

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

// The report that a capture asks of a document before it begins, as JSON (see `DocumentState`).
function documentState() {
  const states = document.designMode === "on" ? ["editing"] : [];
  // One query for all of them: each takes 10 ms in a document of 50,000 elements.
  for (const root of openRoots()) for (const element of root.querySelectorAll(ANY_HIDDEN_STATE)) states.push(...hiddenStates(element));
  let code = 0;
  for (const element of document.querySelectorAll("script,style")) code += element.firstChild ? element.firstChild.length : 0;
  return JSON.stringify({ elements: elementCount(), depth: depthOf(document.documentElement), code, focus: focusNumber(), states: states.join() });
}

// How deep elements nest. Few elements cannot nest deep, and are not walked.
function depthOf(top) {
  if (!top || elementCount() < 1000) return 0;
  let most = 0;
  for (let element = top, depth = 0; element; most = Math.max(most, depth)) {
    if (element.firstElementChild) {
      element = element.firstElementChild;
      depth += 1;
      continue;
    }
    while (element !== top && !element.nextElementSibling) {
      element = element.parentElement;
      depth -= 1;
    }
    element = element === top ? null : element.nextElementSibling;
  }
  return most;
}

function hiddenStates(element) {
  const found = [numberOf(element), ...HIDDEN_STATES.filter((name) => element.matches(name))];
  if (element.matches(":invalid")) found.push(reasons(element));
  return found;
}

function focusNumber() {
  const holder = focusHolder();
  return `${holder ? numberOf(holder) : 0}${document.hasFocus() ? "" : "-"}`;
}
