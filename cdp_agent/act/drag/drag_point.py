"""A drag that begins at a point of the viewport, on the element that is there."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.act.drag.drag import drag
from cdp_agent.act.drag.drag_path import Offset, Route
from cdp_agent.act.frame_document import document_of, frame_shown_by
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.errors import ElementNotVisible
from cdp_agent.ids import ElementId

#: Frames in frames deeper than this are not followed.
_DEPTH = 20


async def drag_from(stage: Stage, source: ElementId | None, route: Route) -> Performed:
    """Press on an element, or without one at the route's first point of the viewport."""
    if source is not None:
        return await drag(stage, source, route)
    assert route.source_position is not None
    return await _drag_from_point(stage, route.source_position, route)


async def _drag_from_point(stage: Stage, at: Offset, route: Route) -> Performed:
    """Press at a point of the viewport, carry and let go.

    `data["source"]` describes the element that was pressed on.

    Raises:
        ElementNotVisible: the point is outside the viewport.
    """
    live = await document_of(stage, stage.target.frames.main)
    try:
        x, y = at
        for _ in range(_DEPTH):
            hit = await live.call("hitAt", x, y, timeout=max(stage.left, 0.2))
            if hit is None:
                raise ElementNotVisible(
                    f"the point {at[0]:g},{at[1]:g} is outside the viewport",
                    hint="Coordinates are pixels from the viewport's top left corner.",
                )
            x, y = hit["x"], hit["y"]
            if not hit["frame"]:
                break
            inner = await frame_shown_by(stage, live, "cdpAgent.hit()")
            outer, live = live, await document_of(stage, inner)
            outer.release()
        source = await stage.resolver.adopt(live, "cdpAgent.hit()", "", str(hit["sketch"]))
    finally:
        live.release()
    if source is None:
        raise ElementNotVisible("what was at the point went away")
    done = await drag(stage, source, replace(route, source_position=(x, y)))
    done.data["source"] = str(hit["sketch"])
    return done
