"""A tab that one test has used is new to the next: the suite's own promise, tested."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent import Browser, Page
from tests.support.oracle import Oracle
from tests.support.site import Site
from tests.support.tabs import Tabs

# Everything that a document can find of what came before it in its tab.
TRACES = """({
  url: location.href, history: history.length, state: history.state, name: window.name,
  opener: window.opener, frames: window.length, globals: typeof window.left,
  stored: (() => { try { return sessionStorage.length } catch { return 0 } })(),
  width: innerWidth, height: innerHeight, ratio: devicePixelRatio, agent: navigator.userAgent,
})"""


@pytest_asyncio.fixture(loop_scope="session")
async def own_tabs(browser: Browser) -> AsyncIterator[Tabs]:
    async with Tabs(browser) as tabs:
        yield tabs


async def traces(oracle: Oracle, page: Page) -> Any:
    """Looked for by the tests' own session, which is let go at once."""
    seen = await oracle.attach(page.target_id)
    found = await seen.eval(TRACES)
    await seen.detach()
    return found


@pytest.mark.parametrize("opens", [False, True], ids=["before", "after a page is opened"])
async def test_what_a_test_left_in_its_tab_is_gone(
    own_tabs: Tabs, browser_oracle: Oracle, site: Site, opens: bool
) -> None:
    first = site.page("<button>First</button>")
    page = await own_tabs.take()
    if opens:
        await page.goto(first)
    new = await traces(browser_oracle, page)
    inner = site.page("<button>In</button>", host="b.test")
    for _ in range(2):
        await page.goto(site.page(f"<iframe src={inner}></iframe><iframe src={inner}></iframe>"))
    await page.evaluate("history.pushState(1, ''); window.name = window.left = 'left'")
    await page.evaluate("sessionStorage.left = 1; onbeforeunload = () => 'stay'")
    await page.evaluate("setInterval(() => alert('left'), 1000)")
    metrics = {"width": 300, "height": 200, "deviceScaleFactor": 3, "mobile": False}
    script = "if (location.protocol === 'http:') window.left = 1"
    for method, params in (
        ("Emulation.setDeviceMetricsOverride", metrics),
        ("Emulation.setUserAgentOverride", {"userAgent": "left"}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": script}),
    ):
        await page._tab.target.session.post_untyped(method, params)
    own_tabs.give_back(page)

    again = await own_tabs.take(opens=opens)
    assert len(again.frames) == 1
    if opens:
        await again.goto(first)

    assert again.target_id == page.target_id
    assert await traces(browser_oracle, again) == new
    assert page.is_closed
    assert again is not page
    await again.goto(site.page(f"<iframe src={inner}></iframe>"))
    assert [frame.index for frame in again.frames] == [0, 1]
    assert await again.evaluate("typeof window.left") == "undefined"
    own_tabs.give_back(again)


async def test_a_tab_that_is_not_fit_for_another_test_is_closed(
    own_tabs: Tabs, browser_oracle: Oracle, site: Site
) -> None:
    page = await own_tabs.take()
    await page.goto(site.page("<script>onmessage = () => { for (;;); }</script>"))
    await page.evaluate("postMessage(1, '*')")
    own_tabs.give_back(page)

    other = await own_tabs.take()

    assert other.target_id != page.target_id
    listed = {target["targetId"] for target in await browser_oracle.live_targets()}
    assert page.target_id not in listed
    own_tabs.give_back(other, keep=False)
    third = await own_tabs.take()
    assert third.target_id not in (page.target_id, other.target_id)
    own_tabs.give_back(third)
