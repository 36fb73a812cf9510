"""The pointer without its button: hovering, and bringing a target into view."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.support.pages.press_log import presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"
MENU = """<style>
  #items { display:none; position:absolute; top:30px; left:0; width:200px }
  #menu:hover #items { display:block }
</style>
<div id=menu style='position:relative;width:100px;height:30px'>
  <button id=target style='width:100px;height:30px'>File</button>
  <div id=items><button id=open onclick='window.opened = true'>Open</button></div>
</div>"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_hovering_enters_the_target_and_presses_nothing(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            f"<div style='height:2000px'></div>{BUTTON}<script>window.log = [];"
            "for (const type of ['mouseover', 'mouseenter', 'mousemove'])"
            " target.addEventListener(type, event => log.push([type, event.buttons]))</script>"
        ),
        frame_kind,
    )

    outcome = await stage.page.hover(await stage.css())

    assert outcome.success
    assert await stage.eval("log") == [["mouseover", 0], ["mouseenter", 0], ["mousemove", 0]]
    assert await stage.eval("target.matches(':hover')") is True
    assert await presses(stage) == []


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_entry_of_a_menu_that_opens_under_the_pointer_can_be_clicked(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(MENU), frame_kind)
    await stage.page.hover(await stage.css())

    await stage.page.click(await stage.id("button", "Open"))

    assert await stage.eval("window.opened") is True


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_covered_target_is_not_hovered(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched(f"{BUTTON}<div id=cover style='position:absolute;inset:0'></div>"), frame_kind
    )

    with pytest.raises(CdpAgentError) as refused:
        await stage.page.hover(await stage.css(), timeout=0.4)

    assert refused.value.code == "element_obscured"
    assert await stage.eval("target.matches(':hover')") is False


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_target_is_scrolled_into_view_once_and_then_left_there(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(f"<div style='height:3000px'></div>{BUTTON}<div style='height:3000px'></div>"),
        frame_kind,
    )
    target = await stage.css()

    await stage.page.scroll_into_view(target)
    box = "target.getBoundingClientRect()"
    assert await stage.eval(f"{box}.top >= 0 && {box}.bottom <= innerHeight")
    at = await stage.eval("scrollY")
    assert at > 0

    await stage.page.scroll_into_view(target)
    assert await stage.eval("scrollY") == at
    assert await presses(stage) == []
