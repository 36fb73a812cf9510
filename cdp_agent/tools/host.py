"""One browser for many clients, opened when needed, and anew when it is gone.

Servers (MCP, WebSocket, the shell's background process) own a host; each client of theirs owns
a `ToolClient`, which is a session in a context of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cdp_agent import log
from cdp_agent.api.browser import Browser
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.launcher import Opening
from cdp_agent.errors import CdpAgentError, ConnectionLost
from cdp_agent.tools.result import ToolResult, failure
from cdp_agent.tools.table import call
from cdp_agent.tools.text.reader_view import Coverage
from cdp_agent.tools.tool import ReportProgress, Tool
from cdp_agent.tools.tool_session import AfterCall, BeforeCall, ReadCommand, ToolSession

_log = log.get("tools")


class BrowserHost:
    """Owns the browser that `opening` makes. Close the host, not the browser."""

    def __init__(self, opening: Callable[[], Opening]) -> None:
        self._opening = opening
        self._browser: Browser | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    async def browser(self) -> Browser:
        """The browser that runs; one that is gone is replaced.

        Raises:
            BrowserNotFound, BrowserError: it cannot be started.
            ConnectionLost: the host was closed.
        """
        async with self._lock:
            if self._closed:
                raise ConnectionLost("the server is closing")
            if self._browser is not None and not await _is_alive(self._browser):
                await self._browser.close()
                self._browser = None
            if self._browser is None:
                self._browser = await self._opening()
            return self._browser

    @property
    def is_open(self) -> bool:
        """Returns whether there is a browser, connected or not."""
        return self._browser is not None

    async def aclose(self) -> None:
        """End the browser, unless it was found running. May be called twice."""
        self._closed = True
        async with self._lock:
            if self._browser is not None:
                await self._browser.close()
                self._browser = None


async def _is_alive(browser: Browser) -> bool:
    """Returns whether it is connected, or could be connected to again."""
    if not browser.is_connected and browser.can_reconnect:
        try:
            await browser.reconnect()
        except CdpAgentError as error:
            _log.debug("= cannot connect again: %s", error.message)
    return browser.is_connected


class ToolClient:
    """One client of a server: its session is made by its first call.

    `shared`: it works in the browser's own context and sees the pages that are there, instead
    of in a context of its own.
    """

    def __init__(
        self,
        host: BrowserHost,
        *,
        shared: bool = False,
        before_call: tuple[BeforeCall, ...] = (),
        after_call: tuple[AfterCall, ...] = (),
        read_command: ReadCommand | None = None,
        more_tools: Mapping[str, Tool] | None = None,
        on_close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._host = host
        self._more_tools = more_tools
        self._shared = shared
        self._hooks = before_call, after_call
        self._read_command = read_command
        self._on_close = on_close
        self._home: Browser | BrowserContext | None = None
        self._session: ToolSession | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    async def session(self) -> ToolSession:
        """Raises: CdpAgentError: the browser cannot be opened."""
        async with self._starting:
            if self._closed:
                raise ConnectionLost("this client is gone")
            browser = await self._host.browser()
            if self._session is not None and self._home_browser is browser:
                return self._session
            self._home = browser if self._shared else await browser.new_context()
            before, after = self._hooks
            self._session = ToolSession(
                self._home,
                before_call=before,
                after_call=after,
                read_command=self._read_command,
                more_tools=self._more_tools,
            )
            return self._session

    @property
    def coverage(self) -> Coverage:
        """The share of differences among this client's answers, and the tokens they saved."""
        return self._session.coverage if self._session is not None else Coverage()

    @property
    def _home_browser(self) -> Browser | None:
        return self._home.browser if isinstance(self._home, BrowserContext) else self._home

    async def call(
        self, name: str, arguments: Mapping[str, Any], progress: ReportProgress | None = None
    ) -> ToolResult:
        """Call a tool. A browser that cannot be started is a result, too."""
        try:
            session = await self.session()
        except CdpAgentError as error:
            return failure(error)
        return await call(session, name, arguments, progress=progress)

    async def aclose(self) -> None:
        """Close its pages and forget its storage. May be called twice."""
        self._closed = True
        await self.leave()
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            await on_close()

    async def leave(self) -> None:
        """Close its pages and forget its storage; the next call begins anew."""
        home, self._home, self._session = self._home, None, None
        if isinstance(home, BrowserContext):
            await home.close()
            _log.debug("= client gone, context closed")
