"""Drags that begin at a point: of an element, or of the viewport."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# A canvas that draws where the pressed mouse goes.
CANVAS = """<body style="margin:0"><canvas id=map width=300 height=200 tabindex=0 role=img
  aria-label=Map style="margin:20px"></canvas><script>window.log = [];
for (const type of ['mousedown', 'mouseup']) map.addEventListener(type, e =>
  log.push([type, e.offsetX, e.offsetY, e.isTrusted]));
</script>"""


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_drag_begins_at_a_point_of_the_element(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(CANVAS, frame_kind)

    outcome = await stage.page.drag(await stage.id("image", "Map"), at=(30, 40), by=(100, -20))

    assert await stage.eval("log") == [["mousedown", 30, 40, True], ["mouseup", 130, 20, True]]
    assert outcome.data["kind"] == "mouse"


async def test_a_drag_begins_at_a_point_of_the_viewport(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(CANVAS)

    outcome = await page.drag(None, at=(50, 60), by=(100, 10))

    assert await oracle.eval("log") == [["mousedown", 30, 40, True], ["mouseup", 130, 50, True]]
    assert outcome.data["source"] == '<canvas id="map" role="img">'
    assert outcome.receipt is not None
    assert outcome.receipt.trusted


async def test_a_point_on_a_border_is_pressed_there(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(CANVAS.replace("margin:20px", "margin:20px;border:9px solid"))

    await page.drag(None, at=(50, 60), by=(100, 10))

    assert await oracle.eval("log") == [["mousedown", 21, 31, True], ["mouseup", 121, 41, True]]


async def test_a_point_of_the_viewport_may_be_in_a_frame(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<body style='margin:0'><iframe style='margin:10px;border:5px solid;width:400px;"
        'height:300px\' srcdoc=\'<body style="margin:0"><p id=it style="margin:0;width:200px;'
        "height:200px\">It</p>'></iframe><script>window.log = [];"
        "document.querySelector('iframe').onload = e => { const d = e.target.contentDocument;"
        " for (const type of ['mousedown', 'mouseup']) d.addEventListener(type, e =>"
        " log.push([type, e.clientX, e.clientY])) }</script>"
    )
    await page.wait_for(text="It")

    await page.drag(None, at=(45, 55), by=(30, 40))

    assert await oracle.eval("log") == [["mousedown", 30, 40], ["mouseup", 60, 80]]


async def test_a_point_on_a_line_of_a_drawing_is_dragged_in_the_drawing(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<body style='margin:0'><svg width=300 height=200><g><line x1=50 y1=0 x2=50 y2=200"
        " stroke=red stroke-width=4 /><line x1=0 y1=60 x2=300 y2=60 stroke=red /></g></svg><script>"
        "window.log = []; for (const type of ['mousedown', 'mouseup'])"
        " document.addEventListener(type, e => log.push([type, e.clientX, e.clientY]))</script>"
    )

    await page.drag(None, at=(50, 60), by=(30, 40))

    assert await oracle.eval("log") == [["mousedown", 50, 60], ["mouseup", 80, 100]]


REFUSED = {
    "outside the viewport": ({"at": (5000, 10), "by": (1, 1)}, "element_not_visible"),
    "no beginning": ({"by": (1, 1)}, "invalid_params"),
    "no way to go": ({"at": (10, 10)}, "invalid_params"),
    "no numbers": ({"at": ("a", 1), "by": (1, 1)}, "invalid_params"),
}


@pytest.mark.parametrize(("how", "code"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_drag_from_nowhere_is_refused(
    page: Page,
    oracle: PageOracle,
    open_page: OpenPage,
    how: dict[str, tuple[float, float]],
    code: str,
) -> None:
    await open_page(CANVAS)

    with pytest.raises(CdpAgentError) as caught:
        await page.drag(None, **how)  # type: ignore[arg-type]  # some are wrong on purpose

    assert caught.value.code == code
    assert await oracle.eval("log") == []
