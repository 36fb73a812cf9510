"""A browser's wire without a browser: what was sent can be read, what comes in is scripted.

The only stand-in of the unit tests. It keeps the contract of `Transport`: replies arrive from the
event loop, never from inside `send`, and `closed` is called once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cdp_agent.transport.base import Closed, Receive


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it went over the wire."""

    number: int
    method: str
    params: dict[str, Any]
    session_id: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error reply."""

    message: str
    code: int = -32000
    data: str | None = None


Reply = Mapping[str, Any] | Refusal
Script = Reply | Callable[[Command], Reply | None] | None


class MemoryTransport:
    """Commands without a script are answered by `{}` if `answers_all`, and otherwise not at all."""

    def __init__(self, *, answers_all: bool = False) -> None:
        self.sent: list[Command] = []
        self.is_closed = False
        self._scripts: dict[str, Script] = {}
        self._rest: Script = {} if answers_all else None
        self._receive: Receive | None = None
        self._closed: Closed | None = None

    # -- what the engine calls ------------------------------------------------------------------

    def start(self, receive: Receive, closed: Closed) -> None:
        self._receive = receive
        self._closed = closed

    def send(self, message: bytes) -> None:
        parts = json.loads(message)
        session_id = parts.pop("sessionId", "")
        command = Command(parts.pop("id"), parts.pop("method"), parts.pop("params"), session_id)
        assert not parts, f"Chromium knows no {', '.join(parts)} in a command"
        self.sent.append(command)
        script = self._scripts.get(command.method, self._rest)
        reply = script(command) if callable(script) else script
        if reply is not None:
            asyncio.get_running_loop().call_soon(self.answer, command, reply)

    async def aclose(self) -> None:
        self.is_closed = True
        self.drop("closed by this side")

    # -- what a test calls ----------------------------------------------------------------------

    def script(self, method: str, reply: Script) -> None:
        """From now on answer a method so; None leaves it unanswered."""
        self._scripts[method] = reply

    def commands(self, method: str, session_id: str | None = None) -> list[Command]:
        """The commands of that method so far, the newest last."""
        return [
            command
            for command in self.sent
            if command.method == method and session_id in (None, command.session_id)
        ]

    def methods(self, session_id: str = "") -> list[str]:
        """The methods that were sent on a session, in order."""
        return [command.method for command in self.sent if command.session_id == session_id]

    def answer(self, command: Command, reply: Reply) -> None:
        message: dict[str, Any] = {"id": command.number}
        if command.session_id:
            message["sessionId"] = command.session_id
        if isinstance(reply, Refusal):
            message["error"] = {"code": reply.code, "message": reply.message}
            if reply.data is not None:
                message["error"]["data"] = reply.data
        else:
            message["result"] = reply
        self.deliver(json.dumps(message).encode())

    def event(self, method: str, params: Mapping[str, Any], session_id: str = "") -> None:
        message: dict[str, Any] = {"method": method, "params": params}
        if session_id:
            message["sessionId"] = session_id
        self.deliver(json.dumps(message).encode())

    def deliver(self, message: bytes) -> None:
        """Hand in a message as it stands."""
        if self._receive is not None:
            self._receive(message)

    def drop(self, reason: str) -> None:
        """The wire is cut: no more messages come."""
        closed, self._closed, self._receive = self._closed, None, None
        if closed is not None:
            closed(reason)

    # -- sessions, as Chromium announces them ---------------------------------------------------

    def attach(
        self,
        session_id: str,
        target_id: str,
        kind: str = "page",
        *,
        parent: str = "",
        url: str = "about:blank",
        **info: Any,
    ) -> None:
        self.event(
            "Target.attachedToTarget",
            {
                "sessionId": session_id,
                "targetInfo": {"targetId": target_id, "type": kind, "url": url, **info},
                "waitingForDebugger": True,
            },
            parent,
        )

    def detach(self, session_id: str, *, parent: str = "") -> None:
        self.event("Target.detachedFromTarget", {"sessionId": session_id}, parent)


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Let the event loop run until the condition holds.

    Raises:
        TimeoutError: it does not.
    """
    async with asyncio.timeout(seconds):
        while True:
            if condition():
                return
            await asyncio.sleep(0)


async def idle() -> None:
    """Let everything run that is ready to: for showing that nothing happens."""
    for _ in range(20):
        await asyncio.sleep(0)
