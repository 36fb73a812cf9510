"""Going places, files and dialogs: what did not come about is not called a success."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import attempt
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

BINARY = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def places(site: Site) -> dict[str, str]:
    """Addresses that show nothing."""
    site.route("/nothing", lambda _: Response(204))
    site.route("/file", lambda _: Response(200, BINARY, b"bytes"))
    site.route("/loop", lambda _: Response(302, {"Location": "/loop"}))
    return {
        "no content": site.url("/nothing"),
        "a file": site.url("/file"),
        "round and round": site.url("/loop"),
        "nobody there": "http://a.test:1/",
        "no such name": "http://no-such-name.invalid/",
        "an unknown scheme": "gopher://a.test/",
    }


@pytest.mark.parametrize(
    "where",
    [
        "no content",
        "a file",
        "round and round",
        "nobody there",
        "no such name",
        "an unknown scheme",
    ],
)
async def test_an_address_that_shows_nothing_is_no_success(
    page: Page, open_page: OpenPage, oracle: PageOracle, places: dict[str, str], where: str
) -> None:
    await open_page("<h1>Here</h1>")

    answer = await attempt(page.goto(places[where], timeout=20))

    assert isinstance(answer, CdpAgentError), f"called a success: {answer}"
    assert answer.code in ("navigation_failed", "invalid_params")
    # What is there instead, the page before or the browser's word about it, is ready to be used.
    assert await page.evaluate("typeof document") == "object"


async def test_a_page_that_does_not_let_one_back_is_no_success(
    page: Page, open_page: OpenPage, oracle: PageOracle
) -> None:
    await open_page("<h1>First</h1>")
    await open_page(
        "<h1>Second</h1><script>history.pushState(1, '', '?trap');"
        "onpopstate = () => history.pushState(1, '', '?trap')</script>"
    )
    before = page.url

    outcome = await page.back(timeout=3)

    assert await oracle.eval("document.querySelector('h1').textContent") == "Second"
    assert page.url == before
    assert not outcome.success


@pytest.mark.parametrize("way", ["back", "forward"])
async def test_no_way_in_the_history_is_no_success(
    page: Page, open_page: OpenPage, way: str
) -> None:
    outcome = await getattr(page, way)(timeout=3)

    assert not outcome.success


async def test_a_file_that_breaks_off_is_not_called_complete(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    def breaks_off(_: Request) -> Response:
        def body() -> Iterator[bytes]:
            yield b"half of it"
            raise ConnectionResetError

        return Response(200, {**BINARY, "Content-Length": "1000"}, body())

    site.route("/broken.bin", breaks_off)
    await open_page("<a href='/broken.bin' download>File</a>")

    outcome = await page.click((await page.snapshot()).find("link").id)

    assert [download.state for download in outcome.downloads] != ["completed"]


async def test_a_tab_that_is_closed_at_once_is_not_called_open(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<button onclick=\"window.open('about:blank').close()\">Open</button>")

    outcome = await page.click((await page.snapshot()).find("button").id)

    assert not [one for one in outcome.new_pages if not one.is_closed]


async def test_a_dialog_that_was_answered_already_cannot_be_answered(
    page: Page, open_page: OpenPage, oracle: PageOracle
) -> None:
    await open_page("<button onclick='window.said = confirm()'>Ask</button>")
    await page.click((await page.snapshot()).find("button").id)
    dialog = page.dialog
    assert dialog is not None
    await dialog.dismiss()

    with pytest.raises(CdpAgentError):
        await dialog.accept()

    assert await oracle.eval("said") is False


async def test_leaving_that_a_person_refuses_is_no_navigation(
    page: Page, site: Site, open_page: OpenPage, oracle: PageOracle
) -> None:
    there = site.page("<h1>There</h1>")
    await open_page(
        f"<a href='{there}'>Away</a><input aria-label=Name>"
        "<script>onbeforeunload = event => event.preventDefault()</script>"
    )
    page.on_dialog("dismiss")
    await page.fill((await page.snapshot()).find("textbox").id, "touched")

    outcome = await page.click((await page.snapshot()).find("link").id)

    assert outcome.navigated is None
    assert [dialog.type for dialog in outcome.dialogs] == ["beforeunload"]
    assert await oracle.eval("document.querySelector('a') !== null")
