"""Clicks land on their targets, of any shape and place, in every kind of frame.

Each page has one `#target`. Whatever its shape, it gets exactly one press and one click,
and nothing else in the document gets any.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.browser.conformance.attempt import attempt, receipt_of
from tests.support.pages.press_log import CLICKED, presses, watched
from tests.support.stage import FRAME_KINDS, MakeStage

BIG = "width:100px;height:30px;padding:0;border:0"


def shape(name: str, body: str, *rows: str) -> object:
    return pytest.param(body, id=name, marks=[pytest.mark.row(*rows)] if rows else [])


def button(style: str, attributes: str = "") -> str:
    return f"<button id=target {attributes} style='{BIG};{style}'>Go</button>"


SHAPES = (
    shape("plain", button("")),
    shape("border and padding", button("border:11px solid;padding:9px;margin:13px")),
    shape("rotated", button("margin:100px;transform:rotate(60deg)"), "CLK-05"),
    shape("rotated half a turn", button("margin:100px;transform:rotate(180deg)")),
    shape("skewed", button("margin:100px;transform:skew(40deg, 10deg)")),
    shape("scaled down to four pixels", button("transform:scale(.04, .13)")),
    shape("mirrored", button("margin:50px;transform:scaleX(-1)")),
    shape(
        "in perspective",
        f"<div style='perspective:300px;padding:50px'>{button('transform:rotateY(50deg)')}</div>",
    ),
    shape("zoomed", f"<div style='zoom:1.7;padding:33px'>{button('zoom:.6')}</div>"),
    shape("offset-path", button('offset-path:path("M 200 100 L 300 200");offset-distance:50%')),
    shape("one pixel", button("position:absolute;left:77px;top:88px;width:1px;height:1px")),
    shape("fractional", button("margin:10.6px 20.3px;width:9.5px;height:3.4px")),
    shape("round", button("width:90px;height:90px;border-radius:50%")),
    shape("transparent", button("opacity:0"), "CLK-50"),
    shape(
        "svg circle",
        "<svg width=100 height=100><circle id=target cx=50 cy=50 r=40 onclick='0'/></svg>",
        "CLK-06",
    ),
    shape(
        "svg group of which the middle is empty",
        "<svg width=200 height=200><g id=target onclick='0'><rect width=50 height=50 />"
        "<rect x=130 y=130 width=50 height=50 /></g></svg>",
    ),
    shape(
        "svg ring",
        "<svg width=200 height=200><circle id=target cx=100 cy=100 r=80 fill=none stroke=black"
        " stroke-width=6 onclick='0'/></svg>",
    ),
    shape(
        "svg arc, thin and turned",
        "<svg width=300 height=300><g transform='translate(150,150) rotate(20)'><path id=target"
        " onclick='0' d='M0 -100 A100 100 0 0 1 71 71 L68 68 A96 96 0 0 0 0 -96 Z'/></g></svg>",
    ),
    # What stands in the middle acts for itself, and has an id of its own.
    shape(
        "card around a button",
        "<div id=target onclick='0' style='width:300px;height:100px;display:grid;"
        "place-items:center'><button id=delete>Delete</button></div>",
    ),
    shape(
        "link around a button",
        "<a id=target href='#x' style='display:block;width:300px;padding:40px 0;"
        "text-align:center'><button id=like>Like</button></a>",
    ),
    shape(
        "row around a link",
        "<table style='width:300px'><tr id=target tabindex=0 onclick='0'><td>One</td>"
        "<td><a id=open href='#x' style='display:block'>Open</a></td><td>Two</td></tr></table>",
    ),
    shape(
        "svg link around text",
        "<svg width=200 height=60><a id=target href='#x'><text x=20 y=40>away</text></a></svg>",
    ),
    shape(
        "svg under a viewBox",
        "<svg width=300 height=300 viewBox='0 0 10 10'>"
        "<rect id=target x=7 y=7 width=1 height=1 onclick='0'/></svg>",
    ),
    shape(
        "link over four lines",
        "<p id=around style='width:120px;font:16px/40px monospace'>Lorem ipsum "
        "<a id=target href='#x'>do sit am con adipi elit sed d</a> eiusmod tempor</p>",
    ),
    shape(
        "link over two columns",
        "<div id=around style='columns:2;width:400px;height:60px;font:16px/20px monospace'>"
        "one<br>two<br><a id=target href='#x'>three<br>four</a><br>five<br>six</div>",
    ),
    shape(
        "span with a child far away",
        "<span id=target onclick='0'><i style='position:absolute;top:-1000px'>away</i>"
        "<b>here</b></span>",
        "CLK-10",
    ),
    shape(
        "link around a float",
        "<a id=target href='#x'><span style='float:left;width:50px;height:50px'>x</span></a>",
    ),
    shape(
        "link around a block",
        "<a id=target href='#x'><div style='width:80px;height:40px'>x</div></a>",
    ),
    shape(
        "link half a pixel down",
        "<a id=target href='#x' style='display:block;margin-top:.5px;width:32px'>"
        "<div style='width:32px;height:32px'></div></a>",
        "CLK-24",
    ),
    shape(
        "half outside on the right", button("position:absolute;left:calc(100vw - 40px)"), "CLK-11"
    ),
    shape("half outside on the left", button("position:absolute;left:-60px")),
    shape("half above the page", button("position:absolute;top:-15px"), "CLK-27"),
    shape(
        "half above and the rest mostly left of the page",
        button("position:absolute;top:-20px;left:-90px"),
    ),
    shape(
        "child bigger than its button",
        button("margin:60px").replace("Go", "<span style='margin:-40px'>a long way round</span>"),
    ),
    shape(
        "contents",
        "<div style='height:2000px'></div>"
        "<button id=target style='display:contents'>click me</button>",
        "CLK-20",
    ),
    shape(
        "contents around a block",
        "<button id=target style='display:contents'><div>click me</div></button>",
        "CLK-21",
    ),
    shape(
        "contents in contents",
        "<a id=target href='#x' style='display:contents'>"
        "<span style='display:contents'><img width=40 height=40 alt=Go></span></a>",
    ),
    shape("clipped to a corner", button("clip-path:polygon(0 0, 30% 0, 0 60%)")),
    shape(
        "clipped by its parent",
        f"<div style='overflow:hidden;width:60px;height:12px'>{button('')}</div>",
    ),
    shape(
        "clipped by contain", f"<div style='contain:strict;width:9px;height:9px'>{button('')}</div>"
    ),
    shape("bigger than the screen", button("width:3000px;height:5000px")),
    shape(
        "in a table cell",
        "<table><tr><td>a<td id=target onclick='0'>b<td>c</table>",
    ),
    shape("vertical writing", f"<div style='writing-mode:vertical-rl'>{button('')}</div>"),
)


@pytest.mark.parametrize("body", SHAPES)
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_target_of_any_shape_gets_exactly_one_click(
    make_stage: MakeStage, frame_kind: str, body: str
) -> None:
    stage = await make_stage(watched(body), frame_kind)

    outcome = await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED
    assert outcome.success
    assert receipt_of(outcome).delivered


@pytest.mark.row("CLK-01")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_is_trusted_and_made_with_the_main_button(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(watched(button("")), frame_kind)
    target = await stage.id("button", "Go")

    outcome = await stage.page.click(target)

    click = await stage.eval("seen.filter(event => event.type === 'click')")
    assert [(e["on"], e["trusted"], e["button"], e["detail"]) for e in click] == [
        ("target", True, 0, 1)
    ]
    assert receipt_of(outcome).trusted
    assert receipt_of(outcome).target == target
    assert not receipt_of(outcome).default_prevented


@pytest.mark.row("CLK-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_is_in_the_middle(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched("<div id=target onclick='0' style='width:300px;height:300px'></div>"), frame_kind
    )

    await stage.page.click(await stage.css())

    clicks = await stage.eval("seen.filter(event => event.type === 'click')")
    assert [(click["x"], click["y"]) for click in clicks] == [(150, 150)]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_position_counts_from_the_target_s_corner(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched("<div id=target onclick='0' style='margin:40px;width:200px;height:100px'></div>"),
        frame_kind,
    )

    await stage.page.click(await stage.css(), position=(7, 90))

    clicks = await stage.eval("seen.filter(event => event.type === 'click')")
    assert [(click["x"], click["y"]) for click in clicks] == [(47, 130)]


@pytest.mark.row("CLK-08")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_link_over_two_lines_is_clicked_on_one_of_them(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        watched(
            "<p id=around style='width:120px;font:16px/20px monospace'>"
            "Lorem ip <a id=target href='#x'>do sit</a> amet consectetur</p>"
        ),
        frame_kind,
    )
    middle = """(() => {
      const box = document.querySelector('#target').getBoundingClientRect();
      return document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2).id;
    })()"""
    assert await stage.eval(middle) == "around", "the page does not show what it is for"

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED
    assert await stage.eval("location.hash") == "#x"


@pytest.mark.row("CLK-39")
@pytest.mark.parametrize("area", ["rect' coords='100,0,190,90", "circle' coords='150,50,30"])
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_the_second_area_of_an_image_map_is_followed(
    make_stage: MakeStage, frame_kind: str, area: str
) -> None:
    stage = await make_stage(
        watched(
            "<img usemap='#map' width=200 height=100 style='margin:20px' alt=map src='"
            "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>"
            "<map name=map><area id=first shape=rect coords='0,0,90,90' href='#first' alt=First>"
            f"<area id=target shape='{area}' href='#second' alt=Second></map>"
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("link", "Second"))

    assert await presses(stage) == CLICKED
    assert await stage.eval("location.hash") == "#second"


@pytest.mark.row("CLK-41")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_dense_screen_changes_nothing(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(
        watched(button("position:absolute;left:321px;top:123px;width:20px;height:20px")),
        frame_kind,
    )
    await stage.oracle.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 800, "height": 600, "deviceScaleFactor": 2, "mobile": False},
    )
    await stage.oracle.wait("devicePixelRatio === 2")

    await stage.page.click(await stage.css())

    assert await presses(stage) == CLICKED


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_page_pinched_larger_gets_its_click_on_the_target_or_none(
    make_stage: MakeStage, frame_kind: str
) -> None:
    """Chromium 156 doubles the coordinates of input on a frame's own session there: refusing is
    allowed in a frame of another process, a click at the wrong place is not."""
    stage = await make_stage(
        watched(button("position:absolute;left:221px;top:123px;width:20px;height:20px")),
        frame_kind,
    )
    await stage.oracle.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    await stage.oracle.wait("visualViewport.scale === 2")

    result = await attempt(stage.page.click(await stage.css(), timeout=1))

    if isinstance(result, CdpAgentError):
        assert frame_kind == "oopif"
        assert await presses(stage) == []
    else:
        assert await presses(stage) == CLICKED


@pytest.mark.row("CLK-43")
async def test_a_link_is_followed_where_no_script_may_run(make_stage: MakeStage) -> None:
    stage = await make_stage("<a href='?followed'>Next</a>")
    await stage.oracle.send("Emulation.setScriptExecutionDisabled", {"value": True})
    await stage.page.goto(stage.url)

    await stage.page.click(await stage.id("link", "Next"))

    assert (await stage.oracle.frame_urls())[0].endswith("?followed")
    await stage.oracle.send("Emulation.setScriptExecutionDisabled", {"value": False})
