// Looks after which only words differ: a status line, a counter, what was typed into a field.
//
// Whether anything else can look different or stand elsewhere is told from what could be the cause:
// mutations, rules, the states that rules ask for, sizes, pictures, fonts, scrolling. Where all of
// these are as they were, and the boxes that hold the words too, nothing has to be walked over.

// States that only change with elements, attributes, or what is compared with the circumstances.
const TOLD_STATES = new Set(
  ("root not is where has scope link visited any-link first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type nth-of-type "
    + "nth-last-of-type hover focus focus-within focus-visible active target checked placeholder-shown disabled enabled required optional read-only read-write host").split(" "),
);
const TOLD_RULES = new Set("media supports layer font-face keyframes -webkit-keyframes import property charset namespace counter-style page font-feature-values".split(" "));
// Words that reach beyond the box they stand in, and sizes that follow what is typed.
const FAR_REACHING = /::?first-l(etter|ine)|anchor|timeline|sibling-|field-sizing|base-select|if\(/;
const MEDIA = ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion)", "(prefers-contrast: more)", "(prefers-contrast: less)", "(forced-colors: active)",
  "(hover: hover)", "(pointer: fine)", "(any-hover: hover)", "(any-pointer: coarse)", "(display-mode: fullscreen)", "(prefers-reduced-transparency)", "(inverted-colors)"].map((query) => matchMedia(query));
// What changes its size or what is around it without a trace.
const UNTOLD = "video,object,embed,marquee,image,input[type=image],:modal,:fullscreen,:popover-open";
const IN_FLOW = new Set(["block", "flow-root", "list-item", "flex", "grid"]);
// What can be scrolled although no rule of the page says so.
const CLIPPING = "dialog,[popover],hr,[style*=overflow],[style*='all:']";
const SIZED_BY_WORDS = "select,datalist,object,svg,math,bdi,[dir=auto]";

const rulesRead = { text: null, states: null, queries: [] };

// Which states rules ask for; null where some of them change unnoticed.
function statesIn(text) {
  if (rulesRead.text === text) return rulesRead.states;
  const plain = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
  const states = new Set(Array.from(plain.matchAll(/(?<!:):([a-z-]+)/gi), (found) => found[1].toLowerCase()));
  const rules = Array.from(plain.matchAll(/@([a-z-]+)/gi), (found) => found[1].toLowerCase());
  const isTold = !FAR_REACHING.test(plain) && rules.every((one) => TOLD_RULES.has(one)) && Array.from(states).every((one) => TOLD_STATES.has(one));
  rulesRead.text = text;
  rulesRead.states = isTold ? states : null;
  rulesRead.queries = Array.from(new Set(Array.from(text.matchAll(/@media ([^{]+)\{/g), (found) => found[1])), (query) => matchMedia(query));
  return rulesRead.states;
}

// Everything that decides how unchanged elements look and where they stand, as one string to be
// compared. Null: that is more than can be told.
function circumstances(roots, text) {
  if (text === null || roots.length > 1 || document.getAnimations().length || document.designMode === "on") return null;
  const states = statesIn(text);
  const { documentElement: root, scrollingElement: scroller } = document;
  if (!states || !root || !scroller || document.querySelector(UNTOLD)) return null;
  const found = [
    window.innerWidth, window.innerHeight, root.clientWidth, root.clientHeight, window.devicePixelRatio, visualViewport.scale,
    window.scrollX, window.scrollY, scroller.scrollWidth, location.hash, document.hasFocus(), numberOf(focusHolder() || root),
  ];
  for (const query of MEDIA) found.push(+query.matches);
  for (const query of rulesRead.queries) found.push(+query.matches);
  // One more for each property that a script registers, which then has a value everywhere.
  found.push(root.computedStyleMap().size);
  for (const font of document.fonts) found.push(font.status);
  for (const image of document.images) found.push(image.naturalWidth, image.naturalHeight, image.complete);
  for (const state of ["hover", "active", "focus-visible"]) {
    if (states.has(state)) found.push(state, ...Array.from(document.querySelectorAll(`:${state}`), numberOf));
  }
  return `${found.join()} ${text}`;
}

// With words in it and no element.
function isLeaf(element) {
  return element.firstElementChild === null && element.firstChild !== null;
}

// -- what is said -----------------------------------------------------------------------------------

// The elements whose words are others, if nothing else about the page can be; otherwise null.
function changedWords(before, states, roots) {
  if (!before.calm || !surveyed || surveyed.calm !== before.calm || entries.attributes.size) return null;
  for (const nodes of [entries.added, entries.removed]) {
    for (const node of nodes) if (node.nodeType !== TEXT && node.nodeType !== COMMENT) return null;
  }
  for (const holder of entries.holders) if (!holder || (holder.isConnected && !keepsItsBox(holder, before.leaves.get(holder)))) return null;
  const asks = statesIn(rulesRead.text || "");
  const isAsked = !asks || asks.has("checked") || asks.has("placeholder-shown");
  for (const [control, state] of states) if (before.states.get(control) !== state && (isAsked || sizedByValue(control))) return null;
  if (circumstances(roots, rulesText(roots)) !== before.calm) return null;
  return before.scrolls.every(isScrolledAsBefore) ? new Set(entries.holders) : null;
}

function sizedByValue(control) {
  const style = getComputedStyle(control);
  return style.fieldSizing === "content" || style.appearance === "base-select";
}

const scrolledTo = (element) => [element, element.scrollLeft, element.scrollTop, element.scrollWidth, element.scrollHeight];

function isScrolledAsBefore([element, left, top, width, height]) {
  return element.scrollLeft === left && element.scrollTop === top && element.scrollWidth === width && element.scrollHeight === height;
}

// Whether an element holds nothing but words, and they take no more room than before. Then nothing
// else moves, unless it is aligned with the lines.
function keepsItsBox(element, box) {
  if (element.nodeType !== Node.ELEMENT_NODE || element.firstElementChild || element.closest(SIZED_BY_WORDS)) return false;
  if (!element.checkVisibility()) return true;
  if (!box) return false;
  const now = element.getBoundingClientRect();
  if (now.x !== box.x || now.y !== box.y || now.width !== box.width || now.height !== box.height) return false;
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (!IN_FLOW.has(style.display) || style.alignItems.includes("baseline") || style.alignSelf.includes("baseline")) return false;
  }
  return true;
}

// -- what of it can be seen -----------------------------------------------------------------------

let surveyed = null; // the last walk of `unseen`, under which circumstances it was, and its number
const unjudged = new Set(); // elements whose words are others since then

function forgetSurvey() {
  surveyed = null;
  unjudged.clear();
}

function keepSurvey(walk, number) {
  forgetSurvey();
  if (walk.passedOver || walk.changing) return;
  const roots = openRoots();
  const calm = circumstances(roots, rulesText(roots));
  if (calm === null) return;
  surveyed = { walk, calm, number, spots: null, held: heldValues(), scrolls: walk.clipping.map(scrolledTo) };
}

// What controls hold: rules may ask for it, and no mutation tells.
function heldValues() {
  let held = "";
  for (const { localName, value, checked, selected } of document.querySelectorAll("input,textarea,select,option")) {
    held += localName === "option" ? ` ${selected}` : ` ${value} ${checked}`;
  }
  return held;
}

// Whether the survey with this number would come to the same answer now. Nothing was written down
// since, and whatever else decides how things look and where they stand is as it was. What is put
// away until it comes into view is rendered then for no cause that could be compared.
function isAsSurveyed(number, roots) {
  if (!surveyed || !number || surveyed.number !== number || unjudged.size || !holdsStill()) return false;
  const text = rulesText(roots);
  if (circumstances(roots, text) !== surveyed.calm || text.includes("content-visibility")) return false;
  return document.querySelector("[style*=content-visibility]") === null && surveyed.scrolls.every(isScrolledAsBefore) && heldValues() === surveyed.held;
}

// What the document told of its words; null where more is different.
function noteChangedWords(holders) {
  if (holders === null) forgetSurvey();
  else for (const holder of holders) unjudged.add(holder);
}

// As `unseen`, after `relook`. "?" where all of a large document would have to be walked over, unless
// it just was: then there is no way around it.
function unseenAgain(few) {
  const found = judgedAgain();
  if (found !== null) return found;
  forgetSurvey();
  return walked !== null && (relook.walked || walked.elements.length <= few) ? unseen() : "?";
}

function judgedAgain() {
  enter(ledgerObserver.takeRecords());
  if (!surveyed || !walked || entries.lost || entries.attributes.size || entries.holders.size) return null;
  const { walk } = surveyed;
  surveyed.number = 0; // what was answered under it is no longer all
  surveyed.spots ||= new Map(walk.spots.map((spot) => [spot.element, spot]));
  for (const holder of unjudged) {
    const spot = surveyed.spots.get(holder);
    if (!spot) continue; // not rendered
    const before = walk.texts.filter((entry) => entry.spot === spot);
    walk.texts = walk.texts.filter((entry) => entry.spot !== spot);
    const kept = walk.texts.length;
    for (const child of holder.childNodes) if (child.nodeType === TEXT) noteText(child, spot, walk);
    const after = walk.texts.slice(kept);
    for (const entry of after) judgeText(entry, walk);
    for (const isSeen of [true, false]) {
      // Then what it stands in may be seen, or not, for another reason than before.
      if (before.some((entry) => entry.seen === isSeen) !== after.some((entry) => entry.seen === isSeen)) return null;
    }
  }
  unjudged.clear();
  return answerOf(walk);
}
