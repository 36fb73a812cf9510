"""A page as one tab among others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.api.core import PageCore

if TYPE_CHECKING:
    from cdp_agent.api.page import Page


class Tabs(PageCore):
    """`opener`, `is_crashed`, `bring_to_front`."""

    @property
    def opener(self) -> Page | None:
        """The page whose scripts this one may reach; None for a tab opened with `noopener`."""
        opener = self._target.opener
        return self._browser.page_of(opener) if opener is not None else None

    @property
    def is_crashed(self) -> bool:
        """Its process ended. `goto` or `recover` revive it; other calls raise `target_crashed`."""
        return self._target.crashed

    async def bring_to_front(self, *, timeout: float = 5.0) -> None:
        """Make it the tab that a person sees. Actions need it not: they work in any tab."""
        self._target.require_alive()
        await self._target.session.post("Page.bringToFront", timeout=timeout)
