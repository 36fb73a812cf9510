"""Targets that an action makes are in its own result, as a fresh snapshot has them.

An element may answer to drops, double clicks and the like alone. No mutation says so: a listener
is added to an element that is there, or to one that the action has brought.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cdp_agent import Outcome, Page
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

TYPES = ("drop", "dblclick", "contextmenu", "pointerdown", "auxclick")
STYLE = "<style>.day { width: 80px; height: 30px; border: 1px solid }</style>"
BRINGS = """<button id=b>Go</button><div id=board></div><script>
b.onclick = () => {
  const day = document.createElement('div');
  day.className = 'day';
  day.textContent = 'Monday';
  board.append(day);
  day.addEventListener('TYPE', () => {});
};</script>"""
CHANGES = """<button id=b>Go</button><div class=day id=day>Monday</div><script>
b.onclick = () => day.addEventListener('TYPE', () => {});</script>"""
#: Nests deeper than the listeners of a document are listed at once.
DEEP = f"""<button id=b>Go</button>{"<div>" * 700}<div class=day id=day>Monday</div>{"</div>" * 700}
<script>b.onclick = () => day.addEventListener('TYPE', () => {{}});</script>"""
LARGE = CHANGES + "".join(f"<p>Row {number} <i>of</i> many" for number in range(2000))
LATER = """<button id=b>Go</button><div class=day id=day>Monday</div><script>
b.onclick = () => setTimeout(() => day.addEventListener('TYPE', () => {}), 30);</script>"""
#: Too many listeners to list all of them after each action.
MANY = """<p id=p></p><script>for (let n = 0; n < 2500; n += 1)
  p.addEventListener('x', () => {}, {capture: n % 2, n});</script>"""
CASES = {
    "an element that is new": BRINGS,
    "an element that was there": CHANGES,
    "an element deep inside": DEEP,
    "an element by a timer": LATER,
    "a new element where there are many": MANY + BRINGS,
}


def _lists_monday(outcome: Outcome) -> bool:
    assert outcome.snapshot is not None
    return any("Monday" in element.name for element in outcome.snapshot.elements)


@pytest.mark.parametrize("html", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("type", TYPES)
async def test_the_result_of_an_action_lists_the_target_that_it_made(
    page: Page, open_page: OpenPage, html: str, type: str
) -> None:
    await open_page(STYLE + html.replace("TYPE", type))
    before = await page.snapshot()
    assert "Monday" not in [element.name for element in before.elements]

    outcome = await page.click(before.find("button", "Go").id, observe=True)

    assert _lists_monday(outcome)
    assert outcome.snapshot is not None
    assert outcome.snapshot.text == (await page.snapshot()).text


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("html", [BRINGS, CHANGES], ids=["new", "there before"])
async def test_it_is_so_in_every_kind_of_frame(
    make_stage: MakeStage, frame_kind: str, html: str
) -> None:
    stage = await make_stage(STYLE + html.replace("TYPE", "dblclick"), frame_kind)
    await stage.page.snapshot()

    outcome = await stage.page.click(await stage.id("button", "Go"), observe=True)

    assert _lists_monday(outcome)
    assert outcome.snapshot is not None
    assert outcome.snapshot.text == (await stage.page.snapshot()).text


@pytest.mark.parametrize("type", TYPES)
async def test_a_large_page_that_is_captured_in_part_lists_it(
    page: Page, open_page: OpenPage, type: str
) -> None:
    await open_page(STYLE + LARGE.replace("TYPE", type))
    before = await page.snapshot(max_tokens=2000)
    assert "Monday" not in [element.name for element in before.elements]

    await page.click(before.find("button", "Go").id)
    after = await page.snapshot(max_tokens=2000)

    assert "Monday" in [element.name for element in after.elements], after.text[:600]


async def test_a_target_is_gone_with_its_last_listener(page: Page, open_page: OpenPage) -> None:
    await open_page(
        STYLE
        + """<button id=b>Go</button><div class=day id=day>Monday</div><script>
        const f = () => {}; day.addEventListener('drop', f);
        b.onclick = () => day.removeEventListener('drop', f);</script>"""
    )
    before = await page.snapshot()
    assert "Monday" in [element.name for element in before.elements]

    outcome = await page.click(before.find("button", "Go").id, observe=True)

    assert not _lists_monday(outcome)


@contextmanager
def _sent(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """The methods of the commands that are sent meanwhile."""
    methods: list[str] = []
    caplog.clear()
    with caplog.at_level(logging.DEBUG, "cdp_agent.wire"):
        yield methods
        lines = [record.getMessage() for record in caplog.records]
        methods += [m[1] for line in lines if (m := re.match(r"> #\d+ \S* ?([A-Z]\w*\.\w+)", line))]


async def test_listeners_are_not_listed_again_where_no_script_added_any(
    page: Page, open_page: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    await open_page(
        STYLE
        + """<button id=b>Go</button><input><div class=day id=day>Monday</div><p id=p></p><script>
        day.addEventListener('dblclick', () => {});
        b.onclick = () => p.append(document.createElement('i'), 'x');</script>"""
    )
    snapshot = await page.snapshot()
    go, field = snapshot.find("button", "Go").id, snapshot.find("textbox").id
    await page.click(go, observe=True)

    with _sent(caplog) as methods:
        await page.click(go, observe=True)
        await page.fill(field, "some words", observe=True)
        await page.hover(go, observe=True)
        await page.press("Tab", observe=True)

    assert methods.count("DOMDebugger.getEventListeners") == 0
    assert "Input.dispatchMouseEvent" in methods
