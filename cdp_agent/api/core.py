"""What every part of a page stands on: its target, its ids, one action at a time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cdp_agent.act import Outcome, Performed, Stage
from cdp_agent.act.downloads import await_downloads, await_popups
from cdp_agent.act.mark import navigated_to, open_requests, request_lines
from cdp_agent.api.dialogs import DialogPolicy, make_policy
from cdp_agent.api.given import require_seconds
from cdp_agent.config import COMMAND_TIMEOUT
from cdp_agent.errors import (
    ActionTimeout,
    CommandTimeout,
    DialogOpen,
    NavigationFailed,
)
from cdp_agent.protocol import Session
from cdp_agent.resolve import RefBook, Resolver
from cdp_agent.snapshot import FrameInfo, Snapshot, SnapshotOptions, Snapshotter, frame_info
from cdp_agent.targets import PageTarget
from cdp_agent.targets.dialog import Dialog
from cdp_agent.targets.downloads import Download
from cdp_agent.targets.page_reports import LostValue, is_elsewhere

if TYPE_CHECKING:
    from cdp_agent.api.browser import Browser, BrowserContext

#: Whether an action returns the page after it: with the budget of the last `snapshot()`, or with
#: these options.
Observe = bool | SnapshotOptions

Verb = Callable[[Stage], Awaitable[Performed]]

#: Snapshots whose stubs can be opened exactly.
_MOST_STUB_LISTS = 64


class PageCore:
    """The public `Page` is this and the families of methods in the files beside it."""

    def __init__(self, browser: Browser, target: PageTarget) -> None:
        self._browser = browser
        self._book = RefBook()
        self._acting = asyncio.Lock()
        self._leaving = False
        self._policy: DialogPolicy = make_policy(None)
        #: The size that was asked for when the page was opened, or None.
        self._viewport: tuple[int, int] | None = None
        self._live_in(target)

    def _live_in(self, target: PageTarget) -> None:
        """Be the page of this tab: on creation, and when a tab that is past help is replaced."""
        self._target = target
        self._snapshotter = Snapshotter(target)
        self._resolver = Resolver(target, self._book)
        #: The last snapshot with all its lines; later ones are compared with it.
        self._last: Snapshot | None = None
        #: The stubs of the latest snapshots, the latest first: an id in one says where to open.
        self._stubs: deque[dict[str, str]] = deque(maxlen=_MOST_STUB_LISTS)
        #: The budget of the last `snapshot()`, for actions that are observed.
        self._max_tokens: int | None = None
        target.dialogs.choose = self._answer_dialog

    def __repr__(self) -> str:
        return f"<Page {self.url}>"

    # -- what it is ---------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self._target.url

    @property
    def title(self) -> str:
        return self._target.title

    @property
    def target_id(self) -> str:
        return self._target.target_id

    @property
    def browser(self) -> Browser:
        return self._browser

    @property
    def context(self) -> BrowserContext | None:
        """The context it was opened in, or None for the browser's own."""
        return self._browser.context_of(self._target)

    @property
    def _context_id(self) -> str:
        """For commands that name a context; empty for the browser's own, which has no name."""
        ours = any(c.id == self._target.context_id for c in self._browser._contexts)
        return self._target.context_id if ours else ""

    @property
    def is_closed(self) -> bool:
        return self._target.closed is not None

    @property
    def frames(self) -> list[FrameInfo]:
        """The frames there are now, the main one first."""
        return [frame_info(frame) for frame in self._target.frames]

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that waits for an answer, or None."""
        return self._target.dialog

    @property
    def downloads(self) -> list[Download]:
        """Files that this page, its frames and the tabs it opened have sent, the oldest first."""
        return list(self._target.downloads)

    def on_dialog(self, policy: Any) -> None:
        """Who answers dialogs: `accept`, `dismiss`, `wait`, a mapping by type, or a function.

        By default an alert is acknowledged, and what asks a question waits for the caller. Leaving
        a page by a navigation of ours is never held up.
        """
        self._policy = make_policy(policy)

    def _answer_dialog(self, dialog: Dialog) -> bool | None:
        if dialog.type == "beforeunload" and self._leaving:
            return True
        return self._policy(dialog)

    def resolve_frame_session(self, frame_index: int) -> Session:
        """The protocol session that owns a frame.

        Raises:
            FrameDetached: the frame is gone.
            InvalidParams: no frame has ever had that number.
        """
        return self._resolver.frame(frame_index).require_session()

    def report_lost_values(self) -> tuple[LostValue, ...]:
        """Values of actions that the page has changed since; from now on they are reported."""
        lost = tuple(self._target.lost_values)
        self._target.lost_values.clear()
        return lost

    # -- snapshots ----------------------------------------------------------------------------

    async def _look(self, seconds: float = COMMAND_TIMEOUT) -> Snapshot:
        return await self._take(SnapshotOptions(timeout=seconds))

    def _observation(self, observe: Observe) -> SnapshotOptions | None:
        """The options of the snapshot after an action; None: it is not observed."""
        if isinstance(observe, SnapshotOptions):
            return observe
        return SnapshotOptions(max_tokens=self._max_tokens) if observe else None

    async def _take(
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
        self._book.remember(whole)
        if not (snapshot.is_partial and (options.expand is not None or options.search)):
            self._last = whole
        return snapshot

    # -- acting -------------------------------------------------------------------------------

    async def _act(self, verb: Verb, observe: Observe, timeout: float) -> Outcome:
        """One action at a time: two that overlap would mix their events."""
        require_seconds(timeout)
        deadline = time.monotonic() + timeout
        self._require_ready()
        async with self._turn(timeout):
            self._require_ready()
            before = self._last
            popups = len(self._target.popups)
            choosers = self._target.choosers.count
            self._target.requests.acting = True
            self._intercept_choosers(True)
            try:
                performed = await verb(Stage(self._target, self._resolver, deadline))
            except (ActionTimeout, CommandTimeout):
                self._require_no_dialog()  # which is why the page did not answer
                raise
            finally:
                self._target.requests.acting = False
                self._intercept_choosers(False)
            if "files" not in performed.data and self._target.choosers.since(choosers):
                # Closed again, as a person would; the caller learns what to call instead.
                performed.data["file_chooser"] = "cancelled: use upload with this id"
            return await self._outcome(
                performed, before, popups, self._observation(observe), deadline
            )

    def _intercept_choosers(self, acting: bool) -> None:
        """No window of the system opens for an action. A person who looks on keeps theirs."""
        intercept = acting or self._browser.is_headless
        choosers, sessions = self._target.choosers, self._target.sessions
        choosers.switch(sessions, "cancel" if intercept else "off")

    @contextlib.asynccontextmanager
    async def _turn(self, seconds: float) -> AsyncIterator[None]:
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
            yield
        finally:
            self._acting.release()

    async def _outcome(
        self,
        done: Performed,
        before: Snapshot | None,
        popups: int,
        observation: SnapshotOptions | None,
        deadline: float,
    ) -> Outcome:
        """The outcome of an action, with one snapshot of the page after it if it is observed."""
        target = self._target
        opened = await self._close_empty(await await_popups(target, popups))
        downloads = await await_downloads(target, done.mark)
        snapshot, data = None, done.data
        if observation is not None and target.dialog is None and target.closed is None:
            # One that did not come to rest may have stopped answering.
            seconds = max(deadline - time.monotonic(), 1.0 if done.settled else 0.4)
            try:
                options = replace(observation, timeout=seconds)
                snapshot = await self._take(options, after_action=True)
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
            new_pages=tuple(self._browser.page_of(popup) for popup in opened),
            downloads=tuple(downloads),
            console_errors=target.console_errors.since(done.mark.console),
            loading=done.mark.loading or ("" if done.settled else open_requests(target, done.mark)),
            requests=request_lines(target, done.mark),
            data=data,
            snapshot=snapshot,
            before=before,
        )

    async def _close_empty(self, opened: list[PageTarget]) -> list[PageTarget]:
        """New tabs, without those for another program: they stay empty and wait for a person."""
        for popup in opened:
            if is_elsewhere(popup.opened_for) and popup.closed is None:
                self._target.elsewhere.append(popup.opened_for)
                await self._browser.close_target(popup)
        return [popup for popup in opened if not is_elsewhere(popup.opened_for)]

    # -- the end ------------------------------------------------------------------------------

    def _require_ready(self) -> None:
        self._target.require_alive()
        self._require_no_dialog()

    def _require_no_dialog(self) -> None:
        dialog = self._target.dialog
        if dialog is not None:
            raise dialog.error

    async def close(self) -> None:
        """Close the tab. May be called twice."""
        if self._target.closed is not None:
            return
        self._leaving = True
        dialog = self._target.dialog
        if dialog is not None:
            dialog.answer_now(True)
        await self._browser.close_target(self._target)
