"""Where things stand: a frame among frames and in the page's viewport, that in the page. Pure."""

from __future__ import annotations

import asyncio
from typing import Any

from cdp_agent.snapshot.lines import FrameCapture
from cdp_agent.snapshot.model import FrameInfo, Viewport
from cdp_agent.targets import Frame


def is_answered(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def failure(future: asyncio.Future[Any]) -> BaseException | None:
    """What it ended with instead of an answer, if it has."""
    return future.exception() if future.done() and not future.cancelled() else None


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


def placed(
    root: FrameCapture | None, box: asyncio.Future[dict[str, Any]] | None
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Offset and scale of a frame in the page's viewport, from the box of its iframe element."""
    if box is None or root is None or not is_answered(box):
        return (0.0, 0.0), (1.0, 1.0)  # the main frame, or one that is not rendered
    model = box.result()["model"]
    content, border = model["content"], model["border"]
    xs, ys = content[0::2], content[1::2]
    wide = abs(border[2] - border[0]) / model["width"] if model["width"] else 1.0
    high = abs(border[7] - border[1]) / model["height"] if model["height"] else 1.0
    left = root.offset[0] + min(xs) * root.scale[0]
    top = root.offset[1] + min(ys) * root.scale[1]
    return (left, top), (root.scale[0] * (wide or 1.0), root.scale[1] * (high or 1.0))


def viewport(view: dict[str, Any]) -> Viewport:
    layout, content = view["cssLayoutViewport"], view["cssContentSize"]
    return Viewport(
        width=int(layout["clientWidth"]),
        height=int(layout["clientHeight"]),
        scroll_x=round(layout["pageX"]),
        scroll_y=round(layout["pageY"]),
        content_width=int(content["width"]),
        content_height=int(content["height"]),
    )
