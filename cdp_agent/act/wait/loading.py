"""Waits until a document that was read has drawn what it loads.

An application draws after `load`: it asks its server and shows the answers. So the wait ends when
the page shows something, the requests that it made are over, its new WebSockets have had their
first say, and what it shows has stopped changing (`js/watch/loading.js`). A page that has asked its
server for nothing is not waited for. Requests that are polled or stream, clocks and spinners do not
count, and every wait has a bound: what is under way then is said.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cdp_agent import log
from cdp_agent.act.wait.mark import Mark, open_requests
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame
from cdp_agent.targets import Frame, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateReturns

_log = log.get("act")

#: A page that shows something is waited for no longer than this.
READY_SECONDS = 3.0
#: One that shows nothing and is at work, no longer than this.
_EMPTY_SECONDS = 10.0
#: What is shown has come to rest when it has not changed for this long.
_QUIET_MS = 100
#: A server that has not said anything over a new WebSocket by then waits for the page.
_SOCKET_SECONDS = 0.5
#: Messages of a server that tells the page what to show follow each other within this, …
_SOCKET_PAUSE = 0.1
#: … and are over by then, or never.
_SOCKETS_SECONDS = 1.5
#: More frames are not asked whether they have drawn.
_MOST_FRAMES = 20
#: A document that does not answer is busy; it gets this long beyond its time.
_BUSY_SECONDS = 0.3

#: What a document lacks (`findLack`), in words for a reader.
_LACKS = {"nothing": "nothing is shown yet", "a sign": "the page says so"}


async def wait_drawn(target: PageTarget, mark: Mark, deadline: float) -> str:
    """Wait until the page has drawn; returns what is still under way at the bound, or nothing.

    `mark` was set before the navigation, and keeps the answer. A dialog ends the wait: nothing
    comes before that is answered.
    """
    mark.loading = await _Loading(target, mark, deadline).wait()
    return mark.loading


@dataclass(slots=True)
class _Loading:
    target: PageTarget
    mark: Mark
    deadline: float
    #: What the page lacked when it was last asked.
    lack: str = ""

    async def wait(self) -> str:
        began = time.monotonic()
        asked = settled = False
        while not self._is_over() and (bound := self._bound(began)) > time.monotonic():
            asked = asked or self._asks()
            await self.target.until(
                lambda: self._is_over() or not self._is_open(), seconds_until(bound)
            )
            await self._sockets(min(bound, began + _SOCKETS_SECONDS))
            counts = self._counts()
            settled = await self._rest(bound, asked)
            if settled and counts == self._counts() and not self._is_open():
                return ""
        remains = "" if self._is_over() else self._remains(settled)
        _log.debug("loading was not over at its bound: %s", remains)
        return remains

    def _bound(self, began: float) -> float:
        """When the page is left alone: some time after it first showed something."""
        painted = self.target.frames.main.painted
        if painted and self.lack != "nothing":
            return min(max(began, painted) + READY_SECONDS, self.deadline)
        return min(began + _EMPTY_SECONDS, self.deadline)

    def _is_over(self) -> bool:
        return self.target.dialog is not None or self.target.crashed

    def _is_open(self) -> bool:
        """Returns whether requests, or a navigation of the page's own, are under way."""
        main = self.target.frames.main
        is_leaving = main.navigation_requested or bool(main.pending_loader)
        return is_leaving or bool(self.target.requests.open_since(self.mark.requests))

    def _counts(self) -> tuple[int, int]:
        """A count that grows when the page goes on to load."""
        return self.target.requests.last_number, self.target.sockets.opened_number

    def _asks(self) -> bool:
        """Returns whether the page has asked its server for something by itself."""
        return (
            self.target.requests.last_asked > self.mark.requests
            or self.target.sockets.opened_number > self.mark.sockets_opened
            or self._is_open()
        )

    async def _sockets(self, bound: float) -> None:
        """Wait for the first messages of servers over the WebSockets that were opened."""
        sockets = self.target.sockets
        if sockets.opened_number == self.mark.sockets_opened:
            return
        opened, pause = sockets.last_opened, _SOCKET_SECONDS
        last = max(opened, sockets.last_received)
        while (left := min(bound, last + pause) - time.monotonic()) > 0 and not self._is_over():
            await self.target.until(
                lambda: sockets.last_received > last or self._is_over(),  # noqa: B023
                left,
            )
            last = max(opened, sockets.last_received)
            pause = _SOCKET_PAUSE if last > opened else _SOCKET_SECONDS

    async def _rest(self, bound: float, asked: bool) -> bool:
        """Until every frame has drawn and is at rest; False where one is not in time."""
        requests, sockets = self.target.requests, self.target.sockets
        options = {
            "ceilingMs": int(seconds_until(bound, 0.05) * 1000),
            "quietMs": _QUIET_MS,
            "asks": asked,
            "answeredMs": int(
                (time.monotonic() - max(requests.last_end, sockets.last_received)) * 1000
            ),
        }
        call = f"cdpAgent.restAfterLoading({json.dumps(options)})"
        replies: dict[Frame, asyncio.Future[EvaluateReturns]] = {}
        for frame in list(self.target.frames)[:_MOST_FRAMES]:
            if frame.world is None or frame.session is None:
                continue
            try:
                reply = post_in_frame(frame, frame.world, call, seconds_until(bound) + 1)
            except CdpAgentError:
                continue  # it went away
            reply.add_done_callback(lambda _: self.target.pulse())
            replies[frame] = reply
        await self.target.until(
            lambda: self._is_over() or all(reply.done() for reply in replies.values()),
            seconds_until(bound) + _BUSY_SECONDS,
        )
        rested = [self._has_rested(frame, reply) for frame, reply in replies.items()]
        return all(rested)

    def _has_rested(self, frame: Frame, reply: asyncio.Future[EvaluateReturns]) -> bool:
        if not reply.done():
            return False
        try:
            facts = script_value(reply.result())
        except CdpAgentError as error:
            # Its document went away; the one after it is asked in the next round.
            _log.debug("frame %d did not say whether it has drawn: %s", frame.index, error)
            return True
        if frame is self.target.frames.main:
            self.lack = facts["lack"]
        return bool(facts["settled"])

    def _remains(self, settled: bool) -> str:
        if remains := open_requests(self.target, self.mark) or _LACKS.get(self.lack, ""):
            return remains
        return "" if settled else "what is shown still changes"
