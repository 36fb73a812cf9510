"""Clicks land on targets inside iframes: boxes, transforms, scrolling.

Each geometry is tried with a frame in the page's own process and with one in another
process, because Chromium maps their coordinates in different ways. The target is small and
everything around it records a miss.
"""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import CLICKED, FRAME_HOSTS, iframe, presses, target_page
from tests.support.site import Site
from tests.support.stage import OpenPage

INSIDE = "position:relative;border:2px solid;"
"""A frame in a target page: above its background, beside its button."""


def geometry(
    row: str | None, name: str, style: str, around: str = "{frame}", size: int = 2
) -> object:
    """One way to place an iframe: its style, what stands around it, the target's side in px."""
    marks = () if row is None else (pytest.mark.row(row),)
    return pytest.param(style, around, size, id=name, marks=marks)


GEOMETRIES = (
    geometry("IFR-01", "after-spacer", "", "<div style='width:100px;height:100px'></div>{frame}"),
    geometry(
        "IFR-02", "border-content-box", "margin:24px 33px;border:4px solid;box-sizing:content-box"
    ),
    geometry(
        "IFR-02", "border-border-box", "margin:24px 33px;border:4px solid;box-sizing:border-box"
    ),
    geometry("IFR-03", "padding-content-box", "padding-top:100px;box-sizing:content-box"),
    geometry("IFR-03", "padding-border-box", "padding-top:100px;box-sizing:border-box"),
    geometry(
        "IFR-04",
        "translate-scale-rotate3d",
        "transform:translate(100px,100px) scale(1.2) rotate3d(1,1,1,25deg)",
    ),
    geometry(
        "IFR-06",
        "scaled-wrapper",
        "",
        "<div style='transform:scale(.5);transform-origin:0 0'>{frame}</div>",
        size=8,
    ),
    geometry(
        "IFR-26",
        "svg-foreign-object",
        "",
        "<svg width=600 height=400><foreignObject x=70 y=35 width=500 height=350>{frame}"
        "</foreignObject></svg>",
    ),
    geometry(None, "border-image", "border:20px solid;border-image:linear-gradient(red,blue) 20"),
    geometry(None, "fractional-offset", "margin:10.4px 7.7px", size=4),
    geometry(None, "zoomed-iframe", "zoom:1.5", size=6),
    geometry(None, "zoomed-body", "", "<style>body{{zoom:.8}}</style>{frame}", size=6),
    geometry(None, "zoom-in-zoom", "zoom:2", "<div style='zoom:.6'>{frame}</div>", size=6),
    geometry(
        None,
        "rotated-wrapper-around-rotated-frame",
        "transform:rotate(20deg)",
        "<div style='transform:rotate(-35deg) scale(.8);margin:150px 0 0 100px'>{frame}</div>",
        size=6,
    ),
    geometry(
        None,
        "skewed",
        "transform:skewX(20deg);margin-left:80px",
        size=6,
    ),
    geometry(None, "mirrored", "transform:scaleX(-1)", size=6),
    geometry(
        None,
        "perspective",
        "transform:rotateY(30deg)",
        "<div style='perspective:800px'>{frame}</div>",
        size=8,
    ),
    geometry(None, "individual-transforms", "translate:40px 60px;rotate:15deg;scale:.9", size=6),
    geometry(None, "fixed", "position:fixed;right:20px;bottom:30px"),
    geometry(
        None, "right-to-left-page", "margin:15px", "<style>html{{direction:rtl}}</style>{frame}"
    ),
    geometry(
        None,
        "vertical-writing",
        "",
        "<style>html{{writing-mode:vertical-rl}}</style><p>before</p>{frame}",
    ),
    geometry(
        None,
        "modal-dialog",
        "",
        "<dialog id=d>{frame}</dialog><script>d.showModal()</script>",
    ),
    geometry(None, "multi-column", "height:200px", "<div style='columns:2'>text<br>{frame}</div>"),
    geometry(None, "content-visibility", "", "<div style='content-visibility:auto'>{frame}</div>"),
)


@pytest.mark.parametrize("host", FRAME_HOSTS)
@pytest.mark.parametrize(("style", "around", "size"), GEOMETRIES)
async def test_a_click_hits_a_small_target_wherever_the_iframe_is_put(
    page: Page,
    site: Site,
    oracle: PageOracle,
    open_page: OpenPage,
    style: str,
    around: str,
    size: int,
    host: str,
) -> None:
    child = site.page(target_page(size=size), host=host)
    await open_page(around.format(frame=iframe(child, name="subject", style=style)))
    target = (await page.snapshot()).find("button", "Target")

    outcome = await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert target.id.frame_index > 0
    assert outcome.receipt is not None
    assert outcome.receipt.delivered
    assert outcome.receipt.target == target.id


@pytest.mark.row("IFR-09")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_far_target_in_a_far_iframe_scrolls_the_frame_and_the_page(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(top=5000), host=host)
    await open_page(f"<div style='height:10000px'></div>{iframe(child, name='subject')}")
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert await oracle.eval("scrollY") > 9000
    assert await oracle.eval_in("subject", "scrollY") > 4000


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_target_in_a_scrolled_iframe_of_a_scrolled_page_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(left=700, top=900), host=host)
    await open_page(
        f"<div style='width:2000px;height:700px'></div>{iframe(child, name='subject')}"
        "<div style='height:3000px'></div>"
    )
    await oracle.eval("scrollTo(30, 500)")
    await oracle.eval_in("subject", "scrollTo(450, 750)")
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.row("IFR-27")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_the_box_of_an_element_in_a_frame_is_where_one_sees_it(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(left=90, top=420, size=30), host=host)
    await open_page(
        "<div style='height:350px'></div>"
        + iframe(child, name="subject", style="margin-left:55px;border:3px solid;padding:7px")
        + "<div style='height:3000px'></div>"
    )
    await oracle.eval("scrollTo(0, 200)")
    await oracle.eval_in("subject", "scrollTo(0, 300)")
    outer = await oracle.eval(
        "(({x, y}) => ({x, y}))(document.querySelector('iframe').getBoundingClientRect())"
    )
    inner = await oracle.eval_in(
        "subject", "(({x, y}) => ({x, y}))(target.getBoundingClientRect())"
    )

    box = (await page.snapshot()).find("button", "Target").bounds

    assert box is not None
    assert box.x == pytest.approx(outer["x"] + 10 + inner["x"], abs=1)
    assert box.y == pytest.approx(outer["y"] + 10 + inner["y"], abs=1)
    assert (box.width, box.height) == pytest.approx((30, 30), abs=1)


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_an_iframe_scrolled_out_of_an_overflow_container_is_scrolled_back(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(top=250), host=host)
    await open_page(
        "<div id=box style='height:200px;width:500px;overflow:auto'><div style='height:900px'>"
        f"</div>{iframe(child, name='subject')}<div style='height:900px'></div></div>"
    )
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert await oracle.eval("box.scrollTop") > 0


@pytest.mark.parametrize("host", FRAME_HOSTS)
@pytest.mark.parametrize(
    ("left", "top", "style"),
    [(2600, 50, "width:3000px"), (60, 2700, "height:3000px"), (2600, 2700, "width:99%")],
    ids=["wider", "taller", "scrolled-both-ways"],
)
async def test_a_target_far_inside_an_iframe_is_hit(
    page: Page,
    site: Site,
    oracle: PageOracle,
    open_page: OpenPage,
    left: int,
    top: int,
    style: str,
    host: str,
) -> None:
    child = site.page(target_page(left=left, top=top), host=host)
    await open_page(iframe(child, name="subject", style=style))
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_the_visible_part_of_a_target_cut_off_by_the_edge_of_its_frame_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    """A frame that does not scroll, on a page that does not: there is nowhere else to click."""
    child = site.page(
        target_page(left=380, size=300) + "<style>html { overflow: hidden }</style>", host=host
    )
    await open_page(
        iframe(child, name="subject", style="position:fixed;left:-20px;top:0", attrs="scrolling=no")
    )
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
@pytest.mark.parametrize("scale", [0.75, 2, 3])
async def test_a_target_in_a_frame_is_hit_at_any_device_scale(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, scale: float, host: str
) -> None:
    child = site.page(target_page(size=6), host=host)
    await open_page(iframe(child, name="subject", style="margin:33.3px"))
    await oracle.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": 800, "height": 600, "deviceScaleFactor": scale, "mobile": False},
    )
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


async def test_three_nested_frames_of_one_process_are_listed_and_hit_at_every_depth(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    third = site.page(target_page(size=2))
    second = site.page(
        target_page(left=300)
        + iframe(third, name="third", style=INSIDE + "margin:17px 23px;width:200px;height:150px")
    )
    first = site.page(
        target_page(left=370)
        + iframe(second, name="second", style=INSIDE + "margin:9px 3px;width:340px;height:240px")
    )
    await open_page(iframe(first, name="first", style="margin:40px 30px"))
    snap = await page.snapshot()

    for index in (1, 2, 3):
        await page.click(snap.find("button", "Target", frame=index).id)

    assert [frame.parent_index for frame in snap.frames] == [None, 0, 1, 2]
    for name in ("first", "second", "third"):
        assert await presses(oracle, name) == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_sticky_header_of_the_page_over_the_iframe_is_scrolled_away_from_the_target(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(top=10), host=host)
    await open_page(
        "<header id=header style='position:sticky;top:0;height:120px;background:#eee;z-index:1'>"
        f"</header>{iframe(child, name='subject')}<div style='height:3000px'></div>"
        "<script>document.querySelector('iframe').scrollIntoView()</script>"
    )
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
