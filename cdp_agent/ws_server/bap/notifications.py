"""Events of a client's pages, as notifications `event/KIND` in the order in which they happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cdp_agent.api.browser import Browser
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.page import Page
from cdp_agent.targets import PageTarget
from cdp_agent.targets.logs.event_stream import EventStream, PageEvent
from cdp_agent.tools.hooks import after_hooks, call_of
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.bap.wire import Notify

#: Ours and the protocol's names of what happens to a page; it has none for the others.
_PAGE_EVENTS = {
    "load": "load",
    "domcontentloaded": "domcontentloaded",
    "navigated": "navigated",
    "crashed": "error",
    "closed": "close",
}
_RESOURCES = frozenset(
    {
        *("document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr"),
        *("fetch", "eventsource", "websocket", "manifest"),
    }
)
_LEVELS = {"warning": "warn"}
_DOWNLOAD_STATES = {"cancelled": "canceled"}


class EventForwarder:
    """Sends what a client has subscribed to. It never waits with a call of the client."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._kinds: frozenset[str] = frozenset()
        self._session: ToolSession | None = None
        self._context_ids: Callable[[], set[str]] = set
        self._stream: EventStream | None = None
        self._task: asyncio.Task[None] | None = None
        #: By target: closed pages have an id, too, for as long as their last event is on its way.
        self._pages: dict[str, tuple[str, Page]] = {}

    async def subscribe(self, kinds: frozenset[str]) -> None:
        """Begin to send events of these kinds, too."""
        self._kinds |= kinds
        await self._restart()

    async def follow(self, session: ToolSession, context_ids: Callable[[], set[str]]) -> None:
        """Send the events of this session's pages, and of those in further contexts."""
        self._session, self._context_ids = session, context_ids
        self._pages.clear()
        await self._restart()

    @property
    def has_ended(self) -> bool:
        """Returns whether the stream that is forwarded is over."""
        return self._task is not None and self._task.done()

    async def _restart(self) -> None:
        await self._stop()
        if self._session is None or not self._kinds:
            return
        self._stream = self._session.browser.event_hub.open(tuple(self._kinds), self._wants)
        self._task = asyncio.create_task(self._send(self._stream), name="BAP events")

    def _wants(self, target: PageTarget) -> bool:
        home = self._session.home if self._session is not None else None
        if target.context_id in self._context_ids():
            return True
        if isinstance(home, BrowserContext):
            return target.context_id == home.id
        return isinstance(home, Browser) and home.context_of(target) is None

    async def _send(self, stream: EventStream) -> None:
        async for event in stream:
            page_id, page = self._page_of(event)
            session = self._session
            if page is None or session is None:
                continue
            body = _BODIES[event.kind](event)
            if body is None:
                continue
            stamped = {"pageId": page_id, "timestamp": round(event.time * 1000)}
            about = call_of(session, page_id, page, f"event/{event.kind}")
            result = await after_hooks(about, ToolResult("", data={"type": event.kind, **body}))
            await self._notify(f"event/{event.kind}", {**result.data, **stamped})
            if event.name == "closed":
                self._pages.pop(event.target_id, None)

    def _page_of(self, event: PageEvent) -> tuple[str, Page | None]:
        known = self._pages.get(event.target_id)
        if known is None and self._session is not None:
            pages = self._session.browser.pages
            page = next((p for p in pages if p.target_id == event.target_id), None)
            if page is None:
                return "", None
            known = self._pages[event.target_id] = self._session.adopt(page), page
        return known if known is not None else ("", None)

    async def _stop(self) -> None:
        stream, self._stream = self._stream, None
        task, self._task = self._task, None
        if stream is not None:
            stream.close()
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=5)

    async def aclose(self) -> None:
        """Send nothing more; what was subscribed to holds for the next session. May be repeated."""
        await self._stop()
        self._session = None
        self._pages.clear()


def _page(event: PageEvent) -> dict[str, Any] | None:
    name = _PAGE_EVENTS.get(event.name)
    return name and {"event": name, "url": event.url, "title": event.title}  # type: ignore[return-value]


def _console(event: PageEvent) -> dict[str, Any]:
    message = event.subject
    place = {"url": message.url, "line": message.line, "column": message.column}
    level = _LEVELS.get(message.level, message.level)
    return {"level": level, "text": message.text, **{k: v for k, v in place.items() if v}}


def _network(event: PageEvent) -> dict[str, Any] | None:
    request = event.subject
    same = {"requestId": request.id, "url": request.url}
    if event.name == "request":
        kind = request.kind if request.kind in _RESOURCES else "other"
        about = {**same, "method": request.method, "resourceType": kind}
        return {"event": "request", "request": about}
    if event.name == "response":
        about = {**same, "status": request.status, "statusText": request.status_text}
        return {"event": "response", "response": about}
    if event.name == "failed":
        return {"event": "failed", "failed": {**same, "error": request.error}}
    return None


def _dialog(event: PageEvent) -> dict[str, Any] | None:
    dialog = event.subject
    if event.name != "opened" or dialog is None:
        return None
    body = {"dialogType": dialog.type, "message": dialog.message}
    return {**body, "defaultValue": dialog.default_prompt} if dialog.type == "prompt" else body


def _download(event: PageEvent) -> dict[str, Any]:
    download = event.subject
    return {
        "downloadId": download._guid,
        "url": download.url,
        "suggestedFilename": download.name,
        "state": _DOWNLOAD_STATES.get(event.name, event.name),
        "receivedBytes": download.size,
    }


_BODIES: dict[str, Callable[[PageEvent], dict[str, Any] | None]] = {
    "page": _page,
    "console": _console,
    "network": _network,
    "dialog": _dialog,
    "download": _download,
}
