"""Requests and other activity of a page, numbered, to ask for what came since.

Kept bounded: a page that polls or logs for ever must not grow us.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

#: Kinds of request whose answer a page turns into content.
_AWAITED = frozenset({"XHR", "Fetch", "Script", "Document", "Stylesheet"})
_MOST_OPEN = 2_000
#: An address asked for this often while nobody acts is polled.
_POLLING = 3
#: The same while a document loads.
_POLLING_WHILE_LOADING = 8
_MOST_ADDRESSES = 500
_MOST_MESSAGES = 200
_MOST_EXCHANGES = 200
#: The page, or a navigation, has ended the request.
CANCELLED = "cancelled"
#: A policy of ours has ended it, and reports so.
_BLOCKED = "net::ERR_BLOCKED_BY_CLIENT"
#: Methods that neither write nor fetch what is shown.
_PROBES = frozenset({"HEAD", "OPTIONS"})
#: Answers of this type go on for as long as the page is open.
_STREAMS = frozenset({"text/event-stream", "multipart/x-mixed-replace"})
#: An answer that has begun and is not complete after this is a stream as well.
_STREAM_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    number: int
    url: str
    kind: str
    frame_id: str
    #: The same address was asked for before: polling, most likely.
    repeated: bool
    began: float = 0.0
    method: str = "GET"
    #: When the head of its answer came; 0 before that.
    answered: float = 0.0
    status: int = 0
    streams: bool = False

    def is_stream(self, now: float) -> bool:
        """Returns whether its answer goes on without an end."""
        return self.streams or 0 < self.answered < now - _STREAM_SECONDS


@dataclass(frozen=True, slots=True)
class Exchange:
    """A finished request that results report: it wrote, or it failed."""

    number: int
    method: str
    #: Without its query, which may hold secrets.
    address: str
    #: `204`, `500` or Chromium's word for what went wrong, `net::ERR_…`.
    result: str
    failed: bool

    def line(self, origin: str) -> str:
        """Returns `PUT /note 204`, with the host where it is not that of `origin`."""
        parts = urlsplit(self.address)
        host = "" if f"{parts.scheme}://{parts.netloc}" == origin else parts.netloc
        where = host + (parts.path or "/")
        return f"{self.method} {_cut(where)} {'failed: ' if self.failed else ''}{self.result}"


_LONGEST_PATH = 80


def _cut(path: str) -> str:
    """The path; of a long one its beginning and, more telling, its end."""
    if len(path) <= _LONGEST_PATH:
        return path
    return f"{path[:30]}…{path[-(_LONGEST_PATH - 31) :]}"


class Requests:
    """Requests under way, and which addresses have been seen before."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Request] = OrderedDict()
        self._seen: OrderedDict[str, int] = OrderedDict()
        self._exchanges: deque[Exchange] = deque(maxlen=_MOST_EXCHANGES)
        self.last_number = 0
        #: The last one that is not a repetition, and when one ended.
        self._last_fresh = 0
        #: The last one that a script made.
        self.last_asked = 0
        self.last_end = 0.0
        #: Set while an action is under way: what it asks for is its own, however often.
        self.acting = False
        self._loading = False
        #: When one that is not a repetition last began or ended.
        self.last_change = time.monotonic()

    def began(
        self,
        request_id: str,
        url: str,
        kind: str,
        frame_id: str,
        *,
        method: str = "GET",
        redirect_status: int = 0,
    ) -> None:
        """`redirect_status` is that of the answer which led here; 0 where none did."""
        if kind not in _AWAITED or url.startswith("data:"):
            return
        address = url.partition("?")[0]
        before = self._open.get(request_id)  # a redirect goes on under the same id
        if before is not None:
            if redirect_status:
                self._note(replace(before, status=redirect_status), "")
            self._open[request_id] = replace(
                before, url=url, kind=kind, frame_id=frame_id, method=method
            )
            return
        self.last_number += 1
        began = time.monotonic()
        most = _POLLING_WHILE_LOADING if self._loading else _POLLING
        repeated = self._seen.get(address, 0) >= most
        request = Request(self.last_number, url, kind, frame_id, repeated, began, method)
        if not repeated:
            self.last_change = began
            self._last_fresh = self.last_number
            if kind in ("XHR", "Fetch"):
                self.last_asked = self.last_number
        self._open[request_id] = request
        if kind in ("XHR", "Fetch") and not self.acting:
            self._seen[address] = self._seen.get(address, 0) + 1
            self._seen.move_to_end(address)
        if len(self._seen) > _MOST_ADDRESSES:
            self._seen.popitem(last=False)
        if len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)

    def begin_loading(self) -> None:
        """A document loads: it may ask one address for many things."""
        self._loading = True

    def end_loading(self) -> None:
        """From now on only addresses that were asked all the time count as polled."""
        self._loading = False
        polled = ((a, n) for a, n in self._seen.items() if n >= _POLLING_WHILE_LOADING)
        self._seen = OrderedDict(polled)

    def answered(self, request_id: str, status: int, mime_type: str) -> None:
        """The head of an answer has come."""
        request = self._open.get(request_id)
        if request is not None:
            streams = request.streams or mime_type in _STREAMS
            self._open[request_id] = replace(
                request, answered=time.monotonic(), status=status, streams=streams
            )

    def ended(self, request_id: str, problem: str = "") -> None:
        """End a request; `problem` is Chromium's error, or `cancelled` by the page."""
        request = self._open.pop(request_id, None)
        if request is None:
            return
        self._note(request, problem)
        if not request.repeated:
            self.last_change = self.last_end = time.monotonic()

    def _note(self, request: Request, problem: str) -> None:
        if request.status and problem == CANCELLED:
            problem = ""  # answered; its body was not read
        failed = problem not in ("", CANCELLED) or request.status >= 400
        is_plain = request.method in _PROBES or (request.method == "GET" and not failed)
        if request.repeated or problem == _BLOCKED or is_plain:
            return
        address = request.url.partition("#")[0].partition("?")[0]
        result = problem or (str(request.status) if request.status else "sent")
        self._exchanges.append(Exchange(request.number, request.method, address, result, failed))

    def clear(self) -> None:
        """Another document is shown: forget the requests of the one before."""
        for request in self._open.values():
            if request.status:  # its answer is what is shown now, or has come just in time
                self._note(request, "")
        self._open.clear()
        self._seen.clear()

    def exchanges_since(self, number: int) -> list[Exchange]:
        """Finished requests after `number` that wrote or failed, in their order."""
        since = [exchange for exchange in self._exchanges if exchange.number > number]
        return sorted(since, key=lambda exchange: exchange.number)

    def has_begun_since(self, number: int) -> bool:
        """Returns whether a request after `number` is not a repetition."""
        return self._last_fresh > number

    def open_since(self, number: int) -> list[Request]:
        """Requests after `number` that are under way, without polls and streams."""
        now = time.monotonic()
        return [
            request
            for request in self._open.values()
            if request.number > number and not request.repeated and not request.is_stream(now)
        ]


class Sockets:
    """Messages over WebSockets: a page may ask its server that way, too."""

    def __init__(self) -> None:
        self._alone: OrderedDict[str, int] = OrderedDict()
        self._waiting: set[str] = set()
        #: When the last one was opened, and how many ever were.
        self.last_opened = 0.0
        self.opened_number = 0
        self.sent_number = 0
        self.received_number = 0
        self.last_received = 0.0

    def opened(self) -> None:
        self.opened_number += 1
        self.last_opened = time.monotonic()

    def sent(self, request_id: str, *, acting: bool) -> None:
        """Wait for the answer, unless messages go out without an action again and again."""
        alone = self._alone.get(request_id, 0)
        if not acting:
            self._alone[request_id] = alone + 1
            if len(self._alone) > _MOST_ADDRESSES:
                self._alone.popitem(last=False)
        elif alone < _POLLING:
            self.sent_number += 1
            self._waiting.add(request_id)

    def received(self, request_id: str) -> None:
        self.received_number += 1
        self.last_received = time.monotonic()
        self._waiting.discard(request_id)

    def closed(self, request_id: str) -> None:
        self._waiting.discard(request_id)
        self._alone.pop(request_id, None)

    def forget(self) -> None:
        """Nobody waits any longer for what was sent so far."""
        self._waiting.clear()

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)


class FrameMessages:
    """Messages that frames were sent by others.

    A document of its own world stands behind each, so a frame that navigated is another one.
    """

    def __init__(self) -> None:
        self._heard: deque[tuple[int, str, int]] = deque(maxlen=_MOST_MESSAGES)
        self.last_number = 0

    def heard(self, session_id: str, context_id: int) -> None:
        self.last_number += 1
        self._heard.append((self.last_number, session_id, context_id))

    def since(self, number: int) -> set[tuple[str, int]]:
        """Session and context of the documents that were sent one after `number`."""
        return {(session_id, context_id) for n, session_id, context_id in self._heard if n > number}
