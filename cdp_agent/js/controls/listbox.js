// @ts-check
// Lists that a page builds itself: which one belongs to a combobox or button, what it offers, and
// which of its options is chosen. Clicking is left to the caller.

const LISTS = new Set(["listbox", "menu", "tree"]);
const OPTIONS = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"]);
const MOST_NODES = 20000;

const ownRole = (element) => (element.getAttribute("role") || "").trim().split(/\s+/)[0];
const isTextField = (node) =>
  node instanceof HTMLInputElement
    ? TYPED_TYPES.has(node.type) && !node.readOnly && !node.disabled
    : node instanceof HTMLTextAreaElement;

// Elements under `top` as they are shown: through open shadow roots and slots.
function shownChildren(node) {
  if (node.localName === "slot" && node.assignedElements().length) return node.assignedElements();
  return Array.from((node.shadowRoot || node).children);
}

function shownUnder(top, test) {
  const found = [],
    stack = [...shownChildren(top)].reverse();
  for (let n = 0; stack.length && n < MOST_NODES; n += 1) {
    const node = stack.pop();
    if (test(node)) found.push(node);
    stack.push(...shownChildren(node).reverse());
  }
  return found;
}

// With `names`, as it is read out; without, as it is seen: an open list may hide all else from readers.
// A widget shows its choice outside its own list.
function spokenText(node, names = true) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (!(node instanceof Element)) return "";
  if (!names && (LISTS.has(ownRole(node)) || !isRendered(node))) return "";
  if (
    (names && node.getAttribute("aria-hidden") === "true") ||
    ["style", "script", "template"].includes(node.localName)
  )
    return "";
  if (names && node.getAttribute("aria-label")) return ` ${node.getAttribute("aria-label")} `;
  if (node instanceof HTMLImageElement) return ` ${node.alt} `;
  const inside =
    node.localName === "slot" && node.assignedNodes().length
      ? node.assignedNodes()
      : (node.shadowRoot || node).childNodes;
  const text = Array.from(inside, (n) => spokenText(n, names)).join("");
  return getComputedStyle(node).display.startsWith("inline") ? text : ` ${text} `;
}

function optionName(option) {
  const labels = (option.getAttribute("aria-labelledby") || "")
    .split(/\s+/)
    .filter(Boolean)
    .map((id) => option.getRootNode().getElementById(id))
    .filter(Boolean);
  return sameText(labels.length ? labels.map((n) => spokenText(n)).join(" ") : spokenText(option));
}

const isShown = (element) => isRendered(element) && rectsOf(element).length > 0;

// The elements whose attributes may name the list: the widget's own, its field, what holds it.
function spokespeople(element) {
  return [
    element,
    ...shownUnder(element, (n) => ownRole(n) === "combobox" || isTextField(n)).slice(0, 3),
    element.closest("[role=combobox]"),
  ].filter(Boolean);
}

function linked(element) {
  const found = [];
  for (const speaker of spokespeople(element)) {
    for (const name of ["aria-controls", "aria-owns"]) {
      for (const id of (speaker.getAttribute(name) || "").split(/\s+/).filter(Boolean)) {
        const node = speaker.getRootNode().getElementById(id) || document.getElementById(id);
        if (node) found.push(node);
      }
    }
  }
  return found;
}

function shownLists(element) {
  const roots = new Set([document, ...rootsOf(element)]);
  const lists = [];
  for (const root of roots) lists.push(...root.querySelectorAll("[role=listbox],[role=menu],[role=tree]"));
  lists.push(...shownUnder(element, (n) => LISTS.has(ownRole(n))));
  return Array.from(new Set(lists)).filter(isShown);
}

// A list that only readers see, of a few options, beside the rows that are drawn for all others.
function isForReaders(list) {
  const { width, height } = list.getBoundingClientRect();
  return (width < 2 || height < 2) && getComputedStyle(list).overflow !== "visible";
}

const drawnRows = (list) =>
  shownUnder(list.parentElement, (n) => n.hasAttribute("aria-selected") && !composedContains(list, n)).filter(isShown);

function optionsOf(list) {
  if (plainLists.has(list)) return plainItems(plainLists.get(list));
  if (isForReaders(list)) {
    const drawn = drawnRows(list);
    if (drawn.length) return drawn;
  }
  return shownUnder(list, (n) => OPTIONS.has(ownRole(n))).filter(isShown);
}

let listsBefore = new Set();

// The list that belongs to the element and is shown now.
function listOf(element) {
  if (LISTS.has(ownRole(element))) return element;
  if (natives.has(element)) return plainListOf(element);
  for (const node of linked(element)) {
    if (LISTS.has(ownRole(node)) && isShown(node)) return node;
    const inner = shownUnder(node, (n) => LISTS.has(ownRole(n))).find(isShown);
    if (inner) return inner;
    if (isRendered(node) && optionsOf(node).length) return node;
  }
  const shown = shownLists(element);
  const isOwn = (list) => composedContains(element, list);
  const fresh = shown.filter((list) => !listsBefore.has(list));
  if (fresh.length) return fresh.find(isOwn) || fresh[0];
  // It was open before. Some keep what is chosen in a list of its own, so only one that says so.
  if (!expanded(element)) return null;
  return shown.find(isOwn) || (shown.length === 1 ? shown[0] : null);
}

function expanded(element) {
  return spokespeople(element).some((speaker) => speaker.getAttribute("aria-expanded") === "true");
}

// Whether the value that a widget shows lies over the field that takes its keys.
function isUnderOwnValue(element) {
  if (!clip(element.getBoundingClientRect())) element.scrollIntoViewIfNeeded(true);
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = elementAt(x + width / 2, y + height / 2, rootsOf(element));
  if (!hit || belongs(element, hit)) return false;
  let around = element.parentElement;
  for (let up = 0; around && up < 4 && !around.contains(hit); up += 1) around = around.parentElement;
  return Boolean(
    around?.contains(hit) &&
      around.getBoundingClientRect().height < 3 * height &&
      shownUnder(around, (n) => ownRole(n) === "combobox").length === 1,
  );
}

// What the element is, and which lists are open before anything is done to it.
function widget(element) {
  listsBefore = new Set(shownLists(element));
  const role = ownRole(element) || element.localName;
  const popup = element.getAttribute("aria-haspopup");
  const opens =
    spokespeople(element).some((n) => ownRole(n) === "combobox") ||
    (popup !== null && popup !== "false") ||
    element.hasAttribute("aria-expanded");
  const native = LISTS.has(role) || opens ? null : nativeBehind(element);
  const kind = LISTS.has(role) ? "list" : opens || native ? "opener" : "";
  return {
    connected: element.isConnected,
    kind,
    role,
    several: native instanceof HTMLSelectElement && native.multiple,
    open: kind === "list" || listOf(element) !== null,
    // No click is for it.
    away:
      (native ? isPutAwayInside(element) : isPutAway(element)) ||
      getComputedStyle(element).pointerEvents === "none" ||
      (kind === "opener" && isUnderOwnValue(element)),
  };
}

const valueKeys = (option) =>
  ["data-value", "value", "data-key", "data-id"].map((name) => option.getAttribute(name)).filter((v) => v !== null);

function fitting(options, by, key) {
  if (by === "index") {
    const numbered = options.find((o) => o.getAttribute("aria-posinset") === String(key + 1));
    const option = numbered || (options.some((o) => o.hasAttribute("aria-posinset")) ? null : options[key]);
    return option ? [option] : [];
  }
  if (by === "value" || by === EITHER) {
    const byValue = options.filter((o) => valueKeys(o).includes(key));
    if (byValue.length) return byValue;
  }
  const name = sameText(key);
  const exact = options.filter((o) => optionName(o) === name);
  if (exact.length) return exact;
  // An option may say more below its name.
  return options.filter((o) => sameText((o.innerText || "").split("\n").find((line) => line.trim()) || "") === name);
}

// Many lists that take several show a checkbox in each option, and say no more than that.
const boxIn = (option) =>
  shownUnder(option, (n) => (n.localName === "input" && n.type === "checkbox") || ownRole(n) === "checkbox")[0];
const isTicked = (box) => (box.localName === "input" ? box.checked : box.getAttribute("aria-checked") === "true");
const isMarked = (option) => ["aria-selected", "aria-checked"].some((name) => option.getAttribute(name) === "true");

function isPicked(option) {
  if (natives.has(option)) return isChosenBehind(natives.get(option), option);
  const box = boxIn(option);
  return box ? isTicked(box) : isMarked(option);
}

// Some mark the option that the pointer or a key is on as selected, too. One that the widget does not
// show as its choice may be just that.
const HIGHLIGHT = /(?:^|[\s_-])(?:highlighted|highlight|active|focused|focus|hover|hovered)(?:$|[\s_-])/;

function isOnlyHighlighted(element, option) {
  if (boxIn(option) || option.getAttribute("aria-checked") === "true" || LISTS.has(ownRole(element))) return false;
  const active = spokespeople(element)
    .map((n) => n.getAttribute("aria-activedescendant"))
    .includes(option.id || null);
  const highlighted = active || HIGHLIGHT.test(option.getAttribute("class") || "") || option.matches(":hover");
  return highlighted && !mentions(shownChoice(element).around, optionName(option));
}

function isChosen(element, option) {
  if (!isPicked(option)) return false;
  return !OPTIONS.has(ownRole(option)) || !isOnlyHighlighted(element, option); // drawn rows mark no highlight
}

// Some that take several say so in the class of the widget alone.
const MULTIPLE = /(?:^|[\s_-])(?:is-)?multi(?:ple)?(?:$|[\s_-])|MultiSelect/;

function isStyledMultiple(element) {
  for (let n = element, up = 0; n instanceof Element && up < 10; n = composedParent(n), up += 1) {
    if (shownUnder(n, (inner) => ownRole(inner) === "combobox").length > 1) return false;
    if (MULTIPLE.test(n.getAttribute("class") || "")) return true;
  }
  return false;
}

function takesSeveral(element, list, option) {
  if (natives.has(option)) return natives.get(option).multiple;
  const said = list.getAttribute("aria-multiselectable");
  if (said !== null) return said === "true";
  return Boolean(boxIn(option)) || isStyledMultiple(element);
}

function scrollerOf(list) {
  const isDrawn = isForReaders(list);
  const ways = isDrawn ? /auto|scroll|hidden/ : /auto|scroll/; // some draw the scrollbar, too
  const scrolls = (n) =>
    n.scrollHeight > n.clientHeight + 1 && n.clientHeight > 1 && ways.test(getComputedStyle(n).overflowY);
  if (isDrawn) return shownUnder(list.parentElement, scrolls)[0] || null;
  if (scrolls(list)) return list;
  const inner = shownUnder(list, scrolls)[0];
  if (inner) return inner;
  for (
    let n = composedParent(list), up = 0;
    n instanceof Element && n !== document.body && up < 4;
    n = composedParent(n), up += 1
  )
    if (scrolls(n)) return n;
  return null;
}

let picked = null, // the option that was found
  wasChosen = false, // and whether it was chosen before
  filter = null; // the field that narrows the list

// A list that has changed is at rest after so long without another change.
const LIST_REST_MS = 300;

// Finds an option in the element's list, scrolling through it once: long lists hold only what is
// in sight. `patienceMs` is how long a list is given to open, and then to show the option. `near` are
// the options whose names have the key as a part: with `nearMs` they end the search once the list
// is at rest, one that has not changed at all after that time. A list that is closed after `openMs`
// is not waited for any longer.
async function findOption(element, { by, key, timeoutMs, patienceMs, nearMs = null, openMs = null }) {
  const began = now();
  const offered = new Set(),
    names = new Set(); // all that were seen, and those of the list as it is
  let why = "closed",
    scanned = -1,
    listSince = 0,
    drawn = null,
    changed = began;
  for (;;) {
    if (!element.isConnected) return { why: "detached" };
    const list = listOf(element);
    if (list) {
      listSince = listSince || now();
      if (scanned !== watch.novel) names.clear();
      let answer = look(list);
      // Scrolled before it has changed, a list may ask for more of what it shows instead of searching.
      const isSearching = Boolean(nearMs) && !isChanged() && now() - began < nearMs;
      if (!answer && !isSearching && scanned !== watch.novel) {
        answer = await scan(list);
        scanned = watch.novel;
      }
      if (answer && answer.ok) return answer;
      why = answer ? answer.why : "no_option";
      if (answer && answer.why === "ambiguous") return { ...answer, offered: [...offered] };
      if (nearMs !== null && isAtRest() && near().length) break;
    }
    if (openMs !== null && !listSince && now() - began >= openMs) break;
    if (now() - (listSince || began) > patienceMs || now() - began >= timeoutMs) break;
    await nextFrame();
  }
  return { why, key, offered: [...offered], near: near() };

  function near() {
    return by === "label" && why === "no_option" ? nearNames([...names], key) : [];
  }

  function isChanged() {
    const shown = [...names].join("\n");
    if (drawn !== null && shown !== drawn) changed = now();
    drawn = shown;
    return changed > began;
  }

  function isAtRest() {
    return now() - changed >= (isChanged() ? LIST_REST_MS : nearMs);
  }

  function look(list) {
    const options = optionsOf(list);
    for (const option of options) {
      if (offered.size < 60) offered.add(optionName(option));
      if (!isDisabled(option)) names.add(optionName(option));
    }
    // A list that holds only what is in sight counts from its first row at its beginning alone.
    const isNumbered = options.some((option) => option.hasAttribute("aria-posinset"));
    if (by === "index" && !isNumbered && (scrollerOf(list)?.scrollTop ?? 0) > 0) return null;
    const all = fitting(options, by, key);
    if (!all.length) return null;
    const free = all.filter((option) => !isDisabled(option));
    if (!free.length) return { why: "option_disabled", key };
    if (free.length > 1) return { why: "ambiguous", key, values: free.map((o) => valueKeys(o)[0] || optionName(o)) };
    picked = free[0];
    wasChosen = isChosen(element, picked);
    return {
      ok: true,
      name: optionName(picked),
      role: ownRole(picked) || "option",
      tag: picked.localName,
      picked: wasChosen,
      several: takesSeveral(element, list, picked),
    };
  }

  async function scan(list) {
    const scroller = scrollerOf(list);
    if (!scroller) return null;
    const start = scroller.scrollTop;
    // One that loads more at its end and has a field to search in is not read to its end.
    const most = filterField(element) ? patienceMs : timeoutMs;
    for (let step = 0, top = 0; step < 500 && now() - began < most; step += 1) {
      scroller.scrollTo({ top, behavior: "instant" });
      await nextFrame();
      await nextFrame();
      const answer = look(list);
      if (answer) return answer;
      if (top >= scroller.scrollHeight - scroller.clientHeight - 1) break;
      top += Math.max(scroller.clientHeight * 0.8, 20);
    }
    scroller.scrollTo({ top: start, behavior: "instant" });
    return null;
  }
}
