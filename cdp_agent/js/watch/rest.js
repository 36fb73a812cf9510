// Waits until what an action's own events have begun in this document is over, and no longer.
//
// They may have booked frames and idle callbacks, which are followed by some of ours; begun
// animations, which tell when they end; and booked timers, of which nobody tells how long they take:
// those are given some time to show a change. Where they did nothing of the kind, it is over at once.

// A timer that takes longer than this is not waited for.
const TIMER_MS = 150;
// A page that has kept what an element was given is waited for this long the next time.
const ANSWER_MS = 50;
// After this many waits in a row that showed nothing, timers and animations of an element are not
// waited for.
const IN_VAIN = 2;
// After this many more actions they are waited for again.
const SKIPPED_WAITS = 8;
const UNCERTAIN = new Set(["timers", "animations"]);
// A field that has kept what it was given this often is not watched for taking it back.
const TRUSTED = IN_VAIN + 2;
// Frames in a row, each booked in the one before, that changed nothing.
const FRAMES_IN_VAIN = 10;
// On a page that draws all the time: the frame that was booked, and the one that it may book.
const RESTLESS_FRAMES = 2;
// An answer from a server is shown within this, or has begun something, or shows nothing.
const ANSWERED_MS = 35;

// A scroll that glides tells of itself once a frame, and when it has come to its end.
const SCROLL_MEMORY_MS = 100;

function isScrolling() {
  return watch.scrolled > 0 && now() - watch.scrolled < SCROLL_MEMORY_MS;
}

// Longer animations show that time passes; these let something come, go or move.
const ANIMATION_MS = 1000;
const PAINT = /color|background|shadow|outline|border|fill|stroke|filter|decoration|font/i;
const CONTENT = "a,button,input,select,textarea,img,canvas,video,iframe,[role],[tabindex]";

// What a keyframe has beside the properties that it animates.
const NOT_PROPERTIES = new Set(["offset", "computedOffset", "easing", "composite"]);

// A document names none of the animations in its shadow trees.
const animationsIn = (roots) => roots.flatMap((root) => root.getAnimations());

// What a person would see move: also what stands in its slots.
function carriesContent(element) {
  const slots = Array.from(element.querySelectorAll("slot"), (slot) => slot.assignedNodes({ flatten: true })).flat();
  return [element, ...slots].some(
    (node) => node.textContent.trim() || (node instanceof Element && node.querySelector(CONTENT)),
  );
}

function isShowing({ startTime, effect, playState }, began) {
  if (playState !== "running" || !(effect instanceof KeyframeEffect) || effect.pseudoElement) return false;
  if (startTime !== null && startTime < began) return false;
  const { endTime, localTime } = effect.getComputedTiming();
  if (!(endTime - (localTime || 0) <= ANIMATION_MS)) return false;
  const { target } = effect;
  if (action !== null && action.element && composedContains(action.element, target)) return false; // how it is pressed
  if (target === null || !carriesContent(target)) return false;
  const animated = effect.getKeyframes().flatMap(Object.keys);
  return animated.some((name) => !NOT_PROPERTIES.has(name) && !PAINT.test(name));
}

// Kind of animation → times in a row that one of it has ended without another change.
const vainAnimations = new Map();

function animationKind({ effect, animationName, transitionProperty }) {
  const { target } = effect;
  return [animationName || transitionProperty || "", target.localName, target.getAttribute("class") || ""].join();
}

// An animation that the action began and that is not over yet.
function findAnimation(began) {
  return animationsIn([document, ...watch.roots]).find(
    (animation) => isShowing(animation, began) && !((vainAnimations.get(animationKind(animation)) || 0) >= IN_VAIN),
  );
}

function noteAnimation(kind, inVain) {
  if (vainAnimations.size > MOST_REMEMBERED) vainAnimations.clear();
  vainAnimations.set(kind, inVain ? (vainAnimations.get(kind) || 0) + 1 : 0);
}

// Elements and kinds of animation whose waits are remembered.
const MOST_REMEMBERED = 500;

class Rest {
  constructor({ ceilingMs }, { skipsAnimations = false, answerMs = 0 } = {}) {
    this.began = causes.pageSince;
    this.deadline = now() + ceilingMs;
    this.answerMs = answerMs; // for so long what the element was given may be taken back
    this.skipsAnimations = skipsAnimations;
    this.inVain = null; // whether what may show nothing was waited for and showed nothing
    this.timersUntil = 0; // until then a timer may show a change
    this.frames = null; // resolves when the frames that were booked have come
    this.idle = null;
    this.frameCount = 0;
    this.framesInVain = 0;
    this.changesSeen = 0;
    this.animation = ""; // the kind of the one that is waited for
    this.awaited = new Set();
  }

  follow({ timers, frames, idle }, since = now(), timerMs = TIMER_MS) {
    if (timers > 0) this.timersUntil = since + timerMs;
    const mayBookAnother = causes.restless.frames && this.frameCount > 0;
    if ((frames > 0 && this.framesInVain < FRAMES_IN_VAIN) || (mayBookAnother && this.frameCount < RESTLESS_FRAMES)) {
      this.frames = (causes.frames || nextFrame(FRAME_MS)).then(() => {
        this.frames = null;
      });
      this.frameCount += 1;
    }
    if (idle > 0)
      this.idle = (causes.idle || nextIdle()).then(() => {
        this.idle = null;
      });
    causes.frames = causes.idle = null;
  }

  // The next step to wait for, by its name, or null. A step that resolves to false came to nothing.
  next() {
    const left = Math.max(this.deadline - now(), 0);
    if (this.frames !== null) return ["frames", this.frames];
    if (this.idle !== null) return ["idle callbacks", this.idle];
    const animation = this.skipsAnimations ? undefined : findAnimation(this.began);
    if (animation !== undefined) {
      this.animation = animationKind(animation);
      // The page hears of its end after us, and before the frame is drawn.
      const ended = animation.finished.catch(() => {}).then(() => nextFrame(FRAME_MS));
      return ["animations", Promise.race([ended, pause(left)])];
    }
    if (isScrolling()) return ["scrolling", nextFrame(FRAME_MS)];
    if (now() < this.timersUntil) return ["timers", nextChange(Math.min(this.timersUntil - now(), left))];
    return null;
  }

  // A timer has fired and shown something.
  noteChanges() {
    if (watch.late <= this.changesSeen) return;
    this.changesSeen = watch.late;
    this.timersUntil = this.answerMs ? causes.eventTime + this.answerMs : 0;
  }

  // Resolves to whether all was over before the deadline.
  async run() {
    for (;;) {
      this.noteChanges();
      const next = this.next();
      if (next === null) return true;
      if (now() >= this.deadline) return false;
      const [name, step] = next;
      this.awaited.add(name);
      const { late } = watch;
      const showed = (await step) !== false;
      if (name === "frames") this.framesInVain = watch.late === late ? this.framesInVain + 1 : 0;
      if (UNCERTAIN.has(name)) this.inVain = this.inVain !== false && watch.late === late;
      if (!showed) continue;
      this.noteChanges();
      const booked = takeFollowingBookings();
      this.follow(booked);
      if (name === "animations")
        noteAnimation(this.animation, watch.late === late && !KINDS.some((kind) => booked[kind]));
    }
  }
}

const pause = (ms) => new Promise((resolve) => askTimer(resolve, ms));

// Many pages book a timer for each key, move or press, to tidy up or to report, or slide something in
// that is there from the start: for nothing that shows. Such an element is not waited for each time.
// Moves of the pointer and Tab count together.
const HOVERING = "hovering",
  TABBING = "tabbing";

// A page that draws a control again makes another element of it: they are known by what they are.
function identity(element) {
  if (!element) return null;
  const said =
    element.getAttribute("aria-label") ||
    element.title ||
    element.name ||
    ("value" in element ? "" : element.textContent.slice(0, 60));
  const { parentElement: parent } = element;
  return [element.localName, element.id, element.type, said, parent && parent.localName, parent && parent.id].join("|");
}

// Remembers a number for each of the last elements and kinds of action.
class WaitCounts {
  counts = new Map();
  get(key) {
    return this.counts.get(key) || 0;
  }
  set(key, count) {
    if (this.counts.size > MOST_REMEMBERED) this.counts.clear();
    this.counts.set(key, count);
  }
}

const vainWaits = new WaitCounts();
// Element → times in a row that it has kept what it was given for the whole wait.
const keptWaits = new WaitCounts();

function waitKey() {
  if (action === null) return null;
  if (action.kind === "pointer" && !action.presses) return HOVERING;
  const keys = action.events.filter((event) => event.type === "keydown");
  return keys.length === 1 && keys[0].key === "Tab" ? TABBING : identity(action.element);
}

function heldBy(element) {
  if (!element) return "";
  return [element.value, element.checked, element.ariaChecked, "value" in element ? "" : element.textContent].join();
}

function noteWait(key, vain, inVain) {
  if (inVain === false) vainWaits.set(key, 0);
  else if (vain >= IN_VAIN + SKIPPED_WAITS) vainWaits.set(key, IN_VAIN - 1);
  else if (inVain || vain >= IN_VAIN) vainWaits.set(key, vain + 1);
}

// These keys scroll what has the focus, unless it takes text. The scroll begins a frame later.
const SCROLL_KEYS = new Set([
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  " ",
]);

function mayScroll() {
  if (action === null || action.kind !== "key") return false;
  return action.events.some(
    (event) => event.type === "keydown" && SCROLL_KEYS.has(event.key) && !event.defaultPrevented,
  );
}

// The last action in this document, as `waitKey` names it.
let lastWaitKey = null;

// Timers of the action before may fire this long after it.
const PENDING_MS = 500;

// After an action in this document.
async function rest(options) {
  await eventsOver();
  onMutations(observer.takeRecords());
  for (let n = 0; n < 2 && mayScroll() && !isScrolling(); n += 1) await nextFrame();
  const key = (lastWaitKey = waitKey());
  const vain = key ? vainWaits.get(key) : 0;
  // A page that checks what an element was given may take it back without another change.
  const element = action && action.element;
  const own = identity(element);
  const kept = own ? keptWaits.get(own) : 0;
  const answerMs = !options.answers || kept >= TRUSTED ? 0 : kept < IN_VAIN ? TIMER_MS : ANSWER_MS;
  const rest = new Rest(options, { skipsAnimations: vain >= IN_VAIN, answerMs });
  // As many changes may come of what is not the action's own.
  const { leaving, pending } = causes;
  const earlier = causes.eventTime < pending.until ? pending.timers : 0;
  rest.changesSeen = leaving.timers + leaving.frames + leaving.idle + earlier;
  const booked = takeActionBookings();
  rest.follow(booked, causes.eventTime, vain >= IN_VAIN ? answerMs : TIMER_MS);
  const held = heldBy(element);
  const settled = await rest.run();
  if (key) noteWait(key, vain, rest.inVain);
  if (own && answerMs > 0 && booked.timers > 0) keptWaits.set(own, heldBy(element) === held ? kept + 1 : 0);
  causes.pending = watch.late > 0 ? { timers: 0, until: 0 } : { timers: booked.timers, until: now() + PENDING_MS };
  return { settled, booked, awaited: [...rest.awaited], changed: watch.novel !== watch.since, mutated: watch.mutated };
}

// After an action in another document, or after the answer of a server that came `answeredMs` ago.
async function restAfterwards({ ceilingMs, answeredMs = null }) {
  const isUnarmed = watch.armed === 0;
  onMutations(observer.takeRecords());
  if (isUnarmed) watch.armed = 1;
  await eventsOver();
  const rest = new Rest({ ceilingMs });
  rest.changesSeen = watch.late;
  if (answeredMs !== null && watch.novelTime < now() - answeredMs) await nextChange(ANSWERED_MS);
  // Applications that ask a server at each action also book timers to save or to tidy up.
  const key = answeredMs !== null && lastWaitKey ? `answer|${lastWaitKey}` : null;
  const vain = key ? vainWaits.get(key) : 0;
  const booked = takeFollowingBookings();
  if (answeredMs !== null) {
    const early = takeEarlyBookings();
    for (const kind of KINDS) booked[kind] += early[kind];
  }
  rest.follow(booked, now(), vain >= IN_VAIN ? 0 : TIMER_MS);
  const settled = await rest.run();
  if (key) noteWait(key, vain, rest.inVain);
  if (isUnarmed) endWatch();
  return { settled, awaited: [...rest.awaited] };
}
