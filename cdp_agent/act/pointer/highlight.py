"""A coloured box over an element, drawn by the browser and unknown to the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cdp_agent.errors import ElementNotVisible, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve import Resolver
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.dom.types import RGBA
    from cdp_use.cdp.overlay.types import HighlightConfig

_COLOR = re.compile(r"#([0-9a-fA-F]{6})\Z")
_FILL_ALPHA = 0.25


def box_style(color: str) -> HighlightConfig:
    """Raises: InvalidParams: not a colour of the form #rrggbb."""
    match = _COLOR.match(color) if isinstance(color, str) else None
    if match is None:
        raise InvalidParams(f"{color!r} is not a colour", hint="Write it as #rrggbb.")
    red, green, blue = bytes.fromhex(match[1])
    line: RGBA = {"r": red, "g": green, "b": blue, "a": 1}
    return {
        "contentColor": {**line, "a": _FILL_ALPHA},
        "borderColor": line,
        "showInfo": False,
    }


async def highlight(
    target: PageTarget, resolver: Resolver, element_id: ElementId, color: str, deadline: float
) -> ElementId:
    """Draw the one box of a page. It stays until it is hidden or the document goes.

    Raises:
        ElementNotVisible: the element has no box to draw.
    """
    style = box_style(color)
    live = await resolver.resolve(element_id, deadline=deadline)
    try:
        if not await live.call("isRendered"):
            raise ElementNotVisible(f"{live.id} is not shown", element_id=str(live.id))
        await hide_highlight(target)
        session = live.session
        await session.post("DOM.enable")  # Overlay wants it; looking at the page needs it as well
        await session.post("Overlay.enable")
        target.highlighted = session
        await session.post(
            "Overlay.highlightNode", {"objectId": live.object_id, "highlightConfig": style}
        )
        return live.id
    finally:
        live.release()


async def hide_highlight(target: PageTarget) -> None:
    """Remove the box, if there is one."""
    session, target.highlighted = target.highlighted, None
    if session is None or session.ended is not None:
        return
    await session.post("Overlay.hideHighlight")
    await session.post("Overlay.disable")
