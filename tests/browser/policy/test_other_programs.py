"""Addresses for other programs (tel:, zoommtg:): Chromium would ask a person, the tab be lost."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

AFTER = "<button onclick='window.count = (window.count || 0) + 1'>After</button>"
LINK = "<a href='tel:123'>Leave</a>"
WAYS = {
    "an address that a script sets": "<a onclick=\"location = 'zoommtg:join?a=1'\">Leave</a>",
    "a form": "<form action='slack:open'><button>Leave</button></form>",
    "a mail": "<a href='mailto:a@b.test'>Leave</a>",
    "another window": "<a href='tel:123' target=_blank>Leave</a>",
    "a window that a script opens": "<a onclick=\"window.open('tel:123')\">Leave</a>",
}


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_link_to_another_program_is_told_of_and_the_tab_takes_input_as_before(
    page: Page, make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(LINK + AFTER, frame_kind)
    snapshot = await page.snapshot()

    outcome = await page.click(snapshot.find("link", "Leave").id)
    await page.click(snapshot.find("button", "After").id)

    assert outcome.data["elsewhere"] == ["tel:123"]
    assert outcome.success
    assert outcome.settled
    assert outcome.navigated is None
    assert await stage.eval("window.count") == 1


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_to_another_program_leaves_the_tab_as_it_was(
    page: Page, open_page: OpenPage, oracle: PageOracle, way: str
) -> None:
    await open_page(WAYS[way] + AFTER)
    snapshot = await page.snapshot()

    outcome = await page.click(snapshot.find(None, "Leave").id)
    await page.click(snapshot.find("button", "After").id)

    assert len(outcome.data["elsewhere"]) == 1
    assert outcome.navigated is None
    assert not [one for one in outcome.new_pages if not one.is_closed]
    assert await oracle.eval("window.count") == 1


async def test_a_page_without_an_origin_keeps_its_links_to_itself_as_well(
    page: Page, oracle: PageOracle
) -> None:
    await page.goto(f"data:text/html,{LINK}{AFTER}")
    snapshot = await page.snapshot()

    outcome = await page.click(snapshot.find("link", "Leave").id)
    await page.click(snapshot.find("button", "After").id)

    assert outcome.data["elsewhere"] == ["tel:123"]
    assert await oracle.eval("window.count") == 1


async def test_nobody_goes_to_an_address_for_another_program(
    page: Page, open_page: OpenPage, oracle: PageOracle
) -> None:
    await open_page(AFTER)

    with pytest.raises(CdpAgentError) as error:
        await page.goto("tel:123")
    await page.click((await page.snapshot()).find("button").id)

    assert error.value.code == "invalid_params"
    assert await oracle.eval("window.count") == 1
