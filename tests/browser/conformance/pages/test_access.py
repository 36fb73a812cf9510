"""Passwords that servers ask for, permissions that pages ask for, print, and what is remembered."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from cdp_agent import Browser, InvalidParams, NavigationFailed, Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import iframe
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

ADA = ("ada", "s3cret")


@pytest.fixture
def locked(site: Site) -> str:
    """The path of a page that is shown to Ada alone."""
    expected = "Basic " + base64.b64encode(":".join(ADA).encode()).decode()

    def serve(request: Request) -> Response:
        if request.headers.get("Authorization") == expected:
            return Response(200, {"Content-Type": "text/html"}, b"<h1>Welcome, Ada</h1>")
        headers = {"Content-Type": "text/html", "WWW-Authenticate": 'Basic realm="staff"'}
        return Response(401, headers, b"<h1>Who are you?</h1>")

    site.route("/access/locked", serve)
    return "/access/locked"


@pytest.mark.row("DLG-15")
async def test_a_page_that_asks_for_a_password_fails_with_a_hint(
    page: Page, site: Site, locked: str
) -> None:
    with pytest.raises(NavigationFailed) as refused:
        await page.goto(site.url(locked))

    assert "401" in refused.value.message
    assert "ERR_INVALID_AUTH_CREDENTIALS" in refused.value.message
    assert "credentials" in refused.value.hint


@pytest.mark.row("DLG-15")
async def test_credentials_let_a_page_and_its_frames_in(
    browser: Browser, site: Site, locked: str
) -> None:
    outer = site.page(iframe(site.url(locked), name="inner"))
    async with await browser.new_context(credentials=ADA) as context:
        page = await context.new_page(site.url(locked))
        assert "Welcome, Ada" in (await page.snapshot()).text
        await page.goto(outer)
        await page.wait_for(text="Welcome, Ada")


async def test_credentials_are_given_to_their_origin_alone(
    browser: Browser, site: Site, locked: str
) -> None:
    page = await browser.new_page(credentials={site.url("/", "b.test"): ADA})
    await page.goto(site.url(locked, "b.test"))
    assert "Welcome, Ada" in (await page.snapshot()).text
    with pytest.raises(NavigationFailed):
        await page.goto(site.url(locked, "a.test"))
    await page.close()


async def test_credentials_that_are_refused_are_not_offered_for_ever(
    page: Page, site: Site, locked: str
) -> None:
    await page.set_credentials(("ada", "wrong"))
    before = len(site.requests)

    with pytest.raises(NavigationFailed) as refused:
        await page.goto(site.url(locked))

    assert "refused" in refused.value.message
    assert len(site.requests) - before <= 3


async def test_a_password_in_an_address_is_not_shown(page: Page, site: Site, locked: str) -> None:
    await page.goto(site.url(locked).replace("http://", "http://ada:s3cret@"))

    snapshot = await page.snapshot()
    assert "Welcome, Ada" in snapshot.text
    assert "s3cret" not in snapshot.text
    assert page.url == site.url(locked)


ASKS = {
    "geolocation": "navigator.geolocation.getCurrentPosition("
    "at => told('yes ' + at.coords.latitude), () => told('no'))",
    "notifications": "Notification.requestPermission().then(told)",
    "clipboard-read": "navigator.clipboard.readText().then(() => told('yes'), () => told('no'))",
}


@pytest.mark.row("DLG-14")
@pytest.mark.parametrize("name", ASKS)
async def test_a_page_that_asks_for_a_permission_is_answered_at_once(
    page: Page, oracle: PageOracle, site: Site, name: str
) -> None:
    html = f"<button>Ask</button><script>const told = word => {{ window.answer = word }};\
document.querySelector('button').onclick = () => {ASKS[name]}</script>"
    # Such questions are for secure places, and of plain http this machine alone counts as one.
    await page.goto(site.page(html, host="127.0.0.1"))
    ask = (await page.snapshot()).find("button").id

    assert (await page.click(ask)).success
    assert await oracle.wait("window.answer") in ("no", "denied")

    await page.set_permission(name, "granted")
    await page.set_geolocation(48.5, 9.0)
    await oracle.eval("delete window.answer")
    await page.click(ask)
    assert await oracle.wait("window.answer") in ("yes", "yes 48.5", "granted")

    await page.set_permission(name, "denied")
    state = f"navigator.permissions.query({{name: '{name}'}}).then(found => found.state)"
    assert await oracle.eval(state) == "denied"


async def test_permissions_of_a_context_hold_from_its_first_page(
    browser: Browser, site: Site
) -> None:
    url = site.page("<h1>Page</h1>", host="127.0.0.1")
    async with await browser.new_context(permissions={"notifications": "granted"}) as context:
        page = await context.new_page(url)
        assert await page.evaluate("Notification.permission") == "granted"


async def test_what_is_no_permission_is_refused(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    for name, setting in (("camera", "maybe"), ("omniscience", "granted")):
        with pytest.raises(InvalidParams):
            await page.set_permission(name, setting)


@pytest.mark.row("DLG-13")
async def test_print_returns_and_the_page_goes_on(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("<button onclick=\"print(); this.textContent = 'Printed'\">Print</button>")

    assert (await page.click((await page.snapshot()).find("button").id)).success

    assert await oracle.eval("document.querySelector('button').textContent") == "Printed"


async def test_what_a_browser_remembers_moves_to_another_context(
    browser: Browser, site: Site
) -> None:
    headers = {"Set-Cookie": "session=abc; Path=/; HttpOnly; Max-Age=3600"}
    login = site.page("<script>localStorage.user = 'ada'</script>", headers=headers)
    other = site.page("<script>localStorage.basket = '2 \"books\"'</script>", host="b.test")
    shown = site.page("<pre id=said></pre>")
    async with await browser.new_context() as first:
        page = await first.new_page(login)
        await page.goto(other)
        state: dict[str, Any] = json.loads(json.dumps(await page.storage_state()))
        assert len(first.pages) == 1

    sites = {origin["origin"]: origin["localStorage"] for origin in state["origins"]}
    assert sites == {
        site.url("").rstrip("/"): [{"name": "user", "value": "ada"}],
        site.url("", "b.test").rstrip("/"): [{"name": "basket", "value": '2 "books"'}],
    }
    before = len(site.requests)
    async with await browser.new_context(storage_state=state) as second:
        assert len(site.requests) == before, "putting it back asks no server"
        page = await second.new_page(shown)
        assert await page.evaluate("localStorage.user") == "ada"
        again = await second.storage_state()
    assert [(c["name"], c["value"], c["httpOnly"]) for c in again["cookies"]] == [
        ("session", "abc", True)
    ]
    assert again["origins"] == state["origins"]


async def test_a_state_put_into_a_page_is_seen_when_it_is_loaded_again(
    browser: Browser, site: Site
) -> None:
    url = site.page("<h1>Page</h1>")
    items = [{"name": "theme", "value": "dark"}]
    async with await browser.new_context() as context:
        page = await context.new_page(url)
        await page.set_storage_state({"origins": [{"origin": url, "localStorage": items}]})
        await page.reload()
        assert await page.evaluate("localStorage.theme") == "dark"
        with pytest.raises(InvalidParams):
            await page.set_storage_state({"cookies": [{"name": "x"}]})
