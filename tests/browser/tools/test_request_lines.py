"""Requests that wrote something or failed are lines of an action's result."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.browser.tools.conftest import Use
from tests.support.site import Response, Site

BUTTON = '<button id=target onclick="{}">Save</button>'


@pytest.fixture
def server(site: Site) -> Site:
    def answer(status: int) -> object:
        return lambda _: Response(status)

    for path, status in {"/note": 204, "/broken": 500, "/plain": 200, "/gone": 404}.items():
        site.route(path, answer(status))  # type: ignore[arg-type]
    return site


LINES = {
    "a write": ("fetch('/note', {method: 'PUT'})", ("PUT /note 204",)),
    "its query is left out": ("fetch('/note?token=s3cret', {method: 'PUT'})", ("PUT /note 204",)),
    "a failed write": ("fetch('/broken', {method: 'POST'})", ("POST /broken failed: 500",)),
    "a failed read": ("fetch('/gone')", ("GET /gone failed: 404",)),
    "a plain read": ("fetch('/plain')", ()),
    "a probe": ("fetch('/gone', {method: 'HEAD'})", ()),
    "a write later": (
        "setTimeout(() => { this.title = 'x'; fetch('/note', {method: 'PUT'}) }, 40)",
        ("PUT /note 204",),
    ),
    "equal ones": (
        "for (let n = 0; n < 3; n++) fetch('/note', {method: 'PUT'})",
        ("PUT /note 204 (3 times)",),
    ),
    "many": (
        "for (const m of ['PUT', 'POST', 'PATCH', 'DELETE']) fetch('/note', {method: m})",
        ("PUT /note 204", "POST /note 204", "and 2 more requests"),
    ),
    "no server": (
        "fetch('http://127.0.0.1:9/x', {method: 'POST', mode: 'no-cors'}).catch(() => {})",
        ("POST 127.0.0.1:9/x failed: net::ERR_UNSAFE_PORT",),
    ),
}


@pytest.mark.parametrize(("script", "lines"), LINES.values(), ids=LINES.keys())
async def test_a_click_reports_what_it_wrote_and_what_failed(
    page: Page, server: Site, script: str, lines: tuple[str, ...]
) -> None:
    await page.goto(server.page(BUTTON.format(script)))

    outcome = await page.click((await page.snapshot()).find("button", "Save").id)

    assert sorted(outcome.requests) == sorted(lines)


async def test_a_form_reports_that_it_was_sent(page: Page, server: Site) -> None:
    done = server.page("<p>Saved")
    server.route("/save", lambda _: Response(302, {"Location": done}))
    await page.goto(server.page("<form method=post action=/save><button>Save</button></form>"))

    outcome = await page.click((await page.snapshot()).find("button", "Save").id)

    assert outcome.requests == ("POST /save 302",)
    assert outcome.navigated == done


async def test_an_answer_says_once_that_a_form_went_elsewhere(server: Site, use: Use) -> None:
    done = server.page("<p>Saved")
    server.route("/save", lambda _: Response(302, {"Location": done}))
    await use(
        "navigate",
        url=server.page("<form method=post action=/save><button>Save</button></form>"),
    )

    answer = await use("click", ref="text=Save")

    assert f"navigated to {done}" in answer.text
    assert "302" not in answer.text


async def test_goto_reports_failed_requests_alone(page: Page, server: Site) -> None:
    html = "<p>Here<script>fetch('/broken'); fetch('/note', {method: 'PUT'})</script>"

    outcome = await page.goto(server.page(html))

    assert outcome.requests == ("GET /broken failed: 500",)


async def test_a_long_path_is_cut(page: Page, server: Site) -> None:
    path = "/" + "a" * 300 + "/end"
    server.route(path, lambda _: Response(204))
    await page.goto(server.page(BUTTON.format(f"fetch('{path}', {{method: 'PUT'}})")))

    (line,) = (await page.click((await page.snapshot()).find("button", "Save").id)).requests

    assert line.startswith("PUT /aaa")
    assert line.endswith("/end 204")
    assert len(line) < 100


async def test_an_error_of_the_console_that_repeats_is_one_line(server: Site, use: Use) -> None:
    script = "for (const e of ['a', 'a', 'b', 'a', 'c', 'd', 'd']) console.error('no ' + e)"
    await use("navigate", url=server.page(BUTTON.format(script)))

    answer = await use("click", ref="text=Save")

    assert [line for line in answer.text.split("\n") if "console error" in line] == [
        "console error: no a (3 times)",
        "console error: no b",
        "console error: no c",
        "and 2 more console errors",
    ]
