"""Targets out of view are scrolled into it; those in view stay where they are."""

from __future__ import annotations

import pytest

from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BUTTON = "<button id=target style='width:100px;height:30px'>Go</button>"


def place(name: str, body: str, moved: str, *rows: str) -> object:
    """`moved` is true in the page once it was scrolled as the row wants."""
    return pytest.param(body, moved, id=name, marks=[pytest.mark.row(*rows)] if rows else [])


def scroller(name: str, content: str, style: str = "") -> str:
    return (
        f"<div id={name} style='overflow:auto;width:300px;height:200px;{style}'>"
        f"<div style='height:900px'></div>{content}<div style='height:900px'></div></div>"
    )


FAR = (
    place(
        "below",
        f"<div style='height:5000px'></div>{BUTTON}<div style='height:5000px'></div>",
        "scrollY > 4000",
        "CLK-13",
    ),
    place("at the very end", f"<div style='height:5000px'></div>{BUTTON}", "scrollY > 4000"),
    place(
        "to the right",
        f"<div style='width:9000px;padding-left:5000px'>{BUTTON}</div>",
        "scrollX > 4000",
    ),
    place(
        "to the left of a right-to-left page",
        "<style>html { direction:rtl }</style>"
        f"<div style='width:9000px;padding-right:5000px'>{BUTTON}</div>",
        "scrollX < -4000",
    ),
    place(
        "below in a page that scrolls smoothly",
        "<style>html { scroll-behavior:smooth }</style>"
        f"<div style='height:5000px'></div>{BUTTON}<div style='height:5000px'></div>",
        "scrollY > 4000",
    ),
    place(
        "in boxes in each other",
        "<div style='height:1500px'></div>" + scroller("outer", scroller("inner", BUTTON)),
        "outer.scrollTop > 0 && inner.scrollTop > 0 && scrollY > 0",
        "CLK-18",
    ),
    place(
        "in a box that a person cannot scroll",
        scroller("box", BUTTON, "overflow:hidden"),
        "box.scrollTop > 0",
    ),
    place(
        "in a box that scrolls smoothly",
        scroller("box", BUTTON, "scroll-behavior:smooth"),
        "box.scrollTop > 0",
    ),
    place(
        "in a box that snaps",
        "<div id=box style='overflow:auto;width:300px;height:200px;scroll-snap-type:y mandatory'>"
        + "<p style='height:200px;margin:0;scroll-snap-align:start'>page</p>" * 5
        + f"<p style='height:200px;margin:0;scroll-snap-align:start'>{BUTTON}</p></div>",
        "box.scrollTop >= 900",
    ),
    place(
        "in a box that is itself transformed",
        scroller("box", BUTTON, "transform:rotate(20deg) scale(.8);margin:60px"),
        "box.scrollTop > 0",
    ),
    place(
        "left out of layout until it is near",
        "<div style='height:5000px'></div>"
        f"<div style='content-visibility:auto;contain-intrinsic-size:1px 500px'>{BUTTON}</div>",
        "scrollY > 4000",
    ),
)


@pytest.mark.parametrize(("body", "moved"), FAR)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_target_out_of_view_is_scrolled_to_and_clicked_once(
    make_stage: MakeStage, frame_kind: str, body: str, moved: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED
    assert await stage.eval(moved)


@pytest.mark.row("CLK-16")
@pytest.mark.parametrize("peek", [1, 5, 9])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_block_that_peeks_in_at_the_bottom_is_clicked_once(
    make_stage: MakeStage, frame_kind: str, peek: int
) -> None:
    stage = await make_stage(
        watched(
            f"<div style='height:calc(100vh - {peek}px)'></div>"
            "<div id=target onclick='0' style='height:100px'>block</div>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_block_that_peeks_in_and_cannot_be_scrolled_to_is_clicked_in_its_strip(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<div id=target onclick='0' "
            "style='position:fixed;top:calc(100vh - 4px);width:200px;height:100px'>block</div>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.row("CLK-17")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_what_is_in_view_is_not_scrolled(make_stage: MakeStage, frame_kind: str) -> None:
    items = "".join(f"<li>{number}</li>" for number in range(60))
    stage = await make_stage(
        watched(
            "<ul id=list style='overflow:auto;height:150px;margin:0;line-height:20px'>"
            f"<li>first</li><li id=target onclick='0'>second</li>{items}</ul>"
            "<div style='height:3000px'></div>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED
    assert await stage.eval("[list.scrollTop, scrollY]") == [0, 0]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_position_out_of_view_is_scrolled_to(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<div id=target onclick='0' style='width:200px;height:4000px'>tall</div>"),
        frame_kind,
    )

    await stage.page.click(await stage.css(), position=(20, 3500))

    assert await presses(stage) == CLICKED
    click = await stage.eval("({y: seen[2].y + scrollY, x: seen[2].x + scrollX})")
    assert click == {"x": 20, "y": 3500}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_fights_scrolling_gets_a_click_on_the_target_or_none(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """The page jumps back once; the engine has to look again before it presses."""
    stage = await make_stage(
        watched(
            f"<div style='height:3000px'></div>{BUTTON}<div style='height:3000px'></div><script>"
            "addEventListener('scroll', () => scrollTo(0, 0), {once: true})</script>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_that_scrolls_by_itself_for_a_while_is_waited_for(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<button id=target>Go</button><div style='height:3000px'></div>"
            "<script>function scrollForAWhile() { const end = performance.now() + 700;"
            "(function step() { scrollTo(0, 900);"
            "if (performance.now() < end) requestAnimationFrame(step) })() }</script>"
        ),
        frame_kind,
    )
    target = await stage.css()
    await stage.eval("scrollForAWhile()")

    await stage.page.click(target)

    assert await presses(stage) == CLICKED
