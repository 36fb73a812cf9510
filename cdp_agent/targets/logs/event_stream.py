"""Events of pages for whoever subscribes: one bounded stream per subscriber.

A stream is heard from the line on that opens it. One that nobody empties drops its oldest events
and counts them; nothing waits for a slow reader.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from cdp_agent.errors import InvalidParams

if TYPE_CHECKING:
    from cdp_agent.targets.page_target import PageTarget

MOST_WAITING = 1_000

EventKind = Literal["page", "console", "network", "dialog", "download"]
KINDS: tuple[str, ...] = get_args(EventKind)


@dataclass(frozen=True, slots=True)
class PageEvent:
    """Something that happened to a page.

    | kind | name | subject |
    |---|---|---|
    | page | opened, navigated, domcontentloaded, load, crashed, closed | None |
    | console | the message's level | ConsoleMessage |
    | network | request, response, finished, failed | NetworkRequest |
    | dialog | opened, closed | Dialog |
    | download | started, progress, completed, cancelled | Download |
    """

    kind: EventKind
    name: str
    #: Of the tab, as `Page.target_id`.
    target_id: str
    #: Of the page, when it happened.
    url: str
    title: str
    subject: Any = None
    #: Seconds since 1970.
    time: float = field(default_factory=time.time)


class EventStream:
    """Events to read by `async for` or `get`. Close it, or use it in a `with`."""

    def __init__(
        self,
        hub: EventHub,
        kinds: frozenset[str],
        wants: Callable[[PageTarget], bool],
        *,
        ends_with_page: bool,
    ) -> None:
        self._hub = hub
        self._kinds = kinds
        self._wants = wants
        self._ends_with_page = ends_with_page
        self._events: deque[PageEvent] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._ended = False
        #: How many events were dropped because nobody took them.
        self.dropped = 0

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hear no more events; what came before is still handed out. May be called twice."""
        self._hub.forget(self)
        self._ended = True
        self._wake()

    async def __aiter__(self) -> AsyncIterator[PageEvent]:
        while (event := await self.get()) is not None:
            yield event

    async def get(self, timeout: float | None = None) -> PageEvent | None:
        """The next event; None when the stream has ended or the time is over."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._events and not self._ended:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await asyncio.wait([self._waiter], timeout=left)
            finally:
                self._waiter = None
        return self._events.popleft() if self._events else None

    def wants(self, target: PageTarget, kind: str) -> bool:
        return kind in self._kinds and self._wants(target)

    def put(self, event: PageEvent) -> None:
        if len(self._events) >= MOST_WAITING:
            self._events.popleft()
            self.dropped += 1
        self._events.append(event)
        self._wake()

    def page_ended(self, target: PageTarget) -> None:
        if self._ends_with_page and self._wants(target):
            self.close()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class EventHub:
    """The streams that are open on the pages of one browser."""

    def __init__(self) -> None:
        self._streams: list[EventStream] = []

    def open(
        self,
        kinds: tuple[str, ...],
        wants: Callable[[PageTarget], bool],
        *,
        ends_with_page: bool = False,
    ) -> EventStream:
        """Open a stream of these kinds of events from now on; without kinds, of all.

        Raises:
            InvalidParams: there is no such kind.
        """
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise InvalidParams(
                f"there are no events of the kind {unknown[0]!r}",
                hint=f"Kinds: {', '.join(KINDS)}.",
            )
        chosen = frozenset(kinds or KINDS)
        stream = EventStream(self, chosen, wants, ends_with_page=ends_with_page)
        self._streams.append(stream)
        return stream

    def forget(self, stream: EventStream) -> None:
        if stream in self._streams:
            self._streams.remove(stream)

    def publish(self, target: PageTarget, kind: EventKind, name: str, subject: Any = None) -> None:
        """Hand an event to every stream that wants it. Costs nothing where there is none."""
        if not self._streams:
            return
        event: PageEvent | None = None
        for stream in list(self._streams):
            if stream.wants(target, kind):
                if event is None:
                    title = target.title
                    event = PageEvent(kind, name, target.target_id, target.url, title, subject)
                stream.put(event)

    def page_ended(self, target: PageTarget) -> None:
        """The page is gone: streams of it alone end, those that wait for no `page` too."""
        self.publish(target, "page", "closed")
        for stream in list(self._streams):
            stream.page_ended(target)

    def close(self) -> None:
        """The browser is gone: every stream ends."""
        for stream in list(self._streams):
            stream.close()
