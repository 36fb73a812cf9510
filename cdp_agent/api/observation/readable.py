"""The text of a page for a reader, by sections, without ids and navigation."""

from __future__ import annotations

import time

from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.selectors.selector_search import find_soon
from cdp_agent.api.tab import Tab
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.resolve.readable_text import ReadableLine, read_element, read_frame
from cdp_agent.targets import Frame
from cdp_agent.text import one_line


async def read_page(
    tab: Tab, target: str | None, timeout: float, *, sections: bool, outside: bool
) -> list[ReadableLine]:
    """The readable lines of the page, or of one element; see `Page.read`."""
    require_seconds(timeout)
    tab.require_ready()
    deadline = time.monotonic() + timeout
    if target is not None:
        element_id = await find_soon(tab, target, timeout)
        live = await tab.resolver.resolve(ElementId.parse(element_id), deadline=deadline)
        try:
            seconds = seconds_until(deadline, 1.0)
            return await read_element(live, seconds, sections=sections)
        finally:
            live.release()
    lines: list[ReadableLine] = []
    for frame in list(tab.target.frames):
        if frame.session is not None:
            lines += await _frame_lines(tab, frame, seconds_until(deadline, 0.5))
    main = [line for line in lines if not line.is_outside]
    return [*main, *(line for line in lines if line.is_outside)] if outside else main


async def _frame_lines(tab: Tab, frame: Frame, seconds: float) -> list[ReadableLine]:
    try:
        lines = await read_frame(tab.target, frame, seconds)
    except CdpAgentError:
        if frame.index == 0:
            raise
        return []  # a child frame may vanish, or hang, at any moment
    if frame.index == 0 or not lines:
        return lines
    return [ReadableLine(f"(frame {frame.index}, {one_line(frame.url, 100)})"), *lines]
