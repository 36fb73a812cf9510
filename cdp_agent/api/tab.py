"""The state behind a `Page`: target, ids, last snapshot, the action under way.

`Page` has the public signatures; the functions that carry them out take a `Tab`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, overload

from cdp_agent.act import Performed, Stage
from cdp_agent.act.wait.mark import navigated_to, open_requests, request_lines
from cdp_agent.act.wait.popups_and_downloads import await_downloads, await_popups
from cdp_agent.api.dialog_policy import DialogPolicy, make_policy
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import (
    ActionTimeout,
    CommandTimeout,
    DialogOpen,
    NavigationFailed,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import RefBook, Resolver
from cdp_agent.snapshot import Snapshot, SnapshotOptions, Snapshotter
from cdp_agent.targets import PageTarget
from cdp_agent.targets.dialog import Dialog
from cdp_agent.targets.page_reports import LostValue, is_elsewhere

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser

#: Whether an action returns the page after it: with the budget of the last `snapshot()`, or with
#: these options.
Observe = bool | SnapshotOptions

P = ParamSpec("P")
Verb = Callable[[Stage], Awaitable[Performed]]

#: Snapshots whose stubs can be opened exactly.
_MOST_STUB_LISTS = 64


class Tab:
    """One tab as the functions of this package use it. Made by its `Page`."""

    def __init__(self, browser: Browser, target: PageTarget) -> None:
        self.browser = browser
        self.book = RefBook()
        self._acting = asyncio.Lock()
        #: A navigation of ours is under way: `beforeunload` does not hold it up.
        self.leaving = False
        #: Until then a page that asks to be kept is kept once more; `asked` says that it did.
        self.stay_until = 0.0
        self.asked = False
        self.dialog_policy: DialogPolicy = make_policy(None)
        #: For the next dialog, before the policy: True or a text accepts, False dismisses.
        self.next_dialog_answer: bool | str | None = None
        self.live_in(target)

    def live_in(self, target: PageTarget) -> None:
        """Use this target: on creation, and when one that is past help is replaced."""
        self.target = target
        self._snapshotter = Snapshotter(target)
        self.resolver = Resolver(target, self.book)
        #: The last snapshot with all its lines; later ones are compared with it.
        self.last: Snapshot | None = None
        #: The stubs of the latest snapshots, the latest first: an id in one says where to open.
        self._stubs: deque[dict[str, str]] = deque(maxlen=_MOST_STUB_LISTS)
        #: The budget of the last `snapshot()`, for actions that are observed.
        self.max_tokens: int | None = None
        target.dialogs.choose = self._answer_dialog

    @property
    def context_id(self) -> str:
        """The context's id for commands; empty for the browser's own, which has none."""
        ours = any(c.id == self.target.context_id for c in self.browser._contexts)
        return self.target.context_id if ours else ""

    def _answer_dialog(self, dialog: Dialog) -> bool | str | None:
        if dialog.type == "beforeunload" and self.leaving:
            self.asked = dialog.reported = time.monotonic() < self.stay_until
            return not self.asked
        answer, self.next_dialog_answer = self.next_dialog_answer, None
        if answer is not None:
            return answer
        return self.dialog_policy(dialog)

    def report_lost_values(self) -> tuple[LostValue, ...]:
        """Values of actions that the page changed since; they count as reported now."""
        lost = tuple(self.target.lost_values)
        self.target.lost_values.clear()
        return lost

    # -- snapshots ----------------------------------------------------------------------------

    def observation(self, observe: Observe) -> SnapshotOptions | None:
        """The options of the snapshot after an action; None: it is not observed."""
        if isinstance(observe, SnapshotOptions):
            return observe
        return SnapshotOptions(max_tokens=self.max_tokens) if observe else None

    async def take(
        self,
        options: SnapshotOptions,
        top: tuple[int, int] | None = None,
        *,
        after_action: bool = False,
    ) -> Snapshot:
        if options.expand is not None and not options.expand_end:
            stubs = (stubs for stubs in self._stubs if options.expand in stubs)
            options = replace(options, expand_end=next(stubs, {}).get(options.expand, ""))
        snapshot = await self._snapshotter.take(options, top, after_action=after_action)
        self._stubs.appendleft(snapshot.stubs)
        whole = snapshot.unfiltered
        self.book.remember(whole)
        if not (snapshot.is_partial and (options.expand is not None or options.search)):
            self.last = whole
        return snapshot

    # -- acting -------------------------------------------------------------------------------

    async def act(self, verb: Verb, observe: Observe, timeout: float) -> Outcome:
        """One action at a time: two that overlap would mix their events."""
        require_seconds(timeout)
        deadline = time.monotonic() + timeout
        self.require_ready()
        async with self.turn(timeout):
            self.require_ready()
            before = self.last
            popups = len(self.target.popups)
            choosers = self.target.choosers.count
            self.target.requests.acting = True
            self._intercept_choosers(True)
            try:
                performed = await verb(Stage(self.target, self.resolver, deadline))
            except (ActionTimeout, CommandTimeout):
                self.require_no_dialog()  # which is why the page did not answer
                raise
            finally:
                self.target.requests.acting = False
                self._intercept_choosers(False)
            if "files" not in performed.data and self.target.choosers.since(choosers):
                # Closed again, as a person would; the caller learns what to call instead.
                performed.data["file_chooser"] = "cancelled: use upload with this id"
            return await self.outcome(
                performed, before, popups, self.observation(observe), deadline
            )

    @overload
    async def act_on(
        self,
        verb: Callable[Concatenate[Stage, ElementId, P], Awaitable[Performed]],
        id: str,
        observe: Observe,
        timeout: float,
        *args: P.args,
        **options: P.kwargs,
    ) -> Outcome: ...

    @overload
    async def act_on(
        self,
        verb: Callable[Concatenate[Stage, ElementId | None, P], Awaitable[Performed]],
        id: str | None,
        observe: Observe,
        timeout: float,
        *args: P.args,
        **options: P.kwargs,
    ) -> Outcome: ...

    async def act_on(
        self,
        verb: Callable[..., Awaitable[Performed]],
        id: str | None,
        observe: Observe,
        timeout: float,
        *args: Any,
        **options: Any,
    ) -> Outcome:
        """As `act`, with a verb for the element of an id; the rest goes to the verb."""
        element = ElementId.parse(id) if id is not None else None
        return await self.act(
            lambda stage: verb(stage, element, *args, **options), observe, timeout
        )

    def _intercept_choosers(self, acting: bool) -> None:
        """No window of the system opens for an action. A person who looks on keeps theirs."""
        intercept = acting or self.browser.is_headless
        choosers, sessions = self.target.choosers, self.target.sessions
        choosers.switch(sessions, "cancel" if intercept else "off")

    @contextlib.asynccontextmanager
    async def turn(self, seconds: float) -> AsyncIterator[None]:
        """Wait for the action before this one, but no longer than this one may take.

        Raises:
            ActionTimeout: the other one is still under way; nothing was done.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._acting.acquire()
        except TimeoutError:
            raise ActionTimeout("another action of this page is still under way") from None
        try:
            self.browser.hold_downloads()
            yield
        finally:
            self._acting.release()

    async def outcome(
        self,
        done: Performed,
        before: Snapshot | None,
        popups: int,
        observation: SnapshotOptions | None,
        deadline: float,
    ) -> Outcome:
        """The outcome of an action, with a snapshot after it if it is observed."""
        target = self.target
        opened = await self._close_empty(await await_popups(target, popups))
        downloads = await await_downloads(target, done.mark)
        snapshot, data = None, done.data
        if observation is not None and target.dialog is None and target.closed is None:
            # One that did not come to rest may have stopped answering.
            seconds = seconds_until(deadline, 1.0 if done.settled else 0.4)
            try:
                options = replace(observation, timeout=seconds)
                snapshot = await self.take(options, after_action=True)
            except (CommandTimeout, NavigationFailed) as error:
                # The action was carried out: an error would have it carried out again.
                data = {**data, "look": f"not seen afterwards: {error}"}
            except DialogOpen:
                pass  # it opened meanwhile, and is reported with the others
        if elsewhere := target.elsewhere[done.mark.elsewhere :]:
            data = {**data, "elsewhere": elsewhere}
        if lost := self.report_lost_values():
            data = {**data, "lost_values": [value.to_dict() for value in lost]}
        return Outcome(
            success=True,
            healed=done.healed,
            settled=done.settled,
            receipt=done.receipt,
            navigated=navigated_to(target, done.mark),
            dialogs=target.dialogs.report(done.mark.dialogs),
            new_pages=tuple(self.browser.open_tabs.page_of(popup) for popup in opened),
            downloads=tuple(downloads),
            console_errors=target.console.since(done.mark.console),
            loading=done.mark.loading or ("" if done.settled else open_requests(target, done.mark)),
            requests=request_lines(target, done.mark),
            data=data,
            snapshot=snapshot,
            before=before,
        )

    async def _close_empty(self, opened: list[PageTarget]) -> list[PageTarget]:
        """Close new tabs that are for another program; returns the others."""
        for popup in opened:
            if is_elsewhere(popup.opened_for) and popup.closed is None:
                self.target.elsewhere.append(popup.opened_for)
                await self.browser.open_tabs.close(popup)
        return [popup for popup in opened if not is_elsewhere(popup.opened_for)]

    # -- the end ------------------------------------------------------------------------------

    def require_ready(self) -> None:
        self.target.require_alive()
        self.require_no_dialog()

    def require_no_dialog(self) -> None:
        dialog = self.target.dialog
        if dialog is not None:
            raise dialog.error

    async def close(self) -> None:
        """Close the tab. May be called twice."""
        if self.target.closed is not None:
            return
        self.leaving = True
        dialog = self.target.dialog
        if dialog is not None:
            dialog.answer_now(True)
        await self.browser.open_tabs.close(self.target)
