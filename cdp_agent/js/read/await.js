// Waiting for what a frame shows: text, the state of an element, rest. Each call answers when what
// it watches differs from what its caller knows, or when its time is up.

// How long to go without a look: styles change what is seen without any mutation.
const LOOK_MS = 250;
const QUIET_STATES = { hidden: true, gone: true };

// Something happened, or `ms` have passed. A costly look is not repeated at once.
async function nextSight(ms, restMs) {
  await new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      watch.stirred.delete(done);
      resolve();
    };
    const timer = askTimer(done, Math.max(Math.min(ms, LOOK_MS), 0));
    watch.stirred.add(done);
  });
  await nextRest(restMs);
}

async function nextRest(restMs) {
  if (restMs > 5) await pause(Math.min(restMs, 1000));
  else await nextFrame(50);
}

// A frame that its page does not show shows nothing, whatever its document holds.
function isFrameShown() {
  if (innerWidth === 0 || innerHeight === 0) return false;
  try {
    return !frameElement || isRendered(frameElement);
  } catch {
    return true; // of another origin: its size alone is known
  }
}

function* shadowRootsIn(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) {
      yield element.shadowRoot;
      yield* shadowRootsIn(element.shadowRoot);
    }
  }
}

const foldText = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

// As a person reads it: what is rendered.
function shownText() {
  if (!isFrameShown()) return "";
  const top = document.body || document.documentElement;
  if (!top) return "";
  const parts = [top.innerText === undefined ? top.textContent : top.innerText];
  for (const root of shadowRootsIn(document)) {
    if (!isRendered(root.host)) continue;
    for (const child of root.children) if (child.innerText && isRendered(child)) parts.push(child.innerText);
  }
  return parts.join("\n");
}

const BUTTON_TYPES = new Set(["submit", "button", "reset"]);
const NAMED = "[aria-label],[placeholder],img[alt],button[title],a[title],input";

// The names of what is shown that are no text of the page: labels, hints in fields, words on buttons.
function shownNames(wanted) {
  if (!isFrameShown()) return [];
  const names = [];
  for (const root of [document, ...shadowRootsIn(document)]) {
    for (const element of root.querySelectorAll(NAMED)) {
      const said = [element.getAttribute("aria-label"), element.placeholder, element.alt];
      if (!element.innerText) said.push(element.title);
      if (BUTTON_TYPES.has(element.type)) said.push(element.value);
      const name = said.filter((one) => typeof one === "string" && one !== "").join("\n");
      if (name !== "" && wanted.some((text) => foldText(name).includes(text)) && isRendered(element)) names.push(name);
    }
  }
  return names;
}

// How many lines are told for each text, and how much of each.
const MOST_LINES = 50,
  LONGEST_LINE = 200;

// The lines of a shown text that have what is wanted in them, white space folded and in letters of
// either case. What stands on several lines is told with what is around it.
function linesWith(shown, wanted) {
  const folded = foldText(shown);
  if (!folded.includes(wanted)) return [];
  const cut = (line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}...` : line);
  const lines = shown
    .split("\n")
    .filter((line) => foldText(line).includes(wanted))
    .slice(0, MOST_LINES);
  if (lines.length) return lines.map((line) => cut(sameText(line)));
  const at = folded.indexOf(wanted);
  return [
    cut(
      sameText(shown)
        .slice(Math.max(at - 40, 0), at + wanted.length + 40)
        .trim(),
    ),
  ];
}

function frameFacts(texts, quietMs) {
  const shown = texts.length ? [shownText(), ...shownNames(texts)].join("\n") : "";
  onMutations(observer.takeRecords());
  return {
    lines: texts.map((text) => linesWith(shown, text)),
    quiet: quietMs === null || (document.readyState !== "loading" && now() - watch.lastStir >= quietMs),
  };
}

async function watchFrame({ texts, quietMs, last, timeoutMs }) {
  const deadline = now() + timeoutMs;
  const wanted = texts.map(foldText);
  for (;;) {
    const began = now();
    const facts = frameFacts(wanted, quietMs);
    const left = deadline - now();
    if (left <= 0 || JSON.stringify(facts) !== JSON.stringify(last)) return facts;
    const untilQuiet = quietMs === null || facts.quiet ? left : quietMs - (now() - watch.lastStir);
    await nextSight(Math.min(left, Math.max(untilQuiet, 5)), (now() - began) * 4);
  }
}

// The count of changes as soon as it is another than `since`, or after a moment in which styles may
// have changed what is seen. A caller whose looks are costly is told no sooner than `restMs` later.
async function nextStir({ since, restMs, timeoutMs }) {
  onMutations(observer.takeRecords());
  if (watch.stirs === since) await nextSight(timeoutMs, restMs);
  else if (since !== null) await nextRest(restMs);
  return watch.stirs;
}

function expandedOf(element) {
  if (element.localName === "summary" && element.parentElement instanceof HTMLDetailsElement)
    return element.parentElement.open;
  if (element instanceof HTMLDetailsElement) return element.open;
  const value = element.getAttribute("aria-expanded");
  return value === null ? null : value === "true";
}

function selectedOf(element) {
  if (element instanceof HTMLOptionElement) return element.selected;
  const value = element.getAttribute("aria-selected");
  return value === null ? null : value === "true";
}

const STATES = {
  visible: (e) => isFrameShown() && isRendered(e) && rectsOf(e).length > 0,
  hidden: (e) => !STATES.visible(e),
  enabled: (e) => !isDisabled(e),
  disabled: (e) => isDisabled(e),
  editable: (e) => editing(deepestEditable(e)) !== "" && !isDisabled(e) && !isReadOnly(deepestEditable(e)),
  checked: (e) => checkedState(e).state === "true",
  unchecked: (e) => checkedState(e).state === "false",
  expanded: (e) => expandedOf(e) === true,
  collapsed: (e) => expandedOf(e) === false,
  selected: (e) => selectedOf(e) === true,
  unselected: (e) => selectedOf(e) === false,
  focused: (e) => hasFocus(e),
  attached: () => true,
  gone: () => false,
};

function elementFacts(element, state) {
  const connected = element.isConnected && element.ownerDocument === document;
  if (!connected) return { connected, met: state in QUIET_STATES, now: "gone" };
  const told = [
    "visible",
    "hidden",
    "disabled",
    "checked",
    "unchecked",
    "expanded",
    "collapsed",
    "selected",
    "focused",
  ];
  return { connected, met: STATES[state](element), now: told.filter((name) => STATES[name](element)).join(", ") };
}

async function watchElement(element, { state, last, timeoutMs }) {
  const deadline = now() + timeoutMs;
  for (;;) {
    const facts = elementFacts(element, state);
    const left = deadline - now();
    if (left <= 0 || !facts.connected || facts.met !== last) return facts;
    await nextSight(Math.min(left, 100), 0);
  }
}
