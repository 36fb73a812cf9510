"""All tabs of a browser: routes each event, in order, to the tab it belongs to."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from cdp_agent import log
from cdp_agent.errors import CdpAgentError, ConnectionLost
from cdp_agent.protocol import Connection, Event, Session
from cdp_agent.targets.logs.event_stream import EventHub
from cdp_agent.targets.network.downloads import Downloads
from cdp_agent.targets.page_events import HANDLED_EVENTS
from cdp_agent.targets.page_target import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.target.types import TargetFilter

_log = log.get("targets")

_RESUME_SECONDS = 60.0

_PAGES_ONLY: TargetFilter = [{"type": "page"}, {"exclude": True}]
#: Each client of the browser, ours too, is a target of type "browser".
_PAGES_AND_CLIENTS: TargetFilter = [{"type": "page"}, {"type": "browser"}, {"exclude": True}]

#: How many tabs are remembered after they have gone.
_REMEMBERED = 50


class BrowserTargets:
    """Owns one task, the pump. It never waits for anything but the next event."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.pages: dict[str, PageTarget] = {}
        #: Sessions whose events are still to come, ended or not: the pump runs behind the reader.
        self._owner: dict[str, tuple[PageTarget, Session]] = {}
        #: Tabs that have just gone: a file that one began to send may be told of late.
        self._left: OrderedDict[str, PageTarget] = OrderedDict()
        self.downloads = Downloads(connection.root)
        #: By the number of the download: the tab that sends the file.
        self._senders: dict[str, PageTarget] = {}
        self.events = EventHub()
        #: Where tabs that have gone had been, by their context.
        self.origins: dict[str, dict[str, None]] = {}
        #: Events that are not one page's own.
        self._handlers: dict[str, Callable[[Event], None]] = {
            "Target.targetCreated": self._created,
            "Target.attachedToTarget": self._attached,
            "Target.detachedFromTarget": self._detached,
            "Target.targetInfoChanged": self._info_changed,
            "Target.targetDestroyed": self._destroyed,
            "Browser.downloadWillBegin": self._download_began,
            "Browser.downloadProgress": self._download_progressed,
        }
        self._queue = connection.listen("*", (*self._handlers, *HANDLED_EVENTS), limit=1_000_000)
        self._pump: asyncio.Task[None] | None = None
        self._on_page: list[Callable[[PageTarget], None]] = []
        self._on_page_gone: list[Callable[[PageTarget], None]] = []
        self._on_client_gone: list[Callable[[], None]] = []
        #: Clients of the browser by the ids of their targets; ours is one of them.
        self._clients: set[str] = set()

    async def start(self) -> None:
        """Attach to the tabs there are and to those that come."""
        self._pump = asyncio.create_task(self._run(), name="cdp_agent event pump")
        root = self._connection.root
        discover = root.post(
            "Target.setDiscoverTargets", {"discover": True, "filter": _PAGES_AND_CLIENTS}
        )
        await root.post(
            "Target.setAutoAttach",
            {
                "autoAttach": True,
                "waitForDebuggerOnStart": True,
                "flatten": True,
                "filter": _PAGES_ONLY,
            },
        )
        await discover

    def on_page(self, callback: Callable[[PageTarget], None]) -> None:
        """Call `callback` for every tab that appears, before it runs."""
        self._on_page.append(callback)

    def on_page_gone(self, callback: Callable[[PageTarget], None]) -> None:
        """Call `callback` for every tab that is closed, once it says so."""
        self._on_page_gone.append(callback)

    def on_client_gone(self, callback: Callable[[], None]) -> None:
        """Call `callback` when another client of the browser has left."""
        self._on_client_gone.append(callback)

    @property
    def has_other_clients(self) -> bool:
        return len(self._clients) > 1

    def forget_context(self, context_id: str) -> None:
        """Drop the origins of a context's tabs; the context is closed."""
        self.origins.pop(context_id, None)

    async def _run(self) -> None:
        try:
            while True:
                self._dispatch(await self._queue.get())
        except ConnectionLost as reason:
            self.downloads.ended()
            for page in self.pages.values():
                page.ended(reason)
            self.events.close()
        except CdpAgentError:
            _log.exception("the event pump stopped")

    def _dispatch(self, event: Event) -> None:
        handler = self._handlers.get(event.method)
        if handler is not None:
            handler(event)
            return
        owned = self._owner.get(event.session_id)
        if owned is not None:
            page, session = owned
            page.handle(session, event)

    def _created(self, event: Event) -> None:
        info = event.params["targetInfo"]
        if info["type"] == "browser":
            self._clients.add(info["targetId"])

    def _info_changed(self, event: Event) -> None:
        page = self.pages.get(event.params["targetInfo"]["targetId"])
        if page is not None:
            page.info_changed(event.params["targetInfo"])

    def _destroyed(self, event: Event) -> None:
        target_id = event.params["targetId"]
        if target_id not in self._clients:
            self._gone(target_id)
            return
        self._clients.discard(target_id)
        for callback in self._on_client_gone:
            callback()

    def _attached(self, event: Event) -> None:
        session = self._connection.find_session(event.params["sessionId"])
        if session is None:
            return  # gone again already
        info = event.params["targetInfo"]
        owned = self._owner.get(event.session_id)
        if info["type"] == "page" and owned is None:
            self._page_attached(session, info)
        elif info["type"] == "iframe" and owned is not None:
            page, _ = owned
            self._owner[session.id] = page, session
            page.session_attached(session)
        else:
            self._let_run(session)

    def _let_run(self, session: Session) -> None:
        """A worker: not ours to watch, but ours to let run.

        Left only when it has answered: a service worker hears the command after it has started,
        and one whose client is gone by then stays paused for good.
        """
        parent = session.parent or self._connection.root
        running = session.post("Runtime.runIfWaitingForDebugger", timeout=_RESUME_SECONDS)

        def leave(_: object) -> None:
            if session.ended is None:
                parent.send_only("Target.detachFromTarget", {"sessionId": session.id})

        running.add_done_callback(leave)

    def _page_attached(self, session: Session, info: dict[str, str]) -> None:
        if info["url"].startswith("devtools://"):
            session.send_only("Runtime.runIfWaitingForDebugger")
            return
        page = self.pages.get(info["targetId"])
        if page is None:
            page = PageTarget(session, info)
            page.events = self.events
            self.pages[page.target_id] = page
        self._owner[session.id] = page, session
        known = self.pages.get(page.opener_id or "")
        opener = known or self._expecting(page)
        if opener is not None:
            opener.popup_attached(page, knows_opener=bool(info.get("canAccessOpener")))
        for callback in self._on_page:
            callback(page)
        page.session_attached(session)
        opened = page.setups[session.id].done
        opened.add_done_callback(lambda _: page.publish_opened())

    def _download_began(self, event: Event) -> None:
        params = event.params
        frame_id = params.get("frameId", "")
        page = self._left.get(frame_id)
        for candidate in self.pages.values():
            if candidate.frames.find(frame_id) is not None:
                page = candidate
        download = self.downloads.began(params, page.context_id if page is not None else "")
        if page is not None:
            page.download_began(download)
            page.publish("download", "started", download)
            self._senders[params["guid"]] = page

    def _download_progressed(self, event: Event) -> None:
        guid = event.params["guid"]
        download = self.downloads.progressed(event.params)
        sender = self._senders.get(guid)
        if download is not None and sender is not None:
            is_over = download.state != "in_progress"
            if is_over:
                del self._senders[guid]
            sender.publish("download", download.state if is_over else "progress", download)
        for page in self.pages.values():
            page.pulse()

    def _expecting(self, page: PageTarget) -> PageTarget | None:
        """The tab that asked for another one which must not know its opener (`noopener`)."""
        for other in self.pages.values():
            waits = other.popups_expected > len(other.popups)
            if waits and other is not page and other.context_id == page.context_id:
                return other
        return None

    def _detached(self, event: Event) -> None:
        self._session_ended(event.params["sessionId"])
        self._note_paused_frame(event)

    def _session_ended(self, session_id: str) -> None:
        owned = self._owner.pop(session_id, None)
        if owned is None:
            return
        page, _ = owned
        for setup in list(page.setups.values()):
            session = setup.session
            if session.ended is not None:
                self._owner.pop(session.id, None)
                page.session_ended(session)
        if page.session.id == session_id:
            self._gone(page.target_id)

    def _note_paused_frame(self, detached: Event) -> None:
        owned = self._owner.get(detached.session_id)
        if owned is not None:
            page, parent = owned
            page.paused_frames.session_ended(detached.params.get("targetId", ""), parent)

    def _gone(self, target_id: str) -> None:
        page = self.pages.pop(target_id, None)
        if page is not None:
            self._left[target_id] = page
            self.origins.setdefault(page.context_id, {}).update(page.origins)
            if len(self._left) > _REMEMBERED:
                self._left.popitem(last=False)
            page.ended()
            for callback in self._on_page_gone:
                callback(page)

    async def aclose(self) -> None:
        """End the pump and all streams of events. May be called twice."""
        self.events.close()
        self._queue.close()
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.wait([self._pump])
            self._pump = None
