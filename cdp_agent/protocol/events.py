"""Events on their way to whoever asked for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from cdp_agent.config import EVENT_QUEUE_LIMIT
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol.codec import decode

T = TypeVar("T")


class Event:
    """One event. Its parameters are decoded when they are first read."""

    __slots__ = ("_params", "_raw", "method", "session_id")

    def __init__(self, method: str, session_id: str, raw: msgspec.Raw) -> None:
        self.method = method
        self.session_id = session_id
        self._raw = raw
        self._params: dict[str, Any] | None = None

    @property
    def params(self) -> dict[str, Any]:
        if self._params is None:
            self._params = decode(self._raw, dict)
        return self._params

    def into(self, kind: type[T]) -> T:
        return decode(self._raw, kind)


class EventQueue:
    """A bounded queue that one reader fills and one task empties.

    When full the oldest event goes and `dropped` counts it: a page that floods its console
    must not take the memory. When the connection or session ends, `get` raises why.
    """

    def __init__(
        self, release: Callable[[EventQueue], None], limit: int = EVENT_QUEUE_LIMIT
    ) -> None:
        self._release = release
        self._limit = limit
        self._events: deque[Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._ended: CdpAgentError | None = None
        self.dropped = 0

    def __enter__(self) -> EventQueue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hear no more events. May be called twice."""
        self._release(self)

    def put(self, event: Event) -> None:
        if len(self._events) >= self._limit:
            self._events.popleft()
            self.dropped += 1
        self._events.append(event)
        self._wake()

    def end(self, reason: CdpAgentError) -> None:
        self._ended = reason
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def get_nowait(self) -> Event | None:
        return self._events.popleft() if self._events else None

    async def get(self) -> Event:
        """The next event, waiting for it. What came before the end is still handed out.

        Raises:
            CdpAgentError: the connection or session ended.
        """
        while not self._events:
            if self._ended is not None:
                raise self._ended
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._events.popleft()
