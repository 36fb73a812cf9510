// Reads what a page says in a form that has structure: tables, repeated items, and pairs of a key
// and a value. It only reads, and it reads only what a person can see.

const MOST_ROWS = 100000,
  MOST_PAIRS = 2000,
  MOST_GROUPS = 300,
  MOST_TEXT = 2000;
const MONEY = /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)\b)\s*\d|\d[\d.,\s]*(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)\b)/;
const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "OPTION", "BR", "HR", "COL", "COLGROUP"]);

const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
const squeeze = (text) => text.replace(/\s+/g, " ").trim().slice(0, MOST_TEXT);
const textOf = (element) => squeeze(element.innerText || "");
const linkOf = (element) => {
  const link = element.closest("a[href]") || element.querySelector("a[href]");
  return link ? link.href : element.currentSrc || (element.querySelector("img") || {}).currentSrc || "";
};
const ownText = (element) =>
  squeeze(
    Array.from(element.childNodes)
      .filter((n) => n.nodeType === 3)
      .map((n) => n.data)
      .join(" "),
  );

function controlValue(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked;
  if (control.type === "password") return "";
  if (control instanceof HTMLSelectElement)
    return Array.from(control.selectedOptions, (o) => squeeze(o.label)).join(", ");
  return control.value;
}

function labelText(control) {
  const label = control.labels && control.labels[0];
  if (label) {
    const copy = label.cloneNode(true);
    for (const inner of copy.querySelectorAll("input, select, textarea")) inner.remove();
    const text = squeeze(copy.textContent);
    if (text) return text;
  }
  const named = (control.getAttribute("aria-labelledby") || "")
    .split(/\s+/)
    .map((id) => id && document.getElementById(id))
    .filter(Boolean);
  return (
    control.getAttribute("aria-label") ||
    squeeze(named.map((n) => n.textContent).join(" ")) ||
    control.placeholder ||
    control.name ||
    control.id ||
    ""
  );
}

function harvestTables(root, out) {
  for (const table of root.querySelectorAll("table, [role=table], [role=grid]")) {
    if (!isSeen(table)) continue;
    const rows = Array.from(table.rows || table.querySelectorAll("[role=row]"))
      .filter(isSeen)
      .slice(0, MOST_ROWS);
    const cells = rows.map((row) =>
      Array.from(
        row.cells || row.querySelectorAll("[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]"),
      ),
    );
    const isHead = (cell) => cell.tagName === "TH" || cell.getAttribute("role") === "columnheader";
    const first = cells.findIndex((row) => row.length > 1 && row.every(isHead));
    const label = squeeze((table.caption || {}).innerText || table.getAttribute("aria-label") || "");
    if (first >= 0) {
      const heads = cells[first].flatMap((cell) => Array(cell.colSpan || 1).fill(textOf(cell)));
      const body = cells.slice(first + 1).filter((row) => row.length && !row.every(isHead));
      out.push([
        "table",
        label,
        heads,
        body.map((row) =>
          row.flatMap((cell) => {
            const control = cell.querySelector("input, select, textarea");
            const one = [control ? controlValue(control) : textOf(cell), linkOf(cell), cell];
            return Array(cell.colSpan || 1).fill(one);
          }),
        ),
      ]);
    } else {
      for (const row of cells)
        if (row.length === 2) out.pairs.push([textOf(row[0]), textOf(row[1]), linkOf(row[1]), row[1], 3]);
    }
  }
}

function keysOf(element, item) {
  const keys = [];
  for (let n = element; n && n !== item; n = n.parentElement) {
    keys.push(
      n.getAttribute("itemprop"),
      n.id,
      ...n.classList,
      ...Object.values(n.dataset).filter((v) => v.length < 30),
      ...Object.keys(n.dataset),
    );
    if (/^H[1-6]$/.test(n.tagName)) keys.push("title", "name", "heading");
    if (n.tagName === "TIME") keys.push("date", "time");
    if (n.tagName === "A") keys.push("link", "url");
    if (n.tagName === "IMG") keys.push("image", "picture");
  }
  return keys.filter(Boolean).join(" ");
}

function fieldsOf(item) {
  const fields = [];
  const add = (keys, text, element) => {
    if (text !== "") fields.push([keys, text, linkOf(element), element]);
  };
  for (const element of [item, ...item.querySelectorAll("*")]) {
    if (SKIPPED.has(element.tagName) || fields.length > 60 || !isSeen(element)) continue;
    if (element.matches("input, select, textarea"))
      add(`${labelText(element)} ${keysOf(element, item)}`, controlValue(element), element);
    else if (element.tagName === "IMG") add(keysOf(element, item), element.alt || element.currentSrc, element);
    else if (ownText(element)) {
      const text = textOf(element);
      const said = /^([^:]{1,40}):\s+(\S.*)$/.exec(text);
      const keys = keysOf(element, item) + (MONEY.test(text) ? " price" : "");
      if (said) add(`${said[1]} ${keys}`, said[2], element);
      else add(keys, text, element);
    } else if (element.getAttribute("aria-label"))
      add(keysOf(element, item), element.getAttribute("aria-label"), element);
  }
  return fields;
}

function harvestItems(root, out) {
  const parents = new Set(Array.from(root.querySelectorAll("*"), (e) => e.parentElement).filter(Boolean));
  for (const parent of parents) {
    if (parent.closest("table, select, svg, dl, head") || !isSeen(parent)) continue;
    const kinds = new Map();
    for (const child of parent.children) {
      if (SKIPPED.has(child.tagName) || !isSeen(child)) continue;
      const kind = child.tagName + "." + (child.classList[0] || "") + "#" + (child.getAttribute("role") || "");
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(child);
    }
    for (const items of kinds.values()) {
      const alone = items.length === 1 && !/^(LI|ARTICLE)$/.test(items[0].tagName);
      if (alone || out.length > MOST_GROUPS) continue;
      const label = parent.getAttribute("aria-label") || parent.id || parent.className || "";
      out.push([
        "items",
        squeeze(String(label)),
        [],
        items.slice(0, MOST_ROWS).map((item) => [["", textOf(item), linkOf(item), item], ...fieldsOf(item)]),
      ]);
    }
  }
}

function harvestPairs(root, out) {
  const pairs = out.pairs;
  for (const term of root.querySelectorAll("dt")) {
    if (!isSeen(term)) continue;
    for (let n = term.nextElementSibling; n && n.tagName === "DD"; n = n.nextElementSibling)
      pairs.push([textOf(term), textOf(n), linkOf(n), n, 4]);
  }
  for (const control of root.querySelectorAll("input, select, textarea")) {
    if (["hidden", "submit", "button", "image", "reset", "password"].includes(control.type)) continue;
    if (control.type === "radio") {
      const legend = control.closest("fieldset") && control.closest("fieldset").querySelector("legend");
      if (control.checked)
        pairs.push([
          `${legend ? textOf(legend) : ""} ${control.name}`,
          labelText(control) || control.value,
          "",
          control,
          4,
        ]);
      continue;
    }
    pairs.push([labelText(control), controlValue(control), "", control, 4]);
    if (control.name) pairs.push([control.name, controlValue(control), "", control, 3]);
  }
  for (const element of root.querySelectorAll("*")) {
    if (pairs.length > MOST_PAIRS || SKIPPED.has(element.tagName) || !isSeen(element)) continue;
    const own = ownText(element),
      text = element.children.length < 6 ? textOf(element) : own;
    if (/^H[1-6]$/.test(element.tagName))
      pairs.push(["title heading name", text, linkOf(element), element, element.tagName === "H1" ? 2 : 1]);
    for (const line of text.length < 400 ? (element.innerText || "").split("\n") : []) {
      const said = /^\s*([^:]{1,60}):\s+(\S.*)$/.exec(line);
      if (said) pairs.push([squeeze(said[1]), squeeze(said[2]), linkOf(element), element, 3]);
    }
    if (element.children.length === 2 && !own) {
      const [key, value] = Array.from(element.children, textOf);
      if (key && value && key.length < 60)
        pairs.push([key, value, linkOf(element.children[1]), element.children[1], 2]);
    }
    if (own && element.children.length === 0) {
      const keys = [element.getAttribute("itemprop"), element.id, ...element.classList, element.dataset.field]
        .filter(Boolean)
        .join(" ");
      if (keys) pairs.push([keys, text, linkOf(element), element, element.hasAttribute("itemprop") ? 3 : 2]);
    }
  }
}

// The data as JSON, in which a node is its number in `nodes`.
function harvest(root) {
  const out = [];
  out.pairs = [];
  if (root) {
    harvestTables(root, out);
    harvestItems(root, out);
    harvestPairs(root, out);
  }
  const numbers = new Map();
  const numbered = (_, value) => {
    if (!(value instanceof Node)) return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value);
  };
  const json = JSON.stringify([Array.from(out), out.pairs], numbered);
  return { json, nodes: Array.from(numbers.keys()) };
}
