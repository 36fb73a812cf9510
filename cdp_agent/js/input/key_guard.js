// @ts-check
// Keys: where they arrived, and none of them anywhere but at the element that is meant.
//
// While text is under way the other frames of the page are guarded: they let no key through, and
// neither does a document that is loaded meanwhile. In the element's own frame a character that
// would go to another element is stopped, and so is all that follows: a text has no holes.

const KEY_TYPES = ["keydown", "keypress", "beforeinput", "input", "keyup", "change"];
const KEY_TRACES = new Set(["input", "change"]); // not keys themselves: nothing can stop them

function takesText(node) {
  return (
    node instanceof HTMLTextAreaElement ||
    (node instanceof HTMLInputElement &&
      !["button", "submit", "reset", "image", "file", "checkbox", "radio"].includes(node.type)) ||
    (node instanceof HTMLElement && (node.isContentEditable || editContextOf(node) !== null))
  );
}

function deepActive() {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  for (const root of action ? action.roots : []) if (root.activeElement) active = root.activeElement;
  return active;
}

// A key that went down where it should may be let go here.
function onKeyElsewhere(event) {
  if (KEY_TRACES.has(event.type) || (event.type === "keyup" && other.kind !== "text")) return;
  stop(event);
  if (event.type !== "keyup" && !other.told) report("lost", {}, other);
  if (event.type !== "keyup") other.told = true;
}

// Text spreads over boxes of a few characters each, where a full one passes the focus to the next.
const isTextBox = (node) => node instanceof HTMLInputElement && TYPED_TYPES.has(node.type) && isRendered(node);

function isNextBox(from, to) {
  if (!isTextBox(from) || !isTextBox(to) || from.type !== to.type) return false;
  const narrow = (box) => (box.maxLength > 0 ? box.maxLength <= 6 : box.getBoundingClientRect().width < 72);
  const full = from.maxLength > 0 ? from.value.length >= from.maxLength : from.value !== "";
  if (!full || !narrow(from) || !narrow(to)) return false;
  const boxes = Array.from(from.getRootNode().querySelectorAll("input")).filter(isTextBox);
  return boxes.indexOf(to) === boxes.indexOf(from) + 1;
}

// The page has drawn the field anew and given it the focus.
function isHeir(from, to) {
  if (from.isConnected || !(to instanceof Element) || from.localName !== to.localName) return false;
  return ["type", "name", "role", "aria-label", "placeholder"].every(
    (name) => from.getAttribute(name) === to.getAttribute(name),
  );
}

// Whether a key belongs to the element: goes to it, into it, or to the widget that it is a part of,
// or was until the key went down: an editor leaves the focus to its cell.
function isForElement(target) {
  const { element, holder, text, path } = action;
  if (element === null || target === holder || belongs(element, target)) return true;
  // The document as a whole gets what nothing else has the focus for.
  const isNobody = target === document.body || target === document.documentElement;
  if (!isNobody && (composedContains(target, element) || path.includes(target))) return true;
  if (!text || !takesText(target) || !(isNextBox(holder, target) || isHeir(holder, target))) return false;
  action.holder = target;
  return true;
}

function lose(event) {
  stop(event);
  if (action.down && event.type !== "keydown" && !action.lost) action.typed -= 1; // half of it came
  if (!action.lost) report("lost", {});
  action.lost = true;
}

function onKey(event) {
  if (isOthers(event, true)) return onKeyElsewhere(event);
  if (!isUnder("key", event)) return;
  const top = event.composedPath()[0];
  const target = action.roots.some((r) => r.host === top) ? deepActive() : top;
  const own = isForElement(target);
  if (!KEY_TRACES.has(event.type) && (!own || action.lost || action.away)) {
    if (event.type !== "keyup") return lose(event);
    if (action.text && target !== document.body && target !== document.documentElement) return stop(event);
  }
  if (own) countKey(event, target);
  action.events.push(event);
  if (action.events.length > 2000) action.events.splice(0, 1000);
  if (action.events.length === 1) report("landed", { type: event.type });
}

function countKey(event, target) {
  const begins = event.type === "keydown" || (event.type === "beforeinput" && !action.down);
  if (begins) {
    action.typed += 1;
    if (target === action.holder && target !== action.element) action.elsewhere += 1;
    else action.own += 1;
    if (action.text) report("typed", { count: action.typed });
  }
  // Last of all listeners: a framework draws its own value anew because the key came.
  if (event.type === "keydown" && action.beside !== null) addEventListener("keydown", putBeside, { once: true });
  if (event.type === "keydown") action.path = event.composedPath();
  if (event.type === "keydown") action.down = true;
  else if (event.type === "keyup") action.down = false;
  // The page may have moved the selection since, because the focus came.
  if (action.whole && event.type === "beforeinput") {
    action.whole = false;
    if (!isAllSelected(action.element)) selectAll(action.element);
  }
}

function putBeside(event) {
  if (action !== null && action.beside !== null && !event.defaultPrevented) setNatively(action.element, action.beside);
  if (action !== null) action.beside = null;
}

// Whether the page has prevented every key, and nothing was entered.
function isRefused(events) {
  const keys = events.filter((event) => event.type === "keydown");
  return (
    keys.length > 0 && keys.every((key) => key.defaultPrevented) && !events.some((event) => event.type === "input")
  );
}

// Another frame has the focus now, and got what was typed since.
function onWindowBlur(event) {
  if (event.target === window && action !== null && action.kind === "key" && action.element !== null)
    action.away = true;
}
