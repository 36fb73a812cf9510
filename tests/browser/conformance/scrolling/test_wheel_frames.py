"""A wheel in a frame that has no room: what it moved around the frame is what is told."""

from __future__ import annotations

import pytest

from tests.support.oracle import PageOracle
from tests.support.stage import MakeStage

TALL_AROUND = "<div style='height:3000px'></div>"
FRAMED = ["same-process", "oopif"]


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_wheel_says_how_far_the_page_around_the_frame_went(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage("<button>x</button>", frame_kind, outer=TALL_AROUND)

    outcome = await stage.page.wheel(0, 25, await stage.id("button", "x"))

    assert await oracle.eval("scrollY") == 25
    assert (outcome.data["moved_y"], outcome.data["y"]) == (25, 25)
    assert outcome.data["box"] == "the document around the frame"
    assert not outcome.data["at_end"]


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_wheel_brings_its_frame_into_sight(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage("<button>x</button>", frame_kind, outer=TALL_AROUND)
    target = await stage.id("button", "x")
    await oracle.eval("scrollTo(0, 2000)")
    await stage.eval("window.turns = 0; addEventListener('wheel', () => turns += 1)")

    await stage.page.wheel(0, 20, target)

    assert await stage.eval("turns") == 1


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_scroll_of_a_frame_that_hears_the_wheel_says_what_moved_around_it(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage(
        "<button>x</button><script>addEventListener('wheel', () => {})</script>",
        frame_kind,
        outer=TALL_AROUND,
    )

    outcome = await stage.page.scroll("down", pixels=25, id=await stage.id("button", "x"))

    assert outcome.data["moved_y"] == await oracle.eval("scrollY")


@pytest.mark.parametrize("frame_kind", FRAMED)
async def test_a_wheel_with_room_in_the_frame_says_nothing_of_the_page_around_it(
    make_stage: MakeStage, oracle: PageOracle, frame_kind: str
) -> None:
    stage = await make_stage("<button>x</button>" + TALL_AROUND, frame_kind, outer=TALL_AROUND)

    outcome = await stage.page.wheel(0, 40, await stage.id("button", "x"))

    assert await stage.eval("scrollY") == 40
    assert await oracle.eval("scrollY") == 0
    assert (outcome.data["moved_y"], outcome.data["box"]) == (40, "the document")
