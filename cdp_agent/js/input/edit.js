// Text: what takes it, what it holds, and how it is selected for replacement.

const TYPED_TYPES = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
const SET_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

function deepestEditable(element) {
  if (element instanceof HTMLLabelElement && element.control) return element.control;
  return element;
}

// How an element takes text: "type" by input events, "set" by its value property, or not at all.
function editing(element) {
  if (element instanceof HTMLTextAreaElement) return "type";
  if (element instanceof HTMLInputElement) {
    if (TYPED_TYPES.has(element.type)) return "type";
    return SET_TYPES.has(element.type) ? "set" : "";
  }
  if (element instanceof HTMLElement && (element.isContentEditable || editContextOf(element))) return "type";
  return "";
}

// What takes the keys of an element whose text the page itself draws (Monaco): its own, or that of
// what it stands in.
function editContextOf(element) {
  for (let n = element; n; n = composedParent(n)) {
    if (n.editContext) return n.editContext;
    if (n.contentEditable === "false" || n.matches?.("input,textarea,select,button")) return null;
  }
  return null;
}

function isReadOnly(element) {
  if ("readOnly" in element && element.readOnly) return true;
  return element.getAttribute("aria-readonly") === "true";
}

function valueOf(element) {
  if (isStandIn(element)) return editorText(element);
  if ("value" in element && typeof element.value === "string" && !(element instanceof HTMLLIElement))
    return element.value;
  if (element instanceof HTMLElement && element.isContentEditable)
    return element.innerText.replace(/\u00a0/g, " ").replace(/\n$/, "");
  return null;
}

function hasFocus(element) {
  const active = element.getRootNode().activeElement;
  return active === element || (active !== null && element.contains(active) && element.isContentEditable);
}

function focusOn(element) {
  element.focus();
  return hasFocus(element);
}

function selectAll(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.select();
    return;
  }
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(element);
  selection.removeAllRanges();
  selection.addRange(range);
}

function isAllSelected(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    return element.value !== "" && element.selectionStart === 0 && element.selectionEnd === element.value.length;
  }
  return (
    element.textContent.trim() !== "" &&
    getSelection().toString().replace(/\s/g, "") === element.innerText.replace(/\s/g, "")
  );
}

function caretToEnd(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const end = element.value.length;
    try {
      element.setSelectionRange(end, end);
    } catch {
      // number, email and the like have no selection one may set; their caret starts at the end
    }
    return;
  }
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(element);
  range.collapse(false);
  selection.removeAllRanges();
  selection.addRange(range);
}

// A text area that nobody sees, behind an editor that draws its own text and caret: what it holds
// is the editor's scratch paper, and a caret moved there becomes text. An EditContext is the same.
function isStandIn(element) {
  if (element.editContext) return true;
  if (!(element instanceof HTMLTextAreaElement)) return false;
  if (getComputedStyle(element).opacity === "0") return true;
  for (let n = element, up = 0; n && up < 3; n = n.parentElement, up += 1) {
    const { width, height } = n.getBoundingClientRect();
    if ((width < 4 || height < 4) && (up === 0 || getComputedStyle(n).overflow !== "visible")) return true;
  }
  return false;
}

// What an editor shows besides its text: line numbers, its own caret, a hint where it is empty.
const BESIDE_TEXT = /gutter|line-?num|lineno|placeholder|cursor(?!-text)|measure/i;

// Whether what has an EditContext shows its text itself, instead of a neighbour that lies over it.
function drawsItself(element) {
  if (element instanceof HTMLTextAreaElement) return false;
  const { x, y, width, height } = element.getBoundingClientRect();
  return composedContains(element, elementAt(x + width / 2, y + height / 2, rootsOf(element)));
}

// The texts that the editor behind a stand-in has drawn, in order, each with its line: all of its
// text, unless it scrolls. Null where there is no editor to be seen.
function drawnTexts(area) {
  let editor = drawsItself(area) ? area : area.parentElement;
  while (editor && editor !== document.body && editor.getBoundingClientRect().height < 10)
    editor = editor.parentElement;
  if (!editor || editor === document.body) return null;
  const isLeftOut = (n) =>
    n === area ||
    BESIDE_TEXT.test(n.getAttribute("class") || "") ||
    ["style", "script"].includes(n.localName) ||
    getComputedStyle(n).visibility === "hidden";
  const accept = (n) =>
    n instanceof Element
      ? isLeftOut(n)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT;
  const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, accept);
  const texts = [];
  for (const range = document.createRange(); texts.length < MOST_NODES && walker.nextNode(); ) {
    range.selectNodeContents(walker.currentNode);
    const [first] = range.getClientRects();
    if (first) texts.push({ line: Math.round(first.top / 4), node: walker.currentNode });
  }
  return texts.sort((one, other) => one.line - other.line); // some keep their lines in another order
}

// The characters of drawn texts, each with its node and offset; a newline has none.
function drawnCharacters(texts) {
  const characters = [];
  texts.forEach(({ line, node }, i) => {
    if (i > 0 && line !== texts[i - 1].line) characters.push({ text: "\n" });
    for (let offset = 0; offset < node.data.length; offset += 1)
      characters.push({ text: node.data[offset], node, offset });
  });
  return characters
    .filter(({ text }) => !"\u200b\ufeff".includes(text))
    .map((one) => (one.text === "\u00a0" ? { ...one, text: " " } : one));
}

function editorText(area) {
  const texts = drawnTexts(area);
  if (texts === null) return area.value ?? editContextOf(area).text;
  return drawnCharacters(texts)
    .map(({ text }) => text)
    .join("");
}

// Waits until the element can be edited, focuses it, and selects what is there (or goes to its end).
async function prepareEdit(element, options) {
  const { timeoutMs, guard, select, role } = options;
  element = deepestEditable(element);
  if (!element.isConnected) return { why: "detached" };
  const how = editing(element);
  if (!how) return { why: "not_editable", role, sketch: sketch(element) };
  const deadline = now() + timeoutMs;
  let why = "";
  for (;;) {
    if (!element.isConnected) return { why: "detached" };
    why = !isRendered(element) ? "hidden" : isDisabled(element) ? "disabled" : isReadOnly(element) ? "readonly" : "";
    if (!why) {
      if (watch.composing) element.blur(); // half a word of an input method would stay otherwise
      const standIn = isStandIn(element);
      if (guard) arm(element, { ...guard, whole: guard.whole && !standIn });
      // A body is the active element of a frame that has no focus at all.
      const already = hasFocus(element) && (element !== document.body || document.hasFocus());
      const before = isAllSelected(element);
      const focused = focusOn(element);
      // Selected by the page because the focus came: what is typed shall take the place of it.
      const chosen = !before && isAllSelected(element);
      // The page may have answered the focus by disabling it; it loses the focus then, but later.
      const refusal = isDisabled(element) ? "disabled" : isReadOnly(element) ? "readonly" : "";
      if (!refusal && (focused || how === "set")) {
        if (guard) action.away = false;
        if (how === "type" && select && !standIn) selectAll(element);
        else if (how === "type" && !already && !chosen && !standIn) caretToEnd(element);
        return {
          ok: true,
          how,
          value: valueOf(element),
          standIn,
          type: element.type || "contenteditable",
          most: element.maxLength ?? -1,
          plain: isPlain(element),
          mac: navigator.platform.startsWith("Mac"),
        };
      }
      disarm();
      why = refusal || "focus";
    }
    if (now() >= deadline) return { ...withoutFocus(element, why), sketch: sketch(element) };
    await nextFrame();
  }
}

// Whether lines are kept as they are, without a structure of the page's own.
function isPlain(element) {
  return element instanceof HTMLTextAreaElement || element.contentEditable === "plaintext-only";
}

// Replaces the selection by text of many lines. Answers whether that had any effect.
function insertLines(element, text) {
  element = deepestEditable(element);
  const before = valueOf(element);
  openEvent("action");
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  try {
    document.execCommand(
      "insertHTML",
      false,
      text.replace(/[&<>]/g, (c) => escapes[c]),
    );
  } catch {
    return false; // the page allows no HTML that is not its own
  }
  return valueOf(element) !== before || valueOf(element) === text;
}

// Makes a slider's next key take it to a value: it is put a step beside it as that key arrives, so
// that the browser itself makes the change and sends the events. Answers key and step, or null.
function aimSlider(element, value) {
  element = deepestEditable(element);
  const bound = (name, otherwise) => (element[name] === "" ? otherwise : Number(element[name]));
  const least = bound("min", 0),
    most = bound("max", 100),
    wanted = Number(value);
  const step = element.step === "any" ? (most - least) / 100 : Number(element.step) || 1;
  const old = element.value;
  setNatively(element, value);
  const fits = Number(element.value) === wanted && value.trim() !== ""; // within its bounds, on a step
  setNatively(element, old);
  if (!fits || step > most - least) return null;
  const up = wanted - step >= least;
  action.beside = String(up ? wanted - step : wanted + step);
  return { key: up ? "ArrowUp" : "ArrowDown", step };
}

const setNatively = (element, value) =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, value);

// Sets a date, time, colour or range: kinds whose own pickers no text input reaches.
function setValue(element, value) {
  element = deepestEditable(element);
  const old = element.value;
  const wanted = element.type === "color" ? value.toLowerCase() : value;
  setNatively(element, wanted);
  if (element.value !== wanted && !(element.type === "range" && Number(element.value) === Number(wanted))) {
    const got = element.value;
    setNatively(element, old);
    return { ok: false, got };
  }
  const held = element.value; // before the page may change it
  openEvent("action");
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  return { ok: true, value: held };
}

function readValue(element) {
  element = deepestEditable(element);
  return { connected: element.isConnected, value: valueOf(element) ?? closedText(element), type: element.type || "" };
}

// The text of an editor that the page has closed since: what one sees is what it has kept.
function closedText(element) {
  const wasEditor = action !== null && action.kind === "key" && action.text && element instanceof HTMLElement;
  return wasEditor && element.isConnected ? element.innerText.replace(/\u00a0/g, " ").replace(/\n$/, "") : null;
}

// Waits until the element is shown and enabled, and gives it the focus if it can have it.
// The reason, or the better one that nothing there takes the focus.
function withoutFocus(element, why) {
  const inert = why === "focus" ? inertAround(element) : null;
  return inert === null ? { why } : { why: "inert", inert: sketch(inert) };
}

async function prepareKeys(element, { timeoutMs, guard }) {
  const deadline = now() + timeoutMs;
  for (;;) {
    if (!element.isConnected) return { why: "detached" };
    const why = !isRendered(element) ? "hidden" : isDisabled(element) ? "disabled" : "";
    if (!why) {
      if (document.activeElement !== element) focusOn(element);
      // The page may have answered the focus by hiding or disabling it.
      const able = element.isConnected && isRendered(element) && !isDisabled(element);
      if (able && element.contentWindow && deepActiveFrom(element)) return { why: "frame" };
      if (able && deepActiveFrom(element)) {
        arm(element, guard);
        return { ok: true, popup: isListOpen(), text: takesText(element), secret: element.type === "password" };
      }
    }
    if (now() >= deadline) return withoutFocus(element, why || "focus");
    await nextFrame();
  }
}

// Whether the popup of a native list is open: it takes the keys, and no document hears of them.
function isListOpen() {
  const active = deepActive();
  return active instanceof HTMLSelectElement && active.matches(":open");
}

// Keys go to the element, to what it holds, or to the widget that it is a part of. A body is the
// active element where nothing has the focus.
function deepActiveFrom(element) {
  const active = element.getRootNode().activeElement;
  if (!active) return false;
  if (active === element || composedContains(element, active)) return true;
  return active !== document.body && active !== document.documentElement && composedContains(active, element);
}

function inView(element) {
  const box = rectsOf(element).map(clip).find(Boolean);
  return { connected: element.isConnected, inView: Boolean(box), scrollX, scrollY };
}
