// @ts-check
// Timers, animation frames and idle callbacks of the page, attributed to the action's own events.
//
// Nothing of the page is patched. But the ids of timers, animation frames and idle callbacks count
// up for the whole window, whoever asks for one: those that we did not ask for are the page's. Two
// counts tell how many the page booked in between, and a listener that hears of each event before
// the page does tells which event they belong to. Nothing tells how long a timer takes.

const KINDS = ["timers", "frames", "idle"];
const noBookings = () => ({ timers: 0, frames: 0, idle: 0 });
const OWNERS = ["action", "tasks", "leaving", "page"];
const asked = noBookings(); // by us

function askTimer(callback, ms) {
  asked.timers += 1;
  return setTimeout(callback, ms);
}

function askFrame(callback) {
  asked.frames += 1;
  return requestAnimationFrame(callback);
}

function askIdle(callback, options) {
  asked.idle += 1;
  return requestIdleCallback(callback, options);
}

// The number of bookings of each kind that the page ever made.
function countBookings() {
  const timer = askTimer(() => {}, 0),
    frame = askFrame(() => {}),
    idle = askIdle(() => {});
  clearTimeout(timer);
  cancelAnimationFrame(frame);
  cancelIdleCallback(idle);
  return { timers: timer - asked.timers, frames: frame - asked.frames, idle: idle - asked.idle };
}

const causes = {
  owner: "page", // whose the bookings are that are made now: one of the next four
  counted: countBookings(), // the counts when they were last attributed
  action: noBookings(), // made by listeners of the action's own events
  tasks: noBookings(), // made right after them: by tasks that those posted, or by the page
  leaving: noBookings(), // made because the focus left another field
  page: noBookings(), // all others since the last action began or ended
  early: noBookings(), // those of them made before a server's answer was asked about
  pageSince: now(),
  restless: { timers: false, frames: false }, // the page books such all the time, with nobody acting
  event: 0, // number of the action's last event
  eventTime: 0,
  dispatching: null, // that event, until it is over
  dispatched: true, // the task of that event is over
  frames: null, // resolves when the frames that the events booked have come
  idle: null, // the same for idle callbacks
  pending: { timers: 0, until: 0 }, // of the action before, that have shown nothing yet
  left: null, // what had the focus when the action began
};

// Attribute what was booked until now; from now on bookings are `owner`'s.
function attribute(owner) {
  const counts = countBookings();
  for (const kind of KINDS) causes[causes.owner][kind] += counts[kind] - causes.counted[kind];
  causes.counted = counts;
  causes.owner = owner;
}

// A message to ourselves for each event. The first comes when the event has been dispatched; the
// second when the tasks that its listeners posted have run.
const turns = new MessageChannel();
const closings = new Set();

turns.port1.onmessage = ({ data: { event, round } }) => {
  if (event !== causes.event) return;
  causes.dispatched = true;
  if (round === 1) turns.port2.postMessage({ event, round: 2 });
  else closeEvent();
};

// A frame takes 17 ms; this is for a busy machine, and for documents that get none.
const FRAME_MS = 250;

function closeEvent() {
  attribute("page");
  causes.dispatching = null;
  // Booked after those of the page, ours come after them.
  const booked = actionBookings();
  if (booked.frames > 0) causes.frames = nextFrame(FRAME_MS);
  if (booked.idle > 0) causes.idle = nextIdle();
  for (const done of closings) done();
  closings.clear();
}

// An event begins. Until the tasks that its listeners post have run, bookings are its own.
function openEvent(owner) {
  attribute(owner);
  causes.event += 1;
  causes.eventTime = now();
  causes.dispatched = false;
  turns.port2.postMessage({ event: causes.event, round: 1 });
}

// Resolves when the action's last event is over. No message comes where no script may run, but
// frames do.
function eventsOver() {
  if (causes.owner === "page") return Promise.resolve();
  return new Promise((resolve) => {
    closings.add(resolve);
    nextFrame()
      .then(() => nextFrame())
      .then(resolve);
  });
}

// Idle time may be long in coming.
const IDLE_MS = 100;
const nextIdle = () => new Promise((resolve) => askIdle(resolve, { timeout: IDLE_MS }));

const CAUSE_TYPES = [
  "pointerover",
  "pointerout",
  "pointermove",
  "pointerdown",
  "pointerup",
  "pointercancel",
  "mouseover",
  "mouseout",
  "mousemove",
  "mousedown",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "change",
  "compositionstart",
  "compositionend",
  "paste",
  "focus",
  "focusin",
  "blur",
  "focusout",
  "submit",
  "reset",
  "invalid",
  "select",
  "dragstart",
  "drag",
  "dragenter",
  "dragover",
  "dragleave",
  "drop",
  "dragend",
];
const SCROLL_TYPES = ["scroll", "scrollend"];
const LEAVING_TYPES = new Set(["change", "blur", "focusout"]);

// A press takes the focus from another field, which is told of it and of its change. What it does
// then is not an effect of the press. (Of a key that moves the focus it is, and of a listener too.)
function isLeaving(event) {
  return LEAVING_TYPES.has(event.type) && action !== null && action.kind === "pointer" && event.target === causes.left;
}

const isDispatching = () => causes.dispatching !== null && causes.dispatching.eventPhase !== Event.NONE;

function onCause(event) {
  if (watch.armed === 0 || !event.isTrusted || isDispatching()) return;
  causes.dispatching = event;
  // Added now, it is the last listener of all, unless the page stops the event.
  removeEventListener(event.type, onCauseHeard);
  addEventListener(event.type, onCauseHeard, { passive: true });
  openEvent(isLeaving(event) ? "leaving" : "action");
}

function onCauseHeard(event) {
  removeEventListener(event.type, onCauseHeard);
  if (event === causes.dispatching && causes.owner === "action") attribute("tasks");
}

function onScrollCause() {
  if (scrolling !== null) openEvent("action");
}

function installCauses() {
  for (const type of CAUSE_TYPES) addEventListener(type, onCause, { capture: true, passive: true });
  for (const type of SCROLL_TYPES) addEventListener(type, onScrollCause, { capture: true, passive: true });
}

// A page that books as often as this while nobody acts goes on with it during an action.
const RESTLESS_PER_MS = { timers: 10 / 1000, frames: 20 / 1000 };
const RESTLESS_MS = 50,
  RESTLESS_COUNT = 3;

// From now on count for an action that is about to begin, here or in another frame.
function beginCauses(element) {
  attribute("page");
  const ms = now() - causes.pageSince;
  if (ms >= RESTLESS_MS) {
    for (const [kind, rate] of Object.entries(RESTLESS_PER_MS)) {
      causes.restless[kind] = causes.page[kind] >= RESTLESS_COUNT && causes.page[kind] / ms > rate;
    }
  }
  forgetBookings();
  causes.early = noBookings();
  const { activeElement } = document;
  const own = element && activeElement && composedContains(element, activeElement);
  causes.left = own || activeElement === document.body ? null : activeElement;
}

function endCauses() {
  attribute("page");
  keepEarly();
  forgetBookings();
}

// An answer may come, and book timers, while the action itself is still being waited for.
function keepEarly() {
  for (const kind of KINDS) causes.early[kind] += causes.restless[kind] ? 0 : causes.page[kind];
}

function takeEarlyBookings() {
  const { early } = causes;
  causes.early = noBookings();
  return early;
}

function forgetBookings() {
  for (const owner of OWNERS) causes[owner] = noBookings();
  causes.pageSince = now();
  causes.frames = causes.idle = null;
}

// Bookings of the action's own events. Of a page that books by itself all the time, no more counts
// than what was certainly theirs.
function actionBookings(...others) {
  const booked = { ...causes.action };
  for (const owner of ["tasks", ...others]) {
    for (const kind of KINDS) booked[kind] += causes.restless[kind] ? 0 : causes[owner][kind];
  }
  return booked;
}

function takeBookings(...others) {
  attribute(causes.owner);
  const booked = actionBookings(...others);
  if (!others.includes("page")) keepEarly();
  causes.action = noBookings();
  causes.tasks = noBookings();
  causes.page = noBookings();
  return booked;
}

// Their bookings since the last call.
const takeActionBookings = () => takeBookings();

// The same, with what was booked by callbacks and answers that they led to: by anything, that is.
const takeFollowingBookings = () => takeBookings("page");
