// Text and things that are rendered where nobody can see them: off the page for good, clipped away,
// too small, transparent, in the colour of what is behind them, under something opaque.
//
// One walk over the flat tree, parents before children. Whatever cannot be told for sure counts as
// seen: text over pictures, in the middle of a transition, under a header that can be scrolled away.
// What is merely further down, or in a box that scrolls, is seen too: a person can go there.

// After this many elements, those that are far from the viewport are passed over. By number and not
// by time, so that two looks at a page say the same.
const MOST = 5000;
// An animation that ends later than this is how the page looks.
const SOON_MS = 10000;
const BOXED = { visibilityProperty: true, contentVisibilityAuto: true };
const REPLACED = new Set([
  "img",
  "svg",
  "canvas",
  "video",
  "iframe",
  "frame",
  "object",
  "embed",
  "audio",
  "math",
  "meter",
  "progress",
]);
const NOT_WALKED = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "select",
  "textarea",
  "datalist",
  "head",
  "iframe",
  "frame",
  "object",
  "video",
  "audio",
  "canvas",
  "math",
]);
// What the snapshot may give a line of its own even without words in it.
const THING =
  "a,area,button,input,select,textarea,summary,iframe,frame,[role],[tabindex],[contenteditable],[onclick],[draggable=true]";
// What pages draw themselves, with the real control laid over the drawing or put away.
const FIELD = "input,textarea";
const AROUND_MANY = "body,form,fieldset,table,ul,ol";
const STAND_IN = "input[type=checkbox],input[type=radio],input[type=file],input[type=range],input[type=color],select";

const TEXT = Node.TEXT_NODE;
const COMMENT = Node.COMMENT_NODE;
// Host → its closed root, as far as it was handed to us.
const closedRoots = new WeakMap();

// Elements that are on their way to another look, and will be there soon.
function changingSoon() {
  const found = new Set();
  for (const animation of document.getAnimations()) {
    const timing = animation.effect && animation.effect.getComputedTiming();
    if (!timing || animation.playState !== "running" || !animation.effect.target) continue;
    if (timing.endTime - (animation.currentTime || 0) <= SOON_MS) found.add(animation.effect.target);
  }
  return found.size ? found : null;
}

// An element on the walk. `region` is where its contents can be seen, null for nowhere.
function inherited(element, parent, walk) {
  return {
    element,
    parent,
    style: getComputedStyle(element),
    region: parent ? parent.region : walk.region,
    opacity: parent ? parent.opacity : 1,
    gone: parent !== null && parent.gone,
    drawing: parent !== null && parent.drawing,
    pinned: parent !== null && parent.pinned,
    lifted: parent !== null && parent.lifted,
    sunk: parent !== null && parent.sunk,
    changing: walk.changing !== null && ((parent !== null && parent.changing) || walk.changing.has(element)),
    isRaised: false,
    isSunk: false,
    mute: false,
    bare: false,
    paint: undefined,
    backdrop: undefined,
    seen: false,
    lost: false,
  };
}

function spotOf(element, parent, walk) {
  const spot = inherited(element, parent, walk);
  if (spot.gone) return spot;
  const style = spot.style;
  const position = style.getPropertyValue("position");
  if (position !== "static") place(spot, position, walk);
  const opacity = style.getPropertyValue("opacity");
  if (opacity !== "1") spot.opacity *= +opacity;
  spot.gone = spot.opacity <= NO_PAINT || isClippedAway(element, style, position);
  const overflow = style.getPropertyValue("overflow");
  if (overflow !== "visible") {
    if (element.firstChild) walk.clipping.push(element);
    if (!walk.roots.includes(element)) spot.region = clippedRegion(element, overflow, spot.region);
  }
  return spot;
}

// What a positioned element is clipped by: not by all that it stands in.
function place(spot, position, walk) {
  spot.lifted = spot.isRaised = walk.overlaps = true;
  if (+spot.style.zIndex < 0) spot.sunk = spot.isSunk = true;
  if (position === "fixed" || position === "sticky") spot.pinned = true;
  if (position !== "fixed" && position !== "absolute") return;
  const around = spot.element.offsetParent;
  let at = spot.parent;
  while (at && at.element !== around) at = at.parent;
  if (position === "fixed" && (!at || at.element === document.body)) {
    spot.region = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  } else if (!at || at.element === document.body) {
    spot.region = walk.region;
  } else {
    spot.region = at.region;
  }
}

// More than a screen away from what is shown now.
function isFar(element) {
  const box = element.getBoundingClientRect();
  const { innerWidth: width, innerHeight: height } = window;
  return (
    box.bottom > box.top && (box.bottom < -height || box.top > 2 * height || box.right < -width || box.left > 2 * width)
  );
}

// What is shown inside an element, as pairs of a node and the element's spot.
function pushChildren(element, name, spot, waiting, only) {
  const assigned = name === "slot" ? element.assignedNodes() : [];
  for (const child of assigned) if (!only || only.has(child)) waiting.push(child, spot);
  if (assigned.length) return;
  const holder = element.shadowRoot || closedRoots.get(element) || element;
  if (only) {
    // of thousands of children a few are chosen
    for (const child of (chooseNodes.within.get(holder) || []).toReversed())
      if (child.nodeType !== COMMENT) waiting.push(child, spot);
    return;
  }
  // The last first: they are taken from the end.
  for (let child = holder.lastChild; child; child = child.previousSibling) {
    if (child.nodeType !== COMMENT) waiting.push(child, spot);
  }
}

// Everything that is rendered, or what of it is among these, with what is said in it.
function survey(only) {
  const { documentElement: root, body } = document;
  const rootScrolls = root && getComputedStyle(root).overflow !== "visible";
  const walk = {
    spots: [],
    texts: [],
    region: root && documentRegion(),
    roots: rootScrolls ? [root] : [root, body],
    changing: changingSoon(),
    range: document.createRange(),
    overlaps: false,
    clipping: [],
    painted: null,
    covers: null,
    allCovers: null,
    passedOver: 0,
  };
  const waiting = root ? [root, null] : [];
  while (waiting.length) {
    const parent = waiting.pop();
    const node = waiting.pop();
    if (node.nodeType === TEXT) {
      noteText(node, parent, walk);
      continue;
    }
    if (!only && walk.spots.length >= MOST && isFar(node)) {
      walk.passedOver += 1;
      continue;
    }
    const name = node.localName;
    const spot = node.checkVisibility(BOXED) ? spotOf(node, parent, walk) : unboxed(node, parent, walk);
    if (!spot) continue;
    walk.spots.push(spot);
    if (REPLACED.has(name)) {
      spot.seen = !spot.gone && !spot.mute && (spot.changing || isShownIn(node.getBoundingClientRect(), spot.region));
      spot.lost = !spot.seen;
      spot.drawing = true;
    }
    if (NOT_WALKED.has(name)) continue;
    pushChildren(node, name, spot, waiting, only);
  }
  return walk;
}

// Without a box to be seen. Null where there is nothing inside either.
function unboxed(element, parent, walk) {
  const isBare = getComputedStyle(element).display === "contents";
  if (isBare) return { ...inherited(element, parent, walk), bare: true };
  if (!element.checkVisibility({ contentVisibilityAuto: true })) return null;
  return { ...spotOf(element, parent, walk), mute: true }; // invisible, but what is inside may not be
}

function noteText(text, spot, walk) {
  if (spot.mute || !/\S/.test(text.data)) return;
  const entry = { text, spot, box: null, seen: spot.changing, faint: false };
  walk.texts.push(entry);
  if (entry.seen || spot.gone || !spot.region) return;
  walk.range.selectNodeContents(text);
  entry.box = plainBox(walk.range);
  entry.seen = isShownIn(entry.box, spot.region);
  entry.faint = entry.seen && !spot.drawing && isPaintedAway(spot);
}

// Whether an element without seen words in it shows all the same.
function showsItself(spot) {
  if (spot.gone || spot.mute || spot.bare) return false;
  if (!spot.thing && (!spot.lost || spot.style.backgroundImage === "none")) return false;
  return spot.changing || isShownIn(spot.element.getBoundingClientRect(), spot.region);
}

// A control that the page draws itself: seen where its label is, or what it stands in. A text field
// with a name that is sent is none of these: those are put where only robots find them.
function hasStandIn(spot, walk) {
  const { element } = spot;
  if (!element.labels) return false;
  walk.byElement ||= new Map(walk.spots.map((one) => [one.element, one]));
  const isSeen = (label) => walk.byElement.has(label) && walk.byElement.get(label).seen;
  if (Array.from(element.labels).some(isSeen)) return true;
  if (!element.matches(STAND_IN) && (element.name || !element.matches(FIELD))) return false;
  for (
    let at = spot.parent, level = 0;
    at && level < 3 && !at.element.matches(AROUND_MANY);
    at = at.parent, level += 1
  ) {
    if (at.seen || isDrawn(at)) return true;
  }
  return false;
}

// Whether an element without words is painted in some colour, where it can be seen.
function isDrawn(spot) {
  if (spot.gone || spot.mute || spot.bare || (paintOf(spot)[3] <= 0.1 && !hasPicture(spot))) return false;
  return isShownIn(spot.element.getBoundingClientRect(), spot.region);
}

function adoptRoot(root) {
  closedRoots.set(root.host, root);
}

// The hidden nodes: texts, and elements of which nothing shows. "" for none, which leaves no object
// behind to be released. On a page too large to check all of it, the last entry is the number of
// elements far from the viewport that were not checked.
function hiddenNodes(chosenOnly) {
  const walk = survey(chosenOnly ? chooseNodes.chosen : null);
  for (const entry of walk.texts) judgeText(entry, walk);
  for (let i = walk.spots.length - 1; i >= 0; i -= 1) {
    const spot = walk.spots[i];
    if (!spot.seen) {
      spot.thing = spot.element.matches(THING);
      spot.seen = showsItself(spot);
    }
    if (!spot.parent) continue;
    if (spot.seen) spot.parent.seen = true;
    if (spot.lost) spot.parent.lost = true;
  }
  const hidden = walk.texts.filter((entry) => !entry.seen).map((entry) => entry.text);
  for (const spot of walk.spots) {
    if (spot.seen || spot.mute || !(spot.lost || spot.thing)) continue;
    if (!spot.thing || !hasStandIn(spot, walk)) hidden.push(spot.element);
  }
  if (walk.passedOver) hidden.push(walk.passedOver);
  return hidden.length ? hidden : "";
}

function judgeText(entry, walk) {
  if (entry.faint && !isPaintedUnder(entry, walk)) entry.seen = false;
  if (entry.seen && walk.overlaps && isCovered(entry, walk)) entry.seen = false;
  if (entry.seen) entry.spot.seen = true;
  else entry.spot.lost = true;
}
