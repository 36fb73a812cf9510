"""Waits until what an action began has come to rest, and nothing else.

Only what starts with the action counts: changes of nodes that do not change by themselves anyway,
requests to addresses that were not being polled, navigations of the element's frame or the page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cdp_agent.act.outcome import DialogInfo
from cdp_agent.errors import CdpAgentError, TargetClosed
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame
from cdp_agent.targets import Frame, PageTarget, World

#: An action that has changed nothing yet is given this long to change something.
FIRST_CHANGE_MS = 150
#: A document that keeps changing, and requests that do not end, are left alone after this.
CEILING = 2.0
#: A tab that the page asked for is there within this, or was blocked.
_POPUP_SECONDS = 1.0
#: What came from the server is shown soon after, or not at all.
_REST_AFTER_REQUEST = (
    "cdpAgent.restAfterwards({since: cdpAgent.novel(), firstMs: 60, ceilingMs: 500})"
)
#: A frame that was told of the action shows something soon after, or not at all.
_REST_AFTER_MESSAGE = "cdpAgent.restAfterwards({since: %d, firstMs: 60, ceilingMs: 500})"


@dataclass(slots=True)
class Mark:
    """Where the page stood before an action, to tell afterwards what the action caused."""

    requests: int
    console: int
    dialogs: int
    popups: int
    main_documents: int
    frame: Frame
    frame_documents: int
    frame_url: str
    main_url: str
    downloads: int = 0
    navigations_dropped: int = 0
    messages: int = 0
    elsewhere: int = 0
    #: The document saw a click on a link to a file.
    expects_download: bool = False

    @classmethod
    def set(cls, target: PageTarget, frame: Frame) -> Mark:
        main = target.frames.main
        return cls(
            requests=target.requests.last_number,
            console=target.console_errors.last_number,
            dialogs=target.dialogs.count,
            popups=len(target.popups),
            main_documents=main.documents,
            frame=frame,
            frame_documents=frame.documents,
            frame_url=frame.url,
            main_url=main.url,
            downloads=len(target.downloads),
            navigations_dropped=target.navigations_dropped,
            messages=target.messages.last_number,
            elsewhere=len(target.elsewhere),
        )


@dataclass(slots=True)
class Settled:
    """`report` is what the document's own watch said; None when the document went away."""

    settled: bool
    report: dict[str, Any] | None
    #: Something changed after the wait began: a look taken meanwhile is out of date.
    changed_during: bool


async def settle(
    target: PageTarget,
    mark: Mark,
    world: World,
    finishing: str,
    deadline: float,
    begun: Callable[[], None],
    *,
    latest: float,
) -> Settled:
    """Wait for rest. `finishing` is the call that reads the receipt when the document is at rest.

    `begun` is called when that call is on its way: what is sent then reaches the page after it.
    Nothing but a navigation is waited for after `latest`.
    """
    now = time.monotonic()
    ceiling = min(now + CEILING, latest)
    reply = post_in_frame_or_fail(mark.frame, world, finishing)
    reply.add_done_callback(lambda _: target.pulse())
    begun()
    settled = True

    def interrupted() -> bool:
        return (
            reply.done()
            or target.dialog is not None
            or target.closed is not None
            or target.crashed
            or _navigating(target, mark)
        )

    if not await target.until(interrupted, min(CEILING + 1, max(latest - now, 0)), alive=False):
        settled = False
    report = await _report(reply, target, grace=_navigating(target, mark))
    changed_during = report is None or bool(report.get("changedDuring"))
    if report is not None and (report.get("receipt") or {}).get("download"):
        mark.expects_download = True
    if target.dialog is not None or target.closed is not None or target.crashed:
        return Settled(settled, report, True)
    if _navigating(target, mark) or has_navigated(target, mark):
        done = await _navigation(target, mark, deadline)
        return Settled(done, report, True)
    if target.requests.open_since(mark.requests):
        settled = await _requests(target, mark, ceiling) and settled
        changed_during = True
        if _navigating(target, mark) or has_navigated(target, mark):
            settled = await _navigation(target, mark, deadline) and settled
    if await _messages(target, mark, ceiling):
        changed_during = True
    await _popups(target)
    if report is not None:
        settled = settled and bool(report.get("settled", True))
    return Settled(settled, report, changed_during)


def post_in_frame_or_fail(
    frame: Frame, world: World, expression: str
) -> asyncio.Future[dict[str, Any]]:
    try:
        return post_in_frame(frame, world, expression, CEILING + 2)
    except CdpAgentError as error:
        failed: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        failed.set_exception(error)
        failed.exception()
        return failed


async def _report(
    reply: asyncio.Future[dict[str, Any]], target: PageTarget, *, grace: bool
) -> dict[str, Any] | None:
    """What the document said, if it lives to say it."""
    if not reply.done() and grace:
        # A navigation is on its way; the old document may still answer before it goes.
        await asyncio.wait([reply], timeout=0.3)
    if not reply.done():
        return None
    try:
        value = script_value(reply.result())
    except CdpAgentError:
        return None
    return value if isinstance(value, dict) else None


def _navigating(target: PageTarget, mark: Mark) -> bool:
    return any(
        frame.navigation_requested or bool(frame.pending_loader)
        for frame in {target.frames.main, mark.frame}
        if frame.session is not None
    )


def has_navigated(target: PageTarget, mark: Mark) -> bool:
    return (
        target.frames.main.documents != mark.main_documents
        or mark.frame.documents != mark.frame_documents
    )


async def _navigation(target: PageTarget, mark: Mark, deadline: float) -> bool:
    """Until the new document is there and read to its end."""

    def there() -> bool:
        if target.dialog is not None:
            return True
        main, frame = target.frames.main, mark.frame
        ready = main.dom_ready and (frame.session is None or frame.dom_ready)
        return ready and not _navigating(target, mark)

    seconds = max(deadline - time.monotonic(), 0.2)
    try:
        return await target.until(there, seconds)
    except TargetClosed:
        return True


async def _requests(target: PageTarget, mark: Mark, ceiling: float) -> bool:
    """Until what the action asked a server for has come, and the page has shown it."""
    frame = mark.frame if mark.frame.session is not None else target.frames.main
    while True:
        left = ceiling - time.monotonic()

        def answered() -> bool:
            return (
                not target.requests.open_since(mark.requests)
                or target.dialog is not None
                or _navigating(target, mark)
            )

        if left <= 0 or not await target.until(answered, left):
            return False
        if target.dialog is not None or _navigating(target, mark) or frame.world is None:
            return True
        reply = post_in_frame_or_fail(
            frame,
            frame.world,
            _REST_AFTER_REQUEST,
        )
        await asyncio.wait([reply], timeout=max(ceiling - time.monotonic(), 0.1))
        if not target.requests.open_since(mark.requests):
            return True


async def _popups(target: PageTarget) -> None:
    """Until the tabs that the page has asked for are there."""
    if target.popups_expected > len(target.popups):
        await target.until(lambda: target.popups_expected <= len(target.popups), _POPUP_SECONDS)
        target.popups_expected = len(target.popups)  # one that was blocked will not come


async def _messages(target: PageTarget, mark: Mark, ceiling: float) -> bool:
    """Until frames that the action sent messages to have shown what they make of them."""
    told = target.messages.since(mark.messages)
    if not told:
        return False
    replies = []
    for frame in target.frames:
        if frame is mark.frame or frame.world is None or frame.session is None:
            continue
        changes = told.get((frame.session.id, frame.world.context_id))
        if changes is not None:
            rest = _REST_AFTER_MESSAGE % changes
            replies.append(post_in_frame_or_fail(frame, frame.world, rest))
    if replies:
        await asyncio.wait(replies, timeout=max(ceiling - time.monotonic(), 0.1))
    return bool(replies)


def navigated_to(target: PageTarget, mark: Mark) -> str | None:
    """The address that the page or the frame went to because of the action."""
    main = target.frames.main
    if main.documents != mark.main_documents or main.url != mark.main_url:
        return main.url
    if mark.frame.documents != mark.frame_documents or mark.frame.url != mark.frame_url:
        return mark.frame.url
    if _navigating(target, mark):
        waiting = main if main.pending_loader or main.navigation_requested else mark.frame
        return waiting.pending_url or waiting.url
    return None


def dialogs_since(target: PageTarget, mark: Mark) -> tuple[DialogInfo, ...]:
    opened = target.dialogs.since(mark.dialogs)
    return tuple(DialogInfo(d.type, d.message, d.open and d.accepted is None) for d in opened)
