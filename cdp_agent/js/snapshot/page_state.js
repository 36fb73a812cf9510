// States that the accessibility tree shows although neither the DOM nor its layout does: the focus,
// what is modal, indeterminate or invalid. Equal states and an equal DOM mean an equal tree.

const numbers = new WeakMap();
const nodesByNumber = new Map();
let lastNumber = 0;

function numberOf(node) {
  let number = numbers.get(node);
  if (number === undefined) {
    number = lastNumber += 1;
    numbers.set(node, number);
    nodesByNumber.set(number, new WeakRef(node));
  }
  return number;
}

// The nodes that reports gave these numbers, or null where one of them is gone.
function nodesNumbered(wanted) {
  const nodes = wanted.map((number) => nodesByNumber.get(number)?.deref());
  return nodes.every((node) => node && node.isConnected) ? nodes : null;
}

const HIDDEN_STATES = [
  ":modal",
  ":fullscreen",
  ":indeterminate",
  ":invalid",
  ":user-invalid",
  ":popover-open",
  ":open",
  ":picture-in-picture",
].filter((name) => CSS.supports(`selector(${name})`));

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

// Attributes that listen for other input than clicks. All other listeners come of scripts.
const HANDLERS = "[ondrop],[ondblclick],[oncontextmenu],[onpointerdown],[onauxclick]";

// The report that a capture asks of a document before it begins, as JSON (see `DocumentState`). The
// layout is measured where nothing mutated since `mutations`, the count at the previous capture.
// Otherwise the document is captured in any case, and measured afterwards.
function documentState(mutations = null) {
  tellLostValues();
  const roots = openRoots();
  noteMutations(roots);
  const states = document.designMode === "on" ? ["editing"] : [];
  // One query for all of them: each takes 10 ms in a document of 50,000 elements.
  for (const root of roots)
    for (const element of root.querySelectorAll(ANY_HIDDEN_STATE)) states.push(...hiddenStates(element));
  let code = 0;
  for (const element of document.querySelectorAll("script,style"))
    code += element.firstChild ? element.firstChild.length : 0;
  const elements = elementCount();
  const isMeasurable = elements <= MOST_MEASURED;
  const isMeasured = isMeasurable && (mutations === null || mutations === watch.mutations);
  const layout = isMeasured ? layoutNumber(roots) : 0;
  return JSON.stringify({
    elements,
    depth: depthOf(document.documentElement),
    code,
    focus: focusNumber(),
    states: states.join(),
    listeners: ownListeners,
    scripted: document.scripts.length > 0 || document.querySelector(HANDLERS) !== null,
    layout,
    mutations: watch.mutations,
    measurable: isMeasurable && (isMeasured || !isMoving(roots)),
    values: isMeasurable ? fieldValues(roots) : {},
  });
}

// Whether an animation runs that will end: the document will be laid out otherwise without mutating.
function isMoving(roots) {
  return animationsIn(roots).some(({ playState, effect }) => {
    if (playState !== "running" || !(effect instanceof KeyframeEffect) || isOrnament(effect)) return false;
    return effect.getComputedTiming().endTime < Infinity && effect.getKeyframes().some(movesLayout);
  });
}

// What is animated but holds nothing to read or to act on: ripples, bars, spinners.
function isOrnament({ target, pseudoElement }) {
  if (target === null || pseudoElement) return true;
  return !target.matches(CONTENT) && !carriesContent(target);
}

function movingOrnaments(roots) {
  const effects = animationsIn(roots).map((animation) => animation.effect);
  return new Set(
    effects
      .filter((effect) => effect instanceof KeyframeEffect && !effect.pseudoElement && isOrnament(effect))
      .filter((effect) => effect.getKeyframes().some(movesLayout))
      .map((effect) => effect.target),
  );
}

// Colours and shadows move nothing. Text that fades out of sight, or into it, counts.
const PAINT_ONLY = /^color$|Color$|shadow$|^outline|filter$/i;
const CLEAR = /^rgba.*, 0\)$/;

function movesLayout(keyframe) {
  return Object.entries(keyframe).some(([name, value]) => {
    if (NOT_PROPERTIES.has(name)) return false;
    if (name === "opacity") return Number(value) === 0;
    return PAINT_ONLY.test(name) ? name === "color" && CLEAR.test(value) : true;
  });
}

// The layout after a capture, as JSON (see `MeasuredLayout`).
function measuredLayout() {
  const roots = openRoots();
  noteMutations(roots);
  const layout = layoutNumber(roots);
  return JSON.stringify({ layout, mutations: watch.mutations });
}

function noteMutations(roots) {
  onMutations(observer.takeRecords());
  for (const root of roots) {
    if (observed.has(root)) continue;
    observe(root);
    watch.mutations += 1;
  }
}

// Larger documents are captured in parts.
const MOST_MEASURED = 3500;
const RENDERED = { contentVisibilityAuto: true };
const SHOWN = { ...RENDERED, opacityProperty: true, visibilityProperty: true };

class Digest {
  value = 0;

  add(number) {
    this.value = (Math.imul(this.value, 31) + number) | 0;
  }

  addText(text) {
    for (let i = 0; i < text.length; i += 1) this.add(text.charCodeAt(i));
    this.add(text.length);
  }
}

// A number that differs once the document mutated or is laid out otherwise: an element shows, goes,
// moves, its text becomes transparent, or CSS adds text around the pointer or the focus. Other colours
// and cursors are not part of it, nor are ornaments while they move.
function layoutNumber(roots) {
  const digest = new Digest();
  const skipped = movingOrnaments(roots);
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (skipped.has(element)) continue;
      // To measure what is left out of layout until it comes near would lay it out.
      const rendered = element.checkVisibility(RENDERED);
      digest.add(rendered ? 1 : 0);
      if (!rendered) continue;
      digest.add(element.checkVisibility(SHOWN) && !CLEAR.test(getComputedStyle(element).color) ? 1 : 0);
      const { x, y, width, height } = element.getBoundingClientRect();
      digest.add(x * 8 + width);
      digest.add(y * 8 + height);
    }
    for (const option of root.querySelectorAll("option:checked")) digest.add(numberOf(option));
  }
  noteGenerated(roots);
  digest.add(watch.mutations);
  digest.add(innerWidth * 8 + innerHeight);
  return digest.value || 1;
}

// CSS may write text where the pointer or the focus is, which is not a mutation: it is compared with
// what the last report saw there.
const lastGenerated = new WeakMap();
let lastAround = [];

function noteGenerated(roots) {
  const around = roots.flatMap((root) => [...root.querySelectorAll(":hover,:focus-within")]);
  const inside = around.slice(-2).flatMap((element) => [...element.getElementsByTagName("*")].slice(0, 20));
  const texts = (element) => ["::before", "::after"].map((which) => getComputedStyle(element, which).content).join();
  for (const element of new Set([...lastAround, ...around, ...inside])) {
    const text = texts(element).replace(/none|["\s,]/g, "");
    if (text !== (lastGenerated.get(element) || "")) watch.mutations += 1;
    lastGenerated.set(element, text);
  }
  lastAround = [...around, ...inside];
}

// Number → digest of what it holds, of each field whose value no mutation shows.
function fieldValues(roots) {
  const values = {};
  for (const root of roots) {
    for (const field of root.querySelectorAll("input,textarea")) {
      const digest = new Digest();
      digest.addText(field.value);
      digest.add(field.checked ? 1 : 0);
      values[numberOf(field)] = digest.value;
    }
  }
  return values;
}

// How deep elements nest. Few elements cannot nest deep, and are not walked.
function depthOf(top) {
  if (!top || elementCount() < 250) return 0;
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
