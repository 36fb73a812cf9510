"""The requirements of the plan of seed 004; each test names its row of fixtures/seed_rows.txt."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cdp_agent import InvalidParams, Page, ProtocolError, RefInvalid, StaleRef
from cdp_agent.snapshot import SnapshotOptions
from cdp_agent.tools import ToolSession, call
from tests.support.pages.framed_pages import iframe
from tests.support.site import Site
from tests.support.stage import OpenPage

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import CallFunctionOnParameters

ROOT = Path(__file__).parents[3]


async def framed(page: Page, site: Site, html: str, host: str) -> int:
    """Show a page with a frame of some host; the frame's number."""
    inner = site.page(html, host=host)
    await page.goto(site.page(f"<button>Outside</button>{iframe(inner, name='inner')}"))
    return next(frame for frame in page.frames if frame.url == inner).index


@pytest.mark.parametrize("host", ["a.test", "b.test"])
async def test_row_142_an_element_is_resolved_for_ones_own_commands(
    page: Page, site: Site, host: str
) -> None:
    index = await framed(page, site, "<button id=in>Inside</button>", host)
    element_id = (await page.snapshot()).find("button", "Inside").id
    ask: CallFunctionOnParameters = {
        "functionDeclaration": "function() { return this.id }",
        "returnByValue": True,
    }

    async with page.resolve_element(element_id) as element:
        assert (element.id, element.frame_index, element.healed) == (element_id, index, False)
        assert f"{index}-{element.backend_node_id}" == element_id
        assert element.session is page.resolve_frame_session(index)
        assert (element.session.id == page.resolve_frame_session(0).id) is (host == "a.test")
        assert element.frame_id == page._tab.resolver.frame(index).id
        params: CallFunctionOnParameters = {**ask, "objectId": element.object_id}
        reply = await element.session.post("Runtime.callFunctionOn", params)
        assert reply["result"]["value"] == "in"
        node = await element.session.post("DOM.describeNode", {"objectId": element.object_id})
        assert node["node"]["backendNodeId"] == element.backend_node_id

    with pytest.raises(ProtocolError):  # it was released
        await element.session.post("Runtime.callFunctionOn", params)
    with pytest.raises(RefInvalid):
        async with page.resolve_element("0-999999"):
            pass
    await page.evaluate("document.getElementById('in').remove()", index)
    with pytest.raises(StaleRef):
        async with page.resolve_element(element_id):
            pass


async def test_row_142_an_error_inside_releases_the_element_as_well(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<button>Go</button>")
    element_id = (await page.snapshot()).find("button").id
    with pytest.raises(KeyError):
        async with page.resolve_element(element_id) as element:
            raise KeyError
    with pytest.raises(ProtocolError):
        await element.session.post("DOM.describeNode", {"objectId": element.object_id})


INSIDE = "<div id=checkout><button>Pay</button></div><button>Other</button>"


@pytest.mark.parametrize("selector", ["#checkout", "//div[@id='checkout']", "css=#checkout"])
async def test_row_148_a_part_of_one_frame_in_python_and_for_models(
    page: Page, site: Site, selector: str
) -> None:
    index = await framed(page, site, INSIDE, "b.test")
    focus = {"frameIndex": index, "selector": selector}

    part = await page.snapshot(focus=focus)
    assert part.find("button", "Pay")
    assert "Other" not in part.text
    assert "Outside" not in part.text
    session = ToolSession(page)
    for name in ("focus", "root"):
        for given in (focus, json.dumps(focus)):
            shown = await call(session, "browser_snapshot", {name: given})
            assert not shown.is_error, shown.text
            assert "Pay" in shown.text
            assert "Other" not in shown.text
    button = {"frame_index": index, "selector": "button"}
    assert str(await page.find(button | {"selector": "#checkout button"})).startswith(f"{index}-")
    pressed = await call(session, "browser_click", {"ref": {**focus, "selector": "div button"}})
    assert "clicked" in pressed.text
    assert 'button "Pay"' in pressed.text


WRONG_FOCUS: dict[str, Any] = {
    "unknown key": {"frameIndex": 0, "selector": "button", "depth": 3},
    "two spellings": {"frameIndex": 0, "frame_index": 0, "selector": "button"},
    "no number": {"frameIndex": "one", "selector": "button"},
    "no text": {"frameIndex": 0, "selector": 7},
    "empty": {"frameIndex": 0, "selector": ""},
}


@pytest.mark.parametrize("focus", WRONG_FOCUS.values(), ids=WRONG_FOCUS.keys())
async def test_row_148_what_is_not_known_there_is_an_error(
    page: Page, open_page: OpenPage, focus: dict[str, Any]
) -> None:
    await open_page("<button>Go</button>")
    with pytest.raises(InvalidParams):
        await page.snapshot(focus=focus)
    with pytest.raises(InvalidParams):
        await page.find(focus)
    shown = await call(ToolSession(page), "browser_snapshot", {"focus": focus})
    assert shown.code == "invalid_params"


async def test_row_155_percent_strings_are_numbers(page: Page, open_page: OpenPage) -> None:
    await open_page("<div style='height: 3000px'></div>")
    for given, percent in (("50%", 50), ("25", 25), (" 12.5 % ", 12.5), (100, 100)):
        outcome = await page.scroll_to(given)
        assert outcome.data["percent"] == pytest.approx(percent, abs=1)
    for wrong in ("half", "101%", "-5%", "50%%", "", "1e1%", None):
        with pytest.raises(InvalidParams):
            await page.scroll_to(wrong)  # type: ignore[arg-type]
    done = await page.act([{"action": "scroll_to", "params": {"percent": "75%"}}])
    assert done.success
    assert await page.evaluate(
        "scrollY / (document.documentElement.scrollHeight - innerHeight)"
    ) == (pytest.approx(0.75, abs=0.01))


ROWS = "<button onclick=\"p.textContent = 'Changed'\">Go</button><p id=p>Before</p>" + "".join(
    f"<button>Button {n}</button>" for n in range(20)
)


async def test_row_163_the_diff_threshold_is_an_option_and_a_setting(
    page: Page, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_page(ROWS)
    button = (await page.snapshot()).find("button", "Go").id
    assert (await page.click(button, observe=True)).diff is not None
    never = SnapshotOptions.make(diff_threshold=0)
    await page.evaluate("p.textContent = 'Before'")
    assert (await page.click(button, observe=never)).diff is None

    session = ToolSession(page)
    await call(session, "browser_snapshot", {})
    monkeypatch.setenv("CDP_AGENT_DIFF_THRESHOLD", "0.0")
    await page.evaluate("p.textContent = 'Before'")
    whole = await call(session, "browser_click", {"ref": button})
    assert "Button 19" in whole.text
    monkeypatch.setenv("CDP_AGENT_DIFF_THRESHOLD", "much")
    with pytest.raises(InvalidParams):
        await page.snapshot()
    for wrong in (-1, 1.5, "0.5", True):
        with pytest.raises(InvalidParams):
            await page.snapshot(diff_threshold=wrong)  # type: ignore[arg-type]


async def test_row_164_diff_coverage_is_counted_and_logged(
    page: Page, open_page: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    await open_page(ROWS)
    session = ToolSession(page)
    with caplog.at_level("DEBUG", logger="cdp_agent.tools"):
        await call(session, "browser_snapshot", {})
        # An estimate of the page's own lines: the header is not one of them.
        first = session.coverage
        assert 0.7 * first.characters_sent < first.characters_whole < 1.1 * first.characters_sent
        await call(session, "browser_click", {"ref": "text=Go"})

    counts = session.coverage.to_dict()
    assert (counts["full"], counts["diffs"]) == (1, 1)
    assert 0 < counts["characters_sent"] < counts["characters_whole"]
    assert "1 diff, 1 whole page: " in caplog.text


def test_row_169_the_readme_names_the_regression_scripts() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for name in ("scripts/action_regression", "scripts/iframe_regression"):
        assert name in readme
        assert (ROOT / name).exists()


def evaluate(expression: str) -> Generator[dict[str, Any], dict[str, Any], tuple[str, Any]]:
    """As `cdp.runtime.evaluate` of `pycdp` and `chrome-devtools-protocol` is written."""
    params = {"expression": expression, "returnByValue": True}
    reply = yield {"method": "Runtime.evaluate", "params": params}
    return reply["result"]["type"], reply["result"]["value"]


def enable() -> Generator[dict[str, Any], dict[str, Any], None]:
    yield {"method": "DOM.enable"}


def yields(*values: Any) -> Any:
    for value in values:  # noqa: UP028 (nothing can be sent into `yield from` a tuple)
        yield value


async def test_row_173_commands_of_pycdp_run_on_a_session(page: Page, site: Site) -> None:
    index = await framed(page, site, "<h2>Inside</h2>", "b.test")

    for frame, text in ((0, "Outside"), (index, "Inside")):
        session = page.resolve_frame_session(frame)
        await session.execute(enable())
        kind, value = await session.execute(evaluate("document.body.textContent"))
        assert (kind, value.strip()) == ("string", text)
    session = page.resolve_frame_session(0)
    with pytest.raises(ProtocolError):
        await session.execute(yields({"method": "No.such"}))
    for wrong in (
        {"method": "DOM.enable"},
        yields(),
        yields(7),
        yields(*[{"method": "DOM.enable"}] * 2),
    ):
        with pytest.raises(InvalidParams):
            await session.execute(wrong)  # type: ignore[arg-type]
    assert "cdp-use" in (ROOT / "README.md").read_text("utf-8")
