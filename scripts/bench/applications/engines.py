"""The two engines on an application's page: they act on one element, then observe.

Ours acts by the id of an earlier snapshot and observes with `observe=True`, as the tools do.
Playwright acts by locator and observes with its snapshot for AI, as its MCP server does. The text
that a model would read is made within the timed part, for both.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import cdp_agent
from scripts.bench.applications.catalog import Target

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser, Page as PlaywrightPage

EngineName = Literal["cdp_agent", "playwright"]
Verb = Literal["fill", "press", "click", "hover"]

VIEWPORT = (1280, 720)
#: The tools answer within this many tokens unless told otherwise.
DEFAULT_TOKENS = 8_000
_ACTION_SECONDS = 10.0
_OPEN_SECONDS = 60.0
#: Applications may ask for anything; only loopback is ever found.
_ARGS = (
    "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Engine(Protocol):
    """One engine with one page at a time."""

    version: str

    async def open(self, url: str) -> None: ...

    async def snapshot(self) -> str:
        """Returns the text of the page as a model gets it first."""

    async def lookup(self, target: Target) -> None:
        """Prepare for a step on the element, as far as the engine does so. Not timed."""

    async def step(self, verb: Verb, target: Target | None, text: str) -> str:
        """Perform the verb, observe, return the observation. `text` is a value or a key."""

    async def evaluate(self, expression: str) -> Any: ...

    async def forget(self) -> None:
        """Look up all elements anew: the page has replaced some."""

    async def close(self) -> None:
        """Close the page. May be called twice."""


class OurEngine:
    def __init__(self, browser: cdp_agent.Browser) -> None:
        self._browser = browser
        self._page: cdp_agent.Page | None = None
        self._ids: dict[Target, str] = {}
        self.version = browser.version

    @property
    def page(self) -> cdp_agent.Page:
        assert self._page is not None
        return self._page

    async def open(self, url: str) -> None:
        self._page = await self._browser.new_page()
        await self._page.goto(url, timeout=_OPEN_SECONDS)
        self._ids = {}

    async def snapshot(self) -> str:
        return (await self.page.snapshot(max_tokens=DEFAULT_TOKENS)).text

    async def lookup(self, target: Target) -> None:
        """Learn the element's id, as a model knows it from a snapshot."""
        if target not in self._ids:
            self._ids[target] = await self.page.find({"css": target.css, "nth": target.nth})

    async def step(self, verb: Verb, target: Target | None, text: str) -> str:
        element = self._ids[target] if target is not None else ""
        match verb:
            case "fill":
                outcome = await self.page.fill(element, text, observe=True, timeout=_ACTION_SECONDS)
            case "press":
                outcome = await self.page.press(text, observe=True, timeout=_ACTION_SECONDS)
            case "click":
                outcome = await self.page.click(element, observe=True, timeout=_ACTION_SECONDS)
            case "hover":
                outcome = await self.page.hover(element, observe=True, timeout=_ACTION_SECONDS)
        return _observation(outcome)

    async def evaluate(self, expression: str) -> Any:
        return await self.page.evaluate(expression)

    async def forget(self) -> None:
        self._ids = {}

    async def close(self) -> None:
        if self._page is not None:
            page, self._page = self._page, None
            await page.close()


def _observation(outcome: cdp_agent.Outcome) -> str:
    """The text that the tools would give: what changed, or the whole page."""
    if outcome.diff is not None:
        return outcome.diff.text
    return outcome.snapshot.text if outcome.snapshot is not None else ""


class PlaywrightEngine:
    def __init__(self, browser: PlaywrightBrowser, version: str) -> None:
        self._browser = browser
        self._page: PlaywrightPage | None = None
        self.version = version

    @property
    def page(self) -> PlaywrightPage:
        assert self._page is not None
        return self._page

    async def open(self, url: str) -> None:
        size = {"width": VIEWPORT[0], "height": VIEWPORT[1]}
        self._page = await self._browser.new_page(viewport=size)  # type: ignore[arg-type]
        self._page.set_default_timeout(_ACTION_SECONDS * 1000)
        self._page.set_default_navigation_timeout(_OPEN_SECONDS * 1000)
        await self._page.goto(url)

    async def snapshot(self) -> str:
        return await self.page.locator("body").aria_snapshot(mode="ai")

    async def lookup(self, target: Target) -> None:
        """A locator is looked up when it acts."""

    async def step(self, verb: Verb, target: Target | None, text: str) -> str:
        if target is None:
            await self.page.keyboard.press(text)
            return await self.snapshot()
        element = self.page.locator(target.css).nth(target.nth)
        match verb:
            case "fill":
                await element.fill(text)
            case "press":
                await element.press(text)
            case "click":
                await element.click()
            case "hover":
                await element.hover()
        return await self.snapshot()

    async def evaluate(self, expression: str) -> Any:
        return await self.page.evaluate(expression)

    async def forget(self) -> None:
        """Nothing is remembered."""

    async def close(self) -> None:
        if self._page is not None:
            page, self._page = self._page, None
            await page.close()


@asynccontextmanager
async def start_engine(name: EngineName, executable: Path) -> AsyncIterator[Engine]:
    """Start a browser of its own for the engine, and end it."""
    if name == "cdp_agent":
        async with cdp_agent.launch(executable, args=_ARGS, viewport=VIEWPORT) as ours:
            yield OurEngine(ours)
        return
    from importlib.metadata import version

    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        theirs = await playwright.chromium.launch(executable_path=executable, args=list(_ARGS))
        try:
            yield PlaywrightEngine(theirs, version("playwright"))
        finally:
            await theirs.close()
