"""The element at a point of the page's viewport, through frames of every process."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cdp_agent.errors import CdpAgentError, ElementNotFound
from cdp_agent.ids import ElementId
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import GetBoxModelParameters, GetNodeForLocationParameters

#: Frames inside frames of other processes; deeper than any page nests them.
_DEEPEST = 20


async def element_at(target: PageTarget, x: float, y: float, seconds: float) -> ElementId:
    """Returns the id of the topmost element at a point, in CSS pixels of the viewport.

    Raises:
        ElementNotFound: the point is outside the viewport, or shows no document.
    """
    frame, left, top = target.frames.main, x, y
    for _ in range(_DEEPEST):
        session = frame.require_session()
        # Bound before the frames are asked: whatever they show later has other nodes.
        documents = {shown.id: shown.loader_id for shown in target.frames}
        scroll = await evaluate_in_frame(target, frame, "[scrollX, scrollY]", seconds)
        point: GetNodeForLocationParameters = {
            "x": math.floor(left + scroll[0]),
            "y": math.floor(top + scroll[1]),
            "ignorePointerEventsNone": False,
        }
        try:
            hit = await session.post("DOM.getNodeForLocation", point, timeout=seconds)
        except CdpAgentError:
            raise ElementNotFound(f"there is no element at {x:g}, {y:g}") from None
        node = int(hit["backendNodeId"])
        inner = await _remote_frame(target, frame, node, seconds)
        if inner is None:
            owner = target.frames.find(hit.get("frameId", "")) or frame
            return ElementId(owner.index, node, documents.get(owner.id))
        box = await session.post("DOM.getBoxModel", {"backendNodeId": node}, timeout=seconds)
        left -= box["model"]["content"][0]
        top -= box["model"]["content"][1]
        frame = inner
    raise ElementNotFound(f"the frames at {x:g}, {y:g} are nested too deeply")


async def _remote_frame(
    target: PageTarget, outer: Frame, owner_node: int, seconds: float
) -> Frame | None:
    """Returns the out-of-process frame that an iframe element shows, if it is one."""
    for frame in list(target.frames):
        parent = frame.parent
        is_inside = parent is not None and parent.session is outer.session
        if not is_inside or frame.session is None or frame.session is outer.session:
            continue
        if frame.owner_node is None:
            reply = await outer.require_session().post(
                "DOM.getFrameOwner", {"frameId": frame.id}, timeout=seconds
            )
            frame.owner_node = int(reply["backendNodeId"])
        if frame.owner_node == owner_node:
            return frame
    return None


async def frame_offset(target: PageTarget, frame: Frame, seconds: float) -> tuple[float, float]:
    """The origin, in the page's viewport, of the viewport that a frame's session uses."""
    left = top = 0.0
    while frame.session is not target.session:
        parent = frame.parent
        if parent is None:
            break
        if parent.session is not frame.session and parent.session is not None:
            params: GetBoxModelParameters = {}
            if frame.owner_node is not None:
                params["backendNodeId"] = frame.owner_node
            reply = await parent.session.post("DOM.getBoxModel", params, timeout=seconds)
            left += reply["model"]["content"][0]
            top += reply["model"]["content"][1]
        frame = parent
    return left, top
