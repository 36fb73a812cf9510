"""The two engines as a policy uses them: act by reference, read the text that comes back.

Ours reads the difference after an action, as a model does; Playwright's library has whole
snapshots for AI alone. The tokens of all that was read are counted, and so is each call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import cdp_agent
from scripts.bench.measurement.tokens import count_tokens
from scripts.bench.wob.view import Line, View, read_ours, read_playwright

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page as PlaywrightPage

_SECONDS = 10.0


class Hand(Protocol):
    """The actions of a policy, and the page as it was after the last of them."""

    view: View

    async def look(self) -> None:
        """Take a snapshot."""

    async def click(self, line: Line) -> None: ...

    async def hover(self, line: Line) -> None: ...

    async def fill(self, line: Line, text: str) -> None: ...

    async def type(self, line: Line, text: str) -> None:
        """Type at the end of what the element holds."""

    async def press(self, key: str, line: Line | None = None, times: int = 1) -> None: ...

    async def choose(self, line: Line, labels: Sequence[str]) -> None: ...

    async def check(self, line: Line) -> None: ...

    async def scroll(self, line: Line, direction: Literal["top", "bottom"]) -> None: ...

    async def read_all(self, line: Line) -> str:
        """Returns a field's value, also where the text has cut it."""

    async def pause(self, seconds: float) -> None:
        """Wait, then take a snapshot."""


class _EngineHand:
    """The actions that are the same for both engines, and all that was read."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._utterance = ""
        self.view = View(())
        self.read: list[str] = []

    async def look(self) -> None:
        raise NotImplementedError

    async def open(self, url: str) -> None:
        await self._page.goto(url)

    async def begin(self, utterance: str) -> None:
        self._utterance, self.read = utterance, []
        await self.look()

    async def evaluate(self, expression: str) -> Any:
        return await self._page.evaluate(expression)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.look()

    def tokens(self) -> int:
        return sum(map(count_tokens, self.read))


class OurHand(_EngineHand):
    errors: tuple[type[Exception], ...] = (cdp_agent.CdpAgentError,)

    def __init__(self, page: cdp_agent.Page) -> None:
        super().__init__(page)
        self._page: cdp_agent.Page

    async def look(self) -> None:
        snapshot = await self._page.snapshot()
        self.read.append(snapshot.text)
        self.view = View(read_ours(snapshot.text), self._utterance)

    async def click(self, line: Line) -> None:
        self._observe(await self._page.click(line.ref, observe=True, timeout=_SECONDS))

    async def hover(self, line: Line) -> None:
        self._observe(await self._page.hover(line.ref, observe=True, timeout=_SECONDS))

    async def fill(self, line: Line, text: str) -> None:
        self._observe(await self._page.fill(line.ref, text, observe=True, timeout=_SECONDS))

    async def type(self, line: Line, text: str) -> None:
        self._observe(await self._page.type(line.ref, text, observe=True, timeout=_SECONDS))

    async def press(self, key: str, line: Line | None = None, times: int = 1) -> None:
        ref = line.ref if line is not None else None
        self._observe(await self._page.press(key, ref, times=times, observe=True, timeout=_SECONDS))

    async def choose(self, line: Line, labels: Sequence[str]) -> None:
        outcome = await self._page.select(
            line.ref, label=list(labels), observe=True, timeout=_SECONDS
        )
        self._observe(outcome)

    async def check(self, line: Line) -> None:
        self._observe(await self._page.check(line.ref, observe=True, timeout=_SECONDS))

    async def scroll(self, line: Line, direction: Literal["top", "bottom"]) -> None:
        outcome = await self._page.scroll(direction, id=line.ref, observe=True, timeout=_SECONDS)
        self._observe(outcome)

    async def read_all(self, line: Line) -> str:
        if "(cut, " not in line.rest:
            return line.value
        text = "\n".join(one.text for one in await self._page.read(line.ref, timeout=_SECONDS))
        self.read.append(text)
        return text

    def _observe(self, outcome: cdp_agent.Outcome) -> None:
        """The difference is what is read; with what was read before it is the whole page."""
        if outcome.snapshot is not None:
            whole = outcome.snapshot.text
            self.read.append(outcome.diff.text if outcome.diff is not None else whole)
            self.view = View(read_ours(whole), self._utterance)


class PlaywrightHand(_EngineHand):
    def __init__(self, page: PlaywrightPage, errors: tuple[type[Exception], ...]) -> None:
        super().__init__(page)
        self._page: PlaywrightPage
        self._page.set_default_timeout(_SECONDS * 1000)
        self.errors = errors

    async def look(self) -> None:
        text = await self._page.locator("body").aria_snapshot(mode="ai")
        self.read.append(text)
        self.view = View(read_playwright(text), self._utterance)

    def _element(self, line: Line) -> Locator:
        return self._page.locator(f"aria-ref={line.ref}")

    async def _then_look(self, act: Callable[[], Awaitable[object]]) -> None:
        await act()
        await self.look()

    async def click(self, line: Line) -> None:
        await self._then_look(self._element(line).click)

    async def hover(self, line: Line) -> None:
        await self._then_look(self._element(line).hover)

    async def fill(self, line: Line, text: str) -> None:
        await self._then_look(lambda: self._element(line).fill(text))

    async def type(self, line: Line, text: str) -> None:
        await self._then_look(lambda: self._element(line).press_sequentially(text))

    async def press(self, key: str, line: Line | None = None, times: int = 1) -> None:
        if line is not None:
            await self._element(line).focus()
        for _ in range(times):
            await self._page.keyboard.press(key)
        await self.look()

    async def choose(self, line: Line, labels: Sequence[str]) -> None:
        await self._then_look(lambda: self._element(line).select_option(label=list(labels)))

    async def check(self, line: Line) -> None:
        await self._then_look(self._element(line).check)

    async def scroll(self, line: Line, direction: Literal["top", "bottom"]) -> None:
        pixels = 100_000 if direction == "bottom" else -100_000
        await self._element(line).hover()
        await self._page.mouse.wheel(0, pixels)
        await asyncio.sleep(0.2)  # it returns before the page has scrolled
        await self.look()

    async def read_all(self, line: Line) -> str:
        return line.value
