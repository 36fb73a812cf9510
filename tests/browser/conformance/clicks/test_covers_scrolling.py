"""Covers that stay while the page scrolls: the target is brought out from under them."""

from __future__ import annotations

import asyncio

import pytest

from cdp_agent import CdpAgentError
from tests.support.pages.press_log import CLICKED, frames_pass, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='display:block;height:30px'>Go</button>"
ROWS = "".join(f"<p style='margin:0;height:30px'>row {number}</p>" for number in range(60))


def layout(name: str, body: str, start: str, *rows: str) -> object:
    """`start` scrolls the page so that the target is hidden when the click begins."""
    return pytest.param(body, start, id=name, marks=[pytest.mark.row(*rows)] if rows else [])


def fixed(style: str) -> str:
    return f"<div id=cover style='position:fixed;left:0;right:0;background:pink;{style}'>bar</div>"


UNDER = "scrollTo(0, target.getBoundingClientRect().top + scrollY - 20)"
TO_BOTTOM = "scrollTo(0, target.getBoundingClientRect().bottom + scrollY - innerHeight + 5)"
LAYOUTS = (
    layout(
        "under a fixed header of two thirds",
        f"{fixed('top:0;height:66vh')}{ROWS}{BUTTON}{ROWS}",
        UNDER,
        "OVL-04",
    ),
    layout(
        "below, where the middle is under the header",
        f"{fixed('top:0;height:66vh')}{ROWS}{BUTTON}{ROWS}",
        "scrollTo(0, 0)",
    ),
    layout(
        "under a fixed footer", f"{fixed('bottom:0;height:60px')}{ROWS}{BUTTON}{ROWS}", TO_BOTTOM
    ),
    layout(
        "under a fixed footer of two thirds",
        f"{fixed('bottom:0;height:66vh')}{ROWS}{BUTTON}{ROWS}",
        TO_BOTTOM,
    ),
    layout(
        "between a header and a footer",
        f"{fixed('top:0;height:45vh')}{fixed('bottom:0;height:40vh').replace('cover', 'foot')}"
        f"{ROWS}{BUTTON}{ROWS}",
        UNDER,
    ),
    layout(
        "under a fixed side bar",
        f"{fixed('top:0;bottom:0;right:auto;width:60vw')}"
        f"<div style='width:5000px;padding-left:2000px'>{BUTTON}</div>",
        "scrollTo(target.getBoundingClientRect().left + scrollX - 20, 0)",
    ),
    layout(
        "under a header that lies over a scrolled box",
        "<div id=cover style='position:absolute;left:0;right:20px;top:0;height:120px;z-index:1;"
        "background:pink'>bar</div>"
        f"<div id=box style='height:100vh;overflow:auto'>{ROWS}{BUTTON}{ROWS}</div>",
        "box.scrollTop = target.offsetTop - 40",
        "OVL-05",
    ),
    layout(
        "a row under a sticky table header",
        "<div id=box style='height:200px;overflow:auto'><table>"
        "<thead style='position:sticky;top:0;background:pink'><tr><th id=cover height=80>Head"
        "</thead><tbody>"
        + "<tr><td height=30>row" * 30
        + "<tr><td id=target onclick='0' height=30>this"
        + "<tr><td height=30>row" * 30
        + "</table></div>",
        "box.scrollTop = target.offsetTop - 20",
        "OVL-07",
    ),
    layout(
        "under a header in a page that scrolls smoothly",
        f"<style>html {{ scroll-behavior:smooth }}</style>{fixed('top:0;height:66vh')}"
        f"{ROWS}{BUTTON}{ROWS}",
        "scrollTo({top: target.getBoundingClientRect().top + scrollY - 20, behavior: 'instant'})",
    ),
)


@pytest.mark.parametrize(("body", "start"), LAYOUTS)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_target_is_scrolled_out_from_under_a_bar(
    make_stage: MakeStage, frame_kind: str, body: str, start: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)
    target = await stage.css()
    await stage.eval(start)
    await frames_pass(stage)

    await stage.page.click(target)

    assert await presses(stage) == CLICKED


@pytest.mark.row("OVL-04")
async def test_a_target_is_scrolled_out_from_under_a_header_of_a_small_screen(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(watched(f"{fixed('top:0;height:160px')}{ROWS}{BUTTON}{ROWS}"))
    await stage.oracle.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 500, "height": 240, "deviceScaleFactor": 1, "mobile": False},
    )
    await stage.wait("innerWidth === 500 && innerHeight === 240")
    target = await stage.css()
    await stage.eval(UNDER)

    await stage.page.click(target)

    assert await presses(stage) == CLICKED


@pytest.mark.row("OVL-06")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_bar_over_everything_is_an_error_in_bounded_time(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(f"{fixed('top:0;height:2000px')}{ROWS}{BUTTON}{ROWS}"), frame_kind
    )
    target = await stage.css()

    async with asyncio.timeout(2):
        with pytest.raises(CdpAgentError) as refused:
            await stage.page.click(target, timeout=1)

    assert refused.value.code == "element_obscured"
    assert await stage.ref("#cover") in refused.value.message
    assert await presses(stage) == []


@pytest.mark.row("OVL-08")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_link_under_a_fixed_footer_is_followed(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"{fixed('bottom:0;height:50px')}{ROWS}<a id=target href='#there'>Imprint</a>"
            "<div style='height:50px'></div>"
        ),
        frame_kind,
    )
    target = await stage.id("link", "Imprint")
    await stage.eval(TO_BOTTOM)
    await frames_pass(stage)

    await stage.page.click(target)

    assert await presses(stage) == CLICKED
    assert await stage.eval("location.hash") == "#there"
