"""Events of pages, for whoever subscribes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_agent import Browser, InvalidParams, Page
from tests.support.site import Response, Site
from tests.support.stage import OpenPage


async def until(events: Any, kind: str, name: str) -> Any:
    """The next event of that kind and name."""
    while True:
        event = await events.get(timeout=10)
        assert event is not None, f"no {kind} {name} came"
        if (event.kind, event.name) == (kind, name):
            return event


async def test_a_page_tells_of_its_documents_console_and_requests(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    await open_page("<h1>Before</h1>")
    url = site.page("<!doctype html><title>After</title><script>console.warn('careful')</script>")

    with page.events() as events:
        await page.goto(url)
        request = await until(events, "network", "request")
        assert request.subject.url == url
        assert (await until(events, "network", "response")).subject.status == 200
        navigated = await until(events, "page", "navigated")
        assert (navigated.url, navigated.target_id) == (url, page.target_id)
        warning = await until(events, "console", "warning")
        assert warning.subject.text == "careful"
        await until(events, "page", "domcontentloaded")
        assert (await until(events, "page", "load")).title == "After"
        assert events.dropped == 0


async def test_a_stream_has_only_the_kinds_that_were_asked_for(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<button onclick=\"confirm('Sure?')\">Ask</button>")
    button = (await page.snapshot()).find("button").id
    with page.events("dialog") as events, page.events("console") as console:
        page.on_dialog("dismiss")
        await page.evaluate("console.log('unheard')")
        await page.click(button)

        opened = await until(events, "dialog", "opened")
        assert (opened.subject.type, opened.subject.message) == ("confirm", "Sure?")
        closed = await until(events, "dialog", "closed")
        assert closed.subject.accepted is False
        assert (await console.get(timeout=5)).subject.text == "unheard"  # type: ignore[union-attr]
        assert await events.get(timeout=0.01) is None
    with pytest.raises(InvalidParams):
        page.events("weather")


async def test_a_download_is_told_from_its_beginning_to_its_end(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    headers = {"Content-Disposition": "attachment; filename=notes.txt", "Content-Length": "5"}
    site.route("/events/file", lambda _: Response(200, headers, b"hello"))
    await open_page("<a href=/events/file>Get</a>")
    link = (await page.snapshot()).find("link").id
    with page.events("download") as events:
        await page.click(link)

        started = await until(events, "download", "started")
        assert started.subject.name == "notes.txt"
        completed = await until(events, "download", "completed")
        assert (completed.subject.id, completed.subject.size) == (started.subject.id, 5)
        assert completed.subject.total == 5


async def test_a_context_tells_of_its_pages_to_come_and_ends_with_nothing_left(
    browser: Browser, site: Site
) -> None:
    url = site.page("<h1>Page</h1><script>localStorage.k = 'v'</script>")
    async with await browser.new_context() as context:
        with context.events("page") as events, browser.events("page") as all_events:
            page = await context.new_page(url)
            opened = await until(events, "page", "opened")
            assert opened.target_id == page.target_id
            await until(events, "page", "load")
            assert await context.storage_state()  # in a tab of ours, which nobody hears of
            with page.events("console") as own:
                await page.close()
                assert [event async for event in own] == []  # it ends with the page
            assert (await until(events, "page", "closed")).target_id == page.target_id
            assert await events.get(timeout=0.01) is None
            while (await until(all_events, "page", "closed")).target_id != page.target_id:
                pass  # other tests' tabs are the browser's, too
    assert not browser.event_hub._streams


@pytest.mark.fresh_tab("it floods its console")
async def test_a_reader_that_falls_behind_loses_the_oldest_and_is_told_how_many(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<h1>Page</h1>")
    with page.events("console") as events:
        await page.evaluate("for (let n = 0; n < 1500; n++) console.log(n)")
        await page._tab.target.until(lambda: page.console()[-1].text == "1499", 10)

        assert events.dropped == 500
        assert (await events.get()).subject.text == "500"  # type: ignore[union-attr]


async def test_a_stream_of_a_page_ends_when_the_browser_does(site: Site) -> None:
    import cdp_agent

    browser = await cdp_agent.launch()
    page = await browser.new_page(site.page("<h1>Page</h1>", host="127.0.0.1"))
    events, every = page.events("network"), browser.events("network")
    await browser.close()
    # Events from before the end are still read, such as the request for an icon.
    async with asyncio.timeout(5):
        for stream in (events, every):
            assert all([event.kind == "network" async for event in stream])
