// Watches the document for changes, and tells when it has come to rest after an action.
//
// A page may tick, poll or animate for ever. What changed while no action was under way, twice or
// more, is that page's background: it neither counts as an action's effect nor keeps it waiting.

const now = () => performance.now();

const watch = {
  novel: 0,            // changes that are not background, ever
  armed: 0,            // how many actions are under way
  element: null,       // what the action under way is done to
  announced: false,    // that element has said that more is to come
  shown: 0,            // changes since the action began that are more than such a word
  scrolled: 0,         // when something last scrolled, 0 when it has come to rest
  composing: false,    // an input method is in the middle of a word
  wake: new Set(),     // called at each novel change
  booked: null,        // what the page had put off when the action began; see `booked`
  pace: null,          // the same when the last action was over, and when that was
  restless: false,     // the page puts things off all the time, whatever one does
  messages: [],        // when the last messages of other frames came
  idle: new WeakMap(), // node → times it changed while nothing was under way
  stirred: new Set(),  // called at each change, background or not
  stirs: 0,            // changes of every kind, ever
  lastStir: now(),     // when something changed last that does not change all the time
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
  for (const wake of watch.wake) wake();
}

// The browser tells of a tab's title when it is loaded, before it has been read.
let toldTitle = null;

function tellTitle() {
  if (window !== top || document.title === toldTitle) return;
  toldTitle = document.title;
  if (typeof cdpAgentReceipt === "function") cdpAgentReceipt(JSON.stringify({ token: 0, kind: "title", title: toldTitle.slice(0, 1000) }));
}

function onMutations(records) {
  tellTitle();
  const time = now();
  if (records.length) noteStir(records, time);
  if (watch.armed === 0) {
    const seen = new Set();
    for (const record of records) {
      if (!seen.has(record.target)) {
        seen.add(record.target);
        noteIdle(record.target, time);
      }
      if (seen.size > 50) break;
    }
    watch.novel += 1;
    return;
  }
  const novel = records.filter((record) => !isBackground(record.target, time));
  if (!novel.length) return;
  for (let i = 0; i < novel.length && i < 200; i += 1) {
    if (isAnnouncement(novel[i])) watch.announced = true;
    else if (!isOwnFlip(novel[i])) watch.shown += 1;
  }
  changed();
}

const ANNOUNCING = new Set(["aria-expanded", "aria-busy", "aria-disabled", "disabled", "data-state", "data-loading"]);
const LOADING = /\b(is-)?(loading|busy|pending|open|active|expanded)\b/;

// An attribute of the element itself, of what it stands in or of what it holds: the word, the
// colour and the arrow of an opening part, not yet what is in it.
function isOwnFlip(record) {
  const { element } = watch;
  return record.type === "attributes" && element !== null && (composedContains(record.target, element) || composedContains(element, record.target));
}

function isAnnouncement(record) {
  if (!isOwnFlip(record)) return false;
  const name = record.attributeName;
  return ANNOUNCING.has(name) || (name === "class" && LOADING.test(record.target.getAttribute("class") || ""));
}

const observer = new MutationObserver(onMutations);
const observed = new WeakSet();

function observe(root) {
  if (observed.has(root)) return;
  observed.add(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

// Rests that a DOM mutation does not show: a value, a scroll position, an open popover.
function onQuietChange() {
  stir();
  if (watch.armed > 0) changed();
}

// An action in another frame may show here. It is told of by the message that brings it, at once,
// unless messages come all the time.
const CHATTY = 20, CHAT_MS = 2000;

function onMessage(event) {
  if (event.source === window) return; // to itself: a way to put something off
  const time = now();
  watch.messages.push(time);
  if (watch.messages.length > CHATTY && time - watch.messages.shift() < CHAT_MS) return;
  if (typeof cdpAgentReceipt === "function") cdpAgentReceipt(JSON.stringify({ token: 0, kind: "message", since: watch.novel }));
}

function installWatch() {
  observe(document);
  tellTitle();
  addEventListener("message", onMessage, true);
  addEventListener("compositionstart", () => { watch.composing = true; }, true);
  addEventListener("compositionend", () => { watch.composing = false; }, true);
  for (const type of ["input", "change", "scroll", "toggle", "close"]) {
    document.addEventListener(type, onQuietChange, { capture: true, passive: true });
  }
  document.addEventListener("scroll", () => { watch.scrolled = now(); }, { capture: true, passive: true });
  document.addEventListener("scrollend", () => { watch.scrolled = 0; }, { capture: true, passive: true });
}

// Numbers of frames, timers and idle callbacks count up for the whole window, whoever asks for
// them. Those that are not ours are the page's: so one sees whether it has put something off.
const ours = { frames: 0, timers: 0, idle: 0 };

function askFrame(callback) {
  ours.frames += 1;
  return requestAnimationFrame(callback);
}

function askTimer(callback, ms) {
  ours.timers += 1;
  return setTimeout(callback, ms);
}

function booked() {
  const frame = askFrame(() => {}), timer = askTimer(() => {}, 0), idle = requestIdleCallback(() => {});
  ours.idle += 1;
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  cancelIdleCallback(idle);
  return { frames: frame - ours.frames, timers: timer - ours.timers, idle: idle - ours.idle };
}

const isSameBooking = (a, b) => a.frames === b.frames && a.timers === b.timers && a.idle === b.idle;

// Begin to count what the page puts off. One that did so all the time since the last action, with
// nobody acting, goes on with that now: it says nothing about this one.
const RESTLESS_MS = 1000, RESTLESS_PER_MS = 4 / 1000;

function book(element) {
  watch.element = element;
  watch.announced = false;
  watch.shown = 0;
  watch.booked = booked();
  if (watch.pace !== null && now() - watch.pace.time >= RESTLESS_MS) {
    const { time, then } = watch.pace;
    const grown = watch.booked.frames - then.frames + watch.booked.timers - then.timers;
    watch.restless = grown / (now() - time) > RESTLESS_PER_MS;
    watch.pace = null;
  }
}

function unbook() {
  if (watch.booked !== null && watch.pace === null) watch.pace = { time: now(), then: booked() };
  watch.element = null;
  watch.booked = null;
}

// A scroll that glides tells of itself once a frame, and when it has come to its end.
const SCROLL_MEMORY_MS = 100;

function isScrolling() {
  return watch.scrolled > 0 && now() - watch.scrolled < SCROLL_MEMORY_MS;
}

function isMoving() {
  return isScrolling() || document.getAnimations().some((animation) => animation.pending || animation.playState === "running");
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

// Timers that the page has begun already run before ours. They do not run where a frame may not
// run scripts; frames do, but one of them may come before the timers: the second does not.
function nextTask() {
  return new Promise((resolve) => {
    askTimer(resolve, 0);
    askFrame(() => askFrame(resolve));
  });
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

const FRAME_MS = 100;  // a frame takes 17; this is for documents that get none
const SHORT_MS = 4;
// A page that checks what it was given and takes it back does so about as soon as this.
const ANSWER_MS = 50;
// What an element announces comes about as soon as this, or when a server has answered.
const ANNOUNCED_MS = 100;

// Whether the page has put something off to a timer since the action began.
function hasTimer() {
  return watch.booked !== null && watch.booked.timers !== booked().timers;
}

function hasAnnounced() {
  if (watch.restless || watch.booked === null || !watch.announced || watch.shown) return false;
  return !isSameBooking(watch.booked, booked());
}

// Resolves when the document is at rest after an action that began at `since`: after its first
// change (waited for up to `firstMs`), once a whole frame has passed without another one. A page
// that since the action began has asked for no frame, timer or idle time and moves nothing has
// put nothing off to a frame: it is given 4 ms.
//
// With `answers` what the element holds afterwards is asked for: a page that has begun a timer may
// be about to change it, and is given its time once.
async function rest({ since, firstMs, ceilingMs, answers = false }) {
  const began = now();
  onMutations(observer.takeRecords());
  const atStart = watch.novel;  // what is fetched after this call sees all that came before
  if (watch.novel === since && firstMs > 0) await nextChange(firstMs);
  let settled = await quiet(began + ceilingMs);
  if (answers && hasTimer() && now() - began < ANSWER_MS) {
    await pause(ANSWER_MS - (now() - began));
    settled = (await quiet(began + ceilingMs)) && settled;
  }
  for (const until = now() + ANNOUNCED_MS; hasAnnounced() && now() < until; ) {
    if (await nextChange(until - now())) settled = (await quiet(began + ceilingMs)) && settled;
  }
  return { settled, changed: watch.novel !== since, shown: watch.shown > 0, changedDuring: watch.novel !== atStart };
}

// A whole frame without a change; false when `deadline` came before.
async function quiet(deadline) {
  for (;;) {
    const before = watch.novel;
    const short = watch.booked !== null && isSameBooking(watch.booked, booked()) && !isMoving();
    await nextFrame(short ? SHORT_MS : FRAME_MS);
    const still = watch.novel === before && !isScrolling();
    if (still && (!short || (isSameBooking(watch.booked ?? booked(), booked()) && !isMoving()))) return true;
    if (now() > deadline) return false;
  }
}

const pause = (ms) => new Promise((resolve) => askTimer(resolve, ms));

// The same for a document in which no action was begun: one that was told of it.
async function restAfterwards(options) {
  const began = watch.armed === 0;
  if (began) {
    onMutations(observer.takeRecords());
    watch.armed = 1;
  }
  try {
    return await rest(options);
  } finally {
    if (began) watch.armed = 0;
  }
}
