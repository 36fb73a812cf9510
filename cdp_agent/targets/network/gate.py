"""The gate on the wire: lets requests of the browser through, or blocks them.

One `Fetch.enable` on the browser's own session pauses what tabs, frames of all processes, popups,
workers and service workers ask for, redirects included, before anything is sent. Chromium does not
pause WebSockets; those are stopped by the flags that a browser of ours is launched with (see
`Policy.launch_args`). What the gate stopped is kept, so that whoever acted can be told.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from cdp_agent import log
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Connection, Event
from cdp_agent.targets.network.policy import READS, HeldRequest, Policy

if TYPE_CHECKING:
    from cdp_use.cdp.fetch.commands import FailRequestParameters
    from cdp_use.cdp.fetch.types import RequestPattern
    from cdp_use.cdp.network.types import ErrorReason

_log = log.get("targets")

_MOST_BLOCKED = 200
_LONGEST_VALUE = 40
#: A decision that does not come counts as a no: the page cannot wait for ever.
_HOLD_SECONDS = 600.0
_SECRET_FIELDS = ("pass", "secret", "token", "cvv", "cvc", "pin")


class WireGate:
    """Owns one task that reads paused requests, and one for each request that is held."""

    def __init__(self, connection: Connection, policy: Policy) -> None:
        self._root = connection.root
        self.policy = policy
        self._paused = connection.listen("", ("Fetch.requestPaused",), limit=1_000_000)
        self._reader: asyncio.Task[None] | None = None
        self._held: set[asyncio.Task[None]] = set()
        #: Method and address of requests that a person has refused; a query does not matter.
        self.refused: frozenset[tuple[str, str]] = frozenset()
        #: What was stopped, the newest last, and how much there has been.
        self.blocked: deque[str] = deque(maxlen=_MOST_BLOCKED)
        self.blocked_count = 0

    async def start(self) -> None:
        """Begin to intercept: every request is checked from now on."""
        patterns: list[RequestPattern] = [{"urlPattern": "*", "requestStage": "Request"}]
        await self._root.post("Fetch.enable", {"patterns": patterns})
        self._reader = asyncio.create_task(self._run(), name="cdp_agent wire gate")

    def blocked_since(self, count: int) -> list[str]:
        """The requests that were stopped after the first `count`."""
        new = min(self.blocked_count - count, len(self.blocked))
        return list(self.blocked)[-new:] if new > 0 else []

    async def until_decided(self) -> bool:
        """Wait for the decisions that are under way; whether there were any."""
        waited = False
        while self._held:
            waited = True
            await asyncio.wait(self._held)
        return waited

    async def aclose(self) -> None:
        """End the tasks. May be called twice."""
        self._paused.close()
        tasks = [task for task in (self._reader, *self._held) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._reader = None

    async def _run(self) -> None:
        try:
            while True:
                self._take(await self._paused.get())
        except CdpAgentError:
            return  # the browser is gone, and its requests with it

    def _take(self, event: Event) -> None:
        params = event.params
        request = params["request"]
        url = str(request["url"])
        if not self.policy.allows(url):
            self._stop(params, "blocked")
        elif (request["method"].upper(), plain_address(url)) in self.refused:
            self._stop(params, "refused")
        elif self.policy.hold is not None and request["method"].upper() not in READS:
            task = asyncio.create_task(self._hold(params), name="cdp_agent held request")
            self._held.add(task)
            task.add_done_callback(self._held.discard)
        else:
            self._root.send_only("Fetch.continueRequest", {"requestId": params["requestId"]})

    def _stop(self, params: dict[str, Any], why: str) -> None:
        request = params["request"]
        kind = params.get("resourceType", "")
        self.blocked.append(f"{request['method']} {request['url'][:200]} ({kind or 'request'})")
        self.blocked_count += 1
        _log.info("%s: %s %s", why, request["method"], request["url"])
        # An aborted navigation leaves the page as it is; a blocked one would show an error page.
        reason: ErrorReason = "Aborted" if kind == "Document" else "BlockedByClient"
        answer: FailRequestParameters = {"requestId": params["requestId"], "errorReason": reason}
        self._root.send_only("Fetch.failRequest", answer)

    async def _hold(self, params: dict[str, Any]) -> None:
        assert self.policy.hold is not None
        held = held_request(params["request"])
        agreed = False
        try:
            async with asyncio.timeout(_HOLD_SECONDS):
                agreed = await self.policy.hold(held)
        except TimeoutError:
            _log.info("nobody decided about %s %s", held.method, held.url)
        except Exception:  # noqa: BLE001 - the caller's own code
            _log.exception("the decision about a held request failed")
        if agreed:
            self._root.send_only("Fetch.continueRequest", {"requestId": params["requestId"]})
        else:
            self._stop(params, "refused")


def plain_address(url: str) -> str:
    """The address without query and fragment."""
    return url.partition("#")[0].partition("?")[0]


def held_request(request: dict[str, Any]) -> HeldRequest:
    """The facts of a request that a person needs. Pure."""
    url = str(request["url"])
    parts = urlsplit(url)
    body = str(request.get("postData") or "")
    headers = {str(k).casefold(): str(v) for k, v in (request.get("headers") or {}).items()}
    said = body_summary(body, headers.get("content-type", ""), bool(request.get("hasPostData")))
    return HeldRequest(str(request["method"]), url, parts.netloc, said, body)


def body_summary(body: str, content_type: str, has_body: bool) -> str:
    """The fields of a form or JSON object with short values; else the size."""
    if not body:
        return "a body that cannot be shown" if has_body else "no body"
    fields: list[tuple[str, Any]] = []
    if "json" in content_type or body[:1] in "{[":
        try:
            data = json.loads(body)
        except ValueError:
            data = None
        if isinstance(data, dict):
            fields = [(str(key), value) for key, value in data.items()]
    elif "=" in body and "multipart" not in content_type:
        fields = list(parse_qsl(body, keep_blank_values=True))
    if not fields:
        return f"{len(body)} characters of {content_type or 'unknown kind'}"
    return ", ".join(f"{name}={_shown(name, value)}" for name, value in fields[:12])


def _shown(name: str, value: Any) -> str:
    if any(word in name.casefold() for word in _SECRET_FIELDS):
        return "***"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
