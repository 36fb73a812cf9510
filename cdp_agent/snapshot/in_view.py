"""What of each frame stands in view, for a snapshot of that alone.

Boxes do not tell: something may be scrolled out of a box that stands in the viewport, or be clipped
by a frame that does. So every document is asked, all at once; one that does not answer goes by the
boxes of what it holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot.deep import DEEP, items_of, nodes_among
from cdp_agent.snapshot.lines import FrameCapture
from cdp_agent.snapshot.model import Viewport
from cdp_agent.targets import Frame, PageTarget

#: How long a document may take to say it.
_PATIENCE = 2.0


class InView:
    """Asked about nodes by frame index and backend node id."""

    def __init__(
        self,
        viewport: Viewport,
        frames: Mapping[int, FrameCapture],
        told: Mapping[int, frozenset[int]],
    ) -> None:
        self._viewport = viewport
        self._frames = frames
        self._told = told
        self._shown_frames: dict[int, bool] = {}

    def __call__(self, frame_index: int, backend_node_id: int) -> bool:
        capture = self._frames.get(frame_index)
        if capture is None or not self._is_shown(frame_index):
            return False
        told = self._told.get(frame_index)
        if told is not None and backend_node_id not in told:
            return False
        box = capture.visual_box(backend_node_id)
        if box is None:
            return told is not None
        view = self._viewport
        return (
            box.x < view.width
            and box.y < view.height
            and box.x + box.width > 0
            and box.y + box.height > 0
        )

    def _is_shown(self, frame_index: int) -> bool:
        """Whether the element that holds a frame is in view itself."""
        known = self._shown_frames.get(frame_index)
        if known is None:
            info = self._frames[frame_index].info
            owner, parent = info.owner_backend_node_id, info.parent_index
            known = owner is None or parent is None or self(parent, owner)
            self._shown_frames[frame_index] = known
        return known

    def holds(self, key: str) -> bool:
        """Whether the node of a line is in view; what CSS writes goes by what it is written in."""
        frame, _, rest = key.partition("-")
        number, _, kind = rest.partition(":")
        number = number.partition(".")[0]
        if not number.isdigit():
            return False
        index, backend = int(frame), int(number)
        if self(index, backend):
            return True
        capture = self._frames.get(index)
        if kind != "text" or capture is None or capture.dom is None:
            return False
        return self(index, capture.dom.parent(backend))


async def ask_in_view(
    target: PageTarget, viewport: Viewport, frames: Mapping[int, FrameCapture], seconds: float
) -> InView:
    """Have every captured document say what of it is in view."""
    seconds = min(seconds, _PATIENCE)
    asked = {frame.index: frame for frame in target.frames if frame.index in frames}
    answers = await asyncio.gather(*(_nodes(frame, seconds) for frame in asked.values()))
    told = {index: nodes for index, nodes in zip(asked, answers, strict=True) if nodes is not None}
    return InView(viewport, frames, told)


async def _nodes(frame: Frame, seconds: float) -> frozenset[int] | None:
    """None: it runs no scripts of ours, has gone, or is busy."""
    session, world = frame.session, frame.world
    if world is None or session is None or session.ended is not None:
        return None
    params = {"expression": "cdpAgent.nodesInView()", **DEEP, **world.for_evaluate}
    try:
        reply = await session.post("Runtime.evaluate", params, timeout=seconds)
    except CdpAgentError:
        return None
    result: dict[str, Any] = reply.get("result", {})
    if "objectId" in result:
        session.send_only("Runtime.releaseObject", {"objectId": result["objectId"]})
    if result.get("value") == "":
        return frozenset()
    found = items_of(reply)
    return nodes_among(found) if found is not None else None
