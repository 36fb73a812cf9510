"""The open tabs of a browser: one page object for each, and new tabs that become pages."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cdp_agent.api.browser_options import ViewportSize
from cdp_agent.api.devtools.emulate import VIEWPORT
from cdp_agent.api.page import Page
from cdp_agent.errors import BrowserError, CdpAgentError, ProtocolError
from cdp_agent.targets import PageTarget
from cdp_agent.targets.logs.event_stream import EventHub

if TYPE_CHECKING:
    from cdp_use.cdp.emulation.commands import SetDeviceMetricsOverrideParameters
    from cdp_use.cdp.target.commands import CreateTargetParameters

    from cdp_agent.api.browser import Browser

_CLOSE_SECONDS = 5.0
_READY_SECONDS = 10.0


class OpenTabs:
    """Opens and closes tabs, and has the page object of each; all belong to one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: dict[str, Page] = {}
        #: The tab that Chromium starts with: the first one that is asked for.
        self.first: PageTarget | None = None
        #: Tabs that we work in ourselves for a moment.
        self._hidden: set[str] = set()

    @property
    def pages(self) -> list[Page]:
        """The pages that were asked for, the oldest first."""
        hidden = {self.first.target_id if self.first else "", *self._hidden}
        targets = list(self._browser._targets.pages.values())
        return [self.page_of(target) for target in targets if target.target_id not in hidden]

    def page_of(self, target: PageTarget) -> Page:
        """The page object of a tab; always the same one while we are attached to it."""
        page = self._pages.get(target.target_id)
        if page is None or page._tab.target is not target:
            page = Page(self._browser, target)
            if target.closed is None:
                self._pages[target.target_id] = page
        return page

    def known(self, target: PageTarget) -> Page | None:
        """The page object of a tab, or None before it was first asked for."""
        page = self._pages.get(target.target_id)
        return page if page is not None and page._tab.target is target else None

    def forget(self, target: PageTarget) -> None:
        """Let go of a tab that has gone."""
        if self.known(target) is not None:
            del self._pages[target.target_id]

    async def open(self, context_id: str | None) -> PageTarget:
        """A new tab that is ready; in the browser's own profile for None."""
        if context_id is None and self.first is not None:
            target, self.first = self.first, None
            if target.closed is None and not target.crashed:
                await target.wait_ready(_READY_SECONDS)
                return target
        # A window of its own where nobody sees it: a tab behind another gets no frames, so its
        # animations stand still and never come to rest.
        # A first tab needs one too: "Failed to open new tab - no browser is open".
        is_first = not any(
            context_id in (None, target.context_id)
            for target in self._browser._targets.pages.values()
        )
        params: CreateTargetParameters = {
            "url": "about:blank",
            "newWindow": self._browser.is_headless or is_first,
        }
        if context_id is not None:
            params["browserContextId"] = context_id
        target = await self._create(params)
        await target.wait_ready(_READY_SECONDS)
        return target

    async def replace(self, old: PageTarget) -> PageTarget:
        """An empty tab beside an old one, of the same size and storage.

        From now on it is the old one's page's; what becomes of `old` is for the caller to say.

        Raises:
            TargetClosed: `old` was closed.
        """
        if old.closed is not None:
            raise old.closed
        page = self.page_of(old)
        target = await self.open(old.context_id or None)
        target.emulation.adopt(old.emulation)
        try:
            await target.emulation.send([target.session], target.session)
        except BaseException:  # also when cancelled: no tab is left behind
            await self.close(target)
            raise
        self._pages.pop(old.target_id, None)
        self._pages[target.target_id] = page
        return target

    @contextlib.asynccontextmanager
    async def hidden(self, context_id: str) -> AsyncIterator[PageTarget]:
        """A tab for work of ours, listed nowhere; closed at the end."""
        params: CreateTargetParameters = {"url": "about:blank", "background": True}
        if "browserContextId" in await self._browser.named_context(context_id):
            params["browserContextId"] = context_id
        target = await self._create(params)
        self._hidden.add(target.target_id)
        try:
            target.auth.intercepts = False
            target.events = EventHub()  # nobody is to hear of it
            await target.wait_ready(_READY_SECONDS)
            yield target
        finally:
            await self.close(target)
            self._hidden.discard(target.target_id)

    async def _create(self, params: CreateTargetParameters) -> PageTarget:
        """Open a tab. It is attached to when this returns, and may not be ready yet.

        Raises:
            BrowserError: Chromium opened it and did not attach to it.
        """
        reply = await self._browser.connection.root.post("Target.createTarget", params)
        target = self._browser._targets.pages.get(reply["targetId"])
        if target is None:
            raise BrowserError("the browser opened a tab and did not attach to it")
        return target

    async def close(self, target: PageTarget) -> None:
        """Close one tab and wait until it is gone."""
        self._pages.pop(target.target_id, None)
        with contextlib.suppress(CdpAgentError):
            await self._browser.connection.root.post(
                "Target.closeTarget", {"targetId": target.target_id}, timeout=_CLOSE_SECONDS
            )
            await target.wait_closed(_CLOSE_SECONDS)


async def size_new_tab(target: PageTarget, wanted: ViewportSize | None, headless: bool) -> None:
    """Give a tab a size, which it keeps; None leaves it as it is.

    Where nobody sees the window, it becomes as large: tabs that links open have its size.
    """
    if wanted is None:
        return
    width, height = wanted
    params: SetDeviceMetricsOverrideParameters = {
        "width": width,
        "height": height,
        "deviceScaleFactor": 0,
        "mobile": False,
    }
    target.emulation.add(VIEWPORT, params)
    await target.session.post("Emulation.setDeviceMetricsOverride", params)
    if headless:
        with contextlib.suppress(ProtocolError):  # Chromium before 139 cannot
            window = await target.session.post("Browser.getWindowForTarget", {})
            await target.session.post(
                "Browser.setContentsSize",
                {"windowId": window["windowId"], "width": width, "height": height},
            )
