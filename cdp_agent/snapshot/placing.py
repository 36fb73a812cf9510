"""Where things stand: a frame in the page's viewport, the viewport in the page. Pure."""

from __future__ import annotations

import asyncio
from typing import Any

from cdp_agent.snapshot.lines import FrameCapture
from cdp_agent.snapshot.model import Viewport


def is_answered(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


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
