"""A drag that begins at a point of the viewport, on the element that is there."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.act.drag.drag import drag
from cdp_agent.act.drag.drag_path import Offset, Route
from cdp_agent.act.frame_document import Hit, hit_at, hit_inside
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.errors import ElementNotVisible
from cdp_agent.ids import ElementId


async def drag_from(stage: Stage, source: ElementId | None, route: Route) -> Performed:
    """Press on an element, or without one at the route's first point of the viewport."""
    if source is not None:
        return await _drag_inside(stage, source, route)
    assert route.source_position is not None
    return await _drag_from_point(stage, route.source_position, route)


async def _drag_inside(stage: Stage, source: ElementId, route: Route) -> Performed:
    """A frame stands for the element that its document has at that place.

    `data["inside"]` describes the one that was pressed on.
    """
    begin = await _inside(stage, source, route.source_position)
    if begin is not None:
        source, route = begin.id, replace(route, source_position=begin.position)
    end = await _inside(stage, route.target, route.target_position) if route.target else None
    if end is not None:
        route = replace(route, target=end.id, target_position=end.position)
    done = await drag(stage, source, route)
    if begin is not None:
        done.data["inside"] = begin.words
    return done


async def _inside(stage: Stage, element: ElementId, position: Offset | None) -> Hit | None:
    """The element at that place of a frame's document; None: the element is not a frame."""
    live = await stage.resolve(element)
    try:
        if not await live.call("isFrame", timeout=stage.reply_timeout):
            return None
        return await hit_inside(stage, live, position)
    finally:
        live.release()


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
