// @ts-check
// Lists without roles that stand for a native one (Chosen, Selectize, Semantic UI and the like): the
// `select` is put away beside them, and holds what is chosen.

const MOST_LEVELS = 6;
const PLAIN_ITEMS = "li,[data-value],[data-selectable]";

const natives = new WeakMap(); // widget or item of its list → the native list behind it
const plainRoots = new WeakMap(); // widget → the box that has its field and its list, and no other's

// A widget has one field to type in at most.
const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox]";

// Whether an element is a native list's parent, or comes after it with no items of others between.
function leadsTo(native, element) {
  if (element === native.parentElement) return true;
  let n = native;
  while (n && !composedContains(n, element)) {
    if (n.matches(PLAIN_ITEMS) || n.querySelector(PLAIN_ITEMS) !== null) return false;
    n = n.nextElementSibling;
  }
  return n !== null;
}

// Notes the native list that a widget stands for: right before its box, or put away in it.
function nativeBehind(element) {
  const isUnseen = (one) => one instanceof HTMLSelectElement && (!isRendered(one) || isPutAway(one));
  for (
    let n = element, up = 0;
    n instanceof Element && n !== document.body && up < MOST_LEVELS;
    n = n.parentElement, up += 1
  ) {
    if (Array.from(n.querySelectorAll(FIELDS)).filter((one) => !isUnseen(one)).length > 1) return null;
    const before = n.previousElementSibling;
    const inside = Array.from(n.children).filter(isUnseen);
    const isIn = inside.length === 1 && leadsTo(inside[0], element);
    const native = isIn ? inside[0] : isUnseen(before) ? before : null;
    if (!native) continue;
    natives.set(element, native);
    plainRoots.set(element, n);
    return native;
  }
  return null;
}

// Whether an element, or a box close around it, is put away: a search field that shows with its list.
function isPutAwayInside(element) {
  for (let n = element, up = 0; n instanceof Element && up < MOST_LEVELS; n = n.parentElement, up += 1)
    if (isPutAway(n)) return true;
  return false;
}

// The items of the list, where it is open: where a pointer meets one of them.
function plainItems(element) {
  const native = natives.get(element);
  if (!native || !native.isConnected) return [];
  const roots = rootsOf(element);
  const items = Array.from(plainRoots.get(element).querySelectorAll(PLAIN_ITEMS)).filter(
    (item) =>
      !composedContains(item.parentElement, element) &&
      !item.querySelector(PLAIN_ITEMS) &&
      sameText(item.textContent) !== "" &&
      (item.dataset.value !== undefined || getComputedStyle(item).cursor === "pointer") &&
      isShown(item),
  );
  const isMet = (item) => {
    const { left, top, width, height } = item.getBoundingClientRect();
    return belongs(item, elementAt(left + width / 2, top + height / 2, roots));
  };
  if (!items.some(isMet)) return [];
  for (const item of items) natives.set(item, native);
  return items;
}

const plainLists = new WeakMap(); // list → the widget that it belongs to

// The element around all items.
function plainListOf(element) {
  const items = plainItems(element);
  let list = items.length ? items[0].parentElement : null;
  while (list && !items.every((item) => list.contains(item))) list = list.parentElement;
  if (list) plainLists.set(list, element);
  return list;
}

const chosenBehind = (native) => Array.from(native.selectedOptions, (option) => sameText(option.text));

function isChosenBehind(native, item) {
  const value = item.getAttribute("data-value");
  return (
    chosenBehind(native).includes(optionName(item)) ||
    (value !== null && Array.from(native.selectedOptions).some((option) => option.value === value))
  );
}
