"""The pages of one client: ids, the current page, and what was shown of each.

A session is one client's. Clients that share a browser have a session and a context each, so
that none sees another's pages or changes which page is another's current one.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from cdp_agent.api.browser import Browser
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.extraction.extraction import AskModel
from cdp_agent.api.page import Page
from cdp_agent.errors import InvalidParams, TargetClosed
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.reader_view import Coverage, View
from cdp_agent.tools.tool import Tool, ToolCall

#: Runs after the arguments were checked and before the tool. It may replace `call.args`, answer in
#: the tool's place, or raise a CdpAgentError (BlockedByPolicy, HumanRejected …).
BeforeCall = Callable[[ToolCall], Awaitable[ToolResult | None]]
#: Runs after the tool, failed or not, and gives the result that the reader gets.
AfterCall = Callable[[ToolCall, ToolResult], Awaitable[ToolResult]]
#: Reads a command as one types it, in a folder: the tool that it stands for, and its arguments.
#: Raises InvalidParams.
ReadCommand = Callable[[str, str | None], tuple[str, dict[str, Any]]]


class ToolSession:
    """`home` is where new pages are opened and which pages the client may use.

    A `BrowserContext`: all of its pages. A `Browser`: all of its pages that belong to no context
    of ours. A `Page`: that one, and those that open from it or that the client opens.
    """

    def __init__(
        self,
        home: Browser | BrowserContext | Page,
        *,
        before_call: Iterable[BeforeCall] = (),
        after_call: Iterable[AfterCall] = (),
        ask_model: AskModel | None = None,
        read_command: ReadCommand | None = None,
        more_tools: Mapping[str, Tool] | None = None,
    ) -> None:
        self._home = home
        self._ids = itertools.count(1)
        self._pages: dict[str, Page] = {}
        self._views: dict[str, View] = {}
        self._current: str | None = None
        #: One call at a time: the second would not know what the first did to the page.
        self.lock = asyncio.Lock()
        self.before_call = list(before_call)
        self.after_call = list(after_call)
        #: Who is asked by `browser_extract` what the page's structure does not answer.
        self.ask_model = ask_model
        #: Reads steps that are written as commands; without it there are none.
        self.read_command = read_command
        #: Tools of this client alone, beside those of the table.
        self.more_tools: Mapping[str, Tool] = more_tools or {}
        if isinstance(home, Page):
            self.adopt(home)
        self._sync()

    # -- pages --------------------------------------------------------------------------------

    @property
    def home(self) -> Browser | BrowserContext:
        """The context in which new pages are opened."""
        return self._opener()

    @property
    def pages(self) -> dict[str, Page]:
        """The open pages by their ids, the oldest first."""
        self._sync()
        return dict(self._pages)

    @property
    def current(self) -> str | None:
        """The id of the page that calls without one are about."""
        self._sync()
        return self._current

    def adopt(self, page: Page) -> str:
        """Give a page an id, or say the one that it has."""
        for page_id, known in self._pages.items():
            if known is page:
                return page_id
        page_id = f"p{next(self._ids)}"
        self._pages[page_id] = page
        self._views[page_id] = View()
        if self._current is None:
            self._current = page_id
        return page_id

    def select(self, page_id: str) -> Page:
        page = self.page(page_id)
        self._current = page_id
        return page

    def page(self, page_id: str) -> Page:
        """Raises: InvalidParams, TargetClosed."""
        self._sync()
        page = self._pages.get(page_id)
        if page is not None:
            return page
        open_ids = ", ".join(self._pages) or "none"
        hint = f"Open pages: {open_ids}."
        if page_id in self._views:
            raise TargetClosed(f"page {page_id} was closed", hint=hint, page=page_id)
        raise InvalidParams(f"there is no page {page_id[:40]!r}", hint=hint)

    def view(self, page_id: str) -> View:
        return self._views[page_id]

    async def page_for(self, page_id: str | None) -> tuple[str, Page]:
        """The page that is meant; the first is opened when there is none."""
        if page_id is not None:
            return page_id, self.page(page_id)
        current = self.current
        if current is None:
            return await self.new_page()
        return current, self._pages[current]

    async def new_page(self, url: str | None = None) -> tuple[str, Page]:
        """Open a page and make it the current one."""
        page = await self._opener().new_page(url)
        page_id = self.adopt(page)
        self._current = page_id
        return page_id, page

    def _opener(self) -> Browser | BrowserContext:
        if not isinstance(self._home, Page):
            return self._home
        return self._home.context or self._home.browser

    @property
    def browser(self) -> Browser:
        """The browser that the pages are in."""
        opener = self._opener()
        return opener if isinstance(opener, Browser) else opener.browser

    def _sync(self) -> None:
        """Adopt new pages and drop closed ones, unless the connection is lost."""
        browser = self.browser
        if browser.can_reconnect and not browser.is_connected:
            return
        for page_id, page in list(self._pages.items()):
            if page.is_closed:
                del self._pages[page_id]
        if isinstance(self._home, BrowserContext):
            for page in self._home.pages:
                self.adopt(page)
        elif isinstance(self._home, Browser):
            for page in self._home.pages:
                if page.context is None:
                    self.adopt(page)
        if self._current not in self._pages:
            self._current = next(reversed(self._pages), None)

    # -- what it cost -------------------------------------------------------------------------

    @property
    def coverage(self) -> Coverage:
        """For all pages: how often a difference was enough, and the tokens that it saved."""
        total = Coverage()
        for view in self._views.values():
            for name in Coverage.__slots__:
                setattr(total, name, getattr(total, name) + getattr(view.coverage, name))
        return total
