// @ts-check
// Where a text is: the element that shows it, and one piece of what a field or editor holds.

let textPlace = null; // the element that was found

// The smallest element under `top` that shows the text, white space folded and in letters of either
// case: its line, or null.
function findText(top, text) {
  const wanted = foldText(text);
  const shows = (n) =>
    isRendered(n) && foldText(n.innerText === undefined ? n.textContent : n.innerText).includes(wanted);
  textPlace = null;
  for (const root of [top, ...Array.from(shadowRootsIn(top), (r) => Array.from(r.children)).flat()]) {
    if (!(root instanceof Element) || !shows(root)) continue;
    let place = root;
    for (let inner = root; inner; inner = Array.from(inner.children).find(shows)) place = inner;
    textPlace = place;
    return sameText(linesWith(place.innerText || place.textContent, wanted)[0] || "");
  }
  return null;
}

// The same, waited for up to `waitMs`.
async function awaitTextPlace(top, { text, waitMs }) {
  const deadline = now() + waitMs;
  for (;;) {
    const line = top.isConnected && isFrameShown() ? findText(top, text) : null;
    if (line !== null || now() >= deadline) return { line, connected: top.isConnected };
    await nextSight(deadline - now(), 0);
  }
}

// The characters of rich text, each with its node and offset; a break between blocks is a newline
// without a node.
function richCharacters(editor) {
  const characters = [];
  const blockOf = (node) => {
    let n = node.parentElement;
    while (n !== editor && n && getComputedStyle(n).display.startsWith("inline")) n = n.parentElement;
    return n;
  };
  const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let block = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      if (node.localName === "br") characters.push({ text: "\n" });
      continue;
    }
    if (block !== null && blockOf(node) !== block) characters.push({ text: "\n" });
    block = blockOf(node);
    for (let offset = 0; offset < node.data.length; offset += 1)
      characters.push({ text: node.data[offset], node, offset });
  }
  return characters;
}

function placesOf(whole, piece) {
  const places = [];
  for (let at = whole.indexOf(piece); at >= 0; at = whole.indexOf(piece, at + 1)) places.push(at);
  return places;
}

// Selects a piece of what a field or editor holds, if that is there exactly once. `by` says how the
// rest is to be done: by input into the selection, or "whole", where no part can be selected.
async function selectPiece(element, piece) {
  element = deepestEditable(element);
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const plain = (text) => text.replace(/\u00a0/g, " ");
  const characters = isField ? null : richCharacters(element);
  const whole = isField ? element.value : plain(characters.map((c) => c.text).join(""));
  const places = placesOf(whole, isField ? piece : plain(piece));
  if (places.length !== 1) return { count: places.length };
  const [at] = places,
    end = at + piece.length;
  if (isField) {
    try {
      element.setSelectionRange(at, end);
    } catch {
      return { count: 1, by: "whole", before: whole.slice(0, at), after: whole.slice(end) };
    }
  } else {
    const own = characters.slice(at, end).filter((c) => c.node);
    if (!own.length) return { count: 0 };
    const range = document.createRange(),
      last = own[own.length - 1];
    range.setStart(own[0].node, own[0].offset);
    range.setEnd(last.node, last.offset + 1);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  await nextFrame(); // editors take over a selection when they hear of it
  await nextFrame();
  return { count: 1, by: "selection", before: whole.slice(0, at), after: whole.slice(end) };
}

// Where a piece of the text begins or ends that the editor behind a stand-in has drawn, once it is in
// view: the point that a person would press. Null where the element is a field of its own.
async function drawnEnd(element, piece, isLast) {
  element = deepestEditable(element);
  const texts = element.isConnected && isStandIn(element) ? drawnTexts(element) : null;
  if (texts === null) return null;
  const characters = drawnCharacters(texts);
  const whole = characters.map((c) => c.text).join("");
  const places = placesOf(whole, piece);
  const own = places.length === 1 ? characters.slice(places[0], places[0] + piece.length).filter((c) => c.node) : [];
  if (!own.length) return { count: places.length };
  const { node, offset } = isLast ? own[own.length - 1] : own[0];
  node.parentElement.scrollIntoView({ block: "nearest", inline: "nearest" });
  await nextFrame();
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const { left, right, top, bottom } = range.getBoundingClientRect();
  const x = isLast ? right - (right - left) / 5 : left + (right - left) / 5;
  const [at] = places;
  return { count: 1, x, y: (top + bottom) / 2, before: whole.slice(0, at), after: whole.slice(at + piece.length) };
}
