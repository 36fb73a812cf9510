"""One browser connection: numbers commands, reads replies, routes events.

There is one reader. It settles replies in place and only queues events, so a slow
listener never delays a reply. When it stops, for whatever reason, every waiter
learns why. It knows `Target.attachedToTarget` and `detachedFromTarget`, because
sessions are born and die there; it knows no other method by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from cdp_agent import log
from cdp_agent.config import EVENT_QUEUE_LIMIT
from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ConnectionLost,
    ProtocolError,
    TargetClosed,
)
from cdp_agent.protocol.chrome_errors import error_for
from cdp_agent.protocol.codec import Envelope, decode, encode_command, read_envelope
from cdp_agent.protocol.events import Event, EventQueue
from cdp_agent.protocol.session import Session
from cdp_agent.transport.base import Transport

_log = log.get("wire")


class _Pending:
    __slots__ = ("into", "method", "reply", "session_id", "timer")

    def __init__(self, method: str, session_id: str, into: Any, reply: asyncio.Future[Any]) -> None:
        self.method = method
        self.session_id = session_id
        self.into = into
        self.reply = reply
        self.timer: asyncio.TimerHandle | None = None


class Connection:
    """Made open; `aclose` ends it. `root` is the browser's own session."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._last_number = 0
        self._pending: dict[int, _Pending] = {}
        self._sessions: dict[str, Session] = {}
        self._listeners: dict[tuple[str, str], list[EventQueue]] = {}
        self._ended: ConnectionLost | None = None
        self._on_end: list[Callable[[ConnectionLost], None]] = []
        self.root = Session(self, "", target_id="", target_type="browser", parent=None)
        self._sessions[""] = self.root
        transport.start(self._receive, self._transport_closed)

    @property
    def ended(self) -> ConnectionLost | None:
        """The error that ended the connection, or None while it lives."""
        return self._ended

    def find_session(self, session_id: str) -> Session | None:
        return self._sessions.get(session_id)

    @property
    def sessions(self) -> list[Session]:
        return [session for session in self._sessions.values() if session.id]

    def on_end(self, callback: Callable[[ConnectionLost], None]) -> None:
        """Call `callback` once when the connection is over."""
        self._on_end.append(callback)

    # -- commands ---------------------------------------------------------------------------

    def post(
        self,
        session: Session,
        method: str,
        params: Mapping[str, Any] | None,
        into: Any,
        seconds: float,
    ) -> asyncio.Future[Any]:
        """Send now; the future is the reply. Cancelling it forgets the command."""
        reply: asyncio.Future[Any] = self._loop.create_future()
        problem = self._ended or session.refusal(method)
        if problem is not None:
            reply.set_exception(problem)
            reply.exception()  # nobody has to await it
            return reply
        number = self._send(session.id, method, params or {})
        pending = _Pending(method, session.id, into, reply)
        pending.timer = self._loop.call_later(seconds, self._expire, number, seconds)
        self._pending[number] = pending
        reply.add_done_callback(lambda done: self._forget(number, done))
        return reply

    def send_only(self, session: Session, method: str, params: Mapping[str, Any] | None) -> None:
        """Send a command without waiting for its reply."""
        if self._ended is None and session.ended is None:
            self._send(session.id, method, params or {})

    def _send(self, session_id: str, method: str, params: Mapping[str, Any]) -> int:
        self._last_number += 1
        number = self._last_number
        _log.debug("> #%d %s %s %s", number, session_id[:8], method, log.Shown(method, params))
        self._transport.send(encode_command(number, method, params, session_id))
        return number

    def _expire(self, number: int, seconds: float) -> None:
        pending = self._pending.get(number)
        if pending is not None and not pending.reply.done():
            message = f"{pending.method} got no answer within {seconds:g} s"
            pending.reply.set_exception(CommandTimeout(message, method=pending.method))

    def _forget(self, number: int, reply: asyncio.Future[Any]) -> None:
        if not reply.cancelled():
            reply.exception()  # a reply that nobody awaits any more is not a cause for a log line
        pending = self._pending.pop(number, None)
        if pending is not None and pending.timer is not None:
            pending.timer.cancel()

    # -- what comes in ------------------------------------------------------------------------

    def _receive(self, message: bytes | bytearray) -> None:
        try:
            envelope = read_envelope(message)
        except (msgspec.MsgspecError, ValueError):
            _log.exception("= a message that is not JSON was left out: %s", log.short(message))
            return
        if envelope.id:
            self._settle(envelope)
        elif envelope.method:
            self._route(envelope)

    def _settle(self, envelope: Envelope) -> None:
        pending = self._pending.get(envelope.id)
        if pending is None or pending.reply.done():
            return
        if envelope.error is not None:
            _log.debug("< #%d error %s", envelope.id, envelope.error.message)
            pending.reply.set_exception(error_for(pending.method, envelope.error))
            return
        _log.debug("< #%d ok", envelope.id)
        try:
            pending.reply.set_result(decode(envelope.result, pending.into))
        except (msgspec.MsgspecError, ValueError) as error:
            reason = f"its answer is not what was expected ({error})"
            pending.reply.set_exception(ProtocolError(pending.method, reason))

    def _route(self, envelope: Envelope) -> None:
        event = Event(envelope.method, envelope.sessionId, envelope.params)
        _log.debug("< %s %s", event.session_id[:8], event.method)
        if event.method == "Target.attachedToTarget":
            self._session_born(event)
        for key in (
            (event.session_id, event.method),
            (event.session_id, "*"),
            ("*", event.method),
            ("*", "*"),
        ):
            for queue in self._listeners.get(key, ()):
                queue.put(event)
        if event.method == "Target.detachedFromTarget":
            session_id = event.params["sessionId"]
            self.end_session(session_id, TargetClosed("the tab or frame is gone"))

    def _session_born(self, event: Event) -> None:
        info = event.params["targetInfo"]
        session_id = event.params["sessionId"]
        self._sessions[session_id] = Session(
            self,
            session_id,
            target_id=info["targetId"],
            target_type=info["type"],
            parent=self._sessions.get(event.session_id),
        )

    def end_session(self, session_id: str, reason: CdpAgentError) -> None:
        """A session is over: its waiters and listeners learn why."""
        session = self._sessions.pop(session_id, None)
        if session is None or not session_id:
            return
        session.ended = reason
        for child in [s for s in self._sessions.values() if s.parent is session]:
            self.end_session(child.id, reason)  # Chromium does not report these
        self.fail_session(session_id, reason)
        for (owner, _), queues in list(self._listeners.items()):
            if owner == session_id:
                for queue in queues:
                    queue.end(reason)

    def fail_session(
        self, session_id: str, reason: CdpAgentError, methods: tuple[str, ...] = ("",)
    ) -> None:
        """Fail what is under way on a session which may go on living (a crashed tab)."""
        for pending in list(self._pending.values()):
            if pending.session_id != session_id or pending.reply.done():
                continue
            if pending.method.startswith(methods):
                pending.reply.set_exception(reason)

    # -- listening ----------------------------------------------------------------------------

    def listen(
        self, session_id: str, methods: tuple[str, ...], limit: int = EVENT_QUEUE_LIMIT
    ) -> EventQueue:
        """Queue events of a session and of these methods from now on; `*`: of all."""

        def release(queue: EventQueue) -> None:
            for method in methods:
                queues = self._listeners.get((session_id, method), [])
                if queue in queues:
                    queues.remove(queue)
                if not queues:
                    self._listeners.pop((session_id, method), None)

        queue = EventQueue(release, limit)
        if self._ended is not None:
            queue.end(self._ended)
        for method in methods:
            self._listeners.setdefault((session_id, method), []).append(queue)
        return queue

    # -- the end --------------------------------------------------------------------------------

    def _transport_closed(self, reason: str) -> None:
        self._fail_all(ConnectionLost(reason))

    def _fail_all(self, reason: ConnectionLost) -> None:
        if self._ended is not None:
            return
        _log.debug("= connection closed: %s", reason.message)
        self._ended = reason
        for pending in list(self._pending.values()):
            if not pending.reply.done():
                pending.reply.set_exception(reason)
        for queues in list(self._listeners.values()):
            for queue in queues:
                queue.end(reason)
        for callback in self._on_end:
            callback(reason)

    async def aclose(self) -> None:
        """Close the wire and fail the waiters. May be called twice."""
        self._fail_all(ConnectionLost("closed by this side"))
        await self._transport.aclose()
