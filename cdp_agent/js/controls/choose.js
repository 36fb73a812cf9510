// Choosing: options of a native <select>, and the state of what can be checked.

const sameText = (text) => text.replace(/\s+/g, " ").trim();

function controlOf(element) {
  return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

function isOptionDisabled(option) {
  const group = option.closest("optgroup");
  return option.disabled || (group !== null && group.disabled);
}

// A person is not offered what is not displayed. Options of a closed list have no box at all, so
// their styles are asked.
function isOffered(option) {
  for (let n = option; n && !["select", "datalist"].includes(n.localName); n = n.parentElement) {
    if (n.hidden || getComputedStyle(n).display === "none") return false;
  }
  return true;
}

const optionLabel = (option) => sameText(option.label || option.text);

function fits(option, index, by, key) {
  if (by === "index") return index === key;
  if (by === "value") return option.value === key;
  return optionLabel(option) === sameText(key) || sameText(option.text) === sameText(key);
}

const EITHER = "value or label";

// The options that are meant, or why one of them cannot be chosen.
function findOptions(options, by, keys) {
  const found = [];
  for (const key of keys) {
    const fitting = (way) => options.filter((option, index) => fits(option, index, way, key));
    let all = fitting(by === EITHER ? "value" : by);
    if (!all.length && by === EITHER) all = fitting("label");
    if (!all.length) return { why: "no_option", key };
    const shown = all.filter(isOffered);
    if (!shown.length) return { why: "option_hidden", key };
    const free = shown.filter((option) => !isOptionDisabled(option));
    if (!free.length) return { why: "option_disabled", key };
    // Which of two that look alike is meant, only their values could tell.
    if (free.some((option) => option.value !== free[0].value))
      return { why: "ambiguous", key, values: free.map((o) => o.value) };
    found.push(
      free.find((option) => option.selected && !found.includes(option)) ||
        free.find((option) => !found.includes(option)) ||
        free[0],
    );
  }
  return { found };
}

const isWordPart = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

// Whether a text has the part in it from the beginning of a word on. No number is cut in two.
function beginsIn(text, part) {
  for (let at = text.indexOf(part); part && at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, first, last, after] = [text[at - 1], part[0], part[part.length - 1], text[at + part.length]];
    const isInside = isWordPart(before) && isWordPart(first) && !UNSPACED.test(first);
    const isCut = after !== undefined && /\d/.test(last) && /\d/.test(after);
    if (!isInside && !isCut) return true;
  }
  return false;
}

// The names that are the key but for upper and lower case; or else have it as a part; or else have
// all of its words.
function nearNames(names, key) {
  const wanted = sameText(key).toLowerCase();
  const words = wanted.split(/[\s,;]+/).filter(Boolean);
  if (!words.length) return [];
  const tests = [
    (name) => name === wanted,
    (name) => beginsIn(name, wanted),
    (name) => words.every((word) => beginsIn(name, word)),
  ];
  for (const test of tests) {
    const near = names.filter((name) => test(sameText(name).toLowerCase()));
    if (near.length) return near.slice(0, 50);
  }
  return [];
}

const freeLabels = (select) =>
  Array.from(select.options)
    .filter((o) => isOffered(o) && !isOptionDisabled(o))
    .map(optionLabel);
const offered = (select) => freeLabels(select).slice(0, 50);

function chosen(select) {
  const options = Array.from(select.selectedOptions);
  return { values: options.map((o) => o.value), labels: options.map(optionLabel) };
}

const choiceKey = ({ values, labels }) => JSON.stringify([values, labels]);

// A list that a widget stands for is kept for the form alone: cut to a point, out of the page, or
// a shade that no pointer meets. A transparent one over its design is a person's to use.
function isPutAway(element) {
  const box = element.getBoundingClientRect(),
    style = getComputedStyle(element);
  if (style.opacity === "0" && style.pointerEvents === "none") return true;
  if (box.width <= 1 || box.height <= 1) return true;
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return true;
  return style.position === "absolute" && /^rect\((0px|1px),? ?(0px|1px),? ?(0px|1px),? ?(0px|1px)\)$/.test(style.clip);
}

// What kind of thing `select` was asked to choose from.
function choiceKind(element) {
  const control = controlOf(element);
  if (control instanceof HTMLSelectElement) return "select";
  if (control instanceof HTMLInputElement && control.list) return "datalist";
  return "widget";
}

// Waits for the options, chooses them, and tells the page with the events that Chromium sends
// after a person's choice. There is no input that reaches a native list soundly: its popup is a
// window of its own (on some systems of the window system itself), and arrow keys on the closed
// list send one pair of events for every option they pass. So the list is set here, in one task.
//
// A list at rest for `nearMs` whose options have what is wanted as a part of their labels is not
// waited for any longer: they are answered as `near`.
async function choose(element, { timeoutMs, by, keys, guard, nearMs }) {
  const deadline = now() + timeoutMs;
  const select = controlOf(element);
  let focused = false,
    drawn = "",
    changed = now();
  for (;;) {
    if (!select.isConnected) return { why: "detached" };
    const failure = attempt();
    if (!failure.why || failure.final) return failure;
    const near = failure.why === "no_option" && by === "label" ? nearNames(freeLabels(select), failure.key) : [];
    if (String(near) !== drawn) [drawn, changed] = [String(near), now()];
    if (now() >= deadline || (near.length && now() - changed >= nearMs))
      return { ...failure, near, offered: offered(select) };
    await nextFrame();
  }

  function attempt() {
    if (!isRendered(select)) return { why: "hidden" };
    if (!rectsOf(select).length || isPutAway(select)) return { why: "empty" };
    if (isDisabled(select)) return { why: "disabled" };
    if (!select.multiple && keys.length !== 1) return { why: "not_multiple", final: true };
    if (!focused) {
      focused = true;
      focusOn(select); // as a person's click would; pages load options on it
    }
    const search = findOptions(Array.from(select.options), by, keys);
    if (search.why) return search;
    arm(select, guard);
    const before = choiceKey(chosen(select));
    if (select.multiple) for (const option of select.options) option.selected = search.found.includes(option);
    else select.selectedIndex = search.found[0].index;
    const after = chosen(select);
    const changed = choiceKey(after) !== before;
    if (changed) {
      openEvent("action");
      report("landed", { type: "change", ...after }); // a handler may open a dialog or leave
      select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    return { ok: true, changed, ...after };
  }
}

// What is selected, once it is what was wanted or `waitMs` have passed.
async function choice(element, { wanted, waitMs }) {
  const select = controlOf(element);
  const deadline = now() + waitMs;
  for (;;) {
    const state = { connected: select.isConnected, ...chosen(select) };
    if (choiceKey(state) === choiceKey(wanted) || !state.connected || now() >= deadline) {
      holdAgain(select);
      return state;
    }
    await nextFrame();
  }
}

// The value behind an entry of the list that an <input list> suggests.
function suggestion(element, { by, keys }) {
  const options = Array.from(controlOf(element).list.options);
  let search = findOptions(options, by, keys);
  // Most entries have no label: their value is what is shown.
  if (search.why === "no_option" && by === "label") search = findOptions(options, "value", keys);
  if (search.why) return { ...search, offered: options.slice(0, 50).map((o) => o.value || optionLabel(o)) };
  return { value: search.found[0].value };
}

const CHECKED_BY = {
  checkbox: "aria-checked",
  switch: "aria-checked",
  radio: "aria-checked",
  menuitemcheckbox: "aria-checked",
  menuitemradio: "aria-checked",
  treeitem: "aria-checked",
  option: "aria-checked",
  button: "aria-pressed",
};

// "true", "false" or "mixed"; null when the element has no such state that its document shows.
function checkedState(element) {
  const control = controlOf(element);
  if (control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type)) {
    const state = control.indeterminate && control.type === "checkbox" ? "mixed" : String(control.checked);
    return { connected: control.isConnected, state, radio: control.type === "radio" };
  }
  const role = (control.getAttribute("role") || "").trim().split(/\s+/)[0] || control.localName;
  const attribute = CHECKED_BY[role] || (control.hasAttribute("aria-checked") ? "aria-checked" : null);
  const value = attribute ? control.getAttribute(attribute) : null;
  const state = ["true", "false", "mixed"].includes(value) ? value : null;
  return { connected: control.isConnected, state, radio: ["radio", "menuitemradio"].includes(role) };
}

// The same, once it is what was wanted or `waitMs` have passed.
async function awaitChecked(element, { wanted, waitMs }) {
  const deadline = now() + waitMs;
  for (;;) {
    const state = checkedState(element);
    if (state.state === wanted || !state.connected || now() >= deadline) {
      holdAgain(controlOf(element));
      return state;
    }
    await nextFrame();
  }
}

// Waits until the element is shown and enabled, and gives it the focus.
async function prepareFocus(element, { timeoutMs }) {
  const deadline = now() + timeoutMs;
  const control = controlOf(element);
  for (;;) {
    if (!control.isConnected) return { why: "detached" };
    const why = !isRendered(control) ? "hidden" : isDisabled(control) ? "disabled" : "";
    if (!why) {
      beginWatch(control);
      return { ok: true, took: focusOn(control) };
    }
    if (now() >= deadline) return { why };
    await nextFrame();
  }
}

function isFocused(element) {
  const control = controlOf(element);
  return { connected: control.isConnected, focused: hasFocus(control) };
}

// What keys would go to in this document: null where that is the document as a whole. A frame is
// given as its element.
function keyHolder() {
  const active = document.hasFocus() ? deepActive() : null;
  if (!active || (active === document.documentElement && !active.isContentEditable)) return null;
  return active === document.body && !active.isContentEditable ? null : active;
}

function keyHolderFacts() {
  const active = keyHolder();
  return (
    active && {
      frame: active.matches(FRAMES),
      text: editing(active) !== "",
      keys: takesCharacters(active),
      sketch: sketch(active),
    }
  );
}

// The one synthetic click there is: for what no pointer can reach, and only when asked for by name.
async function dispatchClick(element, { timeoutMs, guard }) {
  const deadline = now() + timeoutMs;
  for (;;) {
    if (!element.isConnected) return { why: "detached" };
    if (!isDisabled(element)) break;
    if (now() >= deadline) return { why: "disabled" };
    await nextFrame();
  }
  arm(element, guard);
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, detail: 1, view: window });
  report("landed", { type: "click" });
  openEvent("action");
  element.dispatchEvent(event);
  return { ok: true, prevented: event.defaultPrevented };
}
