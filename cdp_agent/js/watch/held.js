// @ts-check
// Values that actions gave to elements, and what the page has made of them since.
//
// A page may take a value back long after the action is over. Nobody waits for that: whenever a
// capture or the next action begins, each is compared, and one that has changed is told, once.

const MOST_HELD = 50;
const MOST_HELD_TEXT = 2000;
const MOST_DRAWN_TEXT = 300;
const STATE_WORDS = { true: "checked", false: "unchecked", mixed: "mixed" };
const held = new Map(); // control → {id, text, state, secret}

// What a control holds, in words, and whether that is a state rather than a text; null: too much.
function holding(control) {
  if (control instanceof HTMLSelectElement) return { text: chosen(control).labels.join(", "), state: false };
  const { state } = checkedState(control);
  if (state !== null) return { text: STATE_WORDS[state], state: true };
  if (!editing(control)) return choiceHeld(control);
  if (control.isContentEditable && control.textContent.length > MOST_HELD_TEXT) return null;
  const text = valueOf(control);
  // Of a long text an editor shows a part, which changes as it scrolls.
  const most = isStandIn(control) ? MOST_DRAWN_TEXT : MOST_HELD_TEXT;
  return text === null || text.length > most ? null : { text, state: false };
}

// The choice that a list or combobox of the page's own shows; a list may have scrolled it away.
function choiceHeld(control) {
  if (LISTS.has(ownRole(control))) {
    const names = pickedNames(control);
    return names.length === 0 && scrollerOf(control) ? null : { text: names.join(", "), state: false };
  }
  if (ownRole(control) !== "combobox" && !control.hasAttribute("aria-haspopup")) return null;
  const { value, text } = shownChoice(control);
  return { text: value || text, state: false };
}

function hold(element, id) {
  const control = controlOf(element);
  const holds = control.isConnected ? holding(control) : null;
  held.delete(control);
  if (holds === null || !id) return;
  held.set(control, { id, ...holds, secret: control.type === "password" });
  if (held.size > MOST_HELD) held.delete(held.keys().next().value);
}

// A page that takes its time to show what it was given has shown it now.
function holdAgain(control) {
  if (held.has(control)) hold(control, held.get(control).id);
}

// A page may write it in another way: 1,234 for 1234.
const bareText = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

// The same day in other words: December 31, 2026 for 2026-12-31.
function isSameDay(before, after) {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(before.trim());
  return day !== null && Date.parse(day.slice(1).join("/")) === Date.parse(after);
}

function isSameHolding(before, after) {
  if (before.text === after.text) return true;
  if (before.state || before.text.trim() === "") return before.text.trim() === after.text.trim();
  if (bareText(before.text) !== "" && bareText(before.text) === bareText(after.text)) return true;
  if (isSameDay(before.text, after.text)) return true;
  const number = Number(after.text.replace(/[^\d.eE+-]/g, "") || NaN);
  return before.text.trim() !== "" && Number(before.text) === number;
}

function tellLostValues() {
  for (const [control, before] of held) {
    if (!control.isConnected) {
      held.delete(control);
      continue;
    }
    const after = holding(control);
    if (after !== null && isSameHolding(before, after)) continue;
    held.delete(control);
    if (after === null) continue;
    const secret = before.secret || control.type === "password";
    const words = secret ? {} : { held: before.text, now: after.text };
    report("lost_value", { id: before.id, state: before.state, ...words }, { token: 0 });
  }
}

// A press is under way, which takes the focus from a field before it has any effect of its own.
let isPressing = false;

// An action begins. One that `gives` a value changes no other, but for the radio buttons of a group;
// of any other, a value that changes from now on may be its effect: of a press, from its release on.
function beginHolding({ gives = false, id = "", kind = "", presses = true }, element = null) {
  tellLostValues();
  isPressing = !gives && kind === "pointer" && presses;
  if (!gives && !isPressing) held.clear();
  const isRadio = element !== null && checkedState(controlOf(element)).radio;
  for (const [control, value] of held)
    if (value.id === id || (isRadio && checkedState(control).radio)) held.delete(control);
}

function endPressing({ tell }) {
  if (!isPressing) return;
  isPressing = false;
  if (tell) tellLostValues();
  held.clear();
}
