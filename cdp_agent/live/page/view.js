// Small pieces of the page. Texts come from web pages and are set as text, never as markup.

const find = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function button(text, className, press, shortcut) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", press);
  if (shortcut) {
    made.append(element("kbd", "", shortcut));
    made.setAttribute("aria-keyshortcuts", shortcut);
    made.setAttribute("aria-label", text);
  }
  return made;
}

function stateClass(pane) {
  if (pane.result) return pane.result.success ? "good" : "bad";
  if (pane.questions.length || pane.dialog || pane.taken) return "ask";
  return ["acting", "thinking"].includes(pane.state) ? "busy" : "";
}

function showEntry(list, entry) {
  const id = `entry-${entry.pane}-${entry.number}`;
  const item = element("li", entry.state);
  item.id = id;
  if (entry.said) item.append(element("span", "said", entry.said));
  item.append(element("span", "what", entry.what));
  const seconds = entry.seconds === null ? "" : ` · ${entry.seconds.toFixed(2)} s`;
  if (entry.outcome) item.append(element("span", "outcome", entry.outcome + seconds));
  const old = find(id);
  if (old) old.replaceWith(item);
  else list.prepend(item);
}

const CHANGES = { "+": "add", "-": "del", "~": "chg", ">": "chg" };

function showText(target, text) {
  target.textContent = "";
  target.closest("section").hidden = !text;
  for (const line of text.split("\n")) {
    const kind = line[1] === " " ? CHANGES[line[0]] : undefined;
    target.append(kind ? element("span", kind, line) : line, "\n");
  }
}

function showOverview(batch, choose) {
  find("overview").hidden = !batch.rows;
  if (!batch.rows) return;
  const finished = (batch.counts.done || 0) + (batch.counts.failed || 0);
  find("batch-progress").max = batch.total || 1;
  find("batch-progress").value = finished;
  const words = ["done", "failed", "running", "retrying", "waiting"]
    .filter((state) => batch.counts[state])
    .map((state) => `${batch.counts[state]} ${state}`);
  find("batch-counts").textContent = `${finished} of ${batch.total} finished: ${words.join(", ")}`;
  const body = find("batch-rows");
  body.textContent = "";
  for (const row of batch.rows) {
    const line = element("tr", row.state);
    const name = element("td");
    if (row.pane) name.append(button(row.id, "", () => choose(row.pane)));
    else name.textContent = row.id;
    const seconds = row.seconds === null ? "" : row.seconds.toFixed(1);
    line.append(name, element("td", "", row.state), element("td", "", seconds), element("td", "", row.note));
    body.append(line);
  }
}
