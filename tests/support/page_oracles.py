"""One session of the tests' own for many tests, as long as they are given the same tab.

Attaching and detaching is seven commands for every test. What the page tells is kept up to date
by events; the frames of other processes are let go of after each test.
"""

from __future__ import annotations

from tests.support.oracle import Oracle, PageOracle


class PageOracles:
    """Keeps the session of at most one tab from one test to the next."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._kept: PageOracle | None = None

    async def attach(self, target_id: str) -> PageOracle:
        kept = self._kept
        if kept is not None and kept.target_id == target_id and kept.is_attached:
            self._kept = None
            return kept
        await self.detach()
        return await self._oracle.attach(target_id)

    async def give_back(self, page: PageOracle) -> None:
        """A test is over. What commands of its own have set would last, so then all is let go."""
        if page.commanded:
            await page.detach()
        else:
            await page.detach_frames()
            self._kept = page

    async def detach(self) -> None:
        """The next test has its tab to itself."""
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.detach()
