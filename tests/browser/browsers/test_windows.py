"""The window around a page: how large it is, and the pages that are opened from it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

import cdp_agent
from cdp_agent import Browser
from tests.support.site import Site

HOSTS = "--host-resolver-rules=MAP *.test 127.0.0.1"
SIZE = "[innerWidth, innerHeight]"
LINKS = """<a target=_blank href=/empty.html>Of its own</a>
<a target=_blank rel=opener href=/empty.html>With an opener</a>
<button onclick="open('/empty.html', '', 'width=500,height=400')">Small</button>"""


@pytest.fixture
async def own_browser() -> AsyncIterator[Browser]:
    async with cdp_agent.launch(args=[HOSTS]) as browser:
        yield browser


async def test_the_screen_and_the_window_have_room_for_the_page(
    own_browser: Browser, site: Site
) -> None:
    for viewport in (None, (1000, 500)):
        page = await own_browser.new_page(site.page(""), viewport=viewport)

        assert await page.evaluate("outerWidth === innerWidth && outerHeight >= innerHeight")
        assert await page.evaluate("screen.width >= outerWidth && screen.height >= outerHeight")
        assert not await page.evaluate("matchMedia('(max-device-width: 1000px)').matches")


async def test_a_tab_that_a_link_opens_is_as_large_as_the_page(
    own_browser: Browser, site: Site
) -> None:
    for width, height in ((1280, 720), (900, 500)):
        page = await own_browser.new_page(site.page(LINKS), viewport=(width, height))
        for link in (await page.snapshot()).find_all("link"):
            outcome = await page.click(link.id)

            shown = await outcome.new_pages[0].evaluate(SIZE)
            # As root Chromium has a bar of warning over the first tab alone.
            assert shown[0] == width
            assert height <= shown[1] <= height + 60


async def test_a_window_that_asks_for_a_size_gets_it(own_browser: Browser, site: Site) -> None:
    page = await own_browser.new_page(site.page(LINKS))

    outcome = await page.click((await page.snapshot()).find("button").id)

    assert (await outcome.new_pages[0].evaluate(SIZE))[0] == 500
