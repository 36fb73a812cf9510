"""The line of an iframe says why there is nothing in it."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.site import Response, Site

_PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>"""


async def iframe_line(page: Page) -> str:
    lines = (await page.snapshot()).text.splitlines()
    assert lines[1] == 'heading "Top" 1'
    assert len(lines) == 3, lines
    return lines[2]


@pytest.mark.parametrize("host", ["a.test", "b.test"])
@pytest.mark.parametrize(
    "headers",
    [
        {"X-Frame-Options": "DENY"},
        {"Content-Security-Policy": "frame-ancestors 'none'"},
    ],
    ids=["X-Frame-Options", "frame-ancestors"],
)
async def test_a_frame_whose_server_refuses_to_be_framed_is_blocked(
    page: Page, site: Site, host: str, headers: dict[str, str]
) -> None:
    inner = site.page("<p>Words</p>", host=host, headers=headers)
    await page.goto(site.page(f"<h1>Top</h1><iframe src={inner}></iframe>"))

    assert "(blocked: its server refuses to be shown in a frame)" in await iframe_line(page)


async def test_a_frame_that_the_page_forbids_is_blocked(page: Page, site: Site) -> None:
    inner = site.page("<p>Words</p>", host="b.test")
    policy = {"Content-Security-Policy": "frame-src 'self'"}
    await page.goto(site.page(f"<h1>Top</h1><iframe src={inner}></iframe>", headers=policy))

    assert "(blocked" in await iframe_line(page)


async def test_a_frame_whose_server_does_not_answer_says_so(page: Page, site: Site) -> None:
    await page.goto(site.page("<h1>Top</h1><iframe src=http://127.0.0.1:9/></iframe>"))

    assert "(cannot be shown: net::ERR_" in await iframe_line(page)


async def test_a_frame_that_is_on_its_way_is_still_loading(page: Page, site: Site) -> None:
    slow = site.page("<p>Words</p>", delay=30)
    await page.goto(site.page(f"<h1>Top</h1><iframe src={slow}></iframe>"), timeout=5)

    assert "(still loading)" in await iframe_line(page)


async def test_a_pdf_in_a_frame_is_called_one(page: Page, site: Site) -> None:
    site.route("/a.pdf", lambda _: Response(200, {"Content-Type": "application/pdf"}, _PDF))
    await page.goto(site.page(f"<h1>Top</h1><iframe src={site.url('/a.pdf')}></iframe>"))

    assert (await iframe_line(page)).endswith("(PDF)")


@pytest.mark.parametrize("seen_before", [True, False])
async def test_a_frame_that_crashed_says_so_until_it_shows_something(
    page: Page, site: Site, seen_before: bool
) -> None:
    inner = site.page("<p>Words</p>", host="b.test")
    await page.goto(site.page(f"<h1>Top</h1><iframe id=f src={inner}></iframe>"))
    if seen_before:
        assert "Words" in (await page.snapshot()).text
    frame = list(page._tab.target.frames)[1]
    frame.require_session().send_only("Page.crash")
    await page._tab.target.until(lambda: frame.crashed, 10)

    for _ in range(2):
        assert (await iframe_line(page)).endswith("(crashed)")

    await page.evaluate(f"f.src = '{inner}?again', 0")
    await page.wait_for(text="Words")
    assert "crashed" not in (await page.snapshot()).text


async def test_an_empty_document_has_no_reason(page: Page, site: Site) -> None:
    await page.goto(site.page("<h1>Top</h1><iframe></iframe>"))

    assert "(" not in await iframe_line(page)
