"""Scrolling: the box that was meant moves, no other does, and the answer is where it rests.

`scroll` turns a real wheel over the box. A place (top, bottom, a percentage) is gone to by script,
as by the thumb of a scrollbar. What a page prevents is no error: `data` says that nothing moved.
"""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

TALL = "<body style='margin:0'><div style='height:5000px;width:3000px'>tall</div>"
BOX = (
    "<div id=target tabindex=0 role=group aria-label=Box"
    " style='width:200px;height:100px;overflow:auto{style}'>"
    "<div style='height:1000px;width:900px'>inside</div></div>"
)
PLACE = "[Math.round(scrollX), Math.round(scrollY)]"
BOX_PLACE = "[Math.round(target.scrollLeft), Math.round(target.scrollTop)]"


@pytest.mark.row("SCR-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("verb", ["wheel", "scroll"])
async def test_the_page_scrolls_by_a_thousand_pixels(
    page: Page, make_stage: MakeStage, frame_kind: str, verb: str
) -> None:
    stage = await make_stage(
        "<button id=target>Top</button>"
        + TALL
        + "<script>window.seen = []; addEventListener('wheel', e => seen.push("
        "[e.deltaX, e.deltaY, e.isTrusted]))</script>",
        frame_kind,
    )
    id = None if frame_kind == "main" else await stage.css()

    if verb == "wheel":
        outcome = await page.wheel(0, 1000, id)
    else:
        outcome = await page.scroll("down", pixels=1000, id=id)

    assert await stage.eval(PLACE) == [0, 1000]
    assert await stage.eval("seen") == [[0, 1000, True]]
    assert outcome.data["y"] == outcome.data["moved_y"] == 1000
    assert outcome.receipt is not None
    assert outcome.receipt.events == ("wheel",)


STEPS = {
    "a page down": (("down", {}), "[0, innerHeight]"),
    "half a page down": (("down", {"amount": "half"}), "[0, innerHeight / 2]"),
    "to the right": (("right", {"pixels": 300}), "[300, 0]"),
    "to the bottom": (("bottom", {}), "[0, 5000 - document.documentElement.clientHeight]"),
    "up at the top": (("up", {}), "[0, 0]"),
}


@pytest.mark.parametrize(("step", "place"), STEPS.values(), ids=STEPS.keys())
async def test_the_answer_is_where_the_page_stands(
    page: Page, oracle: PageOracle, open_page: OpenPage, step: Any, place: str
) -> None:
    # Without scrollbars a page is exactly as high as the window.
    await open_page("<style>::-webkit-scrollbar { display: none }</style>" + TALL)

    outcome = await page.scroll(step[0], **step[1])

    where = await oracle.eval(PLACE)
    assert where == await oracle.eval(place)
    assert [outcome.data["x"], outcome.data["y"]] == where
    assert outcome.data["at_end"] is (step[0] == "bottom")
    assert outcome.data["max_y"] == await oracle.eval(
        "5000 - document.documentElement.clientHeight"
    )


@pytest.mark.row("SCR-03")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("height", [5000, 10], ids=["long page", "short page"])
async def test_a_page_that_prevents_the_wheel_stays_where_it_is(
    make_stage: MakeStage, frame_kind: str, height: int
) -> None:
    stage = await make_stage(
        f"<button>x</button><div style='height:{height}px'></div><script>window.seen = [];"
        "addEventListener('wheel', e => { e.preventDefault(); seen.push(e.deltaY) },"
        "{passive: false})</script>",
        frame_kind,
    )
    target = await stage.id("button", "x")

    outcome = await stage.page.scroll("down", pixels=120, id=target)

    assert await stage.eval("seen") == [120]
    assert await stage.eval(PLACE) == [0, 0]
    assert outcome.data["prevented"]
    assert outcome.data["moved_y"] == 0


@pytest.mark.row("SCR-04", "SCR-05")
@pytest.mark.parametrize("frame_kind", ["same-process", "oopif"])
async def test_only_the_frame_scrolls(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage(
        "<button>x</button><div style='height:3000px'></div>",
        frame_kind,
        outer="<div style='height:3000px'></div><script>document.querySelector('iframe').style"
        ".height = '300px'; document.body.style.paddingTop = '200px'; scrollTo(0, 100)</script>",
    )
    await oracle.wait("scrollY === 100")
    target = await stage.id("button", "x")

    await stage.page.scroll("down", pixels=500, id=target)

    assert await stage.eval(PLACE) == [0, 500]
    assert await oracle.eval(PLACE) == [0, 100]
    # At its end the frame does not hand the wheel on.
    await stage.page.scroll("bottom", id=target)
    outcome = await stage.page.scroll("down", id=target)
    assert outcome.data["at_end"]
    assert outcome.data["moved_y"] == 0
    assert await oracle.eval(PLACE) == [0, 100]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_only_the_box_scrolls(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(BOX.format(style="") + TALL, frame_kind)
    target = await stage.css()

    outcome = await stage.page.scroll("down", id=target)

    assert await stage.eval(BOX_PLACE) == [0, outcome.data["y"]]
    assert 50 < outcome.data["y"] < 101
    await stage.page.scroll("right", pixels=70, id=target)
    assert await stage.eval(BOX_PLACE) == [70, outcome.data["y"]]
    assert await stage.eval(PLACE) == [0, 0]
