// @ts-check
// What a list or combobox of the page's own shows of its choice: marked options, the text beside its
// field, chips. It only reads; the list itself is found by listbox.js.

// Names of all options in sight that are selected.
function pickedNames(element) {
  if (natives.has(element)) return chosenBehind(natives.get(element));
  const list = listOf(element);
  return list
    ? optionsOf(list)
        .filter((option) => isChosen(element, option))
        .map(optionName)
    : [];
}

// The field whose text narrows the list: the widget's own, or the one that its popup has focused.
function filterField(element) {
  const own = [element, ...shownUnder(element, isTextField)].find(
    (n) => isTextField(n) && (n === element || isShown(n)),
  );
  const active = deepActive();
  filter = own || (active && isTextField(active) && listOf(element) ? active : null);
  return filter ? { value: filter.value, own: filter === element } : null;
}

// The widget with what it shows beside its field, but no other field and not its list.
function widestOf(element) {
  const list = listOf(element);
  const around = [];
  for (let n = element, up = 0; n instanceof Element && up < 3; n = composedParent(n), up += 1) {
    if (n === document.body || (list && composedContains(n, list) && n !== element)) break;
    if (
      up > 0 &&
      shownUnder(
        n,
        (e) =>
          e !== element &&
          !composedContains(element, e) &&
          !composedContains(e, element) &&
          e.matches("input:not([type=hidden]),select,textarea,[role=combobox]"),
      ).length
    )
      break;
    around.push(n);
  }
  return around.length ? around[around.length - 1] : element;
}

// The choice as the widget shows it, without its list; some show it beside their field.
function shownChoice(element) {
  if (LISTS.has(ownRole(element))) return { value: "", text: "", around: "" };
  const field = spokespeople(element).find((n) => "value" in n && typeof n.value === "string");
  return {
    value: field ? sameText(field.value) : "",
    text: sameText(spokenText(element, false)),
    around: sameText(spokenText(widestOf(element), false)),
  };
}

// The values that a widget shows as chips, each with a button that removes it: name and button.
const REMOVES = /^(remove|delete|deselect|unselect|clear)\b|^[\u00d7\u2715\u2716]$/i;
const REMOVES_BY_LOOK = /(?:^|[\s-])(?:remove|delete|close)(?:$|[\s-])/;

function isRemover(element, n, says) {
  if (n === element) return false;
  if (natives.has(element))
    return isShown(n) && REMOVES_BY_LOOK.test(n.getAttribute("class") || "") && REMOVES.test(says || "\u00d7");
  return (n.localName === "button" || ownRole(n) === "button") && REMOVES.test(says);
}

function chipsOf(element) {
  const widest = widestOf(element);
  const says = (n) => n.getAttribute("aria-label") || n.getAttribute("title") || sameText(spokenText(n));
  const removers = shownUnder(widest, (n) => isRemover(element, n, says(n)));
  const chips = [];
  for (const remover of removers) {
    let chip = remover;
    for (
      let n = composedParent(chip);
      n &&
      n !== widest &&
      !composedContains(n, element) &&
      !removers.some((r) => r !== remover && composedContains(n, r));
      n = composedParent(n)
    )
      chip = n;
    const name = sameText(spokenText(chip, false).replace(spokenText(remover, false), " "));
    if (name && chip !== remover) chips.push({ name, remover });
  }
  return chips;
}

const chipNames = (element) => chipsOf(element).map(({ name }) => name);

// The same, once they are those or `waitMs` have passed.
async function awaitChips(element, { names, waitMs }) {
  const deadline = now() + waitMs;
  for (;;) {
    const shown = chipNames(element);
    if (String(shown.toSorted()) === String(names.toSorted()) || now() >= deadline) return shown;
    await nextFrame();
  }
}

// Whether the chip is there, with its button as what is to be clicked.
function findChip(element, name) {
  const chip = chipsOf(element).find((one) => one.name === name);
  if (chip) picked = chip.remover;
  return Boolean(chip);
}

// Whether a text has the name in it as a word or several of its own.
function mentions(text, name) {
  const at = text.toLowerCase().indexOf(name.toLowerCase());
  if (!name || at < 0) return false;
  return !isWordPart(text[at - 1]) && !isWordPart(text[at + name.length]);
}

// Whether the choice of an option shows, waited for up to `waitMs`; and how.
async function showsChoice(element, { name, waitMs, typed, before, id, wanted = true }) {
  const deadline = now() + waitMs;
  for (;;) {
    const evidence = element.isConnected ? look() : "removed";
    if ((LISTS.has(ownRole(element)) ? ["selected"] : ["value", "text"]).includes(evidence)) hold(element, id);
    if (evidence || now() >= deadline) return { evidence, open: element.isConnected && listOf(element) !== null };
    await nextFrame();
  }

  function look() {
    if (natives.has(element) && picked) return isPicked(picked) === wanted ? "selected" : "";
    const list = listOf(element);
    const options = list ? optionsOf(list) : [];
    const mine = options.filter((o) => optionName(o) === name);
    if (mine.length) {
      if (mine.some(isPicked) === wanted) return "selected";
      if (mine.some((o) => boxIn(o) || o.hasAttribute("aria-selected") || o.hasAttribute("aria-checked"))) return "";
    } else if (!wanted && list) return "selected";
    if (!wanted) {
      const hasGone = !list && mentions(before.around, name) && !mentions(shownChoice(element).around, name);
      return hasGone ? "around" : ""; // a list that closes with each choice
    }
    if (picked && picked.isConnected && isPicked(picked)) return "selected";
    if (chipNames(element).includes(name)) return "chip";
    const shown = shownChoice(element);
    if (typed && list) return ""; // the field holds our own letters
    for (const place of ["value", "text"]) {
      if (shown[place].toLowerCase() === name.toLowerCase()) return place;
    }
    if (wasChosen && !list && mentions(shown.around, name)) return "around";
    for (const place of ["value", "text", "around"]) {
      if (mentions(shown[place], name) && shown[place] !== before[place]) return place;
    }
    const active = spokespeople(element)
      .map((n) => n.getAttribute("aria-activedescendant"))
      .find(Boolean);
    const node = active && (element.getRootNode().getElementById(active) || document.getElementById(active));
    if (node && optionName(node) === name && list === element) return "active";
    if (picked && ownRole(picked) === "menuitem" && !list) return "closed";
    return "";
  }
}

// The names that the widget shows beside its list.
const namesShown = (element, names) => names.filter((name) => mentions(shownChoice(element).around, name));

// Whether the list is still open after `waitMs`: many fade out.
async function staysOpen(element, waitMs) {
  const deadline = now() + waitMs;
  while (element.isConnected && listOf(element) !== null) {
    if (now() >= deadline) return true;
    await nextFrame();
  }
  return false;
}

// Whether the focus is in the open list, where Escape closes it.
function listHasFocus(element) {
  const list = listOf(element);
  return list !== null && composedContains(list, focusHolder());
}

const isInModal = (element) => Boolean(element.closest("dialog:modal,[aria-modal=true]"));
