"""No dialog is lost: each is reported once, and ends whatever waits for the page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cdp_agent import Browser, DialogOpen, ElementDisabled, Page
from cdp_agent.tools import ToolSession, call
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

PAGE = """<title>T</title><p id=p>Old words</p><button id=b>Press</button>
<input id=i aria-label=Name><select id=s aria-label=Kind><option>a<option>b</select>
<input type=checkbox id=c aria-label=Agree><input type=file id=f aria-label=Files>
<div id=d style="height:3000px"></div>"""


async def opens(page: Page, oracle: PageOracle, script: str) -> None:
    """Run a script in the page on its own, and wait until its dialogs have come and gone."""
    before = page._tab.target.dialogs.count
    await oracle.eval(f"setTimeout(() => {{ {script}; window.over = true }}, 0), 0")
    await oracle.wait("window.over")
    assert page._tab.target.dialogs.count > before
    await oracle.eval("window.over = false")


async def test_an_alert_between_two_actions_is_in_the_next_snapshot_once(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(PAGE)
    await page.snapshot()

    await opens(page, oracle, "alert('Session ends \"soon\"')")
    first, second = await page.snapshot(), await page.snapshot()

    assert [(d.type, d.message, d.open, d.earlier) for d in first.dialogs] == [
        ("alert", 'Session ends "soon"', False, True)
    ]
    assert 'alert "Session ends \\"soon\\"" was answered' in first.text.splitlines()[1]
    assert first.model_dump()["dialogs"][0]["message"] == 'Session ends "soon"'
    assert second.dialogs == ()
    assert "Session ends" not in second.text


async def test_an_alert_between_two_actions_is_in_the_next_outcome_once(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(PAGE)
    button = (await page.snapshot()).find("button", "Press").id

    await opens(page, oracle, "alert('one'); alert('two')")
    first = await page.click(button, observe=True)
    second = await page.click(button)

    assert [(d.message, d.earlier) for d in first.dialogs] == [("one", True), ("two", True)]
    assert first.snapshot is not None
    assert first.snapshot.dialogs == ()
    assert second.dialogs == ()


@pytest.mark.parametrize("verb", ["goto", "reload", "back"])
async def test_an_alert_before_a_navigation_is_in_its_outcome(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site, verb: str
) -> None:
    await open_page(PAGE)
    await open_page(PAGE)
    await opens(page, oracle, "alert('Bye')")

    if verb == "goto":
        outcome = await page.goto(site.page("<h1>There</h1>"))
    else:
        outcome = await getattr(page, verb)()

    assert [(d.message, d.earlier) for d in outcome.dialogs] == [("Bye", True)]
    assert (await page.snapshot()).dialogs == ()


async def test_an_alert_while_a_new_page_loads_is_in_its_first_snapshot(
    browser: Browser, site: Site
) -> None:
    page = await browser.new_page(site.page("<script>alert('Welcome')</script><p>In</p>"))

    assert [d.message for d in (await page.snapshot()).dialogs] == ["Welcome"]
    await page.close()


async def test_an_alert_during_an_action_that_fails_is_in_the_next_result(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(PAGE)
    hidden = (await page.snapshot()).find("button", "Press").id
    await oracle.eval("b.disabled = true, setTimeout(() => alert('Gone'), 0), 0")

    with pytest.raises(ElementDisabled):
        await page.click(hidden, timeout=0.5)
    await page._tab.target.until(lambda: page._tab.target.dialogs.count == 1, 5)

    assert [d.message for d in (await page.snapshot()).dialogs] == ["Gone"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_snapshot", {}),
        ("browser_snapshot", {"search": "words"}),
        ("browser_press", {"key": "Shift"}),
        ("browser_press", {"key": "NoSuchKey"}),
        ("browser_click", {"ref": "0-999999"}),
        ("browser_navigate", {"go": "reload"}),
        ("browser_scroll", {}),
        ("browser_wait", {"text": "Old words"}),
        ("browser_extract", {"schema": {"type": "object", "properties": {}}}),
        ("browser_screenshot", {}),
        ("browser_tabs", {}),
        ("browser_execute", {"steps": [{"action": "press", "params": {"key": "Shift"}}]}),
    ],
)
async def test_every_tool_reports_an_alert_once(
    page: Page, oracle: PageOracle, open_page: OpenPage, tool: str, arguments: dict[str, Any]
) -> None:
    await open_page(PAGE)
    session = ToolSession(page)
    await call(session, "browser_snapshot", {})
    await opens(page, oracle, "alert('Read me')")

    first = await call(session, tool, arguments)
    second = await call(session, "browser_snapshot", {})

    assert first.text.count('alert "Read me" was answered') == 1, first.text
    assert "Read me" not in second.text


async def test_a_change_and_an_alert_are_both_in_a_diff(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(PAGE)
    session = ToolSession(page)
    await call(session, "browser_snapshot", {})
    await opens(page, oracle, "p.textContent = 'New words'; alert('Changed')")

    said = (await call(session, "browser_press", {"key": "Shift"})).text

    assert 'alert "Changed" was answered' in said
    assert "New words" in said


# -- answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["wait", "accept"])
async def test_a_prompt_that_is_accepted_without_a_text_keeps_its_default(
    make_stage: MakeStage, policy: str
) -> None:
    stage = await make_stage(
        "<button id=target onclick=\"log = prompt('Name?', 'Bob')\">A</button>"
    )
    page = stage.page
    page.on_dialog(policy)

    await page.click(await stage.css())
    if policy == "wait":
        answered = await call(ToolSession(page), "browser_dialog", {})
        assert 'accepted prompt "Name?"' in answered.text

    assert await stage.wait("window.log") == "Bob"


async def test_a_prompt_may_be_answered_with_an_empty_text(make_stage: MakeStage) -> None:
    stage = await make_stage("<button id=target onclick=\"log = [prompt('?', 'Bob')]\">A</button>")
    await stage.page.click(await stage.css())

    await stage.page.answer_dialog(text="")

    assert await stage.wait("window.log") == [""]


LEAVING = "<script>addEventListener('beforeunload', event => event.preventDefault())</script>"


@pytest.mark.parametrize("leave", [True, False], ids=["accepted", "dismissed"])
async def test_answering_beforeunload_says_whether_the_page_was_left(
    make_stage: MakeStage, site: Site, leave: bool
) -> None:
    there = site.page("<h1>There</h1>")
    stage = await make_stage(f"{LEAVING}<a id=target href={there}>Go</a><button id=b>Stay</button>")
    page, session = stage.page, ToolSession(stage.page)
    await page.click(await stage.css("#b"))
    link = await stage.css()
    clicked = await call(session, "browser_click", {"ref": link})
    assert "beforeunload" in clicked.text

    said = await call(session, "browser_dialog", {"accept": leave})

    assert said.data["answered"]["left"] is leave
    if leave:
        assert ": the page was left" in said.text
        assert page.url == there
        assert "There" in said.text
    else:
        assert ": the page was not left" in said.text
        assert page.url == stage.url
    page.on_dialog("accept")


@pytest.mark.parametrize("policy", ["accept", "dismiss"])
async def test_a_policy_for_beforeunload_says_whether_the_page_was_left(
    make_stage: MakeStage, site: Site, policy: str
) -> None:
    there = site.page("<h1>There</h1>")
    stage = await make_stage(f"{LEAVING}<a id=target href={there}>Go</a><button id=b>Stay</button>")
    page = stage.page
    await page.click(await stage.css("#b"))
    page.on_dialog(policy)

    outcome = await page.click(await stage.css())

    [told] = outcome.dialogs
    assert (told.type, told.accepted, told.left) == (
        "beforeunload",
        policy == "accept",
        policy == "accept",
    )
    page.on_dialog("accept")


async def test_goto_says_that_it_left_a_page_that_asked(make_stage: MakeStage, site: Site) -> None:
    stage = await make_stage(f"{LEAVING}<button id=b>Stay</button>")
    await stage.page.click(await stage.css("#b"))

    outcome = await stage.page.goto(site.page("<h1>There</h1>"))

    assert [(d.type, d.left) for d in outcome.dialogs] == [("beforeunload", True)]


async def test_the_next_dialog_after_an_answer_is_reported(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<button id=target onclick=\"log = [confirm('one'), confirm('two')]\">A</button>"
    )
    page = stage.page
    await page.click(await stage.css())

    second = await page.answer_dialog()
    assert [(d.message, d.open) for d in second.dialogs] == [("two", True)]
    last = await page.answer_dialog(accept=False, observe=True)

    assert last.dialogs == ()
    assert last.snapshot is not None
    assert await stage.eval("log") == [True, False]


# -- dialogs while something waits --------------------------------------------------------------

#: Busy for a moment, so that commands wait in line, and then a question in the same task.
ASKS = """setTimeout(() => {
  const end = performance.now() + 400; while (performance.now() < end);
  confirm('Are you there?') }, 0), 0"""

WAITS: dict[str, Callable[[Page, Mapping[str, str], Path], Awaitable[Any]]] = {
    "snapshot": lambda page, ids, _: page.snapshot(timeout=60),
    "snapshot with a budget": lambda page, ids, _: page.snapshot(max_tokens=500, timeout=60),
    "snapshot of a root": lambda page, ids, _: page.snapshot(root=ids["b"], timeout=60),
    "snapshot of a selector": lambda page, ids, _: page.snapshot(
        focus={"selector": "p"}, timeout=60
    ),
    "snapshot with a picture": lambda page, ids, _: page.snapshot(screenshot=True, timeout=60),
    "observe": lambda page, ids, _: page.observe(picture=True, timeout=60),
    "evaluate": lambda page, ids, _: page.evaluate("1", timeout=60),
    "screenshot": lambda page, ids, _: page.screenshot(timeout=60),
    "describe": lambda page, ids, _: page.describe(ids["b"]),
    "find by css": lambda page, ids, _: page.find({"css": "p"}, timeout=60),
    "find by role": lambda page, ids, _: page.find({"role": "button"}, timeout=60),
    "extract": lambda page, ids, _: page.extract({"type": "object", "properties": {}}),
    "wait_for text": lambda page, ids, _: page.wait_for(text="Never", timeout=60),
    "wait_for element": lambda page, ids, _: page.wait_for(id=ids["b"], state="hidden", timeout=60),
    "wait_for quiet": lambda page, ids, _: page.wait_for(quiet=True, timeout=60),
    "click": lambda page, ids, _: page.click(ids["b"], timeout=60),
    "hover": lambda page, ids, _: page.hover(ids["b"], timeout=60),
    "fill": lambda page, ids, _: page.fill(ids["i"], "Ada", timeout=60),
    "clear": lambda page, ids, _: page.clear(ids["i"], timeout=60),
    "type": lambda page, ids, _: page.type(ids["i"], "Ada", timeout=60),
    "press": lambda page, ids, _: page.press("Shift", timeout=60),
    "press in a field": lambda page, ids, _: page.press("a", ids["i"], timeout=60),
    "select": lambda page, ids, _: page.select(ids["s"], label="b", timeout=60),
    "check": lambda page, ids, _: page.check(ids["c"], timeout=60),
    "upload": lambda page, ids, file: page.upload(ids["f"], [str(file)], timeout=60),
    "drag": lambda page, ids, _: page.drag(ids["b"], ids["i"], timeout=60),
    "scroll": lambda page, ids, _: page.scroll("down", timeout=60),
    "scroll_to": lambda page, ids, _: page.scroll_to(50, timeout=60),
    "scroll_into_view": lambda page, ids, _: page.scroll_into_view(ids["b"], timeout=60),
    "focus": lambda page, ids, _: page.focus(ids["i"], timeout=60),
    "send_click_event": lambda page, ids, _: page.send_click_event(ids["b"], timeout=60),
    "act": lambda page, ids, _: _steps(page),
}


async def _steps(page: Page) -> None:
    result = await page.act(
        [{"action": "fill", "params": {"selector": {"css": "#i"}, "value": "x", "timeout": 60}}]
    )
    error = result.steps[0].error
    assert error is not None
    assert error["code"] == "dialog_open"
    raise DialogOpen("in its row")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", WAITS)
async def test_a_dialog_that_opens_meanwhile_ends_every_wait(
    page: Page, oracle: PageOracle, open_page: OpenPage, tmp_path: Path, name: str
) -> None:
    await open_page(PAGE)
    snapshot = await page.snapshot()
    ids = {
        "b": snapshot.find("button", "Press").id,
        "i": snapshot.find("textbox", "Name").id,
        "s": snapshot.find("combobox", "Kind").id,
        "c": snapshot.find("checkbox", "Agree").id,
        "f": snapshot.find(name="Files").id,
    }
    file = tmp_path / "a.txt"
    file.write_text("a")
    await oracle.eval(ASKS)

    # Each may take longer than this test: only the dialog ends it.
    with pytest.raises(DialogOpen):
        await WAITS[name](page, ids, file)

    assert page.dialog is not None
    assert page.dialog.message == "Are you there?"
    await page.dialog.dismiss()
    await page.snapshot()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_dialog_of_any_frame_ends_a_snapshot(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button>Press</button>", frame_kind)
    await stage.eval(ASKS)

    with pytest.raises(DialogOpen):
        await stage.page.snapshot(timeout=60)

    await stage.page.answer_dialog()
    assert (await stage.page.snapshot()).find("button", "Press")
