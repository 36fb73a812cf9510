// @ts-check
// Elements that a person has not allowed yet: nothing activates them, whatever way an event takes.
// A click on a label, a key in a field of the form or a script's own click end in an event at the
// element or in a submission, and are stopped there. Those that are allowed are only watched.

const LOCK_TYPES = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "keydown",
  "keypress",
  "keyup",
  "dragstart",
  "submit",
];
const SETS_OFF = new Set(["Enter", " "]);
let locks = [];
let lockHits = new Set();

function wordsOf(element) {
  return (element.getAttribute("aria-label") || element.value || element.textContent || "").trim();
}

function isLockedBy(entry, event) {
  const { element, words } = entry;
  const path = event.composedPath();
  if (event.type === "submit") {
    const { submitter } = event;
    return submitter ? submitter === element : element.form === path[0];
  }
  if (path.includes(element)) return !event.type.startsWith("key") || SETS_OFF.has(event.key);
  const closed = entry.roots.find((root) => root.host === path[0]);
  if (closed && "clientX" in event)
    return composedContains(element, elementAt(event.clientX, event.clientY, entry.roots));
  // A page that renders anew puts an equal element in its place.
  return (
    !element.isConnected &&
    path.some((node) => node instanceof Element && node.tagName === element.tagName && wordsOf(node) === words)
  );
}

function onLocked(event) {
  for (const entry of locks) {
    if (!isLockedBy(entry, event)) continue;
    if (event.type === "click" || event.type === "submit" || entry.stops) lockHits.add(entry.token);
    if (entry.stops) stop(event);
  }
}

function installLock() {
  for (const type of LOCK_TYPES) addEventListener(type, onLocked, { capture: true });
}

function lock(element, token, stops) {
  installLock(); // document.open() removes listeners
  const roots = rootsOf(element);
  for (const root of roots)
    if (root.mode === "closed") for (const type of LOCK_TYPES) root.addEventListener(type, onLocked, { capture: true });
  locks.push({ element, token, stops, roots, words: wordsOf(element) });
  const { form } = element;
  const link = element.closest("a[href],area[href]");
  if (link) return { method: "GET", url: link.href };
  if (!form || !["submit", "image"].includes(element.type)) return null;
  return { method: (element.formMethod || form.method || "get").toUpperCase(), url: element.formAction || form.action };
}

// The tokens of locked elements that input at `element` is meant for: it is in one or its label, or
// Enter there sends the form whose button is locked. Without a form nobody knows what Enter does.
function locksOf(element, enters) {
  const own = ({ element: locked }) =>
    composedContains(locked, element) || labelsOf(locked).some((label) => composedContains(label, element));
  const sends = ({ element: locked }) => {
    if (!enters || element.matches("a[href],button,summary,select")) return false;
    const form = element.form || element.closest("form");
    if (!form) return takesText(element) && !locked.form;
    const buttons = Array.from(document.querySelectorAll("button,input")).filter(
      (one) => one.form === form && ["submit", "image"].includes(one.type),
    );
    return locked.form === form && (!buttons.length || buttons[0] === locked || !buttons.includes(locked));
  };
  return locks.filter((entry) => own(entry) || sends(entry)).map((entry) => entry.token);
}

function unlock() {
  const hits = Array.from(lockHits);
  locks = [];
  lockHits = new Set();
  return hits;
}
