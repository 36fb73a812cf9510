// @ts-check
// Addresses that are for another program: tel:, zoommtg:, slack: and all that no browser shows.
//
// Chromium asks a person whether to open that program, in a window that no protocol command sees or
// answers. Until somebody does, the tab takes no input at all, not even after it has gone to another
// page of the same site. So the document does not leave for such an address, and says so.

function isElsewhere(url) {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url);
  return scheme !== null && !SHOWN_SCHEMES.includes(scheme[1].toLowerCase());
}

function stayHere(event, url) {
  event.preventDefault();
  if (typeof cdpAgentReceipt === "function")
    cdpAgentReceipt(JSON.stringify({ token: 0, kind: "elsewhere", url: url.slice(0, 300) }));
}

function installElsewhere() {
  if (typeof navigation === "object" && navigation !== null) {
    navigation.addEventListener("navigate", (event) => {
      if (event.cancelable && isElsewhere(event.destination.url)) stayHere(event, event.destination.url);
    });
  }
  // A document without an origin of its own is told of no navigation: its links at least.
  if (origin !== "null") return;
  window.addEventListener("click", (event) => {
    const link = event
      .composedPath()
      .find((node) => node instanceof Element && node.localName === "a" && node.hasAttribute("href"));
    if (link !== undefined && !event.defaultPrevented && isElsewhere(link.getAttribute("href")))
      stayHere(event, link.getAttribute("href"));
  });
}
