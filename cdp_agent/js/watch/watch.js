// Watches the document for changes.
//
// A page may tick, poll or animate for ever. What changed while no action was under way, twice or
// more, is that page's background: it neither counts as an action's effect nor keeps it waiting.

const now = () => performance.now();

const watch = {
  novel: 0, // changes that are not background, ever
  novelTime: 0, // when the last of them was made
  since: 0, // what `novel` was when the action began
  late: 0, // changes since the action began that came after its events
  mutated: false, // the document itself has changed since then, not only a value or position
  roots: new Set(), // shadow trees that have changed since then, inside or at their hosts
  mutations: 0, // times that more than classes, styles and data changed, ever
  armed: 0, // how many actions are under way
  scrolled: 0, // when something last scrolled, 0 when it has come to rest
  composing: false, // an input method is in the middle of a word
  wake: new Set(), // called at each novel change
  messages: [], // when the last messages of other frames came
  idle: new WeakMap(), // node → times it changed while nothing was under way
  stirred: new Set(), // called at each change, background or not
  stirs: 0, // changes of every kind, ever
  lastStir: now(), // when something changed last that does not change all the time
};

const BACKGROUND_MEMORY_MS = 2000;
// What changes as often as this without a pause is no sign that the page is still busy.
const RESTLESS = 20;

function isBackground(node, time) {
  const times = watch.idle.get(node);
  return times !== undefined && times.count > 1 && time - times.last < BACKGROUND_MEMORY_MS;
}

function noteIdle(node, time) {
  const times = watch.idle.get(node);
  if (times === undefined || time - times.last > BACKGROUND_MEMORY_MS) {
    watch.idle.set(node, { count: 1, last: time });
  } else {
    times.count += 1;
    times.last = time;
  }
}

function noteStir(records, time) {
  for (let i = 0; i < records.length && i < 50; i += 1) {
    const times = watch.idle.get(records[i].target);
    if (times === undefined || times.count < RESTLESS || time - times.last >= BACKGROUND_MEMORY_MS) {
      watch.lastStir = time;
      break;
    }
  }
  stir();
}

function stir() {
  watch.stirs += 1;
  for (const wake of watch.stirred) wake();
}

function changed() {
  watch.novel += 1;
  watch.novelTime = now();
  if (causes.dispatched) watch.late += 1;
  for (const wake of watch.wake) wake();
}

// The browser tells of a tab's title when it is loaded, before it has been read.
let toldTitle = null;

function tellTitle() {
  if (window !== top || document.title === toldTitle) return;
  toldTitle = document.title;
  if (typeof cdpAgentReceipt === "function")
    cdpAgentReceipt(JSON.stringify({ token: 0, kind: "title", title: toldTitle.slice(0, 1000) }));
}

// Classes that a snapshot reads as a state: chosen, or sorted (see `snapshot/build/states.py`).
const STATE_CLASSES =
  /(?:^|[\s_-])(?:active|current|selected|ascending|descending|asc|desc|headerAsc|headerDesc)(?=\s|$)/g;

const stateClasses = (classes) => String((classes || "").match(STATE_CLASSES));

// A change of these shows in how elements are rendered, or not at all.
function isPresentation(attribute) {
  return attribute === "style" || attribute.startsWith("data-");
}

function isSame(name, before, after) {
  return before === after || (name === "class" && stateClasses(before) === stateClasses(after));
}

// Whether the document differs from before these records. Frameworks write the attributes of a field
// again and again, with the values that they have.
function hasMutated(records) {
  const before = new Map();
  for (const { type, target, attributeName: name, oldValue } of records) {
    if (type !== "attributes") return true;
    if (isPresentation(name)) continue;
    if (!before.has(target)) before.set(target, new Map());
    if (!before.get(target).has(name)) before.get(target).set(name, oldValue);
  }
  for (const [target, values] of before) {
    for (const [name, value] of values) if (!isSame(name, value, target.getAttribute(name))) return true;
  }
  return false;
}

function noteRoots(records) {
  for (const { target } of records) {
    const root = target.getRootNode();
    if (root instanceof ShadowRoot) watch.roots.add(root);
    if (target.shadowRoot) watch.roots.add(target.shadowRoot);
  }
}

function onMutations(records) {
  tellTitle();
  if (hasMutated(records)) watch.mutations += 1;
  keepGuard();
  const time = now();
  if (records.length) {
    noteDrawing(records, time);
    noteStir(records, time);
  }
  noteReaction();
  const isNovel = records.some((record) => !isBackground(record.target, time));
  if (watch.armed > 0) {
    noteRoots(records);
    if (!isNovel) return;
    watch.mutated = true;
    changed();
    return;
  }
  const seen = new Set();
  for (const record of records) {
    if (!seen.has(record.target)) {
      seen.add(record.target);
      noteIdle(record.target, time);
    }
    if (seen.size > 50) break;
  }
  watch.novel += 1;
  if (isNovel) watch.novelTime = time;
}

const observer = new MutationObserver(onMutations);
const observed = new WeakSet();

function observe(root) {
  if (observed.has(root)) return;
  observed.add(root);
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  });
}

// Rests that a DOM mutation does not show: a value, a scroll position, an open popover.
function onQuietChange() {
  stir();
  if (watch.armed > 0) changed();
}

// An action in another frame may show here. It is told of by the message that brings it, at once,
// unless messages come all the time.
const CHATTY = 20,
  CHAT_MS = 2000;

function onMessage(event) {
  if (event.source === window) return; // to itself: a way to put something off
  const time = now();
  watch.messages.push(time);
  if (watch.messages.length > CHATTY && time - watch.messages.shift() < CHAT_MS) return;
  openEvent("action");
  if (typeof cdpAgentReceipt === "function") cdpAgentReceipt(JSON.stringify({ token: 0, kind: "message" }));
}

function installWatch() {
  observe(document);
  tellTitle();
  addEventListener("message", onMessage, true);
  addEventListener(
    "compositionstart",
    () => {
      watch.composing = true;
    },
    true,
  );
  addEventListener(
    "compositionend",
    () => {
      watch.composing = false;
    },
    true,
  );
  for (const type of ["input", "change", "scroll", "toggle", "close"]) {
    document.addEventListener(type, onQuietChange, { capture: true, passive: true });
  }
  document.addEventListener(
    "scroll",
    () => {
      watch.scrolled = now();
    },
    { capture: true, passive: true },
  );
  document.addEventListener(
    "scrollend",
    () => {
      watch.scrolled = 0;
    },
    { capture: true, passive: true },
  );
}

// From now on changes are an action's, unless they are background.
function beginWatch(element) {
  onMutations(observer.takeRecords());
  Object.assign(watch, { armed: 1, since: watch.novel, late: 0, mutated: false, roots: new Set() });
  beginCauses(element);
}

function endWatch() {
  watch.armed = 0;
  endCauses();
}

function nextChange(ms) {
  return new Promise((resolve) => {
    const done = (value) => {
      clearTimeout(timer);
      watch.wake.delete(wake);
      resolve(value);
    };
    const wake = () => done(true);
    const timer = askTimer(() => done(false), ms);
    watch.wake.add(wake);
  });
}

// The next frame. A frame outside the viewport gets none, so there is a second way out.
function nextFrame(fallbackMs = 100) {
  return new Promise((resolve) => {
    const timer = askTimer(resolve, fallbackMs);
    askFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// When no task of usual priority waits any more.
function lastTask() {
  const last = new Promise((resolve) => scheduler.postTask(resolve, { priority: "background" }));
  return Promise.race([last, nextFrame()]).then(() => null);
}

// Timers that the page has begun already run before ours. They do not run where a frame may not
// run scripts; frames do, but one of them may come before the timers: the second does not.
function nextTask() {
  return new Promise((resolve) => {
    askTimer(resolve, 0);
    askFrame(() => askFrame(resolve));
  });
}
