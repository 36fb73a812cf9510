// The state of the live page: what the server said last of each browser, and what is shown of it.

const RETRY_MS = 2000;
const GOING_AWAY = 1001; // how a server that ends closes a socket
// A question that has just come is not answered by a key that was meant for something else.
const CALM_MS = 600;
const THUMBNAIL = 200;
const TOUCH = matchMedia("(pointer: coarse)");
const MOST_ENTRIES = 200;

const panes = new Map(); // id -> {pane, text, entries, frame}
let chosen = null;
let socket = null;
let drawn = null; // the pane whose entries and text are shown
let ended = false; // the command said goodbye
let seen = false; // there was a browser
const shownAt = new Map(); // question -> when it was shown first

const known = (id) => panes.get(id);
const current = () => known(chosen)?.pane;
const asks = (pane) => Boolean(pane.questions.length || pane.dialog);
const isDriven = () => Boolean(current()?.mine && current().granted);

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}
const sendHere = (message) => send({ ...message, pane: chosen });

// -- connection ---------------------------------------------------------------------------------

function connect() {
  const token = new URLSearchParams(location.search).get("token") || "";
  socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
  socket.addEventListener("open", () => {
    panes.clear();
    drawn = null;
    ended = seen = false;
    connection("connected", "");
    showOverview({}, choose);
    render();
    watch();
  });
  socket.addEventListener("message", (event) => take(JSON.parse(event.data)));
  socket.addEventListener("close", async (event) => {
    ended ||= event.code === GOING_AWAY;
    for (const { pane } of panes.values()) Object.assign(pane, { questions: [], dialog: null, mine: false });
    render();
    await sayWhy();
    setTimeout(connect, RETRY_MS);
  });
}

async function sayWhy() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.status === 401) connection("another run is here: open the address that it printed", "lost");
  else if (ended) connection("the command has ended", "ended");
  else connection("not connected: the command has ended, or cannot be reached", "lost");
}

function connection(text, className) {
  find("connection").textContent = text;
  find("connection").className = className;
}

// Nobody looks at a hidden tab: its pictures are not taken.
function watch() {
  const wanted = {};
  if (!document.hidden) {
    for (const id of panes.keys()) if (panes.size > 1) wanted[id] = THUMBNAIL;
    const width = find("screen").clientWidth * Math.min(devicePixelRatio, 2);
    if (chosen) wanted[chosen] = Math.min(Math.max(Math.round(width), 320), 1600);
  }
  send({ type: "watch", panes: wanted });
}

function take(message) {
  if (message.type === "overview") {
    showOverview(message, choose);
  } else if (message.type === "error") {
    find("error").hidden = false;
    find("error").textContent = [message.message, message.hint].filter(Boolean).join(". ");
  } else if (message.type === "pane") {
    const isNew = !panes.has(message.id);
    seen = true;
    if (isNew) panes.set(message.id, { text: "", entries: new Map(), frame: null });
    known(message.id).pane = message;
    if (!known(chosen)) chosen = message.id;
    if (isNew) {
      render();
      watch();
    } else render();
  } else if (message.type === "gone") {
    panes.delete(message.pane);
    if (chosen === message.pane)
      chosen = [...panes.keys()].find((id) => asks(known(id).pane)) ?? panes.keys().next().value ?? null;
    render();
    watch();
  } else if (known(message.pane)) {
    const here = message.pane === chosen;
    const state = known(message.pane);
    if (message.type === "text") {
      state.text = message.text;
      if (here) showText(find("text"), state.text);
    } else if (message.type === "entry") {
      state.entries.delete(message.number);
      state.entries.set(message.number, message);
      if (state.entries.size > MOST_ENTRIES) state.entries.delete(state.entries.keys().next().value);
      if (here) showEntry(find("entries"), message);
    } else if (message.type === "frame") {
      state.frame = message;
      if (here) showFrame();
      showThumbnail(message);
    }
  }
}

// -- what is shown ------------------------------------------------------------------------------

function choose(id) {
  if (current()?.mine) sendHere({ type: "give" });
  chosen = id;
  render();
  watch();
}

function render() {
  renderList();
  const pane = current();
  for (const id of ["pane", "side"]) find(id).hidden = !pane;
  find("empty").hidden = Boolean(pane) || socket?.readyState !== WebSocket.OPEN;
  find("empty").textContent = seen
    ? "No browser is open now."
    : "No browser is open yet. It appears here with its first action.";
  if (!pane) {
    drawn = null;
    return;
  }
  const asking = [...panes.values()].filter((one) => asks(one.pane)).length;
  document.title = `${asking ? `(${asking}) ` : ""}${pane.title} - cdp-agent live`;
  find("title").textContent = pane.title;
  find("state").textContent = pane.state;
  find("state").className = `badge ${stateClass(pane)}`;
  find("where").textContent = [pane.pageTitle, pane.url].filter(Boolean).join(" · ") || "no page";
  find("result").hidden = !pane.result;
  if (pane.result) {
    find("result").textContent = pane.result.summary;
    find("result").classList.toggle("good", pane.result.success);
  }
  renderAsks(pane);
  renderBar(pane);
  if (drawn !== chosen) {
    drawn = chosen;
    find("entries").textContent = "";
    for (const entry of known(chosen).entries.values()) showEntry(find("entries"), entry);
    showText(find("text"), known(chosen).text);
  }
  showFrame();
}

function renderList() {
  const list = find("panes");
  list.hidden = panes.size < 2;
  find("layout").classList.toggle("many", panes.size > 1);
  for (const old of [...list.children]) if (!known(old.dataset.pane)) old.remove();
  for (const [id, { pane, frame }] of panes) {
    let item = [...list.children].find((child) => child.dataset.pane === id);
    if (!item) {
      item = button("", "", () => choose(id));
      item.dataset.pane = id;
      const picture = element("img");
      picture.alt = "";
      item.append(picture, element("span", "name"), element("span", "badge"));
      list.append(item);
      if (frame) showThumbnail(frame);
    }
    item.setAttribute("aria-current", String(id === chosen));
    item.querySelector(".name").textContent = pane.title;
    item.querySelector(".badge").textContent = pane.state;
    item.querySelector(".badge").className = `badge ${stateClass(pane)}`;
  }
}

function showThumbnail(frame) {
  const item = [...find("panes").children].find((child) => child.dataset.pane === frame.pane);
  if (item && frame.source) item.querySelector("img").src = frame.source;
}

function showFrame() {
  const closed = current()?.closed;
  const frame = closed ? null : known(chosen)?.frame;
  const picture = find("picture");
  if (frame?.width) picture.style.aspectRatio = `${frame.width} / ${frame.height}`;
  if (!frame?.source) picture.removeAttribute("src");
  else if (picture.getAttribute("src") !== frame.source) picture.src = frame.source;
  find("no-picture").hidden = Boolean(frame?.source);
  const why = closed
    ? "This page is closed"
    : current()?.dialog
      ? "No picture while the page shows a dialog"
      : "No picture yet";
  find("no-picture").textContent = frame?.withheld || why;
}

function renderBar(pane) {
  const over = Boolean(pane.result) || socket?.readyState !== WebSocket.OPEN;
  find("pause").textContent = pane.paused ? "Resume" : "Pause";
  find("pause").disabled = over;
  find("step").disabled = over || !pane.paused;
  find("take").textContent = pane.mine ? "Give back" : "Take over";
  find("take").disabled = over || ((pane.taken || pane.closed) && !pane.mine);
  find("take").classList.toggle("primary", Boolean(pane.mine));
  find("screen").classList.toggle("driven", isDriven());
  find("screen").tabIndex = isDriven() ? 0 : -1;
  find("screen").setAttribute("role", isDriven() ? "application" : "img");
  find("typing").hidden = !isDriven();
  find("hint").textContent = isDriven()
    ? `You drive. ${TOUCH.matches ? "Tap the picture, type below it." : "Shift+Escape gives it back."}`
    : pane.mine
      ? "Waiting for the action under way to end."
      : pane.taken
        ? "Somebody else drives."
        : pane.waiting
          ? "A call waits. Step lets it pass and holds up the next."
          : pane.paused
            ? "The next call will wait."
            : "";
}

function renderAsks(pane) {
  const list = find("asks");
  const wanted = new Map(pane.questions.map((question) => [question.id, () => questionCard(question)]));
  if (pane.dialog) {
    const key = `${pane.id} dialog ${pane.dialog.type} ${pane.dialog.message}`;
    wanted.set(key, () => dialogCard(pane.dialog));
  }
  for (const old of [...list.children]) if (!wanted.has(old.dataset.ask)) old.remove();
  for (const [key, make] of wanted) {
    if ([...list.children].some((child) => child.dataset.ask === key)) continue;
    const card = make();
    card.dataset.ask = key;
    shownAt.set(card, performance.now());
    list.append(card);
  }
}

function questionCard(question) {
  const card = element("section", "card");
  card.setAttribute("aria-label", "Approval needed");
  card.append(
    element("h2", "", "Approval needed"),
    element("p", "what", question.action),
    element("p", "", question.reason),
    element("p", "dim", [question.name, question.url].filter(Boolean).join(" · ")),
  );
  const words = element("input");
  words.placeholder = "Words for the agent (optional)";
  words.setAttribute("aria-label", "Words for the agent");
  words.maxLength = 500;
  const answer = (approved) => sendHere({ type: "answer", question: question.id, approved, words: words.value });
  const row = element("div", "row");
  row.append(
    words,
    button("Approve", "primary yes", () => answer(true), "y"),
    button("Refuse", "no", () => answer(false), "n"),
  );
  card.append(row);
  return card;
}

function dialogCard(dialog) {
  const card = element("section", "card");
  card.setAttribute("aria-label", `Dialog: ${dialog.type}`);
  card.append(element("h2", "", `The page shows: ${dialog.type}`), element("p", "what", dialog.message || "(no text)"));
  const row = element("div", "row");
  const text = element("input");
  text.value = dialog.default;
  text.setAttribute("aria-label", "Answer to the page");
  if (dialog.type === "prompt") row.append(text);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) answer(true);
  });
  const answer = (accept) =>
    sendHere({
      type: "dialog",
      message: dialog.message,
      accept,
      text: dialog.type === "prompt" && accept ? text.value : null,
    });
  row.append(button("OK", "primary yes", () => answer(true), "y"));
  if (dialog.type !== "alert") row.append(button("Cancel", "no", () => answer(false), "n"));
  card.append(row);
  return card;
}

// -- what people do -----------------------------------------------------------------------------

function give() {
  const pane = current();
  sendHere({ type: pane?.mine ? "give" : "take" });
  if (!pane?.mine) return;
  pane.granted = false; // from here on nothing is forwarded, the release of the key itself included
  find("screen").blur();
}
find("pause").addEventListener("click", () => sendHere({ type: current()?.paused ? "resume" : "pause" }));
find("step").addEventListener("click", () => sendHere({ type: "step" }));
find("take").addEventListener("click", give);
find("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  if (find("typed").value) sendHere({ type: "text", text: find("typed").value });
  find("typed").value = "";
});
for (const item of document.querySelectorAll("[data-key]")) {
  item.addEventListener("click", () => {
    for (const kind of ["down", "up"]) sendHere({ type: "key", kind, key: item.dataset.key });
  });
}
forwardInput(find("screen"), find("picture"), isDriven, sendHere);

document.addEventListener("keydown", (event) => {
  find("error").hidden = true;
  if (event.key === "Escape" && event.shiftKey && current()?.mine) give();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target.closest("input:not([type=checkbox]), pre, [tabindex='0']")) return;
  const first = find("asks").firstElementChild;
  const calm = first && performance.now() - shownAt.get(first) > CALM_MS;
  const press = {
    y: calm ? first.querySelector(".yes") : null,
    n: calm ? first.querySelector(".no") : null,
    p: find("pause"),
    s: find("step"),
    t: find("take"),
  }[event.key];
  if (press) press.click();
});
document.addEventListener(
  "click",
  () => {
    find("error").hidden = true;
  },
  true,
);
document.addEventListener("visibilitychange", watch);
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(watch, 300);
});
connect();
