// @ts-check
// The number of listeners that our scripts have made in this document, ever.
//
// Chromium counts the listeners of a whole process. Less ours, that number says whether a script of
// the page has added one since, which nothing else does. To remove a listener makes one as well, to
// compare with. The methods are those of our world: the page has others.

let ownListeners = 0;

for (const name of ["addEventListener", "removeEventListener"]) {
  const method = EventTarget.prototype[name];
  EventTarget.prototype[name] = function (...listener) {
    ownListeners += 1;
    return method.apply(this, listener);
  };
}
