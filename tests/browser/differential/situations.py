"""What both engines are asked to do: controls and actions, in surroundings that make them hard.

A situation is a document with one element `#target`, the frame it stands in, and an action on it.
The document writes down every event that input causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.stage import FRAME_KINDS

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


@dataclass(frozen=True)
class Situation:
    """`action` is a word that both drivers know."""

    name: str
    body: str
    action: str
    frame_kind: str
    #: Neither may do it; waiting longer would not help.
    refused: bool = False

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

REFUSED = ("covered", "disabled", "never at rest")


def situations() -> Iterator[Situation]:
    for name, (body, action) in CONTROLS.items():
        kinds = FRAME_KINDS if action in ("click", "type", "select") else ("main", "oopif")
        for frame_kind in kinds:
            yield Situation(f"{name}, {frame_kind}", body, action, frame_kind)
    for name, body in SURROUNDINGS.items():
        for frame_kind in ("main", "oopif"):
            refused = name in REFUSED
            yield Situation(f"click {name}, {frame_kind}", body, "click", frame_kind, refused)
