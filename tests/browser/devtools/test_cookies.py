"""Cookies of a context, listed, set and removed by whoever uses the library."""

from __future__ import annotations

import time

import pytest

import cdp_agent
from cdp_agent import Browser, InvalidParams
from tests.support.devtools import devtools_port_and_path
from tests.support.site import Request, Response, Site


@pytest.fixture
def shows_cookies(site: Site) -> str:
    """The path of a page that says which cookies it was sent."""

    def serve(request: Request) -> Response:
        body = f"<h1>{request.headers.get('Cookie', 'none')}</h1>"
        headers = {"Content-Type": "text/html", "Set-Cookie": "visited=yes; Path=/shown"}
        return Response(200, headers, body.encode())

    site.route("/shown/cookies", serve)
    return "/shown/cookies"


async def test_cookies_are_set_listed_and_removed_in_their_context(
    browser: Browser, site: Site, shows_cookies: str
) -> None:
    here, there = site.url(shows_cookies), site.url("/", "b.test")
    tomorrow = time.time() + 86_400
    async with await browser.new_context() as context:
        page = await context.new_page(here)
        await page.set_cookies([{"name": "token", "value": "t1", "http_only": True}])
        await context.set_cookies(
            [
                {
                    "name": "lang",
                    "value": "de",
                    "domain": ".b.test",
                    "path": "/",
                    "expires": tomorrow,
                },
                {"name": "deep", "value": "1", "url": there, "path": "/deep"},
            ]
        )

        by_name = {cookie["name"]: cookie for cookie in await context.cookies()}
        assert set(by_name) == {"visited", "token", "lang", "deep"}
        assert by_name["token"]["httpOnly"] is True
        assert by_name["token"]["expires"] == -1
        assert by_name["lang"]["expires"] == pytest.approx(tomorrow)
        sent = {cookie["name"] for cookie in await page.cookies(here)}
        assert sent == {"visited", "token"}
        assert {c["name"] for c in await page.cookies([here, there])} == sent | {"lang"}
        sub = site.url("/", "shop.b.test")
        assert [c["name"] for c in await page.cookies(sub)] == ["lang"]
        await page.reload()
        assert "token=t1" in (await page.snapshot()).text

        assert await page.clear_cookies(here) == 2
        assert {c["name"] for c in await page.cookies()} == {"lang", "deep"}
        await page.goto(here)
        assert (await page.snapshot()).find("heading", "none")
        assert await context.clear_cookies() == 3
        assert await page.cookies() == []
    async with await browser.new_context() as other:
        assert await other.cookies() == []


async def test_cookies_of_the_browser_itself(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.page("<h1>Page</h1>", host="own-cookies.test"))
    try:
        await page.set_cookies([{"name": "own", "value": "1"}])
        assert [c["value"] for c in await page.cookies(page.url)] == ["1"]
        assert await page.clear_cookies(page.url) == 1
        assert await page.cookies(page.url) == []
    finally:
        await page.close()


WRONG = {
    "no list": {"name": "a", "value": "b"},
    "no name": [{"value": "b", "url": "http://a.test/"}],
    "no text": [{"name": "a", "value": 7, "url": "http://a.test/"}],
    "no place": [{"name": "a", "value": "b"}],
    "no such field": [{"name": "a", "value": "b", "url": "http://a.test/", "colour": "red"}],
    "no such site": [{"name": "a", "value": "b", "url": "http://a.test/", "sameSite": "Some"}],
    "refused by Chromium": [{"name": "a;b", "value": "c", "url": "http://a.test/"}],
}


@pytest.mark.parametrize("cookies", WRONG.values(), ids=WRONG.keys())
async def test_what_is_no_cookie_is_refused_and_none_is_set(
    browser: Browser, cookies: object
) -> None:
    async with await browser.new_context() as context:
        with pytest.raises(InvalidParams):
            await context.set_cookies(cookies)  # type: ignore[arg-type]
        assert await context.cookies() == []
        with pytest.raises(InvalidParams):
            await context.cookies("a.test")
        with pytest.raises(InvalidParams):
            await context.clear_cookies([7])  # type: ignore[list-item]


async def test_a_state_is_put_back_into_a_context(browser: Browser, site: Site) -> None:
    url = site.page("<h1>Page</h1>", host="state.test")
    state = {
        "cookies": [{"name": "who", "value": "ada", "url": url}],
        "origins": [
            {"origin": url.rpartition("/")[0], "localStorage": [{"name": "k", "value": "v"}]}
        ],
    }
    async with await browser.new_context() as context:
        await context.set_storage_state(state)
        page = await context.new_page(url)
        assert await page.evaluate("document.cookie + ' ' + localStorage.k") == "who=ada v"


async def test_a_context_that_another_program_has_made_has_its_own_cookies(
    browser: Browser, site: Site
) -> None:
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    here = site.page("<h1>Page</h1>")
    async with await browser.new_context() as context:
        theirs = await context.new_page(here)
        own = await browser.new_page(here)
        async with cdp_agent.connect(f"http://127.0.0.1:{port}") as other:
            page = next(one for one in other.pages if one.target_id == theirs.target_id)
            await page.set_cookies([{"name": "in_theirs", "value": "1", "url": here}])
            await page.evaluate("localStorage.kept = 'there'")

            assert [c["name"] for c in await page.cookies(here)] == ["in_theirs"]
            assert [c["name"] for c in await theirs.cookies(here)] == ["in_theirs"]
            assert "in_theirs" not in {c["name"] for c in await own.cookies(here)}
            state = await page.storage_state()
            assert [o["localStorage"] for o in state["origins"]] == [
                [{"name": "kept", "value": "there"}]
            ]
        await own.close()
