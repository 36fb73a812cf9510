"""Waits until what an action began is over, and for nothing else.

The action's own document says what its events have put off (`causes.js` and `rest.js`). Here
are requests to addresses that were not being polled, navigations of the element's frame or the
page, and other frames that were called or sent messages. Where the action began nothing of all
that, it is over at once.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.act.wait.loading import READY_SECONDS, wait_drawn
from cdp_agent.act.wait.mark import Mark, has_navigated, is_navigating
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError, TargetClosed
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame
from cdp_agent.targets import Frame, PageTarget, World

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateReturns

_log = log.get("act")

#: A document that keeps changing, and requests that do not end, are left alone after this.
CEILING = 2.0
#: A tab that the page asked for is there within this, or was blocked.
_POPUP_SECONDS = 1.0
#: A new document gets this long to draw, however late it was read.
_DRAW_SECONDS = 0.4
#: The reaction of another document to a message or an answer is over within this.
_FOLLOW_MS = 500
#: A frame of another process that does not answer within this is busy with something else.
_BARRIER_SECONDS = 0.1
#: A server that has not answered over a WebSocket by then was only told something.
_SOCKET_SECONDS = 0.5
#: Messages of one answer follow each other within this.
_SOCKET_PAUSE = 0.06
#: The number of answers or messages that may lead to one another.
_ROUNDS = 4
#: More frames of one origin are not asked whether the action called them.
_MOST_NEIGHBOURS = 20


@dataclass(slots=True)
class Settled:
    """`report` is what the document's own watch said; None when the document went away."""

    settled: bool
    report: dict[str, Any] | None
    #: The page went on after that report.
    outdated: bool = False
    #: The causes that were waited for: `timers`, `requests` … Empty: the action was over at once.
    awaited: list[str] = field(default_factory=list)


async def settle(
    target: PageTarget,
    mark: Mark,
    world: World,
    finishing: str,
    deadline: float,
    *,
    latest: float,
) -> Settled:
    """Wait until what an action began is over: in its document, on the network, in other frames.

    `finishing` is the call that waits in the document and reads the receipt. Nothing but a
    navigation is waited for after `latest`.
    """
    now = time.monotonic()
    reply = post_in_frame_or_fail(mark.frame, world, finishing)
    reply.add_done_callback(lambda _: target.pulse())

    def interrupted() -> bool:
        return (
            reply.done()
            or target.dialog is not None
            or target.closed is not None
            or target.crashed
            or is_navigating(target, mark)
        )

    settled = await target.until(interrupted, min(CEILING + 1, max(latest - now, 0)), alive=False)
    report = await _report(reply, target, grace=is_navigating(target, mark))
    if report is not None:
        settled = settled and bool(report.get("settled", True))
    result = Settled(settled, report, awaited=list((report or {}).get("awaited", ())))
    if target.dialog is None and target.closed is None and not target.crashed:
        await _follow(target, mark, result, deadline, min(now + CEILING, latest))
    _log.debug("waited for %s", ", ".join(result.awaited) or "nothing")
    return result


async def _follow(
    target: PageTarget, mark: Mark, result: Settled, deadline: float, ceiling: float
) -> None:
    """Wait for what goes on outside the action's document, or in the one that takes its place."""
    seen = mark.messages, mark.requests
    if target.sockets.sent_number > mark.sockets:
        result.outdated = True
        result.awaited.append("sockets")
        await _sockets(target, mark, ceiling)
    for _ in range(_ROUNDS):
        if is_navigating(target, mark) or has_navigated(target, mark):
            await _navigation(target, mark, deadline, result)
            result.outdated = True
            result.awaited.append("navigation")
            return
        messages, requests = seen
        seen = target.messages.last_number, target.requests.last_number
        if target.requests.has_begun_since(requests):
            result.outdated = True
            result.awaited.append("requests")
            answered = await _requests(target, mark, ceiling)
            result.settled = result.settled and answered.settled
            result.awaited += answered.awaited
        elsewhere = await _other_frames(target, mark, messages, ceiling)
        result.settled = result.settled and elsewhere.settled
        result.awaited += elsewhere.awaited
        if seen == (target.messages.last_number, target.requests.last_number):
            break
        result.outdated = True
    await _popups(target)
    if ((result.report or {}).get("receipt") or {}).get("download"):
        await _download(target, mark)


def post_in_frame_or_fail(
    frame: Frame, world: World, expression: str
) -> asyncio.Future[EvaluateReturns]:
    try:
        return post_in_frame(frame, world, expression, CEILING + 2)
    except CdpAgentError as error:
        failed: asyncio.Future[EvaluateReturns] = asyncio.get_running_loop().create_future()
        failed.set_exception(error)
        failed.exception()
        return failed


async def _report(
    reply: asyncio.Future[EvaluateReturns], target: PageTarget, *, grace: bool
) -> dict[str, Any] | None:
    """The report of the document, if it lives to send one."""
    if not reply.done() and grace:
        # A navigation is on its way; the old document may still answer before it goes.
        await asyncio.wait([reply], timeout=0.3)
    value = _value(reply)
    return value if isinstance(value, dict) else None


async def _navigation(target: PageTarget, mark: Mark, deadline: float, result: Settled) -> None:
    """Until the new document is there, has been read to its end, and has drawn."""

    def read() -> bool:
        if target.dialog is not None:
            return True
        main, frame = target.frames.main, mark.frame
        ready = main.dom_ready and (frame.session is None or frame.dom_ready)
        return ready and not is_navigating(target, mark)

    seconds = seconds_until(deadline, 0.2)
    try:
        result.settled = await target.until(read, seconds)
        if result.settled:
            result.settled = await _loaded(target, mark, deadline)
        if result.settled:
            bound = max(deadline, time.monotonic() + _DRAW_SECONDS)
            result.settled = not await wait_drawn(target, mark, bound)
    except TargetClosed:
        result.settled = True


async def _loaded(target: PageTarget, mark: Mark, deadline: float) -> bool:
    """Until a document that was read has its frames and style sheets."""
    now = time.monotonic()
    seconds = min(READY_SECONDS, max(deadline - now, _DRAW_SECONDS))
    frame = mark.frame if mark.frame.session is not None else target.frames.main
    loading = {target.frames.main, frame}

    def loaded() -> bool:
        return (
            all(one.loaded or one.stopped for one in loading)
            or target.dialog is not None
            or is_navigating(target, mark)
        )

    return await target.until(loaded, seconds)


async def _requests(target: PageTarget, mark: Mark, ceiling: float) -> Settled:
    """Until what the action asked a server for has come, and the page has shown it."""

    def answered() -> bool:
        return (
            not target.requests.open_since(mark.requests)
            or target.dialog is not None
            or is_navigating(target, mark)
        )

    result = Settled(True, None)
    while result.settled:
        if not await target.until(answered, seconds_until(ceiling)):
            result.settled = False
            break
        frame = mark.frame if mark.frame.session is not None else target.frames.main
        if target.dialog is not None or is_navigating(target, mark) or frame.world is None:
            break
        ago = int((time.monotonic() - target.requests.last_end) * 1000)
        call = f"cdpAgent.restAfterwards({{ceilingMs: {_FOLLOW_MS}, answeredMs: {ago}}})"
        shown = await _rest_in([(frame, frame.world, call)], ceiling)
        result.settled = shown.settled
        result.awaited += shown.awaited
        if not target.requests.open_since(mark.requests):
            break
    return result


async def _sockets(target: PageTarget, mark: Mark, ceiling: float) -> None:
    """Until what the action sent over a WebSocket has been answered, and the page has shown it.

    Nothing says which message answers which: the answer is over when no more come.
    """
    sockets = target.sockets
    ceiling = min(ceiling, time.monotonic() + _SOCKET_SECONDS)

    def has_come(number: int) -> bool:
        done = sockets.received_number > number and not sockets.is_waiting
        return done or target.dialog is not None or is_navigating(target, mark)

    number, pause = sockets.received_number if sockets.is_waiting else -1, _SOCKET_SECONDS
    while (left := ceiling - time.monotonic()) > 0:
        if not await target.until(lambda: has_come(number), min(pause, left)):  # noqa: B023
            break
        if target.dialog is not None or is_navigating(target, mark):
            break
        number, pause = sockets.received_number, _SOCKET_PAUSE
    sockets.forget()
    frame = mark.frame
    if frame.session is not None and frame.world is not None and target.dialog is None:
        ago = int((time.monotonic() - sockets.last_received) * 1000)
        call = f"cdpAgent.restAfterwards({{ceilingMs: {_FOLLOW_MS}, answeredMs: {ago}}})"
        await _rest_in([(frame, frame.world, call)], ceiling)


def neighbours(target: PageTarget, frame: Frame) -> list[tuple[Frame, World]]:
    """Frames whose scripts the frame's own scripts may call: of its process and origin."""
    others = [
        (other, other.world)
        for other in target.frames
        if other is not frame
        and other.world is not None
        and other.session is frame.session
        and other.origin == frame.origin
    ]
    return others[:_MOST_NEIGHBOURS]


async def _other_frames(target: PageTarget, mark: Mark, messages: int, ceiling: float) -> Settled:
    """Until frames are at rest that the action's document called, or sent messages to."""
    own = mark.frame.session
    roots = {
        frame.session: (frame, frame.world, "cdpAgent.lastTask()")
        for frame in target.frames
        if frame.session not in (own, None) and frame.world is not None
    }
    # A message that was sent to another process before is handled there before this.
    await _rest_in(list(roots.values()), time.monotonic() + _BARRIER_SECONDS)
    told = target.messages.since(messages)
    call = f"cdpAgent.restAfterwards({{ceilingMs: {_FOLLOW_MS}}})"
    calls = {frame: (frame, world, call) for frame, world in neighbours(target, mark.frame)}
    for frame in target.frames:
        if frame.world is None or frame.session is None:
            continue
        if (frame.session.id, frame.world.context_id) in told:
            calls[frame] = frame, frame.world, call
    return await _rest_in(list(calls.values()), ceiling)


async def _rest_in(calls: list[tuple[Frame, World, str]], ceiling: float) -> Settled:
    """Call functions in frames that wait there for rest. Frames that went away are at rest."""
    result = Settled(True, None)
    if not calls:
        return result
    replies = [post_in_frame_or_fail(*call) for call in calls]
    await asyncio.wait(replies, timeout=seconds_until(ceiling, 0.1))
    for reply in replies:
        report = _value(reply)
        if isinstance(report, dict):
            result.settled = result.settled and report["settled"]
            result.awaited += report["awaited"]
    return result


def _value(reply: asyncio.Future[EvaluateReturns]) -> Any:
    """The value that a script returned; None: its document went away before."""
    if not reply.done():
        return None
    try:
        return script_value(reply.result())
    except CdpAgentError:
        return None


async def _download(target: PageTarget, mark: Mark) -> None:
    """Until the file that a link leads to is on its way, or was refused."""
    await target.until(
        lambda: (
            len(target.downloads) > mark.downloads
            or bool(target.console.refused_since(mark.console))
        ),
        CEILING,
    )


async def _popups(target: PageTarget) -> None:
    """Until the tabs that the page has asked for are there."""
    if target.popups_expected > len(target.popups):
        await target.until(lambda: target.popups_expected <= len(target.popups), _POPUP_SECONDS)
        target.popups_expected = len(target.popups)  # one that was blocked will not come
