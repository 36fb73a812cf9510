"""Sentences of tools for the newer arguments of their verbs, alone and as steps."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.browser.tools.conftest import Use
from tests.browser.tools.test_table import ref
from tests.support.oracle import PageOracle
from tests.support.site import Response, Site

PAGE = """<input id=name aria-label=Name value="one two">
<select aria-label=Color><option>None<option>Dark blue</select>
<canvas id=map width=100 height=50 style="display:block"></canvas>
<div style="height:2000px"></div><p>Far below</p>
<script>window.log = []; map.onmousedown = e => log.push([e.offsetX, e.offsetY])</script>"""


async def test_the_first_line_says_what_a_verb_did(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    shown = (await use("navigate", url=site.page(PAGE))).text
    name, color = ref(shown, 'textbox "Name"'), ref(shown, 'combobox "Color"')
    canvas = ref(shown, "canvas")

    async def first(tool: str, **arguments: object) -> str:
        return (await use(tool, **arguments)).text.splitlines()[0]

    assert await first("fill", ref=name, old="two", value="2") == (
        f'[{name}] textbox "Name" holds "one 2"'
    )
    focus = f'{name} <input id="name">, which has the focus, holds "one 2!"'
    await use("press", key="End", ref=name)
    assert await first("type", text="!") == focus
    assert await first("press", key="Backspace", times=3) == "pressed Backspace 3 times"
    assert await oracle.eval("document.querySelector('#name').value") == "one"
    assert await first("select", ref=color, label="blue") == (
        f'[{color}] combobox "Color" chose "Dark blue" for "blue"'
    )
    assert await first("drag", ref=canvas, at=[10, 20], by=[30, -5]) == (
        f"dragged [{canvas}] canvas at 10,20 by 30,-5; the page shows no change"
    )
    assert await oracle.eval("log") == [[10, 20]]
    assert (await first("scroll", until="far below")).endswith('has it: "Far below"')
    assert await first("wait", text="far", quiet=True) == (
        'the text is shown: "Far below"; the page is at rest'
    )
    missing = await use("scroll", until="nowhere")
    assert missing.code == "condition_failed"
    assert (await use("press", key="x", times=101)).code == "invalid_params"
    assert (await use("drag", at=[1, 1])).code == "invalid_params"


async def test_the_same_as_steps(use: Use, site: Site, oracle: PageOracle) -> None:
    shown = (await use("navigate", url=site.page(PAGE))).text
    name, color = ref(shown, 'textbox "Name"'), ref(shown, 'combobox "Color"')

    result = await use(
        "execute",
        steps=[
            {"action": "replace", "params": {"ref": name, "old": "two", "new": "2"}},
            {"action": "press", "params": {"ref": name, "key": "End"}},
            {"action": "type", "params": {"text": "!"}},
            {"action": "press", "params": {"key": "Backspace", "times": 2}},
            {"action": "select", "params": {"ref": color, "label": "dark"}},
            {"action": "drag", "params": {"ref": ref(shown, "canvas"), "by": [5, 5]}},
            {"action": "scroll", "params": {"until": "Far below"}},
            {"action": "wait", "params": {"text": "Far below"}},
        ],
    )

    assert result.text.startswith("8 of 8 steps done"), result.text
    assert await oracle.eval(
        "[document.querySelector('#name').value, document.querySelector('select').value]"
    ) == ["one ", "Dark blue"]


RENAMED = """<ul id=files><li tabindex=0>a.md</li></ul><script>
const item = files.firstChild
item.onkeydown = (event) => {
  if (event.key !== 'F2') return
  files.innerHTML = '<input value="">'
  const field = files.firstChild
  field.focus()
  field.onkeydown = (event) => {
    if (event.key === 'Enter') setTimeout(() => { files.innerHTML = `<li>${field.value}</li>` }, 20)
  }
}</script>"""


async def test_a_field_that_is_gone_after_enter_was_typed_into(
    use: Use, site: Site, oracle: PageOracle
) -> None:
    await use("navigate", url=site.page(RENAMED))
    await use("press", key="F2", ref="text=a.md")

    done = await use("type", text="b.md", enter=True)

    assert await oracle.eval("files.innerText") == "b.md"
    assert not done.is_error, done.text
    assert "and pressed Enter; the field is gone" in done.text


async def test_a_download_is_told_with_its_path(use: Use, site: Site) -> None:
    headers = {"Content-Disposition": "attachment; filename=report.txt"}
    site.route("/verbs/report", lambda _: Response(200, headers, b"All is well."))
    shown = (await use("navigate", url=site.page("<a href=/verbs/report>Report</a>"))).text

    clicked = await use("click", ref=ref(shown, 'link "Report"'))

    (line,) = [one for one in clicked.text.splitlines() if one.startswith("download ")]
    told, _, path = line.partition(": ")
    assert told == 'download "report.txt" completed'
    assert await asyncio.to_thread(Path(path).read_text) == "All is well."
