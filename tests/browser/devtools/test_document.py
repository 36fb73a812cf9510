"""The HTML of a document, read and replaced, and the page as a PDF."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cdp_agent import BlockedByPolicy, Browser, FrameDetached, InvalidParams, Page, StaleRef
from tests.support.pages.framed_pages import iframe
from tests.support.site import Site
from tests.support.stage import OpenPage


async def test_content_is_the_document_as_scripts_have_made_it(
    page: Page, open_page: OpenPage
) -> None:
    await open_page("<!doctype html><p>One</p><script>document.body.append('Two')</script>")

    html = await page.content()

    assert html.startswith("<!DOCTYPE html><html>")
    assert "<p>One</p>" in html
    assert "Two" in html.partition("</script>")[2]


async def test_content_of_a_frame_of_another_process(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    inner = site.page("<h2>Inside</h2>", host="b.test")
    await open_page(iframe(inner, name="inner") + "<h1>Outside</h1>")
    frame = next(frame for frame in page.frames if frame.url == inner)

    assert "<h2>Inside</h2>" in await page.content(frame=frame.index)
    assert "Inside" not in await page.content()
    with pytest.raises(InvalidParams):
        await page.content(frame=99)
    await page.evaluate("document.querySelector('iframe').remove()")
    with pytest.raises(FrameDetached):
        await page.content(frame=frame.index)


async def test_content_that_is_set_is_loaded_and_can_be_acted_on(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    url = await open_page("<button>Old</button>")
    old = (await page.snapshot()).find("button").id
    site.page("window.loaded = 'yes'", path="/set_content.js", content_type="text/javascript")

    await page.set_content(
        "<script src=/set_content.js></script>"
        "<button onclick=\"this.textContent = 'Pressed'\">New</button>"
    )

    assert page.url == url
    assert await page.evaluate("window.loaded") == "yes"
    snapshot = await page.snapshot()
    assert "Old" not in snapshot.text
    outcome = await page.click(snapshot.find("button", "New").id, observe=True)
    assert outcome.receipt is not None
    assert outcome.snapshot is not None
    assert outcome.snapshot.find("button", "Pressed")
    with pytest.raises(StaleRef):
        await page.click(old)


async def test_content_is_set_in_an_empty_tab_and_twice(browser: Browser) -> None:
    page = await browser.new_page()
    try:
        for word in ("First", "Second"):
            await page.set_content(f"<h1>{word}</h1>")
            assert (await page.snapshot()).find("heading", word)
        with pytest.raises(InvalidParams):
            await page.set_content(b"<h1>Bytes</h1>")  # type: ignore[arg-type]
    finally:
        await page.close()


async def test_a_page_is_printed_on_the_paper_that_is_wanted(
    page: Page, open_page: OpenPage, folder: Path
) -> None:
    await open_page("<h1>One</h1><h1 style='break-before: page'>Two</h1>")

    printed = await page.pdf(folder / "page.pdf", paper="A4", landscape=True)

    assert printed == (folder / "page.pdf").read_bytes()
    assert printed.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert len(boxes) == 2
    assert [round(float(side) / 72, 1) for side in boxes[0]] == [11.7, 8.3]
    first = await page.pdf(pages="1", paper=(5, 5), margin=(1, 0.5, 1, 0.5))
    assert re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", first) == [(b"360", b"360")]


REFUSED = {
    "paper": {"paper": "napkin"},
    "size": {"paper": (0, 5)},
    "scale": {"scale": 3},
    "margin": {"margin": -1},
    "margins": {"margin": (1, 2)},
    "pages": {"pages": "all"},
    "no such page": {"pages": "9"},
    "no room": {"margin": 50},
    "timeout": {"timeout": 0},
}


@pytest.mark.parametrize("options", REFUSED.values(), ids=REFUSED.keys())
async def test_what_cannot_be_printed_is_an_error(
    page: Page, open_page: OpenPage, options: dict[str, object]
) -> None:
    await open_page("<h1>One</h1>")
    with pytest.raises(InvalidParams):
        await page.pdf(**options)  # type: ignore[arg-type]


async def test_a_pdf_that_would_show_a_secret_is_withheld(
    browser: Browser, page: Page, open_page: OpenPage
) -> None:
    class Hides:
        hides_drawings = False

        def finds(self, text: str) -> bool:
            return "hunter2" in text

    await open_page("<input value=hunter2>")
    browser.picture_cover = Hides()
    try:
        with pytest.raises(BlockedByPolicy):
            await page.pdf()
        with pytest.raises(BlockedByPolicy):
            await page.start_tracing(screenshots=True)
    finally:
        browser.picture_cover = None
    assert (await page.pdf()).startswith(b"%PDF-")
