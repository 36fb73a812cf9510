"""An element that is found at a point of the viewport takes the pointer at that point."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage

PAD = """<div id=pad style='position:absolute;left:20px;top:10px;width:400px;height:300px;
  border:7px solid;background:silver;user-select:none'></div>
<script>
window.seen = [];
for (const type of ['click', 'mousemove', 'mousedown', 'mouseup'])
  pad.addEventListener(type, ({clientX, clientY}) => seen.push([type, clientX, clientY]));
</script>"""
#: Where the document of each kind of frame begins in the page's viewport.
CORNER = {"main": (0, 0), "same-process": (42, 32), "oopif": (42, 32)}


async def click_found(page: Page, x: float, y: float) -> None:
    await page.click(await page.find({"coordinates": f"{x},{y}"}))


async def click_step(page: Page, x: float, y: float) -> None:
    selector = {"coordinates": f"{x},{y}"}
    result = await page.act([{"action": "click", "params": {"selector": selector}}])
    assert result.success


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("click", [click_found, click_step])
async def test_a_click_lands_at_the_very_point(
    make_stage: MakeStage, frame_kind: str, click: Callable[..., Awaitable[Any]]
) -> None:
    stage = await make_stage(PAD, frame_kind)
    left, top = CORNER[frame_kind]

    await click(stage.page, left + 50, top + 40)

    assert await stage.eval("seen.filter(([type]) => type === 'click')") == [["click", 50, 40]]


async def test_hover_and_drag_go_to_the_very_points(
    make_stage: MakeStage, oracle: PageOracle
) -> None:
    stage = await make_stage(PAD)
    start, end = {"coordinates": "60,50"}, {"coordinates": "300,200"}

    hovered = await stage.page.act([{"action": "hover", "params": {"selector": start}}])
    seen = await stage.eval("seen.splice(0)")
    dragged = await stage.page.act(
        [{"action": "drag", "params": {"selector": start, "target": end}}]
    )

    assert hovered.success
    assert dragged.success
    assert seen[-1] == ["mousemove", 60, 50]
    presses = await stage.eval("seen.filter(([type]) => type !== 'mousemove')")
    assert presses[:2] == [["mousedown", 60, 50], ["mouseup", 300, 200]]


async def test_another_position_is_obeyed(make_stage: MakeStage) -> None:
    stage = await make_stage(PAD)
    found = await stage.page.find({"coordinates": "60,50"})

    await stage.page.click(found, position=(100, 90))

    assert await stage.eval("seen.findLast(([type]) => type === 'click')") == ["click", 127, 107]
