"""One tab: its sessions, frames, load states, dialogs and activity.

It is fed events in order by the registry's pump and never waits while it handles one, so what it
knows when a reply reaches its caller includes everything that was on the wire before that reply.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cdp_agent.errors import CdpAgentError, TargetClosed, TargetCrashed
from cdp_agent.ids import FrameId
from cdp_agent.protocol import Event, Session
from cdp_agent.targets.contexts import Contexts
from cdp_agent.targets.dialog import Dialog, Dialogs
from cdp_agent.targets.document_scripts import DocumentScripts
from cdp_agent.targets.emulation import Emulation
from cdp_agent.targets.file_choosers import FileChoosers
from cdp_agent.targets.frames import Frame, FrameTree
from cdp_agent.targets.logs.console_log import ConsoleLog
from cdp_agent.targets.logs.event_stream import EventHub, EventKind
from cdp_agent.targets.logs.request_log import RequestLog
from cdp_agent.targets.network.activity import FrameMessages, Requests, Sockets
from cdp_agent.targets.network.auth import Authentication, without_password
from cdp_agent.targets.network.downloads import Download
from cdp_agent.targets.page_events import HANDLERS
from cdp_agent.targets.page_reports import LostValue, is_elsewhere
from cdp_agent.targets.paused_frames import PausedFrames
from cdp_agent.targets.setup import SessionSetup

if TYPE_CHECKING:
    from cdp_use.cdp.page.types import FrameTree as FrameTreeFacts


class PageTarget:
    """The layer below the public `Page`."""

    def __init__(self, session: Session, info: dict[str, Any]) -> None:
        self.session = session
        self.target_id: str = info["targetId"]
        self.context_id: str = info.get("browserContextId", "")
        self.opener_id: str | None = info.get("openerId")
        self._info_title: str = info.get("title", "")
        #: What our script said last, and of which document.
        self._said_title = "", ""
        self._info_url: str = without_password(info.get("url", ""))
        self.frames = FrameTree(FrameId(self.target_id), session)
        self.setups: dict[str, SessionSetup] = {}
        self.paused_frames = PausedFrames(self.frames, self._has_session)
        self.requests: Requests = Requests()
        self.console: ConsoleLog = ConsoleLog()
        self.console.on_message = lambda m: self.publish("console", m.level, m)
        self.request_log = RequestLog()
        self.request_log.on_change = lambda phase, r: self.publish("network", phase, r)
        #: Who hears of its events; the registry's, which all tabs of a browser share.
        self.events = EventHub()
        self.emulation = Emulation()
        self.messages = FrameMessages()
        self.sockets: Sockets = Sockets()
        self.dialogs = Dialogs()
        self.choosers: FileChoosers = FileChoosers()
        self.auth: Authentication = Authentication()
        #: Scripts for the page's own world, before its first one.
        self.page_scripts: tuple[str, ...] = ()
        #: Where it has been, for whoever saves what those origins keep in it.
        self.origins: dict[str, None] = {}
        #: Input events as our scripts reported them, by the action's token.
        self.receipts: dict[int, list[dict[str, Any]]] = {}
        self.document_scripts = DocumentScripts()
        self.contexts: Contexts = Contexts(self.frames)
        #: The session that was last sent a pointer event: there the pointer still rests.
        self.pointer_session: Session | None = None
        #: The session in which a box is drawn over an element, if one is.
        self.highlighted: Session | None = None
        self.popups: list[PageTarget] = []
        #: How many tabs it has asked for; those without an opener are told by their number alone.
        self.popups_expected = 0
        #: The tab that opened it, and the one that its scripts may know as their opener.
        self.opened_by: PageTarget | None = None
        self.opener: PageTarget | None = None
        #: What it was opened for, as far as its opener said.
        self.opened_for = ""
        self.openings: list[str] = []
        #: Files that it, or a tab it opened, has sent.
        self.downloads: list[Download] = []
        #: Navigations that ended without a document: downloads, most often.
        self.navigations_dropped = 0
        #: Values of earlier actions that the page has changed since, and no result has reported.
        self.lost_values: list[LostValue] = []
        #: Addresses for other programs that it would have left for.
        self.elsewhere: list[str] = []
        #: One that it did leave for, as a new frame does before anybody is told of it.
        self.asks_person = ""
        self.crashed = False
        self.closed: CdpAgentError | None = None
        self._waiters: set[asyncio.Future[None]] = set()

    # -- what one can ask -------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self.frames.main.url or self._info_url

    @property
    def title(self) -> str:
        """The document's own; the browser's word for it where no script of ours runs."""
        loader_id, title = self._said_title
        is_current = loader_id and loader_id == self.frames.main.loader_id
        return title if is_current else self._info_title

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that waits for an answer, or None."""
        return self.dialogs.waiting

    @property
    def sessions(self) -> list[Session]:
        """Its own session and those of its out-of-process frames."""
        return [setup.session for setup in self.setups.values()]

    def require_alive(self) -> None:
        """Raises: TargetClosed, TargetCrashed."""
        if self.closed is not None:
            raise self.closed
        if self.crashed:
            raise TargetCrashed(f"the page {self.url} has crashed")

    async def until(
        self, condition: Callable[[], bool], seconds: float, *, alive: bool = True
    ) -> bool:
        """Wait until `condition` holds; False at the deadline. Checked after every event.

        Raises:
            TargetClosed, TargetCrashed: it can no longer come true (unless `alive` is off).
        """
        deadline = time.monotonic() + seconds
        while True:
            if condition():
                return True
            if alive:
                self.require_alive()
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await asyncio.wait([waiter], timeout=left)
            finally:
                self._waiters.discard(waiter)

    async def wait_closed(self, seconds: float) -> bool:
        """Wait until the tab is closed; False at the deadline."""
        return await self.until(lambda: self.closed is not None, seconds, alive=False)

    def pulse(self) -> None:
        """Something changed: waiters look again."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    def publish(self, kind: EventKind, name: str, subject: Any = None) -> None:
        """Tell whoever subscribed to events of this page."""
        self.events.publish(self, kind, name, subject)

    def publish_opened(self) -> None:
        """The tab is ready for commands."""
        if self.closed is None:
            self.publish("page", "opened")

    # -- sessions ---------------------------------------------------------------------------

    def session_attached(self, session: Session) -> None:
        """Prepare a new session, of the tab or of an out-of-process frame; let it run."""
        scripts = [
            ("Page.addScriptToEvaluateOnNewDocument", {"source": script, "runImmediately": True})
            for script in self.page_scripts
        ]
        is_page = session is self.session
        more = [*self.auth.commands, *scripts, *self.emulation.commands(is_page=is_page)]
        setup = SessionSetup(session, is_page=is_page, more=more)
        self.setups[session.id] = setup
        attached = self.document_scripts.session_attached
        setup.begin(lambda tree: self.seed(session, tree), attached)
        setup.done.add_done_callback(lambda _: self.pulse())

    def session_ended(self, session: Session) -> None:
        self.setups.pop(session.id, None)
        self.choosers.session_ended(session)
        self.contexts.session_ended(session)
        self.frames.session_ended(session)
        self.pulse()

    def _has_session(self, target_id: str) -> bool:
        return any(setup.session.target_id == target_id for setup in self.setups.values())

    async def wait_ready(self, seconds: float) -> None:
        """Until every session there is now has taken its set-up, or has failed to."""
        await self.until(lambda: all(s.done.done() for s in self.setups.values()), seconds)

    def seed(self, session: Session, tree: FrameTreeFacts) -> None:
        """Frames that existed before we listened. Events that came meanwhile know better."""
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            waiting.extend(reversed(node.get("childFrames", ())))
            facts = node["frame"]
            frame = self.frames.find(facts["id"])
            if self.frames.is_gone(facts["id"]):
                continue
            if not facts.get("url") or (frame is not None and frame.loader_id and frame.url):
                continue  # not committed yet, or known already
            self.committed(session, facts)
            seeded = self.frames.find(facts["id"])
            if seeded is not None:
                seeded.dom_ready = True
        self.pulse()

    # -- events -----------------------------------------------------------------------------

    def handle(self, session: Session, event: Event) -> None:
        """Take one event of one of the page's sessions."""
        handler = HANDLERS.get(event.method)
        if handler is not None:
            handler(self, session, event.params)
            self.pulse()

    def committed(self, session: Session, facts: Mapping[str, Any]) -> Frame:
        frame = self.frames.committed(
            FrameId(facts["id"]),
            FrameId(facts["parentId"]) if facts.get("parentId") else None,
            session,
            loader_id=facts["loaderId"],
            url=without_password(facts["url"]) + facts.get("urlFragment", ""),
            name=facts.get("name", ""),
            origin=facts.get("securityOrigin", ""),
            error_url=facts.get("unreachableUrl", ""),
            mime_type=facts.get("mimeType", ""),
        )
        if frame.origin.startswith("http"):
            self.origins[frame.origin] = None
        self.contexts.adopt(session, frame)
        return frame

    def popup_attached(self, page: PageTarget, *, knows_opener: bool) -> None:
        """A tab that this one opened is there."""
        page.opened_by = self
        page.opener = self if knows_opener else None
        if self.openings:
            page.opened_for = self.openings.pop(0)
        self.popups.append(page)
        self.pulse()

    def has_begun(self) -> bool:
        """Returns whether a new tab shows what it was opened for, or is gone again."""
        if self.closed is not None or self.crashed or self.dialog is not None:
            return True
        main = self.frames.main
        waits = self.opened_for not in ("", "about:blank") and main.url in ("", "about:blank")
        if is_elsewhere(self.opened_for):
            return True
        under_way = waits or bool(main.pending_loader) or main.navigation_requested
        return not under_way and main.dom_ready

    def download_began(self, download: Download) -> None:
        """It sends a file; whoever opened it learns of that as well."""
        page: PageTarget | None = self
        for _ in range(20):
            if page is None:
                break
            page.downloads.append(download)
            page.pulse()
            page = page.opened_by

    def release_sessions(self) -> None:
        """Let commands be sent again, unless another dialog is open."""
        if self.dialog is None:
            for session in self.sessions:
                session.held = None

    def say_title(self, title: str) -> None:
        """The document said what it is called."""
        self._said_title = self.frames.main.loader_id, title

    def info_changed(self, info: dict[str, Any]) -> None:
        self._info_title = info.get("title", "")
        self._info_url = without_password(info.get("url", ""))
        self.pulse()

    def ended(self, reason: CdpAgentError | None = None) -> None:
        """The tab is closed, or the browser is gone."""
        if self.closed is None:
            self.closed = reason or TargetClosed(f"the page {self.url} was closed")
            self.paused_frames.close()
            self.dialogs.close()
            self.pulse()
            self.events.page_ended(self)
