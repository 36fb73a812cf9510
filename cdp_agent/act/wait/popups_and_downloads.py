"""Waits for downloads and tabs that an action began, so that its result has them."""

from __future__ import annotations

import time

from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import CEILING
from cdp_agent.deadline import seconds_until
from cdp_agent.targets import PageTarget
from cdp_agent.targets.network.downloads import Download

#: A navigation that ended without a document has become a download by then, or nothing.
_DROPPED_SECONDS = 0.5


async def await_popups(target: PageTarget, before: int) -> list[PageTarget]:
    """Tabs after the first `before` that are still there, each with its first document.

    One that closes at once, by itself or because its address was a download, is none.
    """
    opened = target.popups[before:]
    deadline = time.monotonic() + CEILING
    for popup in opened:
        await popup.until(popup.has_begun, seconds_until(deadline), alive=False)
    return [popup for popup in opened if popup.closed is None]


async def await_downloads(target: PageTarget, mark: Mark) -> list[Download]:
    """Downloads that the action began, completed or after a while still in progress."""
    deadline = time.monotonic() + CEILING

    def begun() -> bool:
        return len(target.downloads) > mark.downloads

    def over() -> bool:
        return all(d.state != "in_progress" for d in target.downloads[mark.downloads :])

    if target.navigations_dropped > mark.navigations_dropped:
        await target.until(begun, _DROPPED_SECONDS, alive=False)
    if begun():
        await target.until(over, seconds_until(deadline), alive=False)
    return target.downloads[mark.downloads :]
