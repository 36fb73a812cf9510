"""Positions of frames in the page, and of the viewport on it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.model import FrameInfo, Viewport
from cdp_agent.targets import Frame

if TYPE_CHECKING:
    from cdp_use.cdp.dom.types import BoxModel
    from cdp_use.cdp.page.commands import GetLayoutMetricsReturns

#: Offset and scale of a frame in the page's viewport.
Placement = tuple[tuple[float, float], tuple[float, float]]
NOT_RENDERED: Placement = (0.0, 0.0), (1.0, 1.0)


def frame_info(frame: Frame) -> FrameInfo:
    """A frame as users see it."""
    return FrameInfo(
        index=frame.index,
        frame_id=frame.id,
        parent_index=frame.parent.index if frame.parent is not None else None,
        session=frame.session.id if frame.session is not None else "",
        loader_id=frame.loader_id,
        url=frame.url,
        origin=frame.origin,
        name=frame.name,
        is_oopif=frame.is_oopif,
        owner_backend_node_id=frame.owner_node,
    )


def placement(root: FrameCapture | None, box_model: BoxModel | None) -> Placement:
    """The position of a frame, from the box model of its iframe element.

    `root` is the frame in whose viewport that box was measured.
    """
    if box_model is None or root is None:
        return NOT_RENDERED  # the main frame too
    content, border = box_model["content"], box_model["border"]
    xs, ys = content[0::2], content[1::2]
    wide = abs(border[2] - border[0]) / box_model["width"] if box_model["width"] else 1.0
    high = abs(border[7] - border[1]) / box_model["height"] if box_model["height"] else 1.0
    left = root.offset[0] + min(xs) * root.scale[0]
    top = root.offset[1] + min(ys) * root.scale[1]
    return (left, top), (root.scale[0] * (wide or 1.0), root.scale[1] * (high or 1.0))


def viewport(metrics: GetLayoutMetricsReturns) -> Viewport:
    """The viewport, from the reply of `Page.getLayoutMetrics`."""
    layout, content = metrics["cssLayoutViewport"], metrics["cssContentSize"]
    return Viewport(
        width=int(layout["clientWidth"]),
        height=int(layout["clientHeight"]),
        scroll_x=round(layout["pageX"]),
        scroll_y=round(layout["pageY"]),
        content_width=int(content["width"]),
        content_height=int(content["height"]),
    )
