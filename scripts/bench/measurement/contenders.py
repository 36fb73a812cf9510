"""The two engines that are compared, behind the face that `measure` knows.

Each drives a browser of its own from the same executable. An observation is the text that a model
would be given, so making that text is part of what is timed, for both. What is read to check on
them (`clicks`, `value`) is not timed.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cdp_agent
from scripts.bench.generated.pages import BenchPage
from scripts.bench.measurement.measure import NotReady

if TYPE_CHECKING:
    from playwright.async_api import (
        Browser as PlaywrightBrowser,
        Frame,
        Locator,
        Page as PlaywrightPage,
    )

VIEWPORT = (1280, 720)
#: Nothing but our hosts is ever found, so nothing leaves this machine.
ARGS = (
    "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND",
    "--site-per-process",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Ours:
    name = "cdp_agent"
    errors: tuple[type[Exception], ...] = (cdp_agent.CdpAgentError,)

    def __init__(self, browser: cdp_agent.Browser) -> None:
        self._browser = browser
        self._page: cdp_agent.Page | None = None
        self._button = ""
        self._field = ""
        self._frame = 0
        self.version = browser.version

    @property
    def page(self) -> cdp_agent.Page:
        if self._page is None:
            raise NotReady("no page is open")
        return self._page

    async def open(self, page: BenchPage, url: str) -> None:
        self._page = await self._browser.new_page(url)
        apart = sum(frame.is_oopif for frame in self._page.frames)
        _require_processes(apart, page)
        snapshot = await self._page.snapshot()
        button = snapshot.find("button", page.button, exact=True)
        self._button, self._frame = button.id, button.frame_index
        self._field = snapshot.find("textbox", page.field, exact=True).id

    async def snapshot(self) -> str:
        return (await self.page.snapshot()).text

    async def click(self) -> None:
        await self.page.click(self._button)

    async def fill(self, value: str) -> None:
        await self.page.fill(self._field, value)

    async def step(self) -> str:
        outcome = await self.page.click(self._button, observe=True)
        return outcome.snapshot.text if outcome.snapshot is not None else ""

    async def clicks(self) -> int:
        return int(await self.page.evaluate("clicks", self._frame))

    async def value(self) -> str:
        return str(await self.page.evaluate("note.value", self._frame))

    async def leave(self) -> None:
        if self._page is not None:
            page, self._page = self._page, None
            await page.close()


class Playwright:
    """Acts by CSS in the frame itself, the least it has to look up; observes as its MCP does."""

    name = "playwright"

    def __init__(
        self, browser: PlaywrightBrowser, version: str, errors: tuple[type[Exception], ...]
    ) -> None:
        self._browser = browser
        self._page: PlaywrightPage | None = None
        self._frame: Frame | None = None
        self.version = version
        self.errors = errors

    @property
    def frame(self) -> Frame:
        if self._frame is None:
            raise NotReady("no page is open")
        return self._frame

    @property
    def _body(self) -> Locator:
        if self._page is None:
            raise NotReady("no page is open")
        return self._page.locator("body")

    async def open(self, page: BenchPage, url: str) -> None:
        size = {"width": VIEWPORT[0], "height": VIEWPORT[1]}
        self._page = await self._browser.new_page(viewport=size)  # type: ignore[arg-type]
        await self._page.goto(url)
        _require_processes(await self._out_of_process(), page)
        frames = [f for f in self._page.frames if urlsplit(f.url).path == page.acts_in]
        if len(frames) != 1:
            raise NotReady(f"{len(frames)} frames show {page.acts_in}")
        self._frame = frames[0]

    async def _out_of_process(self) -> int:
        session = await self._browser.new_browser_cdp_session()
        try:
            targets = await session.send("Target.getTargets")
        finally:
            await session.detach()
        return sum(info["type"] == "iframe" for info in targets["targetInfos"])

    async def snapshot(self) -> str:
        return await self._body.aria_snapshot(mode="ai", timeout=120_000)

    async def click(self) -> None:
        await self.frame.locator("#go").click()

    async def fill(self, value: str) -> None:
        await self.frame.locator("#note").fill(value)

    async def step(self) -> str:
        await self.click()
        return await self.snapshot()

    async def clicks(self) -> int:
        return int(await self.frame.evaluate("clicks"))

    async def value(self) -> str:
        return str(await self.frame.evaluate("note.value"))

    async def leave(self) -> None:
        if self._page is not None:
            page, self._page = self._page, None
            await page.close()


def _require_processes(found: int, page: BenchPage) -> None:
    """A comparison of different pages would be none."""
    if found != page.out_of_process:
        raise NotReady(f"{found} frames are out of process, not {page.out_of_process}")


def playwright_problem() -> str | None:
    """Why there can be no comparison with Playwright, and what to do; None if there can."""
    install = "Install what the benchmark compares with: scripts/setup bench"
    if importlib.util.find_spec("playwright") is None:
        return f"Playwright is not installed.\n{install}"
    from playwright.async_api import Locator

    if "mode" not in inspect.signature(Locator.aria_snapshot).parameters:
        return f"This Playwright has no snapshots for AI (Locator.aria_snapshot).\n{install}"
    return None


@asynccontextmanager
async def start_ours(executable: Path) -> AsyncIterator[Ours]:
    async with cdp_agent.launch(executable, args=ARGS, viewport=VIEWPORT) as browser:
        yield Ours(browser)


@asynccontextmanager
async def start_foreign(executable: Path) -> AsyncIterator[cdp_agent.Browser]:
    """A browser that somebody else started, without any switch of ours, connected to."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            executable,
            "--headless",
            "--no-sandbox",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            f"--window-size={VIEWPORT[0]},{VIEWPORT[1]}",
            *ARGS,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(30):
                endpoint = await _endpoint(process)
            async with cdp_agent.connect(endpoint) as browser:
                yield browser
        finally:
            process.terminate()
            await process.wait()


async def _endpoint(process: asyncio.subprocess.Process) -> str:
    """The address at which the browser listens."""
    assert process.stderr is not None
    async for line in process.stderr:
        said, _, endpoint = line.decode().strip().partition("DevTools listening on ")
        if not said and endpoint:
            return endpoint
    raise NotReady("the browser ended without saying where it listens")


@asynccontextmanager
async def start_playwright(executable: Path) -> AsyncIterator[Playwright]:
    from importlib.metadata import version

    from playwright.async_api import Error, async_playwright

    async with async_playwright() as playwright:
        # It switches the sandbox off by itself, as root needs.
        browser = await playwright.chromium.launch(executable_path=executable, args=list(ARGS))
        try:
            yield Playwright(browser, version("playwright"), (Error,))
        finally:
            await browser.close()
