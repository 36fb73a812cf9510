"""Browsers of the test's own: how they start, what they are like, and what they keep."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent import BrowserError, ConnectionLost
from cdp_agent.chromium.find import find_browser
from cdp_agent.chromium.flags import TransportName
from tests.support.site import Site

HOSTS = "--host-resolver-rules=MAP *.test 127.0.0.1"


@pytest.fixture
def temporary_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The system's temporary folder for this test; it is empty again afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="start-", dir="/tmp"))  # short: sockets are made in it
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    folder.rmdir()


@pytest.mark.parametrize("transport", ["pipe", "websocket"])
async def test_both_transports_drive_a_page_to_the_end(
    transport: TransportName, site: Site, temporary_folder: Path
) -> None:
    url = site.page("<button onclick=\"document.title = 'sent'\">Send</button>")
    async with cdp_agent.launch(transport=transport, args=[HOSTS]) as browser:
        page = await browser.new_page(url)
        await page.click((await page.snapshot()).find("button", "Send").id)

        assert await page.evaluate("document.title") == "sent"
        assert browser.version.startswith("Chrome/")


async def test_a_port_can_be_had_beside_the_pipe(temporary_folder: Path) -> None:
    async with cdp_agent.launch(args=["--remote-debugging-port=0"]) as browser:
        profile = browser.user_data_dir
        assert profile is not None
        port = (profile / "DevToolsActivePort").read_text().split()[0]

        async with cdp_agent.connect(f"http://127.0.0.1:{port}") as other:
            assert other.version == browser.version
        page = await browser.new_page("about:blank")
        assert await page.evaluate("1 + 1") == 2


@pytest.fixture
async def foreign_address() -> AsyncIterator[str]:
    """The address of a Chromium that somebody else has started."""
    folder = Path(tempfile.mkdtemp(prefix="theirs-", dir="/tmp"))  # short: sockets are made in it
    flags = ("--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking")
    more = ("--disable-component-update", "--disable-sync", "--remote-debugging-port=0", HOSTS)
    profile = f"--user-data-dir={folder / 'profile'}"
    process = await asyncio.create_subprocess_exec(
        *(find_browser(), *flags, *more, profile),
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(20):
            async for line in process.stderr:
                if match := re.search(rb"ws://\S+", line):
                    break
        assert match is not None
        yield match[0].decode()
    finally:
        process.terminate()
        async with asyncio.timeout(20):
            await process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


async def test_a_context_in_a_browser_that_was_found_gets_its_downloads(
    site: Site, temporary_folder: Path, foreign_address: str
) -> None:
    headers = {"Content-Disposition": "attachment; filename=rows.csv"}
    file = site.page("a,b", headers=headers, content_type="text/csv")
    async with cdp_agent.connect(foreign_address) as found:
        context = await found.new_context()
        page = await context.new_page(site.page(f"<a href={file}>Rows</a>"))
        [download] = (await page.click(await page.find("text=Rows"))).downloads

        saved = await download.wait()
        assert (saved.name, saved.read_text()) == ("rows.csv", "a,b")
    assert not saved.exists()


async def test_a_page_is_seen_as_by_someone_with_a_mouse(temporary_folder: Path) -> None:
    async with cdp_agent.launch() as browser:
        page = await browser.new_page("about:blank")

        for query in ("(hover: hover)", "(any-hover: hover)", "(pointer: fine)"):
            assert await page.evaluate(f"matchMedia('{query}').matches"), query


async def test_a_flag_of_the_callers_replaces_ours(temporary_folder: Path) -> None:
    hover = "--blink-settings=primaryHoverType=1"
    async with cdp_agent.launch(args=[hover, "--user-agent=mine"]) as browser:
        page = await browser.new_page("about:blank")

        assert await page.evaluate("matchMedia('(hover: none)').matches")
        assert await page.evaluate("navigator.userAgent") == "mine"


async def test_a_profile_of_the_callers_keeps_its_cookies(
    site: Site, tmp_path: Path, temporary_folder: Path
) -> None:
    url = site.page("<p>cookies</p>")
    async with cdp_agent.launch(user_data_dir=tmp_path, args=[HOSTS]) as browser:
        page = await browser.new_page(url)
        await page.evaluate("document.cookie = 'seen=yes; max-age=3600'")

    async with cdp_agent.launch(user_data_dir=tmp_path, args=[HOSTS]) as browser:
        page = await browser.new_page(url)
        assert await page.evaluate("document.cookie") == "seen=yes"


async def test_a_fresh_profile_knows_nothing_of_the_last_one(
    site: Site, temporary_folder: Path
) -> None:
    url = site.page("<p>cookies</p>")
    for _ in range(2):
        async with cdp_agent.launch(args=[HOSTS]) as browser:
            page = await browser.new_page(url)
            assert await page.evaluate("document.cookie") == ""
            await page.evaluate("document.cookie = 'seen=yes; max-age=3600'")


@pytest.mark.parametrize("transport", ["pipe", "websocket"])
async def test_a_profile_in_use_is_an_error_that_says_so(
    transport: TransportName, tmp_path: Path, temporary_folder: Path
) -> None:
    async with cdp_agent.launch(user_data_dir=tmp_path) as browser:
        with pytest.raises(BrowserError) as caught:
            await cdp_agent.launch(user_data_dir=tmp_path, transport=transport)

        assert "Another Chromium uses this profile" in caught.value.hint
        page = await browser.new_page("about:blank")
        assert await page.evaluate("1 + 1") == 2


async def test_a_browser_killed_from_outside_is_a_lost_connection_and_closes_cleanly(
    temporary_folder: Path,
) -> None:
    async with cdp_agent.launch() as browser:
        page = await browser.new_page("about:blank")
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)

        with pytest.raises(ConnectionLost):
            await page.evaluate("1 + 1", timeout=20)


async def test_a_cancelled_launch_leaves_nothing(temporary_folder: Path) -> None:
    launch = asyncio.ensure_future(_open())
    for _ in range(10_000):
        if os.listdir(temporary_folder):
            break
        await asyncio.sleep(0.001)

    launch.cancel()
    await asyncio.wait({launch})

    assert launch.cancelled()
    assert os.listdir(temporary_folder) == []


async def _open() -> cdp_agent.Browser:
    return await cdp_agent.launch()


async def test_a_browser_that_was_found_without_a_window_opens_one(foreign_address: str) -> None:
    async with cdp_agent.connect(foreign_address) as owner:
        for page in owner.pages:
            await page.close()
    async with cdp_agent.connect(foreign_address) as found:
        assert found.pages == []
        page = await found.new_page("about:blank")
        assert await page.evaluate("1 + 1") == 2
