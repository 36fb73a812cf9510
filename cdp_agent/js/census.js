// What has to be known of a large document before its accessibility tree is made of samples: its
// size, what of its elements the DOM does not show, and whether it held still meanwhile.

const MOST_MARKS = 2000;
const MOST_CHANGES = 40;

// Node → whether all that stands in it may be different too.
const changedMeanwhile = new Map();
const noteChanges = (records) => {
  for (const { target, type } of records) {
    if (changedMeanwhile.size > MOST_CHANGES) return meanwhile.disconnect();
    changedMeanwhile.set(target, type !== "childList" || changedMeanwhile.get(target) === true);
  }
};
const meanwhile = new MutationObserver(noteChanges);

// Focus, states and validity of elements; what a script may have made of those of its own kind.
function peculiarities() {
  const marks = new Map();
  const mark = (element, word) => marks.set(element, `${marks.get(element) || ""} ${word}`);
  const holder = focusHolder();
  if (holder) mark(holder, "focus");
  for (const root of openRoots()) {
    for (const name of UNSEEN) {
      for (const element of root.querySelectorAll(name)) mark(element, name === ":invalid" ? name + reasons(element) : name);
    }
    if (!("computedRole" in Element.prototype)) continue;
    for (const element of root.querySelectorAll("*")) {
      if (element.localName.includes("-")) mark(element, `${element.computedRole} ${element.computedName}`);
      if (marks.size > MOST_MARKS) return marks;
    }
  }
  return marks;
}

// Nobody will ask what changed.
function endCensus() {
  meanwhile.disconnect();
  changedMeanwhile.clear();
}

// Of a document with fewer elements than `least`, only their number. `again`: what else is known of
// the document is of the last look.
function census(least, again) {
  const count = elementCount();
  const told = { count, stirred: again && !holdsStill(), names: "computedName" in Element.prototype, marks: null };
  if (count < least) return [JSON.stringify(told)];
  const marks = peculiarities();
  if (marks.size > MOST_MARKS) return [JSON.stringify(told)];
  told.marks = [...marks.values()];
  endCensus();
  for (const root of openRoots()) meanwhile.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  return [JSON.stringify(told), ...marks.keys()];
}

// Computed names of elements, by their number in the document, and what changed since the census.
function testimony(places) {
  const all = document.getElementsByTagName("*");
  const names = places.map((place) => (place < all.length ? all[place].computedName : ""));
  noteChanges(meanwhile.takeRecords());
  const changed = [...changedMeanwhile.keys()].slice(0, MOST_CHANGES);
  const told = { count: all.length, names, all: changed.length === changedMeanwhile.size, deep: changed.map((node) => changedMeanwhile.get(node)) };
  endCensus();
  return [JSON.stringify(told), ...changed];
}
