"""Scrollers of many kinds are found, moved, and waited for until they rest."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from cdp_agent import Browser, CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

TALL = "<div style='height:3000px'>tall</div>"
PLACE = "[Math.round(scrollX), Math.round(scrollY)]"
TOP = "Math.round(target.scrollTop)"


@pytest.mark.row("SCR-07")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_snapping_box_is_waited_for_until_it_rests_on_a_panel(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<div id=target tabindex=0 style='width:300px;height:200px;overflow-x:auto;display:flex;"
        "scroll-snap-type:x mandatory'>"
        + "<div style='flex:none;width:300px;scroll-snap-align:start'>panel</div>" * 3
        + "</div>",
        frame_kind,
    )

    outcome = await page.scroll("right", pixels=200, id=await stage.css())

    assert outcome.data["x"] == 300
    assert await stage.eval("target.scrollLeft") == 300


async def test_a_smooth_scroll_is_over_when_the_call_returns(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(f"<style>html {{ scroll-behavior: smooth }}</style>{TALL}")

    down = await page.scroll("down", pixels=900)
    at = await oracle.eval("scrollY")
    end = await page.scroll("bottom")

    assert down.data["y"] == at == 900
    assert end.data["at_end"]
    assert end.data["y"] == await oracle.eval("scrollY")


@pytest.mark.row("SCR-08")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_list_that_grows_at_its_end_is_read_on_and_on(
    page: Page, make_stage: MakeStage, site: Site, frame_kind: str
) -> None:
    site.page("ok", path="/more-rows")
    stage = await make_stage(
        "<ul id=list></ul><script>let next = 1, busy = false; const add = () => {"
        " for (let i = 0; i < 20; i++) { const b = document.createElement('button');"
        " b.textContent = 'Item ' + next++; b.style.cssText = 'display:block;height:60px';"
        " list.append(b) } };"
        "add(); addEventListener('scroll', async () => {"
        " if (busy || scrollY + innerHeight < document.documentElement.scrollHeight - 200) return;"
        " busy = true; await fetch('/more-rows'); add(); busy = false })</script>",
        frame_kind,
    )
    first = await stage.id("button", "Item 1", nth=0)
    seen = {button.id for button in (await page.snapshot()).find_all("button")}
    for _ in range(3):
        await page.scroll("bottom", id=None if frame_kind == "main" else first)
        now = {button.id for button in (await page.snapshot()).find_all("button")}
        assert now > seen
        seen = now

    assert len(seen) == 80


@pytest.mark.row("SCR-09")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_row_of_a_virtualised_list_is_scrolled_to_and_clicked(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    """As clusterize.js does it: 200 rows around the view are there, the rest is a height."""
    stage = await make_stage(
        "<div id=target tabindex=0 style='height:300px;overflow:auto'><div id=inner"
        " style='position:relative;height:400000px'></div></div><script>window.hit = 0;"
        "let drawn = -1; function draw() { const cluster = Math.floor(target.scrollTop / 3000);"
        " if (cluster === drawn) return; drawn = cluster;"
        " inner.replaceChildren(...Array.from({length: 200}, (_, i) => {"
        "  const b = document.createElement('button'); const n = cluster * 150 + i;"
        "  b.textContent = 'row ' + n; b.onclick = () => { hit = n };"
        "  b.style.cssText = `position:absolute;height:20px;top:${n * 20}px`; return b })) }"
        "draw(); target.onscroll = draw</script>",
        frame_kind,
    )
    box = await stage.css()

    await page.scroll("down", pixels=98_000, id=box)
    for _ in range(20):
        rows = (await page.snapshot()).find_all("button", "row 5000", exact=True)
        if rows:
            break
        await page.next_chunk(id=box)
    await page.click(rows[0].id)

    assert await stage.eval("hit") == 5000


@pytest.mark.row("SCR-10")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("verb", ["wheel", "scroll"])
async def test_a_disabled_textarea_scrolls(
    make_stage: MakeStage, frame_kind: str, verb: str
) -> None:
    stage = await make_stage(
        "<textarea id=target disabled rows=4 aria-label=Terms></textarea><button id=ok disabled>Ok"
        "</button><script>target.value = 'terms\\n'.repeat(200); target.onscroll = () => {"
        " if (target.scrollTop + target.clientHeight >= target.scrollHeight - 1)"
        "  ok.disabled = false }</script>",
        frame_kind,
    )
    target = await stage.css()

    outcome = await (
        stage.page.wheel(0, 10_000, target)
        if verb == "wheel"
        else stage.page.scroll("down", pixels=10_000, id=target)
    )

    assert not await stage.eval("ok.disabled")
    assert outcome.data["at_end"]


@pytest.mark.row("SCR-12")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_an_element_far_down_is_brought_into_view(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        "<div style='height:10000px'></div><span id=target tabindex=0>here</span>" + TALL,
        frame_kind,
    )

    await page.scroll_into_view(await stage.css())

    assert await stage.eval("scrollY") > 9000


MAIN_BOXES = {
    "a box in a page that does not scroll": (
        "<style>html, body { margin: 0; height: 100%; overflow: hidden }</style><nav style='float:"
        "left;width:200px;height:100%;overflow:auto'><div style='height:4000px'>nav</div></nav>"
        "<main id=target style='height:100%;overflow:auto'><div style='height:4000px'></div></main>"
    ),
    "a body that scrolls itself": (
        "<!doctype html><title>t</title><style>html { height: 100%; overflow: hidden } body {"
        " margin: 0; height: 100%; overflow: auto }</style><body id=target>" + TALL
    ),
    "a modal dialog": (
        "<dialog id=dialog><div id=target style='height:300px;overflow:auto'>"
        + TALL
        + "</div></dialog>"
        + TALL
        + "<script>dialog.showModal()</script>"
    ),
    "a reversed column": (
        "<style>body { margin: 0; overflow: hidden }</style><div id=target style='height:500px;"
        "overflow:auto;display:flex;flex-direction:column-reverse'>"
        "<div style='flex:none;height:4000px'>chat</div></div>"
    ),
}


@pytest.mark.parametrize("html", MAIN_BOXES.values(), ids=MAIN_BOXES.keys())
async def test_the_page_is_what_fills_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, html: str
) -> None:
    await open_page(html)
    way, sign = ("up", -1) if "reverse" in html else ("down", 1)

    outcome = await page.scroll(way, pixels=200)  # type: ignore[arg-type]

    assert await oracle.eval(TOP) == sign * 200
    assert outcome.data["y"] == sign * 200
    assert await oracle.eval("scrollY") == 0
    far = await page.scroll_to(50)
    assert (
        await oracle.eval(TOP)
        == far.data["y"]
        == sign * (far.data["max_y"] - far.data["min_y"]) / 2
    )


@pytest.mark.parametrize("host", ["a.test", "b.test"], ids=["same-process", "oopif"])
async def test_the_page_is_the_frame_that_fills_it(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site, host: str
) -> None:
    inner = site.page(TALL, host=host)
    await open_page(
        "<style>body { margin: 0; overflow: hidden } iframe { border: 0; width: 100vw;"
        f" height: 100vh }}</style><iframe name=inner src='{inner}'></iframe>"
    )
    await oracle.wait_in("inner", "document.readyState === 'complete'")

    outcome = await page.scroll("down", pixels=300)
    wheeled = await page.wheel(0, 100)

    assert outcome.data["y"] == 300
    assert wheeled.data["y"] == 400
    assert await oracle.eval_in("inner", PLACE) == [0, 400]


async def test_a_right_to_left_box_counts_down(
    page: Page, oracle: PageOracle, make_stage: MakeStage
) -> None:
    stage = await make_stage(
        "<div id=target dir=rtl tabindex=0 style='width:200px;overflow:auto'>"
        "<div style='width:1000px;height:20px'>x</div></div>"
    )
    target = await stage.css()

    left = await page.scroll("left", pixels=100, id=target)
    end = await page.scroll("left", pixels=5000, id=target)
    back = await page.scroll("right", pixels=50, id=target)

    assert (left.data["x"], left.data["at_end"]) == (-100, False)
    assert (end.data["x"], end.data["at_end"], end.data["percent"]) == (-800, True, 100)
    assert back.data["moved_x"] == 50
    assert await oracle.eval("target.scrollLeft") == -750


async def test_a_page_under_a_cover_is_scrolled_all_the_same(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    """A wall over everything takes the wheel; the page is read on beneath it, and `by` says so."""
    await open_page(
        TALL + "<div style='position:fixed;inset:0;background:#0008;overflow:auto;"
        "overscroll-behavior:contain'><div style='height:5000px'>wall</div></div>"
    )

    outcome = await page.scroll("down", pixels=300)

    assert await oracle.eval("scrollY") == 300
    assert outcome.data["by"] == "script"


async def test_chunks_are_counted_and_overlap(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<style>body { margin: 0 }</style><div style='height:2000px'></div>")
    height = await oracle.eval("document.documentElement.clientHeight")

    seen = [await page.scroll("top")]
    for _ in range(10):
        seen.append(await page.next_chunk())
        if seen[-1].data["at_end"]:
            break
    back = await page.prev_chunk()

    numbers = [outcome.data["chunk"] for outcome in seen]
    assert numbers == list(range(1, seen[0].data["chunks"] + 1))
    steps = [after.data["y"] - before.data["y"] for before, after in itertools.pairwise(seen)]
    assert all(0 < step <= height * 0.9 + 1 for step in steps)
    assert back.data["chunk"] == numbers[-2]


async def test_a_tab_behind_another_scrolls(
    page: Page, oracle: PageOracle, open_page: OpenPage, browser: Browser
) -> None:
    await open_page(TALL)
    front = await browser.new_page()
    try:
        await page.scroll("down", pixels=400)
        assert await oracle.eval("scrollY") == 400
    finally:
        await front.close()


BAD: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "no direction": ("scroll", ("sideways",), {}),
    "no amount": ("scroll", ("down",), {"amount": "little"}),
    "pixels below 0": ("scroll", ("down",), {"pixels": -5}),
    "pixels to a place": ("scroll", ("top",), {"pixels": 5}),
    "more than all": ("scroll_to", (101,), {}),
    "not a number": ("scroll_to", (float("nan"),), {}),
    "no turn": ("wheel", (0, 0), {}),
}


async def test_what_makes_no_sense_is_refused(page: Page) -> None:
    for case, (verb, given, named) in BAD.items():
        with pytest.raises(CdpAgentError) as refused:
            await getattr(page, verb)(*given, **named)

        assert refused.value.code == "invalid_params", case


async def test_a_hidden_element_is_not_scrolled(page: Page, make_stage: MakeStage) -> None:
    stage = await make_stage("<button id=target>x</button>" + TALL)
    target = await stage.css()
    await stage.eval("target.style.display = 'none'")

    with pytest.raises(CdpAgentError) as refused:
        await page.scroll("down", id=target, timeout=1)

    assert refused.value.code == "element_not_visible"


ROWS = "<div style='height:5000px'>rows</div>"
GRIDS = {
    "in a box inside the grid": "<div id=target role=grid aria-label=Stock style='height:220px'>"
    "<div role=row style='height:20px'>Head</div>"
    f"<div id=box style='height:200px;overflow:auto'>{ROWS}</div></div>",
    "in a box over a canvas": "<div style='position:relative;height:200px'>"
    "<canvas id=target role=img aria-label=Sales style='width:300px;height:200px'></canvas>"
    "<div id=box style='position:absolute;left:0;top:0;width:300px;height:200px;overflow:auto'>"
    f"{ROWS}</div></div>",
}


@pytest.mark.parametrize("body", GRIDS.values(), ids=GRIDS.keys())
@pytest.mark.parametrize("page_height", [10, 3000], ids=["short page", "long page"])
async def test_a_grid_scrolls_in_the_box_that_shows_its_rows(
    make_stage: MakeStage, body: str, page_height: int
) -> None:
    stage = await make_stage(body + f"<div style='height:{page_height}px'></div>")
    target = await stage.css()

    outcome = await stage.page.scroll("down", pixels=150, id=target)

    assert await stage.eval("[box.scrollTop, scrollY]") == [150, 0]
    assert (outcome.data["y"], outcome.data["moved_y"]) == (150, 150)
    assert not outcome.data["at_end"]
    assert outcome.data["box"] == '<div id="box">'


async def test_what_has_no_room_does_not_hand_its_wheel_to_a_box_elsewhere(
    make_stage: MakeStage,
) -> None:
    stage = await make_stage(
        f"<button id=target>x</button><div id=box style='height:500px;overflow:auto'>{ROWS}</div>"
    )

    outcome = await stage.page.scroll("down", id=await stage.css())

    assert await stage.eval("box.scrollTop") == 0
    assert outcome.data["moved_y"] == 0
    assert outcome.data["box"] == "the document"


async def test_the_box_that_took_the_wheel_is_named(make_stage: MakeStage) -> None:
    stage = await make_stage(
        "<div id=outer style='height:300px;overflow:auto'>"
        f"<div id=inner tabindex=0 style='height:100px;overflow:auto'>{ROWS}</div>{ROWS}</div>"
    )
    inner = await stage.css("#inner")
    await stage.eval("inner.scrollTo(0, 9999)")

    outcome = await stage.page.wheel(0, 120, id=inner)

    assert await stage.eval("outer.scrollTop") == 120
    assert outcome.data["box"] == '<div id="outer">'
    assert outcome.data["moved_y"] == 120
