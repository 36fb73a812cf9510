"""The logs of a page's console and requests, which are bounded."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.pages.framed_pages import iframe
from tests.support.site import Request, Response, Site
from tests.support.stage import OpenPage

SPEAKS = """<script>
console.log('one', 1, {a: 1, b: 'x'}, [1, 2], null, undefined, true);
console.info('two');
console.debug('three');
console.warn('four');
console.error('five', new TypeError('broken'));
console.assert(false, 'six');
console.clear();
</script>
<script>null.seven</script>
"""


async def test_the_console_has_levels_texts_and_places(page: Page, open_page: OpenPage) -> None:
    url = await open_page(SPEAKS)
    await page._tab.target.until(lambda: len(page.console()) >= 7, 5)

    messages = [m for m in page.console() if m.source != "browser"]

    assert [m.level for m in messages] == [
        "log",
        "info",
        "debug",
        "warning",
        "error",
        "error",
        "error",
    ]
    assert messages[0].text == "one 1 {a: 1, b: x} [1, 2] null undefined true"
    assert (messages[0].url, messages[0].source) == (url, "console")
    assert messages[1].line == messages[0].line + 1
    assert messages[4].text.startswith("five TypeError: broken")
    assert messages[6].text.startswith("TypeError: Cannot read properties of null")
    assert messages[6].source == "exception"
    assert [m.text for m in page.errors()] == [m.text for m in page.console() if m.level == "error"]
    assert page.console(since=messages[5].number)[0] == messages[6]
    assert messages[0].to_dict()["level"] == "log"
    assert messages[0].time > 1.7e9


@pytest.mark.fresh_tab("Chromium repeats to a new session what the tab wrote before")
async def test_errors_outlive_a_flood_of_other_messages(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    await page.evaluate("console.error('the first')")
    await page.evaluate("for (let n = 0; n < 3000; n++) console.log('line ' + n)")
    await page._tab.target.until(lambda: page.console()[-1].text == "line 2999", 10)

    assert len(page.console()) == 1000
    assert [m.text for m in page.errors() if m.source == "console"] == ["the first"]
    long = await page.evaluate("console.log('x'.repeat(100000)), 1")
    assert long == 1
    assert len(page.console()[-1].text) == 2000


@pytest.mark.fresh_tab("it counts requests")
async def test_requests_of_all_frames_are_listed_with_their_results(page: Page, site: Site) -> None:
    site.page("{}", path="/logs/data", content_type="application/json")
    site.page("gone", path="/logs/gone", status=404)
    site.route("/logs/moved", _moved)
    inner = site.page("<h2>Inside</h2><img src=/logs/gone>", host="b.test")
    url = site.page(
        iframe(inner, name="inner")
        + "<script>fetch('/logs/data?q=1', {method: 'POST'}); fetch('/logs/moved');"
        "fetch('http://127.0.0.1:1/never').catch(() => 0)</script>"
    )
    await page.goto(url)

    def is_complete() -> bool:
        over = [r for r in page.requests() if r.seconds is not None]
        return len(over) >= 7

    assert await page._tab.target.until(is_complete, 10)
    requests = page.requests()
    lines = {(r.method, r.url.partition(":")[2].partition("/logs")[2] or r.url) for r in requests}
    assert ("POST", "/data?q=1") in lines
    by_url = {r.url: r for r in requests}
    assert len(requests) == len(by_url)
    assert (by_url[url].status, by_url[url].kind) == (200, "document")
    assert (by_url[inner].status, by_url[inner].kind) == (200, "document")
    assert by_url[site.url("/logs/moved")].status == 302
    assert by_url[site.url("/logs/arrived")].status == 404
    failed = {r.url: r for r in page.requests(failed=True)}
    assert set(failed) == {
        site.url("/logs/gone", "b.test"),
        site.url("/logs/arrived"),
        "http://127.0.0.1:1/never",
    }
    assert failed["http://127.0.0.1:1/never"].error == "net::ERR_UNSAFE_PORT"
    assert failed[site.url("/logs/gone", "b.test")].kind == "image"
    assert page.requests(since=requests[-2].number) == requests[-1:]
    assert "404" in failed[site.url("/logs/arrived")].line
    assert any("404" in m.text for m in page.console() if m.source == "browser")


def _moved(_: Request) -> Response:
    return Response(302, {"Location": "/logs/arrived"})


@pytest.mark.fresh_tab("it counts requests")
async def test_the_log_of_requests_is_bounded(page: Page, open_page: OpenPage, site: Site) -> None:
    site.page("ok", path="/logs/many", content_type="text/plain")
    await open_page("<h1>Page</h1>")
    await page.evaluate(
        "(async () => { for (let n = 0; n < 1100; n += 50) await Promise.all("
        "Array.from({length: 50}, (_, m) => fetch('/logs/many?n=' + (n + m)))) })()"
    )
    assert await page._tab.target.until(
        lambda: all(r.seconds is not None for r in page.requests()), 10
    )

    requests = page.requests()
    assert len(requests) == 1000
    assert requests[-1].url.endswith("/logs/many?n=1099")
