"""Targets that a pointer meets in a way of their own: image maps, pseudo-elements, groups."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import CLICKED, frames_pass, presses, watched
from tests.support.stage import MakeStage, OpenPage

IMAGE = (
    "<img id=target usemap='#map' width=200 height=100 src='data:image/svg+xml,<svg"
    ' xmlns="http://www.w3.org/2000/svg"/>\'><map name=map>{}</map>'
)


async def test_an_image_whose_area_is_all_of_it_is_clicked_there(make_stage: MakeStage) -> None:
    area = "<area id=area href='#there' coords='0,0,200,100'>"
    before = "<img usemap='#map' width=40 height=20>"  # of the same map
    stage = await make_stage(watched(before + IMAGE.format(area)))

    await stage.page.click(await stage.page.find({"css": "#target"}))

    assert await presses(stage) == ["mousedown area", "mouseup area", "click area"]
    assert await stage.eval("location.hash") == "#there"


async def test_an_image_with_an_area_in_its_middle_is_clicked_beside_that(
    make_stage: MakeStage,
) -> None:
    area = "<area id=area href='#there' coords='80,30,120,70'>"
    stage = await make_stage(watched(IMAGE.format(area)))

    await stage.page.click(await stage.page.find({"css": "#target"}))

    assert await presses(stage) == CLICKED


async def test_a_position_may_be_of_what_css_adds_to_an_element_without_a_size(
    make_stage: MakeStage,
) -> None:
    style = (
        "<style>#target { position: absolute; width: 0; height: 0 }"
        " #target::before { content: ''; position: absolute; left: 30px; top: 40px;"
        " width: 50px; height: 50px; background: gold }</style>"
    )
    stage = await make_stage(watched("<div id=target></div>", style))

    await stage.page.click(await stage.page.find({"css": "#target"}), position=(50, 60))

    assert await presses(stage) == CLICKED


async def test_a_disabled_group_is_no_disabled_control(make_stage: MakeStage) -> None:
    group = "<fieldset id=target disabled style='height:80px'><legend>Group</legend></fieldset>"
    stage = await make_stage(watched(group))

    await stage.page.click(await stage.page.find({"css": "#target"}))

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("field", ["", "<input id=field autofocus>"], ids=["nothing", "a field"])
async def test_a_key_on_a_frame_is_for_what_has_the_focus_in_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, field: str
) -> None:
    await open_page(
        f"<input id=outer><iframe id=frame srcdoc='<body>{field}'></iframe><script>"
        "window.log = []; onkeydown = e => log.push('outer');"
        "frame.onload = () => { frame.contentWindow.onkeydown = e => log.push(e.key) }</script>"
    )
    await frames_pass(oracle)
    await page.press("Tab")
    await oracle.eval("outer.focus()")

    outcome = await page.press("Escape", await page.find({"css": "#frame"}))

    assert await oracle.eval("log.slice(1)") == ["Escape"]
    assert outcome.receipt is not None
