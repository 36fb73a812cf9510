"""Covers over a frame in the documents above it: the click is refused and never sent.

Input sent to a frame's own process goes through whatever lies on top of the frame in its
parent, so these pages tell whether every document from the top down was asked.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import (
    CLICKED,
    FRAME_HOSTS,
    RECORDER,
    iframe,
    presses,
    target_page,
)
from tests.support.site import Site
from tests.support.stage import OpenPage

OVERLAY = "<div id=overlay style='position:fixed;inset:0;z-index:9;background:pink'></div>"
INSIDE = "position:relative;width:300px;height:200px;margin:11px 17px"


async def assert_covered(page: Page, element_id: str, cover: str) -> None:
    with pytest.raises(CdpAgentError) as error:
        await page.click(element_id, timeout=1)
    assert error.value.code == "element_obscured"
    assert error.value.data["cover"] == cover
    assert cover in error.value.message


@pytest.mark.row("OVL-13")
@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_an_overlay_above_a_frame_is_named_and_the_frame_gets_nothing(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(RECORDER + iframe(child, name="subject") + OVERLAY)
    target = (await page.snapshot()).find("button", "Target")
    overlay = await oracle.backend_node_id("overlay")

    await assert_covered(page, target.id, f"0-{overlay}")
    assert await presses(oracle, "subject") == []
    assert await presses(oracle) == []

    await oracle.eval("overlay.style.display = 'none'")
    await page.click(target.id)
    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("covered_at", [0, 1, 2])
async def test_an_overlay_at_any_level_above_a_nested_frame_is_named(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, covered_at: int
) -> None:
    def level(index: int, inner: str) -> str:
        return target_page(left=380) + inner + (OVERLAY if covered_at == index else "")

    deepest = site.page(target_page(), host="d.test")
    third = level(2, iframe(deepest, name="depth-3", style=INSIDE))
    second = level(1, iframe(site.page(third, host="c.test"), name="depth-2", style=INSIDE))
    first = level(0, iframe(site.page(second, host="b.test"), name="depth-1", style=INSIDE))
    await open_page(first)
    target = (await page.snapshot()).find("button", "Target", frame=3)
    part = None if covered_at == 0 else f"depth-{covered_at}"
    overlay = await oracle.backend_node_id("overlay", part)

    await assert_covered(page, target.id, f"{covered_at}-{overlay}")

    for frame in (None, "depth-1", "depth-2", "depth-3"):
        assert await presses(oracle, frame) == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_frame_that_covers_another_frame_is_named(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    below = site.page(target_page(), host="b.test")
    above = site.page(target_page(left=200), host=host)
    await open_page(
        iframe(below, name="below", style="position:absolute;left:0;top:0")
        + iframe(above, name="above", style="position:absolute;left:0;top:0", attrs="id=above")
    )
    snap = await page.snapshot()
    below_index = next(frame.index for frame in snap.frames if frame.name == "below")
    cover = await oracle.backend_node_id("document.querySelector('#above')")

    await assert_covered(page, snap.find("button", "Target", frame=below_index).id, f"0-{cover}")

    assert await presses(oracle, "below") == []
    assert await presses(oracle, "above") == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_cover_that_lets_the_pointer_through_is_no_cover(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(
        iframe(child, name="subject")
        + OVERLAY
        + "<style>#overlay { pointer-events: none; opacity: .3 }</style>"
    )

    await page.click((await page.snapshot()).find("button", "Target").id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_cover_that_goes_away_in_time_is_waited_for(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(RECORDER + iframe(child, name="subject") + OVERLAY)
    target = (await page.snapshot()).find("button", "Target")
    await oracle.eval("void setTimeout(() => overlay.remove(), 500)")

    await page.click(target.id, timeout=3)

    assert await presses(oracle, "subject") == CLICKED
    assert await presses(oracle) == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_target_in_the_part_of_a_frame_that_is_clipped_away_is_not_clicked(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(iframe(child, name="subject", style="clip-path:inset(0 0 0 200px)"))
    target = (await page.snapshot()).find("button", "Target")

    with pytest.raises(CdpAgentError) as error:
        await page.click(target.id, timeout=1)

    assert error.value.code in {"element_obscured", "element_not_visible"}
    assert await presses(oracle, "subject") == []


@pytest.mark.parametrize("host", FRAME_HOSTS)
async def test_a_modal_dialog_of_the_page_keeps_clicks_out_of_its_frames(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, host: str
) -> None:
    child = site.page(target_page(), host=host)
    await open_page(iframe(child, name="subject") + "<dialog id=modal>Cookies?</dialog>")
    target = (await page.snapshot()).find("button", "Target")
    await oracle.eval("modal.showModal()")

    with pytest.raises(CdpAgentError) as error:
        await page.click(target.id, timeout=1)

    assert error.value.code == "element_obscured"
    assert await presses(oracle, "subject") == []
