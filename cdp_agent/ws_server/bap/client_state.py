"""The state of one client: its session, contexts, frames, files and approvals."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from cdp_agent.api.browser import Browser
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, TargetClosed
from cdp_agent.tools.host import ToolClient
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.ws_server.access import allows
from cdp_agent.ws_server.bap.client_approvals import Approvals
from cdp_agent.ws_server.bap.notifications import EventForwarder
from cdp_agent.ws_server.bap.received_files import ReceivedFiles
from cdp_agent.ws_server.bap.streams import Streams
from cdp_agent.ws_server.bap.wire import (
    BROWSER_NOT_LAUNCHED,
    CONTEXT_NOT_FOUND,
    PAGE_NOT_FOUND,
    BapError,
    Notify,
    PageParams,
    Wire,
)

DEFAULT_CONTEXT = "default"


@dataclass(slots=True)
class OpenContext:
    context: BrowserContext
    #: Milliseconds since 1970.
    created: int
    options: dict[str, Any]


class ClientState:
    """One client. `aclose` ends everything that it opened."""

    def __init__(
        self,
        client: ToolClient,
        scopes: frozenset[str],
        notify: Notify,
        approve: frozenset[str] = frozenset(),
    ) -> None:
        self.client = client
        self.scopes = scopes
        self.notify = notify
        self.initialized = False
        #: One call at a time: the second would not know what the first did to the page.
        self.lock = asyncio.Lock()
        self.files = ReceivedFiles()
        self.streams = Streams(notify)
        self.approvals = Approvals(approve, notify)
        self.events = EventForwarder(notify)
        self.is_closed = False
        self._forget_session()

    def _forget_session(self) -> None:
        self._session: ToolSession | None = None
        self.contexts: dict[str, OpenContext] = {}
        #: By page: the frame that was switched to.
        self.frame_indices: dict[str, int] = {}
        #: Pages that this client opened.
        self.opened: set[str] = set()
        #: By page: the refs that the last observation gave to what has a role, name and selector.
        self.refs: dict[str, dict[str, str]] = {}
        #: The page whose processes are recorded.
        self.traced: Page | None = None
        self.browser_id = ""

    async def session(self) -> ToolSession:
        """The session of the client; a new one where its browser is gone.

        Raises:
            BapError: the client closed its browser and did not launch one since.
            CdpAgentError: there is no browser to be had.
        """
        if self.is_closed:
            raise BapError(
                BROWSER_NOT_LAUNCHED,
                "this client has closed its browser",
                word="connection_lost",
                hint="Call browser/launch.",
            )
        session = await self.client.session()
        if session is not self._session:
            self._forget_session()
            self._session = session
            self.browser_id = f"browser-{time.time_ns():x}"
            await self.events.follow(session, self._context_ids)
        elif self.events.has_ended:  # with a connection to the browser that was made again
            await self.events.follow(session, self._context_ids)
        for entry in self.contexts.values():
            for page in entry.context.pages:
                session.adopt(page)
        return session

    def _context_ids(self) -> set[str]:
        return {entry.context.id for entry in self.contexts.values()}

    async def page(self, session: ToolSession, page_id: str | None) -> tuple[str, Page]:
        """The page that is meant; without an id the active one, opened where there is none.

        Raises:
            BapError: there is no such page.
        """
        if page_id is None and session.current is None:
            if not allows(self.scopes, "page/create"):
                raise BapError(PAGE_NOT_FOUND, "no page is open", page_id="")
            page_id, page = await session.new_page()
            self.opened.add(page_id)
            return page_id, page
        try:
            return await session.page_for(page_id)
        except TargetClosed as error:
            raise BapError(
                PAGE_NOT_FOUND, error.message, word=error.code, hint=_PAGES, page_id=page_id
            ) from None
        except CdpAgentError as error:
            if page_id is None:
                raise
            raise BapError(PAGE_NOT_FOUND, error.message, hint=_PAGES, page_id=page_id) from None

    def context(self, context_id: str) -> OpenContext:
        """Raises: BapError: there is no such context."""
        found = self.contexts.get(context_id)
        if found is None:
            known = ", ".join([DEFAULT_CONTEXT, *self.contexts])
            raise BapError(
                CONTEXT_NOT_FOUND,
                f"there is no context {context_id[:40]!r}",
                hint=f"Contexts: {known}.",
                context_id=context_id,
            )
        return found

    async def close_browser(self, *, keep_shared: bool = False) -> None:
        """Close the pages and contexts that this client opened; others' stay.

        With `keep_shared` also its own in a shared browser: a client that comes back finds them.
        """
        session = self._session
        is_kept = keep_shared and session is not None and isinstance(session.home, Browser)
        if session is not None and not is_kept:
            for page_id, page in session.pages.items():
                if page_id in self.opened:
                    await page.close()
        for entry in list(self.contexts.values()):
            await entry.context.close()
        self._forget_session()
        await self.events.aclose()
        await self.client.leave()
        self.is_closed = True

    async def aclose(self) -> None:
        """End what the client opened. May be called twice."""
        self.approvals.close()
        await self.streams.aclose()
        try:
            if not self.is_closed:
                await self.close_browser(keep_shared=True)
        finally:
            await self.client.aclose()
            self.files.close()


_PAGES = "page/list has the open pages."


@dataclass(slots=True)
class PageCall:
    """A call about one page."""

    state: ClientState
    session: ToolSession
    page_id: str
    page: Page

    @property
    def frame(self) -> int | None:
        """The frame that was switched to; None: all frames are searched."""
        return self.state.frame_indices.get(self.page_id)


#: Whether a method is about a page, about the session, or about the connection alone.
Needs = Literal["page", "session", "nothing"]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the protocol. Without `params` it gets what was sent, but for `pageId`."""

    run: Callable[..., Awaitable[dict[str, Any]]]
    params: type[Wire] | None = PageParams
    needs: Needs = "page"
    #: What hooks, which know tools, are told that it is; empty: it is an action with its own.
    tool: str = ""
    #: Does not wait for the client's other calls.
    at_once: bool = field(default=False)
