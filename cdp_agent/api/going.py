"""Going places: addresses and history."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from cdp_agent.act import Outcome
from cdp_agent.act.loading import READY_SECONDS, wait_drawn
from cdp_agent.act.mark import Mark, open_requests, request_lines
from cdp_agent.api import navigation
from cdp_agent.api.core import PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.config import NAVIGATION_TIMEOUT
from cdp_agent.errors import BlockedByPolicy, NavigationFailed
from cdp_agent.targets.dialog import Dialog, DialogInfo


class Going(PageCore):
    """`goto`, `reload`, `back`, `forward`."""

    async def goto(self, url: str, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """Show an address, until the page has drawn: `settled` says whether it has wholly.

        It is read to its end at least. Then it is waited for until it shows something, what it asks
        its server for has come, and what it shows has stopped changing, but no longer than about
        three seconds: `loading` says what was under way then (`2 requests`).

        A page that asks a question while it loads ends the wait: the dialog is in the outcome, and
        the page loads on when it is answered.

        Raises:
            BlockedByPolicy: the browser may not go there, or was sent on to where it may not.
            NavigationFailed: it cannot be shown.
            ActionTimeout: it was not read to its end in time; what came so far can be used.
        """
        address = navigation.require_url(url)
        gate = self._browser.gate
        if gate is not None and not gate.policy.allows(address):
            raise BlockedByPolicy(f"the policy does not allow {address[:200]}", url=address)
        stopped = gate.blocked_count if gate is not None else 0
        try:
            return await self._go(
                lambda: navigation.navigate(self._target, address, timeout), timeout
            )
        except NavigationFailed:
            blocked = gate.blocked_since(stopped) if gate is not None else []
            if not any("(Document)" in one for one in blocked):
                raise
            message = f"{address[:200]} leads to where the policy does not allow: {blocked[-1]}"
            raise BlockedByPolicy(message, url=address) from None

    async def reload(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        return await self._go(lambda: navigation.reload(self._target, timeout), timeout)

    async def back(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step back in the history.

        `success` is False when there is none, or when the page has put itself back at once.
        """
        return await self._go(
            lambda: navigation.traverse(self._target, -1, timeout), timeout, history=True
        )

    async def forward(self, *, timeout: float = NAVIGATION_TIMEOUT) -> Outcome:
        """One step forward in the history; `success` is False as for `back`."""
        return await self._go(
            lambda: navigation.traverse(self._target, 1, timeout), timeout, history=True
        )

    async def _go(
        self, step: Callable[[], Awaitable[bool]], timeout: float, *, history: bool = False
    ) -> Outcome:
        require_seconds(timeout)
        if self._target.closed is not None:
            raise self._target.closed
        self._require_no_dialog()
        deadline = time.monotonic() + timeout
        async with self._turn(timeout):
            mark = Mark.set(self._target, self._target.frames.main)
            self._leaving = True
            self._target.requests.begin_loading()
            try:
                done = await step()
                if done:
                    await wait_drawn(self._target, mark, deadline)
                elif not history and self._target.dialog is None:
                    await self._wait_first_content(mark, deadline)
            finally:
                self._leaving = False
                self._target.requests.end_loading()
        dialogs = self._target.dialogs.report(mark.dialogs)
        if history and not done:
            return Outcome(success=False, dialogs=dialogs)
        return Outcome(
            success=True,
            settled=done and not mark.loading,
            navigated=self.url,
            dialogs=dialogs,
            console_errors=self._target.console_errors.since(mark.console),
            loading=mark.loading,
            requests=request_lines(self._target, mark, failed=True),
        )

    async def _wait_first_content(self, mark: Mark, deadline: float) -> None:
        """Wait a little longer for a page that has not loaded wholly and shows nothing."""
        target = self._target
        if not target.frames.main.painted:
            await wait_drawn(target, mark, min(deadline, time.monotonic() + READY_SECONDS))
        mark.loading = mark.loading or open_requests(target, mark) or "pictures or frames"

    def report_dialogs(self) -> tuple[DialogInfo, ...]:
        """Dialogs that no result has reported; from now on they count as reported."""
        return self._target.dialogs.report(self._target.dialogs.count)

    async def wait_dialog(self, timeout: float) -> Dialog | None:
        """The dialog that waits for an answer, now or within that time; None when there is none."""
        await self._target.until(
            lambda: self._target.dialog is not None or self.is_closed, timeout, alive=False
        )
        return self._target.dialog

    async def wait_loaded(self, timeout: float = 2.0) -> bool:
        """Wait until the page has loaded wholly, its frames too; False when it has not in time."""
        main = self._target.frames.main
        return await self._target.until(
            lambda: main.loaded or self._target.dialog is not None, timeout
        )
