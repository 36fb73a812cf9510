"""A drag that begins at a point of the viewport: the element that is there is its source."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.act.drag.drag import drag
from cdp_agent.act.drag.drag_path import Offset, Route
from cdp_agent.act.frame_document import hit_at
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.errors import ElementNotVisible
from cdp_agent.ids import ElementId


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
        ElementNotVisible: the point is outside the viewport, or shows nothing.
    """
    hit = await hit_at(stage, stage.target.frames.main, *at)
    if hit is None:
        raise ElementNotVisible(
            f"there is nothing to press at the point {at[0]:g},{at[1]:g} of the viewport",
            hint="Coordinates are pixels from the viewport's top left corner.",
        )
    done = await drag(stage, hit.id, replace(route, source_position=hit.position))
    done.data["source"] = hit.words
    return done
