"""The requests of a page and its frames, the last ones: asked, answered, failed.

Bounded: a page that polls for ever must not grow us.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from cdp_agent.targets.network.auth import without_password

MOST_REQUESTS = 1_000
_MOST_OPEN = 2_000
_LONGEST_URL = 4_000

RequestPhase = Literal["request", "response", "finished", "failed"]


@dataclass(frozen=True, slots=True)
class NetworkRequest:
    """One request. A redirect ends it and begins another one of the same `id`."""

    #: Counts the requests of the page from 1.
    number: int
    #: Chromium's own.
    id: str
    method: str
    #: Without a password; with its query.
    url: str
    #: Chromium's word in lower case: `document`, `xhr`, `fetch`, `script`, `image` …
    kind: str
    frame_id: str
    #: Seconds since 1970.
    time: float
    #: Of the answer; 0 before there is one.
    status: int = 0
    status_text: str = ""
    mime_type: str = ""
    #: Seconds until it was over; None while it is under way.
    seconds: float | None = None
    #: `net::ERR_…`, or `cancelled` by the page; empty where it did not fail.
    error: str = ""

    @property
    def failed(self) -> bool:
        """Returns whether no answer came, or one of 400 and above."""
        return bool(self.error) or self.status >= 400

    @property
    def line(self) -> str:
        """Returns `GET https://shop.test/cart?id=7 404 fetch 31 ms`."""
        result = self.error or str(self.status or ("pending" if self.seconds is None else "sent"))
        taken = "" if not self.seconds else f" {self.seconds * 1000:.0f} ms"
        return f"{self.method} {self.url} {result} {self.kind}{taken}"

    def to_dict(self) -> dict[str, Any]:
        names = ("number", "id", "method", "url", "kind", "frame_id", "time", "status")
        more = ("status_text", "mime_type", "seconds", "error", "failed")
        return {name: getattr(self, name) for name in (*names, *more)}


class RequestLog:
    """Requests by their number; those under way by Chromium's id as well."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, tuple[NetworkRequest, float]] = OrderedDict()
        self._ended: deque[NetworkRequest] = deque(maxlen=MOST_REQUESTS)
        self._count = 0
        #: Called at once with every request and what has just happened to it.
        self.on_change: Callable[[RequestPhase, NetworkRequest], None] = lambda _, __: None

    def began(self, params: dict[str, Any]) -> None:
        """Take a `Network.requestWillBeSent`."""
        request, request_id = params["request"], params["requestId"]
        url = without_password(request["url"])[:_LONGEST_URL]
        if urlsplit(url[:200]).scheme in ("data", "blob"):
            return
        redirect = params.get("redirectResponse")
        if redirect is not None:
            self.answered({"requestId": request_id, "response": redirect})
            self.ended({**params, "errorText": ""})
        elif request_id in self._open:
            return  # the document of a frame, reported by the frame's parent and by itself
        self._count += 1
        record = NetworkRequest(
            self._count,
            request_id,
            request["method"],
            url,
            params.get("type", "other").lower(),
            params.get("frameId", ""),
            params.get("wallTime", 0.0),
        )
        self._open[request_id] = record, params.get("timestamp", 0.0)
        if len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)
        self.on_change("request", record)

    def answered(self, params: dict[str, Any]) -> None:
        """Take a `Network.responseReceived`."""
        record, began = self._open.get(params["requestId"], (None, 0.0))
        if record is None:
            return
        answer = params["response"]
        record = replace(
            record,
            status=answer["status"],
            status_text=answer.get("statusText", ""),
            mime_type=answer.get("mimeType", ""),
        )
        self._open[params["requestId"]] = record, began
        self.on_change("response", record)

    def ended(self, params: dict[str, Any]) -> None:
        """Take a `Network.loadingFinished` or `Network.loadingFailed`."""
        record, began = self._open.pop(params["requestId"], (None, 0.0))
        if record is None:
            return
        error = "cancelled" if params.get("canceled") else params.get("errorText", "")
        if error == "cancelled" and record.status:
            error = ""  # answered; its body was not read
        seconds = max(params.get("timestamp", began) - began, 0.0)
        record = replace(record, error=error, seconds=seconds)
        self._ended.append(record)
        self.on_change("failed" if error else "finished", record)

    def requests(self, since: int = 0, *, failed: bool = False) -> list[NetworkRequest]:
        """The last requests with a number above `since`, over or not, in their order."""
        records = [*self._ended, *(record for record, _ in self._open.values())]
        wanted = [r for r in records if r.number > since and (r.failed or not failed)]
        return sorted(wanted, key=lambda record: record.number)[-MOST_REQUESTS:]
