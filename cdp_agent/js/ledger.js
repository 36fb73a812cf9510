// What became different in the document since it was last looked at, told in one answer.
//
// Mutations are written down as they come. What changes without one (a rule, a state, a media
// query, a transition) is found by a walk that compares how each element is rendered with the walk
// before. Where that cannot be told for sure the answer is empty: look at everything.

const MOST_ENTRIES = 300;   // more is quicker to look at as a whole
const MOST_WALKED = 60000;
const MOST_RULES = 400;     // more than that are not read each time: every style is compared

const entries = { on: false, lost: false, texts: new Set(), attributes: new Set(), added: new Set(), removed: new Set(), holders: new Set() };

function clearEntries() {
  entries.lost = false;
  for (const kind of [entries.texts, entries.attributes, entries.added, entries.removed, entries.holders]) kind.clear();
}

function enter(records) {
  for (const record of records) {
    if (entries.lost) return;
    if (record.type === "attributes") entries.attributes.add(record.target);
    else if (record.type === "characterData") entries.texts.add(record.target);
    if (record.type !== "attributes") entries.holders.add(record.type === "childList" ? record.target : record.target.parentNode);
    for (const node of record.addedNodes) entries.added.add(node);
    for (const node of record.removedNodes) entries.removed.add(node);
    const { texts, attributes, added, removed } = entries;
    entries.lost = texts.size + attributes.size + added.size + removed.size > MOST_ENTRIES;
  }
}

const ledgerObserver = new MutationObserver(enter);
const inLedger = new WeakSet();

function keepLedgerOf(root) {
  if (inLedger.has(root)) return;
  inLedger.add(root);
  ledgerObserver.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

// Whether nothing was written down since the last look; false where nobody writes.
function holdsStill() {
  enter(ledgerObserver.takeRecords());
  const { lost, texts, attributes, added, removed } = entries;
  return entries.on && !lost && texts.size + attributes.size + added.size + removed.size === 0;
}

// A look at everything begins: what was written down before is of no use.
function openLedger() {
  if (!holdsStill()) forgetSurvey();
  for (const root of openRoots()) keepLedgerOf(root);
  ledgerObserver.takeRecords();
  clearEntries();
  entries.on = true;
  walked = null;
  looks += 1;
}

// -- how elements are rendered --------------------------------------------------------------------

// Inherited or not, a style that no rule of the page and no element names stays what it is by the element's tag.
const STYLES = [
  ["cursor", /cursor|all:/], ["visibility", /visibility|all:/], ["overflowX", /overflow|all:/], ["overflowY", /overflow|all:/],
  ["contentVisibility", /content-visibility|all:/], ["interactivity", /interactivity|all:/],
  ["textTransform", /text-transform|all:/], ["whiteSpace", /white-space|text-wrap|all:/], ["textSecurity", /text-security|all:/],
];
const GENERATES = /::?(before|after)|quotes/;

// The text of all rules, or null where it is too long or may not be read.
function rulesText(roots) {
  let left = MOST_RULES;
  const found = [];
  const read = (sheet) => {
    left -= sheet.cssRules.length;
    if (left < 0) return;
    found.push(sheet.disabled ? "disabled " : "", sheet.media.length ? `@media ${sheet.media.mediaText} {}` : "");
    for (const rule of sheet.cssRules) {
      found.push(rule.cssText);
      if (rule.styleSheet) read(rule.styleSheet);
    }
  };
  try {
    for (const root of roots) {
      for (const sheet of root.styleSheets) read(sheet);
      for (const sheet of root.adoptedStyleSheets) read(sheet);
    }
  } catch {
    return null;
  }
  return left < 0 ? null : found.join("\n");
}

// The same of what elements say of themselves.
function inlineText(roots) {
  return roots.flatMap((root) => Array.from(root.querySelectorAll("[style]"), (element) => element.getAttribute("style"))).join("\n");
}

const UNPLACED = new Set(
  ("html head body div span p li ul ol dl dt dd table thead tbody tfoot tr td th caption colgroup col section article header footer main nav aside h1 h2 h3 h4 h5 h6 "
    + "b i em strong small u s sub sup code pre br hr script style meta link title figure figcaption blockquote center font template noscript").split(" "),
);

// Whether anybody asks where an element is: things one can act on, boxes that scroll, what is in those.
function isPlaced(element, styles) {
  if (!UNPLACED.has(element.localName)) return true;
  // Not `attributes`: each of them would become a node, and nodes are counted.
  for (const name of element.getAttributeNames()) if (name !== "class" && name !== "id") return true;
  return styles.cursor === "pointer" || scrolls(styles) || (element.parentElement !== null && scrolls(getComputedStyle(element.parentElement)));
}

const scrolls = (styles) => styles.overflowY === "auto" || styles.overflowY === "scroll";

let walked = null;
let looks = 0;  // an answer that was lost on its way must not pass for the last look

function walk(everyBox, roots) {
  const elements = roots.flatMap((root) => Array.from(root.querySelectorAll("*")));
  const shadows = roots.length > 1;
  if (elements.length > MOST_WALKED) return null;
  const text = rulesText(roots);
  const all = text === null || document.getAnimations().length > 0;
  const inline = all ? "" : inlineText(roots);
  const names = STYLES.filter(([, named]) => all || named.test(text) || named.test(inline)).map(([name]) => name);
  const clips = names.includes("overflowX");
  const generated = all || GENERATES.test(text);
  const auto = { contentVisibilityAuto: names.includes("contentVisibility") };
  // Whether what is put away this way has boxes depends on what it went through: nobody can tell.
  const locked = auto.contentVisibilityAuto || roots.some((root) => root.querySelector("details:not([open]),[hidden=until-found]"));
  const count = elements.length;
  const shown = new Uint8Array(count), styles = new Array(count), boxes = new Array(count), quotes = new Array(count);
  const left = window.scrollX, top = window.scrollY;
  const placing = names.includes("cursor") || names.includes("overflowY");
  const leaves = new Map();
  const scrolls = Array.from(document.querySelectorAll(CLIPPING), scrolledTo);
  for (let i = 0; i < count; i += 1) {
    const element = elements[i];
    if (!element.checkVisibility(auto)) continue;
    shown[i] = 1;
    const computed = getComputedStyle(element);
    let key = computed.display;
    for (const name of names) key += ` ${computed[name]}`;
    styles[i] = key;
    if (clips && computed.overflowX !== "visible") scrolls.push(scrolledTo(element));
    if (generated || element.localName === "q") quotes[i] = written(element, "::before") + written(element, "::after");
    const plain = !everyBox && !placing && UNPLACED.has(element.localName) && !element.hasAttributes();
    const leaf = isLeaf(element) && computed.display !== "inline";
    const placed = !plain && (everyBox || isPlaced(element, computed));
    if (!leaf && !placed) continue;
    const box = element.getBoundingClientRect();
    if (leaf) leaves.set(element, box);
    if (!placed) continue;
    boxes[i] = [box.x + left, box.y + top, box.width, box.height];
  }
  // What a counter comes to depends on all that stands before, and shows in no style.
  const counted = quotes.some((text) => text !== undefined && text.includes("counter"));
  const calm = generated || locked || counted ? null : circumstances(roots, text);
  return { elements, shadows, names: names.join(), generated, locked: locked || counted, shown, styles, boxes, quotes, leaves, scrolls, calm, states: controlStates(roots) };
}

// What CSS writes into an element, and how that looks.
function written(element, where) {
  const s = getComputedStyle(element, where);
  return s.content === "none" || s.content === "normal" ? "" : `${where} ${s.content} ${s.display} ${s.visibility} ${s.textTransform} ${s.cursor} `;
}

// What a control holds and whether it answers clicks by itself; labels answer for their control.
function controlStates(roots) {
  const states = new Map();
  for (const root of roots) {
    for (const control of root.querySelectorAll("input,textarea,select,option,label,progress,meter,form button,button[form]")) {
      states.set(control, stateOf(control));
    }
  }
  return states;
}

function stateOf(control) {
  const { localName } = control;
  const value = localName === "select" ? control.selectedIndex : localName === "option" ? control.selected : control.value;
  return `${value} ${control.checked} ${answersClicks(control)}`;
}

// As Chromium sees it, listeners aside.
function answersClicks(element) {
  if (element.isContentEditable) return true;
  switch (element.localName) {
    case "a": case "area": return element.hasAttribute("href") || element.hasAttributeNS("http://www.w3.org/1999/xlink", "href");
    case "button": return element.form !== null && element.type !== "button" && !element.matches(":disabled");
    case "input": return !element.matches(":disabled");
    case "label": return element.control !== null && element.control.localName === "input" && !element.control.matches(":disabled");
    case "summary": return element.parentElement !== null && element.parentElement.localName === "details" && element.parentElement.querySelector(":scope > summary") === element;
    case "object": return true;
    default: return false;
  }
}

const clicking = (element) => ({ clicks: answersClicks(element), off: element.matches(":disabled") });

// The walk that later ones are compared with; its number, or 0.
function beginWalks(everyBox) {
  walked = entries.on ? walk(everyBox, openRoots()) : null;
  looks += 1;
  return walked === null ? 0 : looks;
}

// -- the answer -----------------------------------------------------------------------------------

const HOLDS_DOCUMENT = "iframe,frame,object,embed,fencedframe,portal";

// Nodes are told of by their number in the list that follows the text: only Chromium knows their ids.
class Answer {
  constructor() {
    this.nodes = [];
    this.numbers = new Map();
  }

  number(node) {
    let number = this.numbers.get(node);
    if (number === undefined) {
      number = this.nodes.push(node) - 1;
      this.numbers.set(node, number);
    }
    return number;
  }

  // A node and all below it, each with the place of its parent among them.
  rows(top) {
    const rows = [];
    const visit = (node, parent) => {
      const place = rows.length;
      rows.push({ node: this.number(node), parent, ...facts(node) });
      for (const child of node.childNodes) if (isTold(child)) visit(child, place);
    };
    visit(top, -1);
    return rows;
  }
}

const isTold = (node) => node.nodeType === Node.ELEMENT_NODE || node.nodeType === Node.TEXT_NODE;

function toldBefore(node) {
  let one = node.previousSibling;
  while (one && !isTold(one)) one = one.previousSibling;
  return one;
}

function facts(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return { type: node.nodeType, name: node.nodeName, value: node.nodeValue, box: node.nodeType === Node.TEXT_NODE ? textBox(node) : null };
  return { type: 1, name: node.nodeName, attributes: attributesOf(node), ...clicking(node), ...rendering(node) };
}

function attributesOf(element) {
  const flat = [];
  for (const name of element.getAttributeNames()) flat.push(name, element.getAttribute(name) ?? element.attributes.getNamedItemNS(null, name)?.value ?? "");
  return flat;
}

function rendering(element) {
  if (!element.checkVisibility()) return { styles: null, box: null };
  const s = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    styles: [s.cursor, s.overflowY, s.contentVisibility, s.visibility, s.display, s.overflowX, s.interactivity],
    box: [box.x + window.scrollX, box.y + window.scrollY, box.width, box.height],
  };
}

function textBox(text) {
  if (!text.data.trim() || !text.parentElement || !text.parentElement.checkVisibility()) return null;
  const range = document.createRange();
  range.selectNode(text);
  const box = range.getBoundingClientRect();
  return [box.x + window.scrollX, box.y + window.scrollY, box.width, box.height];
}

const isIn = (node, tops) => {
  for (let one = node; one; one = one.parentNode) if (tops.has(one)) return true;
  return false;
};

// Only the outermost, in the order of the document.
function outermost(nodes) {
  const found = nodes.filter((node) => !isIn(node.parentNode, new Set(nodes)));
  return found.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

// Everything that differs since the last look, and from now on this is the last look. `rendered`:
// styles or layout were worked out since then, so that what no mutation tells has to be compared;
// null where nobody knows yet. "?": there are more elements than a few, and that has to be known first.
function relook({ look, rendered, few, everyBox }) {
  enter(ledgerObserver.takeRecords());
  relook.walked = false;
  const before = walked;
  if (!entries.on || entries.lost || before === null || look !== looks) return [""];
  const roots = openRoots();
  if (roots.some((root) => !inLedger.has(root))) return [""];
  const states = controlStates(roots);
  const holders = everyBox ? null : changedWords(before, states, roots);
  // Where something is written down, it was rendered anew most likely.
  const isLarge = before.elements.length > few && entries.attributes.size + entries.added.size + entries.removed.size === 0;
  if (rendered === null && !holders && (before.locked || isLarge)) return ["?"];
  const answer = new Answer();
  const added = outermost([...entries.added].filter((node) => node.isConnected && isTold(node)));
  const removed = [...entries.removed];
  const structural = added.length > 0 || removed.length > 0;
  if (structural && before.shadows) return [""];
  if (added.concat(removed).some((node) => node.nodeType === 1 && (node.matches(HOLDS_DOCUMENT) || node.querySelector(HOLDS_DOCUMENT)))) return [""];
  const addedSet = new Set(added);
  const old = (node) => node.isConnected && !isIn(node, addedSet);
  const told = {
    scroll: [window.scrollX, window.scrollY],
    size: [document.scrollingElement ? document.scrollingElement.scrollWidth : 0, document.scrollingElement ? document.scrollingElement.scrollHeight : 0],
    removed: removed.map((node) => answer.number(node)),
    texts: [...entries.texts].filter((node) => node.nodeType === 3 && old(node)).map((node) => ({ node: answer.number(node), value: node.data })),
    attributes: [...entries.attributes].filter(old).map((node) => ({ node: answer.number(node), attributes: attributesOf(node), ...clicking(node) })),
    replaced: [], styled: [], states: [], moved: [], added: [], count: 0,
  };
  if (!holders && (rendered !== false || structural)) {
    if (before.locked) return [""];
    const after = walk(everyBox, roots);
    if (after === null || after.locked || after.names !== before.names || after.generated !== before.generated || after.shadows !== before.shadows) return [""];
    if (!compareWalks(before, after, told, answer, addedSet)) return [""];
    walked = after;
    relook.walked = true;
  } else {
    walked = { ...before, states };
  }
  noteChangedWords(holders);
  for (const [control, state] of walked.states) {
    const earlier = before.states.get(control);
    if (earlier !== undefined && earlier !== state) told.states.push({ node: answer.number(control), ...clicking(control) });
  }
  told.count = walked.shadows ? 0 : walked.elements.length;
  // Last, so that what is put in stands behind what was there: siblings come in their order.
  for (const node of added) {
    const sibling = toldBefore(node);
    told.added.push({ parent: answer.number(node.parentNode), after: sibling ? answer.number(sibling) : -1, rows: answer.rows(node) });
  }
  if (answer.nodes.length > 4 * MOST_ENTRIES) return [""];
  clearEntries();
  looks += 1;
  told.look = looks;
  return [JSON.stringify(told), ...answer.nodes];
}

// Notes what is rendered differently. False: more than can be told of.
function compareWalks(before, after, told, answer, addedSet) {
  const places = new Map();
  const same = before.elements.length === after.elements.length && before.elements.every((element, i) => element === after.elements[i]);
  if (!same) before.elements.forEach((element, i) => places.set(element, i));
  const flipped = [];
  for (let i = 0; i < after.elements.length; i += 1) {
    const element = after.elements[i];
    const j = same ? i : places.get(element);
    if (j === undefined) continue;
    if (before.shown[j] !== after.shown[i]) flipped.push(element);
    else if (before.styles[j] !== after.styles[i]) {
      told.styled.push({ node: answer.number(element), ...rendering(element) });
      if (told.styled.length > MOST_ENTRIES) return false;
    }
    // Which node stands for what CSS writes before or after it, no script can tell.
    if (before.shown[j] && after.shown[i] && before.quotes[j] !== after.quotes[i]) return false;
    const box = after.boxes[i], earlier = before.boxes[j];
    if (box === undefined) continue;
    if (earlier === undefined || box[0] !== earlier[0] || box[1] !== earlier[1] || box[2] !== earlier[2] || box[3] !== earlier[3]) {
      if (after.shadows) return false;
      told.moved.push({ place: i, box });
    }
  }
  if (flipped.length === 0) return true;
  if (after.shadows || document.querySelector("details")) return false;
  for (const element of outermost(flipped)) {
    if (isIn(element, addedSet)) continue;
    if (element.getElementsByTagName("*").length > MOST_ENTRIES) return false;
    told.replaced.push({ node: answer.number(element), rows: answer.rows(element) });
  }
  return true;
}
