"""Files that pages send, from wherever they begin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_agent import ActionTimeout, Browser, BrowserError, NavigationFailed, Page
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


@pytest.fixture
def report(site: Site) -> str:
    """The path of a file that the server sends."""
    headers = {"Content-Disposition": "attachment; filename=report.txt"}
    site.route("/downloads/report", lambda _: Response(200, headers, b"All is well."))
    return "/downloads/report"


@pytest.fixture
def endless(site: Site) -> Iterator[str]:
    """The path of a file that does not end by itself."""
    over = False

    def send(_: Request) -> Response:
        def body() -> Iterator[bytes]:
            while not over and not site._closing.wait(0.05):
                yield b"x" * 1000

        return Response(200, {"Content-Disposition": "attachment; filename=long.bin"}, body())

    site.route("/downloads/endless", send)
    yield "/downloads/endless"
    over = True


@pytest.mark.row("UPL-14")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_click_that_begins_a_download_ends_with_the_file(
    make_stage: MakeStage, report: str, frame_kind: str
) -> None:
    stage = await make_stage(f"<a id=target href={report}>Report</a>", frame_kind)

    outcome = await stage.page.click(await stage.css())

    [download] = outcome.downloads
    assert (download.name, download.state, download.size) == ("report.txt", "completed", 12)
    assert download.path is not None
    assert download.path.read_text() == "All is well."
    assert download.url.endswith(report)
    assert stage.page.downloads == [download]
    assert outcome.navigated is None


BY_SCRIPT = """<button id=target>Save</button><script>target.onclick = () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['made here']));
  link.download = 'made.txt';
  link.click();
}</script>"""
MADE_HERE = {
    "a data: address": "<a id=target href='data:text/plain,made here' download=made.txt>Save</a>",
    "a blob: address": "<a id=target download=made.txt>Save</a><script>"
    "target.href = URL.createObjectURL(new Blob(['made here']))</script>",
    "a link that no document holds": BY_SCRIPT,
}


@pytest.mark.row("UPL-13")
@pytest.mark.parametrize("html", MADE_HERE.values(), ids=MADE_HERE.keys())
async def test_what_a_page_makes_itself_is_saved(make_stage: MakeStage, html: str) -> None:
    stage = await make_stage(html)

    [download] = (await stage.page.click(await stage.css())).downloads

    assert download.name == "made.txt"
    assert (await download.wait()).read_text() == "made here"


async def test_a_link_to_a_slow_file_is_waited_for(make_stage: MakeStage, site: Site) -> None:
    site.page("late", path="/downloads/late", content_type="text/plain", delay=0.8)
    stage = await make_stage("<a id=target href=/downloads/late download=late.txt>Save</a>")

    [download] = (await stage.page.click(await stage.css())).downloads

    assert (await download.wait()).read_text() == "late"


OPENED = {
    "target=_blank": "<a id=target target=_blank href={}>Report</a>",
    "rel=noopener": "<a id=target target=_blank rel=noopener href={}>Report</a>",
    "window.open": "<button id=target onclick=\"window.open('{}')\">Report</button>",
}


@pytest.mark.row("DLG-12", "UPL-14")
@pytest.mark.parametrize("html", OPENED.values(), ids=OPENED.keys())
async def test_a_download_in_a_new_window_leaves_no_tab(
    make_stage: MakeStage, browser: Browser, report: str, html: str
) -> None:
    stage = await make_stage(html.format(report))
    before = set(browser.pages)

    outcome = await stage.page.click(await stage.css())

    assert [download.name for download in outcome.downloads] == ["report.txt"]
    assert outcome.new_pages == ()
    assert set(browser.pages) <= before


@pytest.mark.row("UPL-14")
async def test_a_download_begun_in_a_popup_is_told_there_and_to_its_opener(
    make_stage: MakeStage, site: Site, report: str
) -> None:
    inner = site.page(f"<a href={report}>Report</a>")
    stage = await make_stage(f"<button id=target onclick=\"window.open('{inner}')\">Open</button>")
    [popup] = (await stage.page.click(await stage.css())).new_pages

    outcome = await popup.click((await popup.snapshot()).find("link", "Report").id)

    assert [download.name for download in outcome.downloads] == ["report.txt"]
    assert stage.page.downloads == popup.downloads == list(outcome.downloads)
    await popup.close()


async def test_two_files_of_one_name_are_two_files(make_stage: MakeStage, report: str) -> None:
    stage = await make_stage(f"<a id=target href={report}>Report</a>")
    target = await stage.css()

    await stage.page.click(target)
    await stage.page.click(target)

    first, second = stage.page.downloads
    assert first.name == second.name == "report.txt"
    assert first.path != second.path
    for download in (first, second):
        assert (await download.wait()).read_text() == "All is well."


async def test_a_name_that_leads_elsewhere_is_made_safe(make_stage: MakeStage, site: Site) -> None:
    headers = {"Content-Disposition": 'attachment; filename="../../.ssh/\u202eauthorized:keys"'}
    headers = {key: value.encode().decode("latin-1") for key, value in headers.items()}
    site.route("/downloads/evil", lambda _: Response(200, headers, b"x"))
    stage = await make_stage("<a id=target href=/downloads/evil>Report</a>")

    [download] = (await stage.page.click(await stage.css())).downloads

    path = await download.wait()
    assert path.name == download.name
    assert not set("/\\:\u202e") & set(download.name)
    assert not download.name.startswith(".")


async def test_a_download_that_does_not_end_is_told_as_such_and_can_be_cancelled(
    make_stage: MakeStage, endless: str
) -> None:
    stage = await make_stage(f"<a id=target href={endless}>Long</a>")

    [download] = (await stage.page.click(await stage.css())).downloads

    first = download.state
    with pytest.raises(ActionTimeout):
        await download.wait(0.1)
    await download.cancel()
    assert (first, download.state) == ("in_progress", "cancelled")
    with pytest.raises(BrowserError):
        await download.wait()


async def test_an_address_that_is_a_file_is_said_to_be_one(
    page: Page, oracle: PageOracle, open_page: OpenPage, site: Site, report: str
) -> None:
    url = await open_page("<h1>Page</h1>")

    with pytest.raises(NavigationFailed) as refused:
        await page.goto(site.url(report))

    assert refused.value.data["name"] == "report.txt"
    assert [str(download.path) for download in page.downloads] == [refused.value.data["path"]]
    assert await oracle.eval("location.href") == page.url == url


async def test_a_context_keeps_its_downloads_where_it_was_told(
    browser: Browser, site: Site, report: str, folder: Path
) -> None:
    async with await browser.new_context(downloads_dir=folder / "mine") as context:
        page = await context.new_page(site.page(f"<a href={report}>Report</a>"))
        await page.click((await page.snapshot()).find("link").id)

    assert [path.name for path in (folder / "mine").iterdir()] == ["report.txt"]
