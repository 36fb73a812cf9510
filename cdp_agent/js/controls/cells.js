// @ts-check
// Cells of a grid: what one shows, and the field that the page opens to edit it.

const GRIDS = "[role=grid],[role=treegrid]";
const GRID_CELLS = "td,th,[role=gridcell],[role=cell],[role=rowheader]";

// Cells of some tables without roles take the focus by keys of the page's own, or are called editable.
const EDITABLE = /(?:^|[\s_-])edit(?:able)?(?:$|[\s_-])/;
const isEditableCell = (cell) =>
  cell.getAttribute("tabindex") === "-1" || EDITABLE.test(cell.getAttribute("class") || "");

// What takes characters without being a field: cells that begin to edit, drawings, and lists that go
// to the option that begins with them.
const CHARACTER_ROLES =
  "application,textbox,searchbox,combobox,listbox,option,spinbutton,row,menu,menubar,menuitem,menuitemradio," +
  "menuitemcheckbox,tree,treeitem";
const TAKES_CHARACTERS = [
  `${GRIDS},${GRID_CELLS},canvas,canvas *,embed,object,select,[aria-activedescendant]`,
  ...CHARACTER_ROLES.split(",").map((role) => `[role=${role}]`),
].join();

const areaOf = (element) => element.clientWidth * element.clientHeight;

const takesCharacters = (element) =>
  element.matches(TAKES_CHARACTERS) ||
  Array.from(element.querySelectorAll("canvas")).some((canvas) => areaOf(canvas) * 2 > areaOf(element));

// What stands in the way of editing an element as a cell of a grid: null where it is none. Other cells
// of plain tables are not tried: a double click there may be anything.
function cellFacts(element) {
  const cell = element.closest(GRID_CELLS);
  if (!cell || !(cell.closest(`[role=gridcell],${GRIDS}`) || isEditableCell(cell))) return null;
  const readonly = [cell, cell.closest(GRIDS)].some((n) => n && n.getAttribute("aria-readonly") === "true");
  return {
    drawn: Boolean(cell.closest("canvas")),
    readonly,
    holds: cell.querySelector("a[href],button,[role=button],[role=link]") !== null,
  };
}

// Without its buttons: they are no part of what it holds.
function cellText(element) {
  const cell = element.closest(GRID_CELLS) || element;
  const isLeftOut = (n) => n instanceof Element && (n.matches("button,[role=button],style,script") || !isRendered(n));
  const accept = (n) =>
    isLeftOut(n) ? NodeFilter.FILTER_REJECT : n instanceof Element ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT;
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, accept);
  const pieces = [];
  while (walker.nextNode()) pieces.push(walker.currentNode.data);
  return { connected: element.isConnected, text: sameText(pieces.join(" ")) };
}

let editor = null; // the field that was opened for a cell

// Waits up to `waitMs` for a field that has the focus and stands in the cell or over it.
async function awaitCellEditor(element, waitMs) {
  const deadline = now() + waitMs;
  const cell = element.closest(GRID_CELLS) || element;
  for (;;) {
    editor = fieldOver();
    if (editor || now() >= deadline) return editor !== null;
    await nextFrame();
  }

  function fieldOver() {
    const active = deepActive();
    if (!active || !editing(active) || isReadOnly(active)) return null;
    if (composedContains(cell, active)) return active;
    const box = cell.getBoundingClientRect(),
      own = active.getBoundingClientRect();
    const x = own.left + Math.min(own.width, box.width) / 2,
      y = own.top + Math.min(own.height, box.height) / 2;
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom ? active : null;
  }
}

// What the cell shows, once that is what was wanted or `waitMs` have passed.
async function awaitCellText(element, { wanted, waitMs }) {
  const deadline = now() + waitMs;
  for (;;) {
    const shown = cellText(element);
    if (!shown.connected || shown.text === sameText(wanted) || now() >= deadline) return shown;
    await nextFrame();
  }
}
