"""Fresh pages, opened ahead and closed behind: a test waits for neither.

Opening and closing a tab is half of what a short test costs, and most of it happens in
Chromium while the test's own side is idle.
"""

from __future__ import annotations

import asyncio

from cdp_agent import Browser, Page

VIEWPORT = (800, 600)


class SparePages:
    """One page ahead of the tests. Every page is used once."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._next: asyncio.Task[Page] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> SparePages:
        self._open_next()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._next is not None:
            self.give_back(await self._next)
        if self._closing:
            await asyncio.wait(self._closing)

    def _open_next(self) -> None:
        self._next = asyncio.create_task(
            self._browser.new_page(viewport=VIEWPORT), name="the next test's page"
        )

    async def take(self) -> Page:
        assert self._next is not None
        page = await self._next
        self._open_next()
        return page

    def give_back(self, page: Page) -> None:
        task = asyncio.create_task(page.close(), name="closes a test's page")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
