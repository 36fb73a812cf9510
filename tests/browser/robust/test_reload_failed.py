"""A page that cannot be loaded again, or gone back to, is an error and no success."""

from __future__ import annotations

import pytest

from cdp_agent import NavigationFailed, Page
from tests.support.site import Site


async def test_a_reload_that_shows_an_error_page_has_failed(page: Page, site: Site) -> None:
    url = site.page("<h1>Orders</h1>")
    await page.goto(url)
    await page.set_offline()

    with pytest.raises(NavigationFailed, match="ERR_INTERNET_DISCONNECTED") as raised:
        await page.reload()

    assert raised.value.data["url"] == url
    await page.set_offline(False)
    assert (await page.reload()).success
    assert "Orders" in (await page.snapshot()).text


async def test_going_back_to_a_page_that_cannot_be_shown_has_failed(page: Page, site: Site) -> None:
    # A page that listens for `unload` is not kept for the way back.
    html = "<h1>First</h1><script>onunload = () => 0</script>"
    first = site.page(html, headers={"Cache-Control": "no-store"})
    await page.goto(first)
    await page.goto(site.page("<h1>Second</h1>"))
    await page.set_offline()

    with pytest.raises(NavigationFailed, match="ERR_INTERNET_DISCONNECTED"):
        await page.back()

    await page.set_offline(False)
