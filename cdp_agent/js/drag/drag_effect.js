// @ts-check
// Whether a drag left anything behind: a page may carry an element along and put it back.

// Inline styles that show although no box tells of them.
const PAINTED = ["color", "backgroundColor", "backgroundImage", "borderColor", "fill", "stroke", "visibility"];
// What libraries write while they carry, and leave behind.
const LEFT_BEHIND = /^(?:style|class|draggable|tabindex|aria-grabbed|aria-describedby|data-.*)$/;

// What a person can tell of each element; null where the document is too large to be read twice.
function shownElements() {
  if (elementCount() > MOST_MEASURED) return null;
  const shown = new Map();
  for (const root of new Set([...openRoots(), ...carry.roots]))
    for (const element of root.querySelectorAll("*"))
      shown.set(element, { words: shownOf(element), parent: element.parentNode });
  return shown;
}

function shownOf(element) {
  if (!element.checkVisibility(RENDERED)) return "";
  const { x, y, width, height } = element.getBoundingClientRect();
  const box = [x, y, width, height].map(Math.round);
  const attributes = Array.from(element.attributes)
    .filter(({ name, value }) => !LEFT_BEHIND.test(name) && value !== "false")
    .map(({ name, value }) => `${name}=${value}`);
  const classes = Array.from(element.classList).sort();
  const painted = element.style ? PAINTED.map((name) => element.style[name]) : [];
  const opacity = element.style && element.style.opacity !== "1" ? element.style.opacity : "";
  const held = [element.value, element.checked, element.scrollLeft, element.scrollTop];
  // What is no larger is for screen readers alone: where a drag is under way, and how it ended.
  const text = width <= 1 || height <= 1 ? "" : ownText(element);
  return [...box, ...attributes, ...classes, ...painted, opacity, ...held, text].join();
}

// Whether the document shows something else than before the press; null where it cannot be told.
function carryChanged() {
  if (carry === null || carry.before === null) return null;
  const { before, began } = carry;
  const after = shownElements();
  if (after === null) return null;
  const isIdle = (element, { parent }) => isBackground(element, began) || isBackground(parent, began);
  for (const [element, was] of before)
    if (was.words !== (after.get(element)?.words ?? "") && !isIdle(element, was)) return true;
  for (const [element, is] of after) if (is.words !== "" && !before.has(element) && !isIdle(element, is)) return true;
  return false;
}
