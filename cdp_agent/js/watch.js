// Watches the document for changes, and tells when it has come to rest after an action.
//
// A page may tick, poll or animate for ever. What changed while no action was under way, twice or
// more, is that page's background: it neither counts as an action's effect nor keeps it waiting.

const now = () => performance.now();

const watch = {
  novel: 0,            // changes that are not background, ever
  armed: 0,            // how many actions are under way
  scrolled: 0,         // when something last scrolled, 0 when it has come to rest
  composing: false,    // an input method is in the middle of a word
  wake: new Set(),     // called at each novel change
  booked: null,        // what the page had put off when the action began; see `booked`
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

function onMutations(records) {
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
  for (const record of records) {
    if (!isBackground(record.target, time)) {
      changed();
      return;
    }
  }
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

function installWatch() {
  observe(document);
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
  return `${frame - ours.frames} ${timer - ours.timers} ${idle - ours.idle}`;
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

// Timers do not run where a frame may not run scripts; frames do.
function nextTask() {
  return new Promise((resolve) => {
    askTimer(resolve, 0);
    askFrame(resolve);
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

// Resolves when the document is at rest after an action that began at `since`: after its first
// change (waited for up to `firstMs`), once a whole frame has passed without another one. A page
// that since the action began has asked for no frame, timer or idle time and moves nothing has
// put nothing off to a frame: it is given 4 ms.
async function rest({ since, firstMs, ceilingMs }) {
  const began = now();
  let settled = true;
  onMutations(observer.takeRecords());
  const atStart = watch.novel;  // what is fetched after this call sees all that came before
  if (watch.novel === since && firstMs > 0) await nextChange(firstMs);
  for (;;) {
    const before = watch.novel;
    const short = watch.booked !== null && watch.booked === booked() && !isMoving();
    await nextFrame(short ? SHORT_MS : FRAME_MS);
    const quiet = watch.novel === before && !isScrolling();
    if (quiet && (!short || (watch.booked === booked() && !isMoving()))) break;
    if (now() - began > ceilingMs) {
      settled = false;
      break;
    }
  }
  return { settled, changed: watch.novel !== since, changedDuring: watch.novel !== atStart };
}
