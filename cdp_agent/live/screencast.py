"""Pictures of a page as it changes, while a viewer watches it.

Chromium sends a frame when the page has changed, and drops it while two others are not yet
acknowledged. So after the last of some frames one more is asked for. Where the browser has secrets
to hide, a frame only says that something changed: the picture that is shown is a screenshot, in
which the browser paints them over or which it withholds.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cdp_agent.api.observation.pictures import view_size
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import StartScreencastParameters

_DIALOG_EVENTS = ("Page.javascriptDialogOpening", "Page.javascriptDialogClosed")
_FRAME_EVENT = "Page.screencastFrame"
#: Facts without an event of their own (title, another tab) are looked up this often.
_TICK_SECONDS = 1.0
_START_SECONDS = 5.0
#: No frame came for so long: the last one may have been dropped.
_QUIET_SECONDS = 0.3
#: Wider pictures are looked at closely; others are thumbnails.
_THUMBNAIL_WIDTH = 480
_INTERVAL = 0.08
_THUMBNAIL_INTERVAL = 1.0
#: A screenshot with secrets painted over costs more than a frame.
_COVERED_INTERVAL = 0.5


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page as a data URL, or why there is none; `size` is its viewport."""

    source: str
    size: tuple[float, float]
    withheld: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "width": self.size[0],
            "height": self.size[1],
            "withheld": self.withheld,
        }


class Screencast:
    """`show` takes pictures; `tick` is called when facts about the page may have changed."""

    def __init__(self, show: Callable[[Picture], None], tick: Callable[[], None]) -> None:
        self._show = show
        self._tick = tick
        self._last_frame = ""
        #: The last frame is of the page as it is.
        self._is_last = False

    async def run(self, find_page: Callable[[], Page | None], width: int) -> None:
        """Show pictures of the current page until cancelled; with a width of 0 only tick."""
        self._last_frame, self._is_last = "", False
        while True:
            page = find_page()
            if page is None or page.is_closed:
                self._tick()
                await asyncio.sleep(_TICK_SECONDS)
                continue
            try:
                await self._of_page(page, find_page, width)
            except CdpAgentError:  # the tab crashed, closed or was replaced: look again
                self._tick()
                await asyncio.sleep(_TICK_SECONDS)

    async def _of_page(self, page: Page, find_page: Callable[[], Page | None], width: int) -> None:
        session = page.resolve_frame_session(0)
        with session.events(_FRAME_EVENT, *_DIALOG_EVENTS) as events:
            params: StartScreencastParameters = {
                "format": "jpeg",
                "quality": 70,
                "maxWidth": width,
                "maxHeight": width * 2,
            }
            if width:
                await session.post("Page.startScreencast", params, timeout=_START_SECONDS)
            try:
                while find_page() is page and page.resolve_frame_session(0) is session:
                    try:
                        is_over = self._is_last or not width
                        async with asyncio.timeout(_TICK_SECONDS if is_over else _QUIET_SECONDS):
                            event = await events.get()
                    except TimeoutError:
                        if not is_over:
                            self._is_last = True
                            session.send_only("Page.stopScreencast")  # else it brings no frame
                            session.send_only("Page.startScreencast", params)
                        self._tick()
                        continue
                    if event.method == _FRAME_EVENT:
                        await self._frame(page, session, event.params, width)
                    self._tick()
            finally:
                if width:
                    session.send_only("Page.stopScreencast")

    async def _frame(
        self, page: Page, session: Session, params: dict[str, Any], width: int
    ) -> None:
        frame, facts = params["data"], params["metadata"]
        size = float(facts["deviceWidth"]), float(facts["deviceHeight"])
        interval = _INTERVAL if width > _THUMBNAIL_WIDTH else _THUMBNAIL_INTERVAL
        if frame != self._last_frame:  # a screenshot brings a frame of its own, of the same page
            self._last_frame, self._is_last = frame, False
            if page.browser.picture_cover is None:
                self._show(Picture(f"data:image/jpeg;base64,{frame}", size))
            else:
                interval = max(interval, _COVERED_INTERVAL)
                picture = await _covered(page, width)
                if picture is not None:
                    self._show(picture)
                else:
                    self._last_frame = ""
            await asyncio.sleep(interval)
        session.send_only("Page.screencastFrameAck", {"sessionId": params["sessionId"]})


async def _covered(page: Page, width: int) -> Picture | None:
    size = 0.0, 0.0
    try:
        # Not the frame's: that of a screenshot under way says how large the picture is.
        size = await view_size(page._tab.target, _START_SECONDS)
        picture = await page.screenshot(fit=(width, width * 2), timeout=_START_SECONDS)
    except BlockedByPolicy as error:
        return Picture("", size, withheld=error.message)
    except CdpAgentError:
        return None  # a dialog is open, or the page is gone; the next frame shows it
    return Picture(f"data:image/png;base64,{base64.b64encode(picture).decode()}", size)
