"""Events that a server sends, for one listener at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Self

#: Of a listener that falls behind by more, the oldest are dropped.
MOST_WAITING = 1000


@dataclass(frozen=True, slots=True)
class RemoteEvent:
    """Something that happened to a page of this client."""

    #: `page`, `console`, `network`, `dialog` or `download`.
    kind: str
    #: The id of the page.
    page: str
    #: Seconds since 1970.
    time: float
    #: The rest, in snake_case.
    data: dict[str, Any]


class EventListener:
    """Use it in `async with`, which subscribes, and iterate over it or ask with `get`."""

    def __init__(
        self,
        kinds: frozenset[str],
        register: Callable[[EventListener], Awaitable[None]],
        forget: Callable[[EventListener], None],
    ) -> None:
        self.kinds = kinds
        self._register = register
        self._forget = forget
        self._events: deque[RemoteEvent] = deque()
        self._changed = asyncio.Event()
        self._ended = False
        #: How many events were dropped because nobody took them.
        self.dropped = 0

    async def __aenter__(self) -> Self:
        await self._register(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hear no more events. May be called twice."""
        self._forget(self)
        self._ended = True
        self._changed.set()

    def put(self, event: RemoteEvent) -> None:
        if len(self._events) >= MOST_WAITING:
            self._events.popleft()
            self.dropped += 1
        self._events.append(event)
        self._changed.set()

    async def get(self, timeout: float | None = None) -> RemoteEvent | None:
        """The next event; None when the listener was closed, or none came in time."""
        try:
            async with asyncio.timeout(timeout):
                while not self._events and not self._ended:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return None
        return self._events.popleft() if self._events else None

    async def __aiter__(self) -> AsyncIterator[RemoteEvent]:
        while (event := await self.get()) is not None:
            yield event
