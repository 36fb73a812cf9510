"""A release whose press went to a frame that still stood there reaches no element."""

from __future__ import annotations

import time

from cdp_agent import Page
from cdp_agent.act.input import inputs
from cdp_agent.act.stage import Stage
from cdp_agent.ids import ElementId
from cdp_agent.resolve.frame_point import Point
from tests.support.oracle import PageOracle
from tests.support.stage import OpenPage

PAGE = """<button id=b style="position:absolute;left:0;top:0;width:200px;height:100px">Send</button>
<script>
seen = [];
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
  b.addEventListener(type, () => seen.push(type));
</script>"""
WHOLE = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]


async def test_a_release_without_its_press_is_kept_from_the_page(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(PAGE)
    button = (await page.snapshot()).find("button", "Send").id
    stage = Stage(page._tab.target, page._tab.resolver, time.monotonic() + 5)
    live = await stage.resolve(ElementId.parse(button))
    guard = {"kind": "pointer", "token": stage.new_token(), "lifeMs": 5000}
    assert (await stage.prepare(live, {"timeoutMs": 3000, "guard": guard, "avoid": 0}))["ok"]

    # As when the compositor gave the press to a frame: only the rest of the gesture comes here.
    for kind in ("mouseMoved", "mouseReleased"):
        for reply in inputs.drag_event(live.session, kind, Point(50, 50), held=False):
            await reply
    assert await oracle.eval("seen") == []
    live.release()
    stage.disarm(live)
    assert (await page.click(button)).success

    assert await oracle.eval("seen") == WHOLE
