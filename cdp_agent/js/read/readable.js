// @ts-check
// The text of a page as a person reads it: blocks as lines, headings with their level, rows of
// tables as one line. It only reads, and it reads only what a person can see.

const UNREAD = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "svg",
  "canvas",
  "iframe",
  "frame",
  "object",
  "embed",
  "video",
  "audio",
  "datalist",
  "option",
  "optgroup",
]);
// What stands around the content of a page. Of no interest unless it was asked for.
const CHROME =
  "nav,aside,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=menubar],[role=menu],[role=toolbar],[role=tablist]";
const PAGE_EDGES = "header,footer";
const INNER = "main,article,section,[role=main],[role=article],[role=dialog],dialog";
const PRESSED =
  "button,[role=button],input[type=submit],input[type=button],input[type=reset],input[type=image],input[type=file]";
const READABLE_CELLS = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
const KEEPS_SPACE = new Set(["pre", "pre-wrap", "break-spaces"]);
const MOST_READABLE_LINES = 20000;

class Reader {
  constructor(whole, hidden, skipped = []) {
    this.whole = whole;
    this.hidden = hidden;
    this.skipped = new Set(skipped);
    this.leftOut = []; // what stands around the content
    this.lines = []; // [level of a heading, 7 for a table's head, else 0; text; element of a heading]
    this.inline = "";
    this.prefix = "";
  }

  end(level = 0, element = null, keepsSpace = false) {
    // Lines of an editor of code begin as far in as they are written.
    if (keepsSpace && !this.prefix) {
      const text = this.inline;
      this.inline = "";
      this.readLines(text);
      return;
    }
    const text = this.inline.replace(/\s+/g, " ").trim();
    this.inline = "";
    if (!text || this.lines.length >= MOST_READABLE_LINES) return;
    this.lines.push([level, this.prefix + text, element]);
    this.prefix = "";
  }

  isLeftOut(element) {
    if (UNREAD.has(element.localName) || this.hidden.has(element) || element.closest("[inert]") === element)
      return true;
    if (element.getAttribute("aria-hidden") === "true" || this.skipped.has(element)) return true;
    if (!this.whole || !this.isAround(element)) return false;
    this.leftOut.push(element);
    return true;
  }

  isAround(element) {
    if (element.matches(CHROME) || element.matches(PRESSED)) return true;
    return element.matches(PAGE_EDGES) && !(element.parentElement && element.parentElement.closest(INNER));
  }

  children(node) {
    if (node.localName === "slot") {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    return ((node instanceof Element && rootOf(node)) || node).childNodes;
  }

  readAll(node) {
    for (const child of this.children(node)) this.read(child);
  }

  read(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!this.hidden.has(node)) this.inline += node.data;
      return;
    }
    if (!(node instanceof Element) || this.lines.length >= MOST_READABLE_LINES) return;
    const style = getComputedStyle(node);
    if (style.display === "none" || this.isLeftOut(node)) return;
    if (style.display !== "contents" && !node.checkVisibility({ contentVisibilityAuto: false })) return;
    if (this.readControl(node) || node.localName === "br") {
      if (node.localName === "br") this.end();
      return;
    }
    const level = headingLevel(node);
    if (level) {
      this.end();
      this.readAll(node);
      this.inline = this.inline.replace(/\[edit\]|\u00b6/g, " ");
      this.end(level, node);
    } else if (node.localName === "tr" || node.getAttribute("role") === "row") this.readRow(node);
    else if (node.localName === "pre") {
      this.end();
      this.readLines(node.textContent);
    } else if (style.visibility === "visible" || node.children.length) this.readBox(node, style);
  }

  readBox(node, style) {
    const isInline =
      style.display.startsWith("inline") || style.display === "contents" || style.display.startsWith("ruby");
    if (isInline) {
      // Words in boxes beside each other are no one word.
      if (style.display !== "inline") this.inline += " ";
      this.readAll(node);
      if (style.display !== "inline") this.inline += " ";
      return;
    }
    this.end();
    if (style.display === "list-item" && node.localName === "li") this.prefix = "- ";
    this.readAll(node);
    this.end(0, null, KEEPS_SPACE.has(style.whiteSpace));
    this.prefix = "";
  }

  readLines(text) {
    for (const line of text.split("\n")) if (line.trim()) this.lines.push([0, line.trimEnd(), null]);
  }

  // A label in a box of its own belongs to the line of its field.
  takeLabel(node) {
    const label = node.labels && node.labels[0];
    const last = this.lines[this.lines.length - 1];
    if (!label || !last || last[0] || this.inline.trim()) return;
    if (last[1] !== label.textContent.replace(/\s+/g, " ").trim()) return;
    this.inline = `${last[1]} `;
    this.lines.pop();
  }

  // The value of a field stands where the field does.
  readControl(node) {
    if (node.matches("input:not([type=hidden]),select")) this.takeLabel(node);
    if (node.matches("input[type=hidden]")) return true;
    if (node.matches("input[type=checkbox],input[type=radio]")) this.inline += node.checked ? " [x] " : " [ ] ";
    else if (node.matches("input[type=password]")) this.inline += node.value ? " \u2022\u2022\u2022 " : " ";
    else if (node.localName === "input") this.inline += ` ${node.value} `;
    else if (node.localName === "select")
      this.inline += ` ${Array.from(node.selectedOptions, (option) => option.label).join(", ")} `;
    else if (node.localName === "textarea") {
      this.end();
      this.readLines(node.value);
    } else if (node.localName === "img") this.inline += ` ${node.alt} `;
    else return false;
    return true;
  }

  readRow(row) {
    this.end();
    const cells = Array.from(row.querySelectorAll(READABLE_CELLS)).filter(
      (cell) => cell.parentElement.closest("tr,[role=row]") === row,
    );
    if (cells.length < 2 || row.querySelector("table")) {
      this.readAll(row);
      this.end();
      return;
    }
    const texts = [];
    for (const cell of cells) {
      const before = this.lines.length;
      if (cell.checkVisibility() && !this.hidden.has(cell)) this.readAll(cell);
      this.end();
      texts.push(
        this.lines
          .splice(before)
          .map((line) => line[1])
          .join(" "),
      );
      for (let taken = Math.min(cell.colSpan || 1, 100); taken > 1; taken--) texts.push("");
    }
    const isHead = cells.every((cell) => cell.localName === "th" || cell.getAttribute("role") === "columnheader");
    if (texts.some(Boolean)) this.lines.push([isHead ? 7 : 0, texts.join(" | "), null]);
  }
}

function headingLevel(element) {
  const match = /^h([1-6])$/.exec(element.localName);
  if (match) return Number(match[1]);
  if (element.getAttribute("role") !== "heading") return 0;
  return Math.min(Math.max(Number(element.getAttribute("aria-level")) || 2, 1), 6);
}

// What of a document is read when nothing of it was named: its dialogs, then its main part.
function readStarts() {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.innerText.trim();
  const mains = Array.from(document.querySelectorAll("main,[role=main]")).filter(isShown);
  const body = document.body || document.documentElement;
  if (mains.length !== 1) return [body];
  const around = Array.from(
    document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog],[role=alert],[role=status]"),
  );
  return [...around.filter((element) => isShown(element) && !mains[0].contains(element)), mains[0]];
}

function readWith(starts, whole, hidden = new Set(hiddenNodes(false) || []), skipped = []) {
  const reader = new Reader(whole, hidden, skipped);
  for (const start of starts) {
    reader.read(start);
    reader.end();
  }
  return reader;
}

// The main part of the document, and after it what that leaves out, whose lines say so.
function readDocument(body) {
  const hidden = new Set(hiddenNodes(false) || []);
  const starts = readStarts();
  const main = readWith(starts, true, hidden);
  if (!main.lines.length) return readWith([body], false, hidden).lines;
  const around = starts.includes(body) ? [] : readWith([body], false, hidden, starts).lines;
  const inside = readWith(main.leftOut, false, hidden).lines;
  return [...main.lines, ...[...around, ...inside].map((line) => [...line, true])];
}

function readSection(body, heading) {
  const isIt = (line) => line[2] === heading;
  let all = readWith([body], true).lines;
  if (!all.some(isIt)) all = readWith([body], false).lines;
  const start = all.findIndex(isIt);
  const next = all.findIndex((line, index) => index > start && line[0] >= 1 && line[0] <= all[start][0]);
  return start < 0 ? null : all.slice(start, next < 0 ? undefined : next);
}

// Lines of the document, of an element, or of the section that an element is the heading of.
function readable(node, isAlone = false) {
  const body = document.body || document.documentElement;
  const root = node instanceof Element || !node ? node : node.parentElement;
  const heading = root && !isAlone && root.closest("h1,h2,h3,h4,h5,h6,[role=heading]");
  let lines = heading && readSection(body, heading);
  if (!lines) lines = root ? readWith([root], false).lines : readDocument(body);
  return lines.map(([level, text, , isOutside]) => [level, text, Boolean(isOutside)]);
}
