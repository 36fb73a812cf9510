// @ts-check
// Where the selection of a part begins: what a person would look at first, or what has the words of
// a search in it, with the context that makes a match readable.

// What decides about others: what is told of by itself, what names, labels and owns.
function peculiar() {
  const found = { special: [], labels: [], naming: new Set(), modal: document.fullscreenElement !== null, owns: false };
  for (const element of document.querySelectorAll(PECULIAR)) {
    if (element.localName === "label") found.labels.push(element);
    const names = element.getAttribute("aria-labelledby");
    if (names !== null) for (const id of names.split(/\s+/)) found.naming.add(id);
    if (element.hasAttribute("aria-owns")) found.owns = true;
    if (element.localName === "dialog" && element.matches(":modal")) found.modal = true;
    if (element.matches(SPECIAL)) found.special.push(element);
  }
  return found;
}

function firstLooked(selection, special) {
  let told = 0;
  let headings = 0;
  for (const element of special) {
    const role = element.getAttribute("role");
    const tag = element.localName;
    const onTop =
      tag === "dialog" || DIALOGS.has(role) || (element.hasAttribute("popover") && element.matches(":popover-open"));
    if (onTop && isRendered(element)) selection.add(element);
    else if (
      ANNOUNCED.has(role) ||
      tag === "output" ||
      /^(polite|assertive)$/.test(element.getAttribute("aria-live"))
    ) {
      if ((told += 1) <= MOST_HEADINGS) selection.add(element);
    } else if (role === "heading" || (role === null && /^h[123]$/.test(tag))) {
      if ((headings += 1) <= MOST_HEADINGS) selection.add(element);
    }
  }
  if (document.fullscreenElement) selection.add(document.fullscreenElement);
  const holder = focusHolder();
  if (holder && holder !== document.body && holder !== document.documentElement) selection.add(holder);
  // What is out of its parents' boxes, fixed or floating, is met by pointing at it.
  for (const [x, y] of SPOTS.slice(0, elementCount() > 20000 ? 2 : 4)) {
    for (
      let up = document.elementFromPoint(innerWidth * x, innerHeight * y);
      up && !selection.path.has(up);
      up = above(up)
    )
      selection.path.add(up);
  }
}

const folded = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();

// Elements whose name, value or words may hold what is searched for. Python has the last word.
function matches(words) {
  const wanted = folded(words);
  const found = new Set();
  const role = wanted.split(" ")[0];
  for (const root of openRoots()) {
    for (const element of root.querySelectorAll(
      "[aria-label],[title],[placeholder],[alt],input,textarea,select,[role]",
    )) {
      const said = [
        element.getAttribute("role"),
        element.localName,
        element.getAttribute("aria-label"),
        element.title,
        element.placeholder,
        element.alt,
        element.value,
      ]
        .filter((one) => typeof one === "string")
        .join(" ");
      if (folded(said).includes(wanted)) found.add(element);
      if (found.size >= MOST_MATCHES) return found;
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement;
      if (!parent || NEVER.has(parent.localName)) continue;
      let at = parent;
      let hit = folded(text.data).includes(wanted);
      // Words may be spread over the elements of a line: "Delete <b>5</b>".
      for (let i = 0; !hit && i < 3 && at.parentElement && at.parentElement.childNodes.length <= SMALL; i += 1) {
        at = i ? at.parentElement : at;
        const length = at.textContent.length;
        hit = length < 400 && length > text.data.length && folded(`${at.localName} ${at.textContent}`).includes(wanted);
      }
      if (hit) {
        found.add(at);
        for (const label of [at.closest("label"), at]) {
          if (label && label.control) found.add(label.control);
          if (label && label.id)
            for (const named of root.querySelectorAll(`[aria-labelledby~="${CSS.escape(label.id)}"]`)) found.add(named);
        }
      }
      if (found.size >= MOST_MATCHES) return found;
    }
    const tags = ROLE_TAGS[role];
    if (tags) {
      for (const element of root.querySelectorAll(tags)) {
        if (folded(`${role} ${element.textContent}`).includes(wanted)) found.add(element);
        if (found.size >= MOST_MATCHES) return found;
      }
    }
  }
  return found;
}

// As `snapshot/search.py` reads them.
function tellingWords(words) {
  const all = [...new Set(folded(words).match(/"[^"]+"|\S+/g) || [])].map((word) => word.replace(/"/g, ""));
  const telling = all.filter(
    (word) => (word.length > 2 && !["the", "and", "for", "with", "from"].includes(word)) || /\d/.test(word),
  );
  return (telling.length ? telling : all).filter(Boolean).slice(0, 10);
}

// The heading before each element, and the head of the table around it.
function contextOf(found) {
  const context = new Set();
  const headings = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6,[role=heading]")];
  for (const element of found) {
    let low = 0,
      high = headings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (headings[middle].compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) low = middle + 1;
      else high = middle;
    }
    if (low) context.add(headings[low - 1]);
    const table = element.closest("table");
    if (table && table.rows.length && table.rows[0].querySelector("th"))
      for (const cell of table.rows[0].cells) context.add(cell);
  }
  return context;
}
