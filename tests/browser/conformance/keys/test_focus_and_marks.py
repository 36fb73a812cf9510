"""Focus, the synthetic click that has to be asked for by name, and the box over an element."""

from __future__ import annotations

import asyncio
import base64

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

ACTIVE = "document.activeElement?.id"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_focus_goes_to_the_element(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        "<button id=b>B</button><input id=i aria-label=I>"
        "<script>window.log = []; i.onfocus = e => log.push(e.isTrusted)</script>",
        frame_kind,
    )

    outcome = await stage.page.focus(await stage.id("textbox", "I"))

    assert outcome.data["focused"] is True
    assert await stage.eval(ACTIVE) == "i"
    assert await stage.eval("log") == [True]
    await stage.page.press("x")
    assert await stage.eval("i.value") == "x"


NO_FOCUS = {
    "heading": ("<h1 onclick=''>It</h1>", "h1", "invalid_params"),
    "disabled": ("<button disabled>It</button>", "button", "element_disabled"),
    "taken away": ("<button onfocus='this.blur()'>It</button>", "button", "invalid_params"),
    "taken away later": (
        "<button onfocus='Promise.resolve().then(() => this.blur())'>It</button>",
        "button",
        "condition_failed",
    ),
}


@pytest.mark.parametrize(("html", "css", "code"), NO_FOCUS.values(), ids=NO_FOCUS.keys())
async def test_no_focus_is_an_error(make_stage: MakeStage, html: str, css: str, code: str) -> None:
    stage = await make_stage(html)

    with pytest.raises(CdpAgentError) as caught:
        await stage.page.focus(await stage.css(css), timeout=0.4)

    assert caught.value.code == code


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_synthetic_click_reaches_what_is_covered_and_says_that_it_is_one(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<button id=b>B</button><div id=cover style='position:fixed;inset:0'></div>"
        "<script>window.log = []; addEventListener('click', e => {"
        " log.push([e.target.id, e.isTrusted, e.bubbles]); e.preventDefault() })</script>",
        frame_kind,
    )

    outcome = await stage.page.send_click_event(await stage.id("button", "B"))

    assert await stage.eval("log") == [["b", False, True]]
    assert outcome.data["synthetic"] is True
    assert outcome.receipt is not None
    assert (outcome.receipt.trusted, outcome.receipt.default_prevented) == (False, True)
    await stage.eval("cover.remove()")


async def test_a_synthetic_click_on_a_disabled_button_is_refused(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<button disabled>B</button>")

    with pytest.raises(CdpAgentError) as caught:
        await page.send_click_event((await page.snapshot()).find("button").id, timeout=0.3)

    assert caught.value.code == "element_disabled"


async def test_a_synthetic_click_that_opens_a_dialog_returns_with_it(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<button onclick='confirm(1)'>B</button>")

    outcome = await page.send_click_event((await page.snapshot()).find("button").id)

    assert [(d.type, d.open) for d in outcome.dialogs] == [("confirm", True)]
    assert page.dialog is not None
    await page.dialog.accept()


async def picture(oracle: PageOracle) -> bytes:
    return base64.b64decode((await oracle.send("Page.captureScreenshot"))["data"])


async def changes(oracle: PageOracle, before: bytes) -> bytes:
    async with asyncio.timeout(5):
        while (after := await picture(oracle)) == before:
            pass
    return after


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_box_is_drawn_over_an_element_and_removed_again(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage("<button id=b>B</button>", frame_kind)
    button = await stage.id("button", "B")
    html = await stage.eval("document.documentElement.outerHTML")
    bare = await picture(stage.oracle)

    await stage.page.highlight(button, color="#ff0000")
    marked = await changes(stage.oracle, bare)
    assert await stage.eval("document.documentElement.outerHTML") == html
    await stage.page.click(button)  # the box is in nobody's way
    await stage.page.hide_highlight()
    await stage.page.hide_highlight()

    assert await changes(stage.oracle, marked) != marked


@pytest.mark.parametrize("color", ["red", "#12", 5])
async def test_a_box_wants_a_colour(page: Page, open_page: OpenPage, color: str) -> None:
    await open_page("<button>B</button>")

    with pytest.raises(CdpAgentError) as caught:
        await page.highlight((await page.snapshot()).find("button").id, color=color)

    assert caught.value.code == "invalid_params"
