"""Pages that change their address without end: other pages open and answer all the same."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser
from tests.browser.conftest import BROWSER_ARGS
from tests.support.site import Site

FLOODS = {
    "pushState": "history.pushState(0, '', '#' + Math.random())",
    "replaceState": "history.replaceState(0, '', '#' + Math.random())",
    "hash": "location.hash = Math.random()",
}


@pytest_asyncio.fixture(loop_scope="session")
async def own(site: Site) -> AsyncIterator[Browser]:
    async with cdp_agent.launch(args=BROWSER_ARGS) as browser:
        yield browser


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
async def test_a_flood_does_not_keep_other_pages_from_opening(
    own: Browser, site: Site, flood: str
) -> None:
    loop = f"setInterval(() => {{ for (let i = 0; i < 500; i++) {flood}; window.n = 1 + (window.n"
    page = await own.new_page(site.page(f"<script>{loop} || 0) }})</script>"))
    for _ in range(5):
        await page.evaluate("new Promise(done => setTimeout(done, 100))")

    other = await own.new_page(site.page("<button>Order</button>", host="b.test"))

    # A burst of changes that Chromium lets through takes its processor for a moment.
    await other.click((await other.snapshot()).find("button", "Order").id, timeout=30)
