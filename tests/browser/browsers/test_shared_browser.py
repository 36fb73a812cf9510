"""Several programs at one browser: what one of them has set outlasts the others.

Chromium has one folder of downloads and one set of permissions for a context, whoever set it, and
takes both back when a client that had set them leaves. The default context belongs to all of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser, Page
from cdp_agent.chromium import LaunchOptions, start_browser
from tests.browser.conftest import BROWSER_ARGS
from tests.support.devtools import devtools_port_and_path
from tests.support.oracle import Oracle
from tests.support.site import Response, Site

#: Chromium asks a person about a file of this name, unless it was told where it goes.
_NAMES = ("report.txt", "authorized:keys")


@pytest.fixture
def files(site: Site) -> str:
    """A page with a link to a file of each name."""
    for number, name in enumerate(_NAMES):
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        sent = Response(200, headers, b"x")
        site.route(f"/shared/{number}", partial(lambda sent, _: sent, sent))
    return site.page("".join(f"<a href=/shared/{n}>File {n}</a>" for n in range(len(_NAMES))))


@pytest_asyncio.fixture(loop_scope="session")
async def launched(folder: Path) -> AsyncIterator[Browser]:
    granted = {"geolocation": "granted"}
    async with cdp_agent.launch(
        args=BROWSER_ARGS, downloads_dir=folder / "launched", permissions=granted
    ) as launched:
        yield launched


def address_of(launched: Browser) -> str:
    return "ws://127.0.0.1:{}{}".format(*devtools_port_and_path(launched))


@contextlib.asynccontextmanager
async def until_left(launched: Browser) -> AsyncIterator[None]:
    """Ends when a client that leaves meanwhile is gone; to Chromium each client is a target."""
    with launched.connection.root.events("Target.targetDestroyed") as gone:
        yield
        async with asyncio.timeout(10):
            await gone.get()


async def folders_of_files(page: Page) -> list[Path]:
    """Click each link; the folders of the files when the clicks have answered."""
    found = []
    for link in (await page.snapshot()).find_all("link"):
        (download,) = (await page.click(link.id)).downloads
        assert (await download.wait()).is_file()
        assert download.path is not None
        found.append(download.path.parent)
    return found


async def save_elsewhere(client: Oracle, folder: Path) -> None:
    where = {"behavior": "allowAndName", "downloadPath": str(folder), "eventsEnabled": True}
    await client.send("Browser.setDownloadBehavior", where)


async def test_a_client_without_a_folder_changes_nothing(
    launched: Browser, files: str, folder: Path
) -> None:
    page = await launched.new_page(files)
    async with until_left(launched), cdp_agent.connect(address_of(launched)):
        assert await folders_of_files(page) == [folder / "launched"] * 2

    assert await folders_of_files(page) == [folder / "launched"] * 2


async def test_the_folder_is_that_of_the_program_that_acts(
    launched: Browser, files: str, folder: Path
) -> None:
    page = await launched.new_page(files)
    async with cdp_agent.connect(
        address_of(launched), downloads_dir=folder / "connected"
    ) as connected:
        theirs = await connected.new_page(files)
        for _ in range(2):
            assert await folders_of_files(page) == [folder / "launched"] * 2
            assert await folders_of_files(theirs) == [folder / "connected"] * 2
        await theirs.close()


async def test_the_folder_holds_when_another_program_has_left(
    launched: Browser, files: str, folder: Path
) -> None:
    page = await launched.new_page(files)
    client = await Oracle.open(address_of(launched))
    await save_elsewhere(client, folder / "elsewhere")
    assert await folders_of_files(page) == [folder / "launched"] * 2
    await save_elsewhere(client, folder / "elsewhere")
    async with until_left(launched):
        await client.aclose()

    # Begun by the page itself: no action sets the folder again.
    with page.events("download") as events:
        for number in range(len(_NAMES)):
            await page.evaluate(f"document.links[{number}].click()")
            async with asyncio.timeout(10):
                begun = await events.get()
            assert begun is not None
            assert (await begun.subject.wait()).parent == folder / "launched"
            while (over := await events.get()) is not None and over.name != "completed":
                pass


async def test_permissions_hold_when_another_program_has_left(
    launched: Browser, files: str
) -> None:
    page = await launched.new_page(files)
    client = await Oracle.open(address_of(launched))
    for name in ("geolocation", "notifications"):
        denied = {"permission": {"name": name}, "setting": "denied"}
        await client.send("Browser.setPermission", denied)
    async with until_left(launched):
        await client.aclose()

    state = "navigator.permissions.query({name: 'geolocation'}).then(found => found.state)"
    assert await page.evaluate(state) == "granted"


async def test_a_client_without_a_folder_hears_of_downloads(files: str, folder: Path) -> None:
    """In a browser that no engine has started."""
    process = await start_browser(
        LaunchOptions(args=BROWSER_ARGS, transport="websocket", env={"HOME": str(folder)})
    )
    try:
        assert process.ws_url is not None
        async with cdp_agent.connect(process.ws_url) as engine:
            page = await engine.new_page(files)
            link = (await page.snapshot()).find("link", "File 0").id

            (download,) = (await page.click(link)).downloads

            assert await download.wait() == folder / "Downloads" / "report.txt"
            assert download.path is not None
            assert download.path.read_bytes() == b"x"
    finally:
        await process.aclose()
