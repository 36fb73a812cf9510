"""The engine lets go of a page that is closed, however that came about.

A browser that works for weeks opens and closes thousands of tabs: whatever it keeps of each one
adds up.
"""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import Browser, Page
from tests.support.site import Site

HTML = (
    "<title>Shop</title><button"
    " onclick='opener ? window.close() : window.open(location)'>Go</button>"
)

Close = Callable[[Browser, str], Awaitable[list["weakref.ref[object]"]]]


def traces(page: Page) -> list[weakref.ref[object]]:
    """The public object, and the part below it that holds snapshots and ids."""
    return [weakref.ref(page), weakref.ref(page._tab)]


async def by_its_context(browser: Browser, url: str) -> list[weakref.ref[object]]:
    async with await browser.new_context() as context:
        page = await context.new_page(url)
        await page.snapshot()
        return traces(page)


async def by_a_call(browser: Browser, url: str) -> list[weakref.ref[object]]:
    page = await browser.new_page(url)
    await page.snapshot()
    await page.close()
    return traces(page)


async def by_its_own_script(browser: Browser, url: str) -> list[weakref.ref[object]]:
    async with await browser.new_context() as context:
        opener = await context.new_page(url)
        go = (await opener.snapshot()).find("button", "Go").id
        (popup,) = (await opener.click(go)).new_pages
        await popup.click((await popup.snapshot()).find("button", "Go").id)
        await until(lambda: len(context.pages) == 1)
        left = traces(popup)
        del popup
        assert await are_gone(left), "the tab that opened it is still there"
        return left


async def until(condition: Callable[[], bool]) -> bool:
    for _ in range(100):
        if condition():
            return True
        await asyncio.sleep(0.05)
    return False


async def are_gone(left: list[weakref.ref[object]]) -> bool:
    def none_is_left() -> bool:
        gc.collect()
        return all(ref() is None for ref in left)

    return await until(none_is_left)


@pytest.mark.parametrize("close", [by_its_context, by_a_call, by_its_own_script])
async def test_a_closed_page_is_not_kept(browser: Browser, site: Site, close: Close) -> None:
    left = await close(browser, site.page(HTML))

    assert await are_gone(left)


async def test_nothing_is_kept_by_the_id_of_a_closed_context(browser: Browser, site: Site) -> None:
    async with await browser.new_context(permissions={"geolocation": "granted"}) as context:
        page = await context.new_page(site.page(HTML))
        await context.set_locale("de-DE")
        context_id, target = context.id, page._tab.target

    assert await until(lambda: target.closed is not None)
    assert context_id not in repr(browser.settings._permissions)
    assert context_id not in browser.settings.credentials
    assert context_id not in browser.settings.emulations
    assert context_id not in browser._targets.origins
