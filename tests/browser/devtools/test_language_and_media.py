"""Language, time zone and media: seen by scripts, style sheets and servers, in every frame."""

from __future__ import annotations

import pytest

from cdp_agent import Browser, InvalidParams, Page
from tests.support.pages.framed_pages import iframe
from tests.support.site import Request, Response, Site

SHOWN = """(() => { const at = Intl.DateTimeFormat().resolvedOptions();
return [navigator.language, at.locale, at.timeZone, (1234.5).toLocaleString()] })()"""
BERLIN = ["de-DE", "de-DE", "Europe/Berlin", "1.234,5"]
MEDIA = """['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', 'print',
'(forced-colors: active)', '(prefers-contrast: more)'].map(query => matchMedia(query).matches)"""


@pytest.fixture
def shows_languages(site: Site) -> str:
    """The path of a page that says which languages its server was asked for."""

    def serve(request: Request) -> Response:
        body = f"<h1>{request.headers.get('Accept-Language')}</h1>"
        return Response(200, {"Content-Type": "text/html"}, body.encode())

    site.route("/emulation/languages", serve)
    return "/emulation/languages"


@pytest.mark.fresh_tab("it is emulated")
async def test_a_language_and_a_time_zone_hold_in_all_frames(
    page: Page, site: Site, shows_languages: str
) -> None:
    own = await page.evaluate(SHOWN)
    agent = "Tester/1.0"
    await page.set_user_agent(agent)
    await page.set_locale("de-DE")
    await page.set_timezone("Europe/Berlin")
    inner = site.url(shows_languages, "b.test")
    await page.goto(site.page(iframe(inner, name="inner")))
    index = next(frame for frame in page.frames if frame.url == inner).index

    for frame in (0, index):
        assert await page.evaluate(SHOWN, frame) == BERLIN
        assert await page.evaluate("navigator.userAgent", frame) == agent
    assert "<h1>de-DE" in await page.content(frame=index)

    await page.set_user_agent(None)
    assert await page.evaluate(SHOWN) == BERLIN
    await page.set_locale(None)
    await page.set_timezone(None)
    await page.goto(site.page("<h1>Page</h1>"))
    assert await page.evaluate(SHOWN) == own


@pytest.mark.fresh_tab("it is emulated")
async def test_media_are_what_style_sheets_see(page: Page, site: Site) -> None:
    inner = site.page("<h2>Inside</h2>", host="b.test")
    await page.goto(site.page(iframe(inner, name="inner")))
    index = next(frame for frame in page.frames if frame.url == inner).index
    await page.set_media(
        "print",
        color_scheme="dark",
        reduced_motion="reduce",
        forced_colors="active",
        contrast="more",
    )
    for frame in (0, index):
        assert await page.evaluate(MEDIA, frame) == [True] * 5
    await page.set_media(color_scheme="dark")
    await page.reload()
    assert await page.evaluate(MEDIA) == [True, False, False, False, False]
    await page.set_media()
    assert await page.evaluate(MEDIA) == [False] * 5


async def test_a_context_gives_them_to_all_pages_of_one_process(
    browser: Browser, site: Site
) -> None:
    popup = site.page("<h1>Popup</h1>")
    opener = site.page(f"<a href={popup} target=_blank rel=opener>Open</a>")
    async with await browser.new_context() as context:
        first = await context.new_page(opener)
        opened = await first.click((await first.snapshot()).find("link").id)
        [second] = opened.new_pages  # a page that its opener can reach lives in its process
        await context.set_locale("de-DE")
        await context.set_timezone("Europe/Berlin")
        await context.set_media(color_scheme="dark")
        third = await context.new_page(opener)

        for page in (first, second, third):
            assert await page.evaluate(SHOWN) == BERLIN
            assert (await page.evaluate(MEDIA))[0] is True

        for change in (second.set_locale("fr-FR"), second.set_timezone("Asia/Tokyo")):
            with pytest.raises(InvalidParams, match="another page of the same process") as caught:
                await change
            assert "context" in caught.value.hint
        await second.reload()
        assert await second.evaluate(SHOWN) == BERLIN


WRONG_LANGUAGES = ("", "d", "not a tag!", "de-", 7)
WRONG_ZONES = ("", "Nowhere/X", "Europe/../Berlin", "/etc/passwd", 7)


async def test_what_is_no_language_zone_or_medium_is_refused(browser: Browser, page: Page) -> None:
    async with await browser.new_context() as context:
        await context.set_timezone("Europe/Berlin")
        for owner in (page, context):
            for locale in WRONG_LANGUAGES:
                with pytest.raises(InvalidParams):
                    await owner.set_locale(locale)  # type: ignore[arg-type]
            for zone in WRONG_ZONES:
                with pytest.raises(InvalidParams):
                    await owner.set_timezone(zone)  # type: ignore[arg-type]
            with pytest.raises(InvalidParams, match="media"):
                await owner.set_media("paper")
            with pytest.raises(InvalidParams, match="color_scheme"):
                await owner.set_media(color_scheme="pink")
        assert (await (await context.new_page()).evaluate(SHOWN))[2] == "Europe/Berlin"
