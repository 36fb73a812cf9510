"""One tab for many tests: opening and closing a tab is most of what a short test costs.

What a test leaves in its tab is taken away before the next one gets it, as far as it could be
seen: the document and its frames, the history, the window's name and storage, popups. The
engine lets go of the tab and takes it anew, which ends whatever it had set (the viewport, the
dialog policy, scripts), and the new page object knows nothing: its first frame is number 1.

The old document is emptied where it is, and left by the page that the next test opens: a
navigation costs Chromium more than most tests do. Only a test that looks at its tab before it
opens a page gets one that shows `about:blank`.

A tab that does not come out of this as new, or was marked or failed, is closed, and the next
test gets another one. Cookies and local storage belong to the browser and are shared by tests
anyhow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from cdp_agent import Browser, CdpAgentError, Page

VIEWPORT = (800, 600)
RESET_SECONDS = 3.0

# Timers are what a document has left when it is emptied: they would open dialogs and ask servers.
# One that listens for its unloading is not kept to come back to, which costs a tenth of leaving it.
EMPTY = """(() => {
  window.stop();
  for (let id = setTimeout(() => {}); id > 0; id--) clearTimeout(id);
  try { sessionStorage.clear() } catch {}
  window.name = '';
  document.open();
  document.close();
  addEventListener('unload', () => {});
  return document.documentElement.outerHTML;
})()"""
# Asked for by the page, an empty document stays in the page's own process, and the next
# test's page need not start another. Its origin is the page's, hence its storage too.
LEAVE = "void location.replace('about:blank')"
TIDY = "try { sessionStorage.clear() } catch {} location.href"


class Tabs:
    """At most one tab is kept ready. Use it in `async with`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._next: asyncio.Task[Page | None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if (page := await self._ready()) is not None:
            await page.close()

    async def take(self, *, fresh: bool = False, opens: bool = False) -> Page:
        """A tab as if just opened; one that is just opened when `fresh`.

        With `opens` it shows an empty document of some address: the test opens a page in it first.
        """
        page = await self._ready()
        if page is not None and (fresh or not opens):
            page = await self._else_closed(page, self._close if fresh else self._blank)
        return page or await self._browser.new_page(viewport=VIEWPORT)

    def give_back(self, page: Page, *, keep: bool = True) -> None:
        """Tidy up behind a test while the next one is being set up; without `keep`, close it."""
        assert self._next is None, "a test gives back its tab before the next one takes it"
        self._next = asyncio.create_task(self._tidy(page, keep), name="tidies up a test's tab")

    async def _ready(self) -> Page | None:
        task, self._next = self._next, None
        return await task if task is not None else None

    async def _tidy(self, page: Page, keep: bool) -> Page | None:
        popups = [self._browser.open_tabs.page_of(popup) for popup in page._tab.target.popups]
        for popup in popups:
            await popup.close()
        return await self._else_closed(page, self._emptied if keep and not popups else self._close)

    async def _else_closed(
        self, page: Page, change: Callable[[Page], Awaitable[Page | None]]
    ) -> Page | None:
        try:
            async with asyncio.timeout(RESET_SECONDS):
                return await change(page)
        except (CdpAgentError, TimeoutError):
            # Crashed, hung, closed: whatever it is, the next test shall not have it.
            return await self._close(page)

    async def _close(self, page: Page) -> Page | None:
        await page.close()
        return None

    async def _emptied(self, page: Page) -> Page:
        page.on_dialog("accept")
        frames = page._tab.target.frames
        if await page.evaluate(EMPTY) != "<html><head></head><body></body></html>":
            raise TimeoutError
        if not await page._tab.target.until(lambda: len(frames) == 1, RESET_SECONDS):
            raise TimeoutError
        await page._tab.target.session.post("Page.resetNavigationHistory")
        return await self._taken_anew(page)

    async def _blank(self, page: Page) -> Page:
        await page.evaluate(LEAVE)
        main = page._tab.target.frames.main
        empty = await page._tab.target.until(
            lambda: main.url == "about:blank" and main.loaded, RESET_SECONDS
        )
        if not empty or await page.evaluate(TIDY) != "about:blank":
            raise TimeoutError
        await page._tab.target.session.post("Page.resetNavigationHistory")
        return await self._taken_anew(page)

    async def _taken_anew(self, page: Page) -> Page:
        root = self._browser.connection.root
        old = page._tab.target
        await root.post("Target.detachFromTarget", {"sessionId": old.session.id})
        await old.until(lambda: old.closed is not None, RESET_SECONDS, alive=False)
        await root.post("Target.attachToTarget", {"targetId": old.target_id, "flatten": True})
        target = self._browser._targets.pages[old.target_id]
        await target.wait_ready(RESET_SECONDS)
        width, height = VIEWPORT
        await target.session.post(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False},
        )
        return self._browser.open_tabs.page_of(target)
