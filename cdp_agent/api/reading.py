"""The text of a page for a reader: by sections, without ids and without what stands around it."""

from __future__ import annotations

import time
from typing import cast

from cdp_agent.api.core import PageCore
from cdp_agent.api.given import require_seconds
from cdp_agent.api.selectors import Finding
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.resolve.readable import ReadableLine, read_element, read_frame
from cdp_agent.targets import Frame
from cdp_agent.text import one_line


class Reading(PageCore):
    """`read`."""

    async def read(
        self, target: str | None = None, *, timeout: float = ACTION_TIMEOUT
    ) -> list[ReadableLine]:
        """The readable lines of the page with its frames, or of one element.

        Navigation, sidebars and buttons are left out of a page. `target` is an id or a selector;
        of a heading it is the section. Fields stand for their values, rows of tables are lines.

        Raises:
            ElementNotFound, StaleRef: there is no such element.
        """
        require_seconds(timeout)
        self._require_ready()
        deadline = time.monotonic() + timeout
        if target is not None:
            element_id = await cast("Finding", self).find_soon(target, timeout=timeout)
            live = await self._resolver.resolve(ElementId.parse(element_id), deadline=deadline)
            try:
                return await read_element(live, max(deadline - time.monotonic(), 1.0))
            finally:
                live.release()
        lines: list[ReadableLine] = []
        for frame in list(self._target.frames):
            if frame.session is not None:
                lines += await self._of_frame(frame, max(deadline - time.monotonic(), 0.5))
        return lines

    async def _of_frame(self, frame: Frame, seconds: float) -> list[ReadableLine]:
        try:
            lines = await read_frame(self._target, frame, seconds)
        except CdpAgentError:
            if frame.index == 0:
                raise
            return []  # a child frame may vanish, or hang, at any moment
        if frame.index == 0 or not lines:
            return lines
        return [ReadableLine(f"(frame {frame.index}, {one_line(frame.url, 100)})"), *lines]
