"""The nodes of each frame that are in view, for `viewport_only`.

Boxes do not show it: an element may be scrolled out of a box that is in the viewport, or be clipped
by its frame. So every document is asked, all at once; for one that does not answer, the boxes
decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.fetch.script_nodes import (
    NODE_LIST,
    backend_ids,
    items_of,
    release_when_done,
)
from cdp_agent.snapshot.model import Viewport
from cdp_agent.targets import Frame, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters

#: How long a document may take to say it.
_PATIENCE = 2.0


class NodesInView:
    """Asked about nodes by frame index and backend node id."""

    def __init__(
        self,
        viewport: Viewport,
        frames: Mapping[int, FrameCapture],
        in_view: Mapping[int, frozenset[int]],
    ) -> None:
        self._viewport = viewport
        self._frames = frames
        self._in_view = in_view
        self._shown_frames: dict[int, bool] = {}

    def __call__(self, frame_index: int, backend_node_id: int) -> bool:
        capture = self._frames.get(frame_index)
        if capture is None or not self._is_shown(frame_index):
            return False
        in_view = self._in_view.get(frame_index)
        if in_view is not None and backend_node_id not in in_view:
            return False
        box = capture.visual_box(backend_node_id)
        if box is None:
            return in_view is not None
        view = self._viewport
        return (
            box.x < view.width
            and box.y < view.height
            and box.x + box.width > 0
            and box.y + box.height > 0
        )

    def _is_shown(self, frame_index: int) -> bool:
        """Returns whether the element that holds a frame is in view itself."""
        known = self._shown_frames.get(frame_index)
        if known is None:
            info = self._frames[frame_index].info
            owner, parent = info.owner_backend_node_id, info.parent_index
            known = owner is None or parent is None or self(parent, owner)
            self._shown_frames[frame_index] = known
        return known

    def holds(self, key: str) -> bool:
        """Returns whether the node of a line is in view; CSS text counts as its element."""
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
) -> NodesInView:
    """Have every captured document say what of it is in view."""
    seconds = min(seconds, _PATIENCE)
    asked = {frame.index: frame for frame in target.frames if frame.index in frames}
    answers = await asyncio.gather(*(_nodes(frame, seconds) for frame in asked.values()))
    in_view = {i: nodes for i, nodes in zip(asked, answers, strict=True) if nodes is not None}
    return NodesInView(viewport, frames, in_view)


async def _nodes(frame: Frame, seconds: float) -> frozenset[int] | None:
    """None: it runs no scripts of ours, has gone, or is busy."""
    session, world = frame.session, frame.world
    if world is None or session is None or session.ended is not None:
        return None
    params: EvaluateParameters = {
        "expression": "cdpAgent.nodesInView()",
        "serializationOptions": NODE_LIST,
        **world.for_evaluate,
    }
    asked = session.post("Runtime.evaluate", params, timeout=seconds)
    release_when_done(session, asked)
    try:
        reply = await asked
    except CdpAgentError:
        return None
    if reply.get("result", {}).get("value") == "":
        return frozenset()
    items = items_of(reply)
    return backend_ids(items) if items is not None else None
