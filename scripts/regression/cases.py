"""The common actions, each with what the page must show afterwards.

All work on one document, which is shown as a page or in a frame: a case is given the snapshot and
the number of the frame, finds its elements there by role and name, and acts on their ids.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from cdp_agent import Page, Snapshot

CONTROLS = """<!doctype html><meta charset=utf-8><title>Controls</title>
<style>body { font: 16px sans-serif } .box { width: 90px; height: 40px; background: #def }</style>
<script>
  window.did = [];
  for (const type of ['click', 'dblclick', 'contextmenu', 'mouseover'])
    addEventListener(type, event => {
      if (event.isTrusted && event.target.id === 'order') did.push(type);
      if (type === 'contextmenu') event.preventDefault();
    });
</script>
<button id=order>Order</button>
<form onsubmit="event.preventDefault(); did.push('submit')">
  <label>Name <input id=name value=old></label>
</form>
<label>Note <textarea id=note></textarea></label>
<label>Day <input id=day type=date></label>
<label>Size <select id=size><option>Small<option>Medium<option>Large</select></label>
<label><input id=gift type=checkbox> Gift</label>
<label><input id=news type=checkbox checked> News</label>
<label>Letter <input id=letter type=file></label>
<p><span class=box id=parcel draggable=true role=button aria-label=Parcel
  ondragstart="event.dataTransfer.setData('text', 'parcel')">Parcel</span>
<span class=box id=van role=button aria-label=Van tabindex=0 ondragover="event.preventDefault()"
  ondrop="did.push('drop ' + event.dataTransfer.getData('text'))">Van</span></p>
<div id=list role=region aria-label=List tabindex=0 style="height:90px;overflow:auto">
  <p style="height:700px">Rows</p></div>
<p style="height:1500px"></p>
<button id=last onclick="did.push('last')">Last</button>"""


@dataclass(frozen=True)
class Given:
    """A fresh page and the frame in it that shows the controls."""

    page: Page
    snapshot: Snapshot
    frame_index: int
    file: Path

    def id(self, role: str | None, name: str) -> str:
        return self.snapshot.find(role, name, frame=self.frame_index).id


@dataclass(frozen=True)
class Case:
    """`shows` is an expression that the document must then hold true."""

    act: Callable[[Given], Awaitable[object]]
    shows: str


CASES: dict[str, Case] = {
    "click": Case(lambda g: g.page.click(g.id("button", "Order")), "did.includes('click')"),
    "double_click": Case(
        lambda g: g.page.double_click(g.id("button", "Order")), "did.includes('dblclick')"
    ),
    "right_click": Case(
        lambda g: g.page.click(g.id("button", "Order"), button="right"),
        "did.includes('contextmenu')",
    ),
    "hover": Case(lambda g: g.page.hover(g.id("button", "Order")), "did.includes('mouseover')"),
    "click_far_down": Case(
        lambda g: g.page.click(g.id("button", "Last")), "did.includes('last') && scrollY > 0"
    ),
    "fill": Case(lambda g: g.page.fill(g.id("textbox", "Name"), "Ada"), "name.value === 'Ada'"),
    "fill_lines": Case(
        lambda g: g.page.fill(g.id("textbox", "Note"), "one\ntwo"), "note.value === 'one\\ntwo'"
    ),
    "fill_date": Case(
        lambda g: g.page.fill(g.id(None, "Day"), "2027-03-17"), "day.value === '2027-03-17'"
    ),
    "clear": Case(lambda g: g.page.clear(g.id("textbox", "Name")), "name.value === ''"),
    "type": Case(lambda g: g.page.type(g.id("textbox", "Name"), "er"), "name.value === 'older'"),
    "press": Case(
        lambda g: g.page.press("Enter", g.id("textbox", "Name")), "did.includes('submit')"
    ),
    "select": Case(
        lambda g: g.page.select(g.id("combobox", "Size"), label="Large"), "size.value === 'Large'"
    ),
    "check": Case(lambda g: g.page.check(g.id("checkbox", "Gift")), "gift.checked"),
    "uncheck": Case(lambda g: g.page.uncheck(g.id("checkbox", "News")), "!news.checked"),
    "upload": Case(
        lambda g: g.page.upload(g.id(None, "Letter"), g.file),
        "letter.files[0]?.name === 'letter.txt'",
    ),
    "drag": Case(
        lambda g: g.page.drag(g.id(None, "Parcel"), g.id(None, "Van")),
        "did.includes('drop parcel')",
    ),
    "scroll": Case(
        lambda g: g.page.scroll("down", pixels=120, id=g.id("region", "List")),
        "list.scrollTop === 120",
    ),
    "scroll_into_view": Case(
        lambda g: g.page.scroll_into_view(g.id("button", "Last")), "scrollY > 0"
    ),
    "focus": Case(
        lambda g: g.page.focus(g.id("textbox", "Name")), "document.activeElement === name"
    ),
}
