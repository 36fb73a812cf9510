// A large document in parts: what a person would look at first, and where the rest was folded.
//
// Shown is what stands in the viewport or close to it, what lies on top of the page, what has the
// focus, what announces itself, and the headings; or what follows one node; or what has certain
// words in it. Python gets these nodes with all that they stand in, and asks Chromium's
// accessibility tree about them alone.

const rootOf = (element) => element.shadowRoot || closedRoots.get(element) || null;
const above = (node) => node.parentNode || (node instanceof ShadowRoot ? node.host : null);

// How far beyond the viewport counts as close, in viewport heights.
const CLOSE_ABOVE = 0.25;
const CLOSE_BELOW = 0.75;
// An element with no more than this inside it is shown whole or not at all.
const SMALL = 40;
// Among more children than this the first one in view is searched for by halving.
const MANY_CHILDREN = 150;
const MOST_HEADINGS = 24;
const MOST_MATCHES = 120;
// One query for all of them: each takes 10 ms in a document of 50,000 elements.
const SPECIAL = "dialog[open],[popover],[role],[aria-live],output,h1,h2,h3";
const PECULIAR = `${SPECIAL},label,[aria-labelledby],[aria-owns]`;
const DIALOGS = new Set(["dialog", "alertdialog"]);
const ANNOUNCED = new Set(["alert", "status"]);
// Where it is worth asking what lies on top, in parts of the viewport. One such question takes
// 8 ms in a document of 50,000 elements.
const SPOTS = [
  [0.5, 0.5],
  [0.95, 0.95],
  [0.5, 0.04],
  [0.04, 0.5],
];
const ROWS = "li,tr,article,[role=listitem],[role=row],[role=article],[role=treeitem],[role=option]";
// Seldom nodes of the accessibility tree: they are asked about when that tree names them.
const INLINE = new Set(["span", "b", "i", "u", "s", "small", "font", "wbr", "br", "bdi", "big", "tt", "nobr"]);
const TELLING = /^(role|title|tabindex|contenteditable|lang|dir|aria-)/;
const NEVER = new Set(["script", "style", "template", "head", "noscript", "meta", "link", "title", "base"]);
// Spaces right in these are not rendered.
const NO_WORDS = new Set(["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "select", "html"]);
// In these the accessibility tree may say other words than the document.
// Texts in other elements, in those with a role, or that name something, may be ignored there.
const PLAIN = new Set(
  (
    "html body main div section article header footer nav aside p ul ol li dl dt dd table thead tbody tfoot tr td th" +
    " span a b i em strong small u s h1 h2 h3 h4 h5 h6 blockquote pre code form button time sup sub mark address center font"
  ).split(" "),
);
const ODD_TEXT = /[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

// A label answers clicks when what it names does.
function isActiveLabel(element) {
  const control = element.localName === "label" ? element.control : null;
  if (!control || control.matches(":disabled")) return false;
  return (
    control.localName === "input" ||
    (control.localName === "button" && control.form !== null && control.type !== "button")
  );
}

function elementCount() {
  return document.getElementsByTagName("*").length;
}

const letterRules = new WeakMap();

// Whether some rule may style the first letter or line by itself, which splits texts.
function hasLetterRules(root) {
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    let known = letterRules.get(sheet);
    try {
      const rules = sheet.cssRules;
      if (known === undefined || known[0] !== rules.length) {
        known = [rules.length, Array.prototype.some.call(rules, (rule) => rule.cssText.includes("first-l"))];
        letterRules.set(sheet, known);
      }
    } catch {
      return true; // of another origin: nobody can tell
    }
    if (known[1]) return true;
  }
  return false;
}

function isClose(rect) {
  return (
    rect.bottom > -innerHeight * CLOSE_ABOVE &&
    rect.top < innerHeight * (1 + CLOSE_BELOW) &&
    rect.right > 0 &&
    rect.left < innerWidth
  );
}

// The first and last of many siblings that may be close, if they stand in the order they have.
function closeRange(children) {
  const top = (i) => children[i].getBoundingClientRect().top;
  const step = Math.floor(children.length / 16);
  for (let i = step; i < children.length; i += step) {
    const rect = children[i].getBoundingClientRect();
    if (rect.width === 0 || rect.top < top(i - step)) return [0, children.length];
  }
  const first = (limit) => {
    let low = 0;
    let high = children.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (top(middle) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [Math.max(first(-innerHeight * CLOSE_ABOVE) - 4, 0), first(innerHeight * (1 + CLOSE_BELOW))];
}

class Selection {
  constructor() {
    this.whole = new Set();
    this.path = new Set();
  }

  add(node) {
    if (!node || this.whole.has(node)) return;
    this.whole.add(node);
    for (let up = above(node); up && !this.path.has(up); up = above(up)) this.path.add(up);
  }

  has(node) {
    return this.whole.has(node) || this.path.has(node);
  }

  // The last that was chosen right in a node, if that is later than `child`.
  lastIn(parent, child) {
    for (const chosen of [this.whole, this.path]) {
      for (const node of chosen) {
        if (node.parentNode === parent && child.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)
          child = node;
      }
    }
    return child;
  }
}

const ROLE_TAGS = {
  button: "button,summary,input[type=submit],input[type=button]",
  link: "a[href]",
  heading: "h1,h2,h3,h4,h5,h6",
  textbox: "input,textarea",
  checkbox: "input[type=checkbox]",
  radio: "input[type=radio]",
  combobox: "select",
  listitem: "li",
  row: "tr",
  cell: "td",
  image: "img",
  table: "table",
  list: "ul,ol",
  paragraph: "p",
};

// Empty spans and boxes that draw nothing, of which a page may have thousands.
const BLANK = new Set([...INLINE, "div", "p"]);
const isBlank = (element) =>
  element.firstChild === null && BLANK.has(element.localName) && !element.hasAttributes() && element.offsetWidth === 0;

const isOption = (element) => element.localName === "option" || element.localName === "optgroup";

// Whether it may be in the accessibility tree: an application may keep most of its elements for later.
const mayBeSeen = (element) =>
  element.checkVisibility() ||
  isOption(element) ||
  element.localName === "area" ||
  getComputedStyle(element).display === "contents" ||
  element.closest("canvas") !== null;

// Chooses nodes and measures them. `start`: what follows this node. `words`: what contains them.
// `everything`: all that is rendered. Otherwise what a person looks at first.
function chooseNodes({ limit, words, everything }, start = null) {
  const selection = new Selection();
  const odd = peculiar();
  let begun = false;
  let cut = 0;
  if (start) selection.add(start);
  else if (words) {
    const found = matches(words);
    if (!found.size) for (const word of tellingWords(words)) for (const element of matches(word)) found.add(element);
    cut = found.size >= MOST_MATCHES ? found.size : 0;
    for (const element of found) {
      selection.add(element);
      selection.add(element.closest(ROWS));
    }
    for (const element of contextOf(found)) selection.add(element);
  } else firstLooked(selection, odd.special);
  const inOrder = !start && !words;
  // Texts of which the accessibility tree may think otherwise have to be asked about.
  const splits = odd.modal || hasLetterRules(document);
  const { naming } = odd;
  const nodes = [];
  const versions = new Map(); // indices of nodes → states that only the accessibility tree shows
  const out = {
    parent: [],
    nth: [],
    rows: [],
    plain: [],
    partial: [],
    later: [],
    marker: [],
    active: [],
    disabled: [],
    hosts: [],
  };

  function add(node, parent, nth) {
    nodes.push(node);
    out.parent.push(parent);
    out.nth.push(nth);
    return nodes.length - 1;
  }

  function wholeOf(element, inside) {
    if (everything || inside || selection.whole.has(element) || (start && begun)) return true;
    return inOrder && element.getElementsByTagName("*").length <= SMALL && !rootOf(element);
  }

  function addText(text, parent, style, odd) {
    const index = add(text, parent, 0);
    const isPlain = !odd && !splits && style.textTransform === "none" && style.visibility === "visible";
    if (isPlain && style.webkitTextSecurity === "none" && !ODD_TEXT.test(text.data)) out.plain.push(index);
    else
      versions.set(index, `${style.textTransform} ${style.visibility} ${style.webkitTextSecurity} ${style.whiteSpace}`);
  }

  function isOdd(element) {
    if (!PLAIN.has(element.localName) || (element.id && naming.has(element.id))) return true;
    return (
      element.hasAttributes() &&
      element.getAttributeNames().some((name) => name === "role" || name === "inert" || name === "contenteditable")
    );
  }

  function addElement(element, parent, nth, inside, hidden, odd) {
    const index = add(element, parent, nth);
    const style = getComputedStyle(element);
    const tag = element.localName;
    if (element.checkVisibility()) {
      const box = element.getBoundingClientRect();
      out.rows.push([
        index,
        box.x + scrollX,
        box.y + scrollY,
        box.width,
        box.height,
        style.cursor,
        style.overflowY,
        style.contentVisibility,
        style.visibility,
        style.display,
        style.overflowX,
      ]);
    }
    hidden = hidden || element.ariaHidden === "true";
    if (hidden || (INLINE.has(tag) && !element.getAttributeNames().some((name) => TELLING.test(name))))
      out.later.push(index);
    if (
      style.display === "list-item" &&
      getComputedStyle(element, "::before").content === "none" &&
      getComputedStyle(element, "::after").content === "none"
    )
      out.marker.push(index);
    if (element.isContentEditable || isActiveLabel(element)) out.active.push(index);
    if (element.matches(":disabled")) out.disabled.push(index);
    if (tag === "iframe" || tag === "frame") return; // its document is looked at by itself
    const texts = generated(element, "::before") + generated(element, "::after");
    versions.set(index, HOLDS_STATE.has(tag) ? `${texts} ${controlState(element)}` : texts);
    odd = odd || hidden || isOdd(element);
    const root = rootOf(element);
    const counts = new Map();
    let partial = false;
    if (root) {
      out.hosts.push(index);
      partial = addChildren(root, index, style, inside, hidden, true, counts);
      if (partial) out.partial.push(index);
    }
    if (addChildren(element, index, style, inside, hidden, odd || root !== null, counts) && !partial)
      out.partial.push(index);
  }

  // Answers whether some children were left out.
  function addChildren(parent, index, style, inside, hidden, odd, counts) {
    const children = parent.childNodes;
    const elements = parent.children;
    const many = elements.length > MANY_CHILDREN;
    let range = null;
    let last = null; // after it there is nothing to choose
    if (many && inOrder && !inside && !everything) {
      const [from, to] = closeRange(elements);
      range = new Set(Array.prototype.slice.call(elements, from, to));
      last = selection.lastIn(parent, elements[Math.max(to - 1, 0)]);
    }
    let partial = false;
    let near = true;
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (last !== null && child.previousElementSibling === last && child.nodeType === 1) {
        partial = true;
        break;
      }
      if (child === start) begun = true;
      if (child.nodeType === 3) {
        const few = children.length <= SMALL || (inOrder && near);
        if (everything || inside || (start && begun) || (!start && few)) {
          if (!NO_WORDS.has(parent.localName) || /\S/.test(child.data)) addText(child, index, style, odd);
        } else partial = true;
        continue;
      }
      if (child.nodeType !== 1) continue;
      const tag = child.localName;
      const nth = (counts.get(tag) || 0) + 1;
      counts.set(tag, nth);
      if (NEVER.has(tag) || isBlank(child)) continue;
      const chosen = selection.has(child);
      if (!mayBeSeen(child)) continue;
      let wanted = everything || inside || chosen || (start && begun);
      if (!wanted && inOrder && (range === null || range.has(child))) {
        const rect = child.getBoundingClientRect();
        wanted =
          isClose(rect) ||
          (rect.width === 0 &&
            rect.height === 0 &&
            child.firstChild !== null &&
            getComputedStyle(child).display === "contents");
      }
      near =
        wanted &&
        nodes.length <
          (chosen || (everything && nodes.length >= limit && isClose(child.getBoundingClientRect()))
            ? 2 * limit
            : limit);
      if (near) addElement(child, index, nth, wholeOf(child, inside), hidden, odd);
      else if (!partial) partial = true;
    }
    return partial;
  }

  add(document, -1, 0);
  if (document.documentElement) addElement(document.documentElement, 0, 1, false, false, false);
  out.scroll = [scrollX, scrollY];
  const page = document.documentElement;
  out.content = page ? [page.scrollWidth, page.scrollHeight] : [0, 0];
  out.slotted = slotted(nodes, out.hosts);
  chooseNodes.chosen = new Set(nodes);
  chooseNodes.within = new Map();
  for (const node of nodes)
    chooseNodes.within.set(node.parentNode, [...(chooseNodes.within.get(node.parentNode) || []), node]);
  out.versions = Array.from(versions, ([index, state]) => [index, hashOf(state)]);
  out.focus = nodes.indexOf(focusHolder());
  out.distant = distant(nodes, odd.labels);
  out.focus_holder = focusNumber();
  out.states = statesOf(nodes, `${odd.owns} ${odd.modal} ${splits}`);
  // The text of a counter depends on everything before it.
  out.comparable = !odd.owns && !Array.from(versions.values()).some((state) => state.includes("counter"));
  out.cut = cut;
  out.count = elementCount();
  return [JSON.stringify(out), ...nodes];
}

// Elements that are shown in a slot, each with the slot and its number among those of its name there.
function slotted(nodes, hosts) {
  const found = [];
  if (hosts.length === 0) return found;
  const places = new Map(nodes.map((node, place) => [node, place]));
  for (const host of hosts) {
    for (const slot of rootOf(nodes[host]).querySelectorAll("slot")) {
      if (!places.has(slot)) continue;
      const counts = new Map();
      for (const element of slot.assignedElements()) {
        const nth = (counts.get(element.localName) || 0) + 1;
        counts.set(element.localName, nth);
        if (places.has(element)) found.push([places.get(element), places.get(slot), nth]);
      }
    }
  }
  return found;
}
