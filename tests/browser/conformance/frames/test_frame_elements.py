"""A frame that is named itself: what the pointer does there, its document takes."""

from __future__ import annotations

import pytest

from cdp_agent import ElementObscured, Page
from tests.support.oracle import PageOracle
from tests.support.pages.press_log import CLICKED, SEEN, watched
from tests.support.site import Site
from tests.support.stage import OpenPage

STYLE = "margin:30px 40px;border:7px solid;padding:5px 11px;width:300px;height:200px"
MIDDLE = (
    "<button id=target style='position:fixed;left:50%;top:50%;width:60px;height:40px;"
    "margin:-20px 0 0 -30px'>Go</button>"
)
HOSTS = {"same origin": "a.test", "another site": "b.test"}


async def shown(
    page: Page,
    oracle: PageOracle,
    site: Site,
    inner: str,
    host: str = "a.test",
    *,
    style: str = STYLE,
    around: str = "",
) -> str:
    """Open a page whose frame `stage` shows `inner`; the id of the iframe element."""
    url = site.page(inner, host=host)
    await page.goto(
        site.page(f"{around}<iframe id=frame name=stage src='{url}' style='{style}'></iframe>")
    )
    await oracle.wait_in("stage", "document.readyState === 'complete'")
    return await page.find({"css": "#frame"})


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_a_click_on_a_frame_is_of_the_element_in_its_middle(
    page: Page, oracle: PageOracle, site: Site, host: str
) -> None:
    frame = await shown(page, oracle, site, watched(MIDDLE), host)
    button = await page.find({"css": "#target"})

    done = await page.click(frame)

    assert await oracle.eval_in("stage", SEEN) == CLICKED
    assert done.receipt is not None
    assert done.receipt.target == button
    assert done.data["inside"].startswith('<button id="target"')


async def test_a_hover_on_a_frame_is_of_the_element_in_its_middle(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    script = "<script>target.onmouseenter = () => target.title = 'entered'</script>"
    frame = await shown(page, oracle, site, watched(MIDDLE + script))

    await page.hover(frame)

    assert await oracle.eval_in("stage", "target.title") == "entered"


@pytest.mark.parametrize(
    "frame",
    [
        "<iframe id=frame srcdoc='{}'></iframe>",
        "<iframe id=frame src='data:text/html,{}'></iframe>",
        "<object id=frame width=200 height=90 data='data:text/html,{}'></object>",
    ],
    ids=("srcdoc", "opaque origin", "object"),
)
async def test_every_kind_of_frame_takes_a_click(
    page: Page, open_page: OpenPage, frame: str
) -> None:
    button = '<button onclick="this.textContent += 1" style="position:fixed;inset:0">In</button>'
    await open_page(f"{frame.format(button)}<button>Out</button>")

    await page.click(await page.find({"css": "#frame"}))

    assert await page.find({"role": "button", "name": "In1", "exact": True})


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_a_position_in_a_frame_is_counted_from_inside_its_border(
    page: Page, oracle: PageOracle, site: Site, host: str
) -> None:
    frame = await shown(page, oracle, site, watched("<p>Text"), host)

    await page.click(frame, position=(41, 35))

    hit = "[seen.at(-1).x, seen.at(-1).y]"
    assert await oracle.eval_in("stage", hit) == [30, 30]


async def test_an_empty_document_takes_the_click_on_its_frame(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    frame = await shown(page, oracle, site, watched(""))

    await page.click(frame)

    assert await oracle.eval_in("stage", SEEN) == ["mousedown html", "mouseup html", "click html"]


async def test_a_frame_in_the_middle_of_a_frame_takes_the_click(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    inner = site.page(watched(MIDDLE), host="b.test")
    style = "position:fixed;left:0;top:0;width:100%;height:100%;border:0"
    nested = f"<iframe name=inner src='{inner}' style='{style}'></iframe>"
    frame = await shown(page, oracle, site, watched(nested))
    await oracle.wait_in("inner", "document.readyState === 'complete'")

    await page.click(frame)

    assert await oracle.eval_in("inner", SEEN) == CLICKED
    assert await oracle.eval_in("stage", SEEN) == []


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_a_frame_out_of_sight_is_scrolled_to(
    page: Page, oracle: PageOracle, site: Site, host: str
) -> None:
    around = "<div style='height:3000px'></div>"
    tall = "border:0;width:300px;height:2500px"
    frame = await shown(page, oracle, site, watched(MIDDLE), host, style=tall, around=around)

    await page.click(frame)

    assert await oracle.eval_in("stage", SEEN) == CLICKED


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_a_covered_frame_refuses_the_click(
    page: Page, oracle: PageOracle, site: Site, host: str
) -> None:
    cover = "<div id=cover style='position:fixed;inset:0;z-index:1'></div>"
    frame = await shown(page, oracle, site, watched(MIDDLE), host, around=cover)

    with pytest.raises(ElementObscured, match="cover"):
        await page.click(frame, timeout=0.5)

    assert await oracle.eval_in("stage", SEEN) == []


async def test_the_wheel_over_a_frame_scrolls_its_document(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    frame = await shown(page, oracle, site, watched("<div style='height:5000px'></div>"))

    done = await page.wheel(0, 120, frame)

    assert await oracle.eval_in("stage", "scrollY") == 120
    assert done.receipt is not None


async def test_a_drag_goes_from_one_frame_to_the_other(
    page: Page, oracle: PageOracle, site: Site
) -> None:
    carried = "<div id=card draggable=true style='position:fixed;inset:60px'>Card</div>"
    zone = (
        "<div id=zone style='position:fixed;inset:0'></div><script>window.got = '';"
        "zone.ondragover = e => e.preventDefault(); zone.ondrop = e => { window.got = 'drop' }"
        "</script>"
    )
    other = site.page(watched(zone))
    around = f"<iframe id=other name=other src='{other}' style='float:right'></iframe>"
    frame = await shown(page, oracle, site, watched(carried), around=around)

    done = await page.drag(frame, await page.find({"css": "#other"}))

    assert await oracle.eval_in("other", "got") == "drop"
    assert done.data["inside"].startswith('<div id="card"')


async def test_a_hover_may_hold_modifiers(page: Page, oracle: PageOracle, site: Site) -> None:
    script = "<script>onmousemove = e => { window.held = [e.altKey, e.shiftKey] }</script>"
    await page.goto(site.page(watched(MIDDLE + script)))

    await page.hover(await page.find({"css": "#target"}), modifiers=["Alt"])

    assert await oracle.eval("held") == [True, False]
