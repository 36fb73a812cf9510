"""A frame that goes to another document while an id is looked up: what was asked first is stale.

Between two commands of one action a frame may change its document, seldom enough that only a
loaded machine shows it. Each step is therefore taken as it would come right after the change.
"""

from __future__ import annotations

import time

import pytest

from cdp_agent import Page, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.resolve.node_search import facts_of_node
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import FRAME_HOSTS, iframe, presses, target_page
from tests.support.site import Site
from tests.support.stage import OpenPage

SWAPS = [(old, new) for old in FRAME_HOSTS for new in FRAME_HOSTS]


async def _replace_document(page: Page, oracle: PageOracle, url: str) -> None:
    await oracle.eval(f"void (document.querySelector('iframe').src = '{url}')")
    target = page._tab.target
    await target.until(lambda: any(f.url == url and f.dom_ready for f in target.frames), 5)


@pytest.mark.parametrize(("old", "new"), SWAPS, ids=[f"{a}-{b}" for a, b in SWAPS])
async def test_an_element_is_not_found_again_in_another_document(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, old: str, new: str
) -> None:
    before, after = (site.page(target_page(), host=host) for host in (old, new))
    await open_page(iframe(before, name="subject"))
    button = (await page.snapshot()).find("button", "Target").id
    ref = page._tab.book.require(ElementId.parse(button))

    await _replace_document(page, oracle, after)

    with pytest.raises(StaleRef):
        await page._tab.resolver.heal(ref, time.monotonic() + 2)
    assert await presses(oracle, "subject") == []


@pytest.mark.parametrize(("old", "new"), SWAPS, ids=[f"{a}-{b}" for a, b in SWAPS])
async def test_the_number_of_a_node_means_nothing_in_another_document(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, old: str, new: str
) -> None:
    before, after = (site.page(target_page(), host=host) for host in (old, new))
    await open_page(iframe(before, name="subject"))
    button = (await page.snapshot()).find("button", "Target").id

    await _replace_document(page, oracle, after)
    now = (await page.snapshot()).find("button", "Target").id

    target = page._tab.target
    frame = target.frames.find_index(1)
    assert frame is not None
    number = ElementId(1, now.backend_node_id, button.loader_id)
    assert await facts_of_node(target, frame, number, 2) is None
    assert await facts_of_node(target, frame, now, 2) is not None
