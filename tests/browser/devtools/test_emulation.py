"""Emulated settings hold in a page's frames, its new documents and a context's pages."""

from __future__ import annotations

import pytest

from cdp_agent import Browser, InvalidParams, NavigationFailed, Page
from tests.support.pages.framed_pages import iframe
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

AGENT = "Tester/1.0 (only a test)"
WHERE = "new Promise(done => navigator.geolocation.getCurrentPosition(\
at => done(at.coords.latitude), error => done(error.message)))"


@pytest.fixture
def shows_agent(site: Site) -> str:
    """The path of a page that says which user agent its server was sent."""

    def serve(request: Request) -> Response:
        body = f"<h1>{request.headers['User-Agent']}</h1>"
        return Response(200, {"Content-Type": "text/html"}, body.encode())

    site.route("/emulation/agent", serve)
    return "/emulation/agent"


async def framed(page: Page, site: Site, inner: str) -> int:
    """Show a frame of another process; its number."""
    await page.goto(site.page(iframe(inner, name="inner")))
    return next(frame for frame in page.frames if frame.url == inner).index


@pytest.mark.fresh_tab("it is emulated")
async def test_a_user_agent_is_sent_and_shown_in_all_frames(
    page: Page, site: Site, shows_agent: str
) -> None:
    own = await page.evaluate("navigator.userAgent")
    await page.set_user_agent(AGENT, platform="Toaster")
    inner = site.url(shows_agent, "b.test")
    index = await framed(page, site, inner)

    assert AGENT in await page.content(frame=index)
    for frame in (0, index):
        shown = await page.evaluate("[navigator.userAgent, navigator.platform]", frame)
        assert shown == [AGENT, "Toaster"]
    await page.set_user_agent(None)
    await page.goto(site.url(shows_agent))
    assert await page.evaluate("navigator.userAgent") == own


@pytest.mark.fresh_tab("it is emulated")
async def test_a_place_holds_in_frames_that_come_later(page: Page, site: Site) -> None:
    inner = site.page("<h2>Inside</h2>", host="localhost")
    outer = iframe(inner, name="inner").replace("<iframe", "<iframe allow=geolocation")
    await page.goto(site.page("<h1>Page</h1>", host="127.0.0.1"))
    await page.set_geolocation(48.5, 9.0)
    await page.goto(site.page(outer, host="127.0.0.1"))
    await page.set_permission("geolocation")
    await page.set_permission("geolocation", origin=inner)
    index = next(frame for frame in page.frames if frame.url == inner).index

    assert await page.evaluate(WHERE) == 48.5
    assert await page.evaluate(WHERE, index) == 48.5
    for origin in (None, inner):  # other tests of this browser ask in the same places
        await page.set_permission("geolocation", "prompt", origin=origin)


@pytest.mark.fresh_tab("it is emulated")
async def test_a_page_that_is_offline_reaches_nothing(page: Page, site: Site) -> None:
    url = site.page("<h1>Page</h1>")
    index = await framed(page, site, site.page("<h2>Inside</h2>", host="b.test"))
    fetches = f"fetch({url!r}, {{mode: 'no-cors'}}).then(() => 'reached', () => 'failed')"

    await page.set_offline()
    for frame in (0, index):
        assert await page.evaluate("navigator.onLine", frame) is False
        assert await page.evaluate(fetches, frame) == "failed"
    with pytest.raises(NavigationFailed):
        await page.goto(url)

    await page.set_offline(False)
    await page.goto(url)
    assert await page.evaluate(fetches) == "reached"


@pytest.mark.fresh_tab("it is emulated")
async def test_a_viewport_is_the_pages_size_and_its_snapshots(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<meta name=viewport content='width=device-width'><h1>Page</h1>")
    size = "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints]"

    await page.set_viewport(500, 400)
    assert (await page.evaluate(size))[:2] == [500, 400]
    assert "500x400" in (await page.snapshot()).text
    await page.set_viewport(390, 844, scale=3, mobile=True)
    assert await page.evaluate(size) == [390, 844, 3, 5]
    assert "390x844" in (await page.snapshot()).text
    await page.reload()
    assert await page.evaluate(size) == [390, 844, 3, 5]


async def test_what_is_set_on_a_context_holds_for_its_new_pages_and_popups(
    browser: Browser, site: Site
) -> None:
    popup = site.page("<h1>Popup</h1><script>window.first = navigator.userAgent</script>")
    async with await browser.new_context(permissions={"geolocation": "granted"}) as context:
        before = await context.new_page(site.page("<h1>Before</h1>", host="127.0.0.1"))
        await context.set_user_agent(AGENT)
        await context.set_geolocation(1.5, 2)
        await context.set_viewport(640, 480)
        opener = f"<a href={popup} target=_blank>Open</a>"
        after = await context.new_page(site.page(opener, host="127.0.0.1"))

        for page in (before, after):
            shown = await page.evaluate("[navigator.userAgent, innerWidth, innerHeight]")
            assert shown == [AGENT, 640, 480]
            assert await page.evaluate(WHERE) == 1.5
        outcome = await after.click((await after.snapshot()).find("link").id)
        assert await outcome.new_pages[0].evaluate("window.first") == AGENT
        await context.set_offline()
        for page in context.pages:
            assert await page.evaluate("navigator.onLine") is False
        other = await context.new_page()
        with pytest.raises(NavigationFailed):
            await other.goto(popup)
        own = await context.new_page(viewport=(300, 200))
        assert await own.evaluate("innerWidth") == 300


@pytest.mark.fresh_tab("it is emulated")
async def test_a_page_that_is_recovered_in_another_tab_keeps_all_of_it(
    page: Page, site: Site
) -> None:
    await page.goto(site.page("<h1>Page</h1>"))
    await page.set_viewport(450, 350)
    await page.set_user_agent(AGENT)

    old = page._tab.target
    new = await page.browser.open_tabs.replace(old)
    page._tab.live_in(new)
    await page.browser.open_tabs.close(old)
    await page.goto(site.page("<h1>Again</h1>"))

    assert await page.evaluate("[innerWidth, navigator.userAgent]") == [450, AGENT]


async def test_what_is_no_device_or_place_is_refused(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    for size in ((0, 100), (100, 1.5), (10**9, 1), ("800", "600"), (True, 5)):
        with pytest.raises(InvalidParams):
            await page.set_viewport(*size)
    with pytest.raises(InvalidParams):
        await page.set_viewport(100, 100, scale=99)
    for agent in ("two\nlines", "x" * 5000, 7):
        with pytest.raises(InvalidParams):
            await page.set_user_agent(agent)  # type: ignore[arg-type]
    with pytest.raises(InvalidParams):
        await page.set_offline("yes")  # type: ignore[arg-type]
    with pytest.raises(InvalidParams):
        await page.set_geolocation(91, 0)
    with pytest.raises(InvalidParams):
        await page.set_geolocation("north", 0)  # type: ignore[arg-type]
    assert await page.evaluate("navigator.userAgent") == page.browser.user_agent
