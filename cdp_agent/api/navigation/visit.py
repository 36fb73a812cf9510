"""Showing an address, and moving in the history, until the page has drawn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from cdp_agent.act.wait.loading import READY_SECONDS, wait_drawn
from cdp_agent.act.wait.mark import Mark, open_requests, request_lines
from cdp_agent.api.navigation import navigate
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Tab
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import BlockedByPolicy, NavigationFailed
from cdp_agent.targets import PageTarget
from cdp_agent.targets.network.policy import READS

#: A page that asks to be kept begins to save within this, and is waited for so long.
_BEGIN_SECONDS = 1.0
_SAVE_SECONDS = 2.0


async def goto(tab: Tab, url: str, timeout: float, referer: str | None = None) -> Outcome:
    """Show an address that the policy allows; see `Page.goto`."""
    address = navigate.require_url(url)
    sent_from = navigate.require_url(referer) if referer else ""
    gate = tab.browser.gate
    if gate is not None and not gate.policy.allows(address):
        raise BlockedByPolicy(f"the policy does not allow {address[:200]}", url=address)
    stopped = gate.blocked_count if gate is not None else 0
    try:
        return await _go(
            tab, lambda: navigate.navigate(tab.target, address, timeout, sent_from), timeout
        )
    except NavigationFailed:
        blocked = gate.blocked_since(stopped) if gate is not None else []
        if not any("(Document)" in one for one in blocked):
            raise
        message = f"{address[:200]} leads to where the policy does not allow: {blocked[-1]}"
        raise BlockedByPolicy(message, url=address) from None


async def reload(tab: Tab, timeout: float) -> Outcome:
    """Load the page's address again."""
    return await _go(tab, lambda: navigate.reload(tab.target, timeout), timeout)


async def traverse(tab: Tab, steps: int, timeout: float) -> Outcome:
    """Move in the history; `success` is False where the page did not move."""
    return await _go(
        tab, lambda: navigate.traverse(tab.target, steps, timeout), timeout, history=True
    )


async def _go(
    tab: Tab,
    step: Callable[[], Coroutine[Any, Any, bool]],
    timeout: float,
    *,
    history: bool = False,
) -> Outcome:
    require_seconds(timeout)
    if tab.target.closed is not None:
        raise tab.target.closed
    tab.require_no_dialog()
    deadline = time.monotonic() + timeout
    async with tab.turn(timeout):
        mark = Mark.set(tab.target, tab.target.frames.main)
        tab.leaving = True
        tab.target.requests.begin_loading()
        try:
            done = await _leave(tab, step, mark, deadline)
            if done:
                await wait_drawn(tab.target, mark, deadline)
            elif not history and tab.target.dialog is None:
                await _wait_first_content(tab, mark, deadline)
        finally:
            tab.leaving = False
            tab.target.requests.end_loading()
    dialogs = tab.target.dialogs.report(mark.dialogs)
    if history and not done:
        return Outcome(success=False, dialogs=dialogs)
    return Outcome(
        success=True,
        settled=done and not mark.loading,
        navigated=tab.target.url,
        dialogs=dialogs,
        console_errors=tab.target.console.since(mark.console),
        loading=mark.loading,
        requests=request_lines(tab.target, mark, failed=True),
    )


async def _leave(
    tab: Tab, step: Callable[[], Coroutine[Any, Any, bool]], mark: Mark, deadline: float
) -> bool:
    """Take the step. A page that asks to be kept is first given time to save what it has."""
    target = tab.target
    tab.stay_until = min(time.monotonic() + _SAVE_SECONDS, deadline - _SAVE_SECONDS)
    while True:
        tab.asked = False
        leaving = asyncio.create_task(step(), name="cdp_agent navigation")
        leaving.add_done_callback(lambda _: target.pulse())
        try:
            decided = partial(_is_decided, tab, leaving)
            await target.until(decided, seconds_until(deadline), alive=False)
            if not tab.asked:
                return await leaving
        finally:
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        mark.dialogs = target.dialogs.count
        if not await _saves(target, tab.stay_until):
            tab.stay_until = 0.0


def _is_decided(tab: Tab, leaving: asyncio.Task[bool]) -> bool:
    return tab.asked or leaving.done()


async def _saves(target: PageTarget, deadline: float) -> bool:
    """Wait until what the page writes, or begins to write soon, is written; False: nothing."""
    requests = target.requests
    before = requests.last_number

    def is_writing() -> bool:
        return any(request.method not in READS for request in requests.open_since(0))

    def has_written() -> bool:
        return any(exchange.method not in READS for exchange in requests.exchanges_since(before))

    seconds = min(_BEGIN_SECONDS, seconds_until(deadline))
    if not await target.until(lambda: is_writing() or has_written(), seconds):
        return False
    return await target.until(lambda: not is_writing(), seconds_until(deadline))


async def _wait_first_content(tab: Tab, mark: Mark, deadline: float) -> None:
    """Wait a little longer for a page that has not loaded wholly and shows nothing."""
    target = tab.target
    if not target.frames.main.painted:
        await wait_drawn(target, mark, min(deadline, time.monotonic() + READY_SECONDS))
    mark.loading = mark.loading or open_requests(target, mark) or "pictures or frames"


async def wait_loaded(target: PageTarget, timeout: float) -> bool:
    """Returns whether the page and its frames loaded, or a dialog opened, in time."""
    main = target.frames.main
    return await target.until(lambda: main.loaded or target.dialog is not None, timeout)
