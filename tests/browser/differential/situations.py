"""The tasks of both engines: controls and actions, in surroundings that make them hard.

A situation is a document with one element `#target`, the frame it stands in, and an action on it.
The document writes down every event that input causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.stage import FRAME_KINDS

PRESSED = [
    "pointerdown target button 0 detail 0",
    "mousedown target button 0 detail 1",
    "focusin target",
    "pointerup target button 0 detail 0",
    "mouseup target button 0 detail 1",
    "click target button 0 detail 1",
]
"""What a page sees of one click on a button."""

RECORDER = """<script>
window.seen = [];
for (const type of [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick",
  "contextmenu", "keydown", "keypress", "keyup", "beforeinput", "input", "change", "submit",
  "focusin", "focusout", "toggle",
]) addEventListener(type, event => {
  if (event.target.nodeType !== 1) return;
  const words = [type, event.target.id || event.target.localName];
  if (event instanceof MouseEvent) words.push(`button ${event.button}`, `detail ${event.detail}`);
  if (event instanceof KeyboardEvent) words.push(event.key, event.code);
  if (event instanceof InputEvent) words.push(event.inputType, String(event.data));
  for (const held of ["shiftKey", "ctrlKey", "altKey", "metaKey"])
    if (event[held]) words.push(held);
  if (!event.isTrusted) words.push("untrusted");
  seen.push(words.join(" "));
}, true);
addEventListener("submit", event => event.preventDefault());
</script><style>body { margin: 8px; font: 16px sans-serif }</style>"""

WHOLE_LOG = """new Promise((done) => {
  const finish = () => setTimeout(() => done(seen));
  requestAnimationFrame(() => requestAnimationFrame(finish));
  setTimeout(finish, 300);
})"""
"""The log after the tasks that the input queued, such as the one that fires `toggle`.

Frames that are not drawn have no animation frames: the timer bounds the wait.
"""


@dataclass(frozen=True)
class Situation:
    """`action` is a word that both drivers know."""

    name: str
    body: str
    action: str
    frame_kind: str
    #: Neither may do it; waiting longer would not help.
    refused: bool = False
    #: What happens in the document when both have found the element, just before they act.
    meanwhile: str = ""
    #: The element, as a script of the document reaches it.
    node: str = "document.getElementById('target')"

    @property
    def case(self) -> str:
        """The case, whatever the kind of its frame."""
        return self.name.rpartition(", ")[0]

    @property
    def html(self) -> str:
        return f"<!doctype html><meta charset=utf-8><title>Both</title>{RECORDER}{self.body}"


CONTROLS = {
    "button": ("<button id=target>Order</button>", "click"),
    "link": ("<a id=target href='#there'>There</a>", "click"),
    "checkbox": ("<label><input id=target type=checkbox> Gift</label>", "click"),
    "radio": ("<input type=radio name=r checked><input id=target type=radio name=r>", "click"),
    "label": ("<label id=target for=box>Gift</label><input id=box type=checkbox>", "click"),
    "summary": ("<details><summary id=target>More</summary><p>Words</p></details>", "click"),
    "role button": ("<div id=target role=button tabindex=0>Order</div>", "click"),
    "submit": ("<form><input name=n><button id=target>Send</button></form>", "click"),
    "svg": (
        "<svg width=200 height=100>"
        "<circle id=target role=button tabindex=0 cx=50 cy=50 r=40 /></svg>",
        "click",
    ),
    "double click": ("<button id=target>Order</button>", "double_click"),
    "right click": ("<button id=target>Order</button>", "right_click"),
    "middle click": ("<button id=target>Order</button>", "middle_click"),
    "shift click": ("<button id=target>Order</button>", "shift_click"),
    "click on a field": ("<input id=target value=words>", "click"),
    "fill a field": ("<input id=target value=old>", "fill"),
    "fill a text area": ("<textarea id=target>old</textarea>", "fill"),
    "fill an editor": ("<div id=target contenteditable role=textbox>old</div>", "fill"),
    "clear a field": ("<input id=target value=old>", "clear"),
    "type": ("<input id=target>", "type"),
    "Enter in a form": ("<form><input id=target name=n><button>Send</button></form>", "Enter"),
    "Tab": ("<input id=target><input id=next>", "Tab"),
    "Space on a checkbox": ("<input id=target type=checkbox aria-label=Gift>", "Space"),
    "an arrow on a radio": (
        "<input id=target type=radio name=r checked><input id=next type=radio name=r>",
        "ArrowDown",
    ),
    "a shortcut": ("<input id=target value=words>", "Control+A"),
    "select": ("<select id=target><option>S<option>M<option>L</select>", "select"),
    "check": ("<label><input id=target type=checkbox> Gift</label>", "check"),
    "check again": ("<label><input id=target type=checkbox checked> Gift</label>", "check"),
    "uncheck": ("<label><input id=target type=checkbox checked> Gift</label>", "uncheck"),
    "focus": ("<input id=target>", "focus"),
}

BUTTON = "<button id=target>Order</button>"
COVER = "<div id=cover style='position:fixed;inset:0;{}'></div>"


def later(script: str) -> str:
    return f"<script>setTimeout(() => {{ {script} }}, 150)</script>"


# What an engine that works by ids has to have seen, and then finds otherwise when it acts.
MEANWHILE: dict[str, tuple[str, str, str]] = {
    "click, hidden for a moment": (
        BUTTON,
        "click",
        "target.hidden = true; setTimeout(() => { target.hidden = false }, 150)",
    ),
    "click, invisible for a moment": (
        BUTTON,
        "click",
        "target.style.visibility = 'hidden'; setTimeout(() => { target.style = '' }, 150)",
    ),
    "click, out of the page for a moment": (
        BUTTON,
        "click",
        "target.style = 'position:fixed;left:-900px';setTimeout(() => { target.style = '' }, 150)",
    ),
    "click, without a size for a moment": (
        BUTTON,
        "click",
        "target.style = 'width:0;height:0;padding:0;border:0;overflow:hidden';"
        "setTimeout(() => { target.style = '' }, 150)",
    ),
    "click, drawn anew": (BUTTON, "click", "target.replaceWith(target.cloneNode(true))"),
    "click, gone for a moment": (
        f"<main>{BUTTON}</main>",
        "click",
        "const again = target.cloneNode(true), box = target.parentElement; target.remove();"
        "setTimeout(() => box.append(again), 150)",
    ),
    "click, inert for a moment": (
        f"<main id=main>{BUTTON}</main>",
        "click",
        "main.inert = true; setTimeout(() => { main.inert = false }, 150)",
    ),
    "click, behind a modal for a moment": (
        f"{BUTTON}<dialog id=modal>Wait</dialog>",
        "click",
        # Without its focus, which Chromium gives up when it draws, before or after a press.
        "modal.showModal(); modal.blur(); setTimeout(() => modal.close(), 150)",
    ),
    "click, pushed down": (
        BUTTON,
        "click",
        "target.insertAdjacentHTML('beforebegin', '<p style=height:900px></p>')",
    ),
    "fill, read-only for a moment": (
        "<input id=target value=old>",
        "fill",
        "target.readOnly = true; setTimeout(() => { target.readOnly = false }, 150)",
    ),
    "fill, disabled for a moment": (
        "<input id=target value=old>",
        "fill",
        "target.disabled = true; setTimeout(() => { target.disabled = false }, 150)",
    ),
    "fill, drawn anew": (
        "<input id=target value=old aria-label=Name>",
        "fill",
        "target.replaceWith(target.cloneNode(true))",
    ),
    "select, option comes late": (
        "<select id=target><option>S</select>",
        "select",
        "setTimeout(() => target.add(new Option('M')), 150)",
    ),
    "check, disabled for a moment": (
        "<label><input id=target type=checkbox> Gift</label>",
        "check",
        "target.disabled = true; setTimeout(() => { target.disabled = false }, 150)",
    ),
}

IN_SHADOW = "document.getElementById('host').shadowRoot.getElementById('target')"
SHADOWED = {
    "click, in an open shadow": (BUTTON, "click"),
    "fill, in an open shadow": ("<input id=target value=old>", "fill"),
    "check, in an open shadow": ("<label><input id=target type=checkbox> Gift</label>", "check"),
}

SURROUNDINGS = {
    "rotated": f"<div style='margin:60px;transform:rotate(40deg);width:120px'>{BUTTON}</div>",
    "scaled": f"<div style='transform:scale(.4);transform-origin:0 0'>{BUTTON}</div>",
    "skewed": f"<div style='margin:40px;transform:skew(20deg, 10deg)'>{BUTTON}</div>",
    "below the fold": f"<p style='height:1500px'></p>{BUTTON}",
    "in a box that scrolls": (
        "<div style='height:120px;overflow:auto'><p style='height:600px'></p>"
        f"{BUTTON}<p style='height:600px'></p></div>"
    ),
    "under a sticky header": (
        "<div style='position:sticky;top:0;height:100px;background:pink'>Head</div>"
        f"<p style='height:900px'></p>{BUTTON}<p style='height:900px'></p>"
    ),
    "under glass": BUTTON + COVER.format("pointer-events:none"),
    "in a fixed place": (
        f"<p style='height:2000px'></p><div style='position:fixed;top:9px'>{BUTTON}</div>"
    ),
    "covered for a moment": BUTTON + COVER.format("background:pink") + later("cover.remove()"),
    "disabled for a moment": BUTTON
    + later("target.disabled = false")
    + "<script>target.disabled = true</script>",
    "on its way": (
        "<style>#target { position: relative; animation: come .2s linear }"
        f"@keyframes come {{ from {{ left: 300px }} to {{ left: 0 }} }}</style>{BUTTON}"
    ),
    "a wrapped link": (
        "<div style='width:130px'>Some words before "
        "<a id=target href='#x'>a link over two lines</a></div>"
    ),
    "slotted into a shadow": (
        f"<div><template shadowrootmode=open><b>Before</b><slot></slot></template>{BUTTON}</div>"
    ),
    # -- both must refuse -------------------------------------------------------------------
    "covered": BUTTON + COVER.format("background:pink"),
    "disabled": "<button id=target disabled>Order</button>",
    "never at rest": (
        "<style>#target { position: relative; animation: run .4s linear infinite alternate }"
        f"@keyframes run {{ from {{ left: 0 }} to {{ left: 300px }} }}</style>{BUTTON}"
    ),
}

# Shown in one kind of frame each: the way to the frame is the same for all.
ONCE = {
    "half under a cover": (
        "<button id=target style='width:300px;height:80px'>Order</button>"
        "<div style='position:absolute;left:0;top:0;width:200px;height:99px;background:pink'></div>"
    ),
    "wider than the view": f"<div style='width:3000px;padding-left:2000px'>{BUTTON}</div>",
    "that glides when it scrolls": (
        f"<style>html {{ scroll-behavior: smooth }}</style><p style='height:1500px'></p>{BUTTON}"
    ),
    "in a box that only scripts scroll": (
        f"<div style='height:90px;overflow:hidden'><p style='height:600px'></p>{BUTTON}</div>"
    ),
    "in a box that snaps": (
        "<div style='height:200px;overflow:auto;scroll-snap-type:y mandatory'>"
        "<p style='height:200px;margin:0;scroll-snap-align:start'>One</p>"
        f"<p style='height:200px;margin:0;scroll-snap-align:start'>{BUTTON}</p></div>"
    ),
    "zoomed": f"<div style='zoom:2.5;padding:20px'>{BUTTON}</div>",
    "in columns": (
        "<div style='columns:3;width:500px'><p>Some words go before it, in lines</p>"
        "<a id=target href='#x'>a link over two columns of this narrow text, at least</a></div>"
    ),
    "in vertical writing": f"<div style='writing-mode:vertical-rl'>{BUTTON}</div>",
    "in a modal": f"<dialog id=modal>{BUTTON}</dialog><script>modal.showModal()</script>",
    "in a popover": f"<div id=pop popover>{BUTTON}</div><script>pop.showPopover()</script>",
    "transparent": "<button id=target style='opacity:0'>Order</button>",
    "cut to a circle": (
        "<button id=target style='width:100px;height:100px;clip-path:circle(30%)'>Order</button>"
    ),
    "without a box of its own": "<button id=target style='display:contents'><b>Order</b></button>",
    "drawn by an image": (
        "<input id=target type=image alt=Order width=80 height=40 src='data:image/gif;base64,"
        "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>"
    ),
    "in an editor": (
        f"<div contenteditable>Words <span contenteditable=false>{BUTTON}</span> more</div>"
    ),
}

REFUSED = ("covered", "disabled", "never at rest", "half under a cover")


def _one_kind(name: str) -> str:
    return "oopif" if len(name) % 2 else "main"


def situations() -> Iterator[Situation]:
    for name, (body, action) in CONTROLS.items():
        kinds = FRAME_KINDS if action in ("click", "type", "select") else ("main", "oopif")
        for frame_kind in kinds:
            yield Situation(f"{name}, {frame_kind}", body, action, frame_kind)
    for name, body in SURROUNDINGS.items():
        for frame_kind in ("main", "oopif"):
            refused = name in REFUSED
            yield Situation(f"click {name}, {frame_kind}", body, "click", frame_kind, refused)
    for name, (body, action, meanwhile) in MEANWHILE.items():
        kind = _one_kind(name)
        yield Situation(f"{name}, {kind}", body, action, kind, meanwhile=meanwhile)
    for name, body in ONCE.items():
        kind, refused = _one_kind(name), name in REFUSED
        yield Situation(f"click {name}, {kind}", body, "click", kind, refused)
    for name, (body, action) in SHADOWED.items():
        shadow = f"<div id=host><template shadowrootmode=open>{body}</template></div>"
        for frame_kind in ("main", "oopif"):
            yield Situation(f"{name}, {frame_kind}", shadow, action, frame_kind, node=IN_SHADOW)
