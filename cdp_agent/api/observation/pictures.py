"""Pictures of a page: viewport, page or element, scaled, with ids drawn on."""

from __future__ import annotations

import asyncio
import base64
import io
import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from cdp_agent.api.observation.picture_cover import Area, Cover, hidden_areas, paint_over, withheld
from cdp_agent.errors import ActionTimeout, ElementNotVisible
from cdp_agent.snapshot import Box, Element, Viewport
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.dom.types import Rect
    from cdp_use.cdp.page.commands import CaptureScreenshotParameters

#: A picture for a model is scaled down to fit this; larger ones cost more and show no more.
MODEL_SIZE = (1024, 768)
#: One picture at a time: Chromium lays a page out anew for one that is scaled, and another that is
#: taken meanwhile would show that, with what is to be hidden at another point.
_LOCKS: WeakKeyDictionary[PageTarget, asyncio.Lock] = WeakKeyDictionary()
_COLOURS = ("#d00000", "#0050d0", "#008000", "#a000a0", "#b05000", "#007080")


async def take_picture(
    target: PageTarget,
    *,
    full_page: bool = False,
    fit: tuple[int, int] | None = None,
    cover: Cover | None = None,
    timeout: float = 30,
) -> bytes:
    """A PNG of the viewport or of the whole page, scaled down to `fit` if given.

    Raises:
        BlockedByPolicy: it would show what `cover` hides, and painting over does not help.
        ActionTimeout: another picture of the page is still being taken.
    """
    lock = _LOCKS.setdefault(target, asyncio.Lock())
    try:
        async with asyncio.timeout(timeout):
            await lock.acquire()
    except TimeoutError:
        raise ActionTimeout("another picture of this page is still under way") from None
    try:
        return await _taken(target, full_page, fit, cover, timeout)
    finally:
        lock.release()


async def _taken(
    target: PageTarget,
    full_page: bool,
    fit: tuple[int, int] | None,
    cover: Cover | None,
    timeout: float,
) -> bytes:
    if cover is None:
        return (await _captured(target, full_page, fit, timeout))[0]
    before = await hidden_areas(target, cover, timeout)
    picture, width = await _captured(target, full_page, fit, timeout)
    after = await hidden_areas(target, cover, timeout)
    # The whole page is laid out anew for its picture, and what moves was somewhere between.
    if before != after or (after and full_page):
        raise withheld()
    return await asyncio.to_thread(_painted_over, picture, after, width) if after else picture


def _painted_over(picture: bytes, areas: list[Area], width: float) -> bytes:
    wide, _ = struct.unpack(">II", picture[16:24])
    return paint_over(picture, areas, wide / width)


async def _captured(
    target: PageTarget, full_page: bool, fit: tuple[int, int] | None, timeout: float
) -> tuple[bytes, float]:
    """The picture, and the width of its area in CSS pixels."""
    session = target.session
    session.send_only("Page.bringToFront")  # a hidden tab gives no picture
    params: CaptureScreenshotParameters = {"format": "png", "captureBeyondViewport": full_page}
    metrics = await session.post("Page.getLayoutMetrics", timeout=timeout)
    view, content = metrics["cssVisualViewport"], metrics["cssContentSize"]
    width = float(content["width"] if full_page else view["clientWidth"])
    if full_page or fit is not None:
        area: Rect = (
            {"x": 0, "y": 0, "width": content["width"], "height": content["height"]}
            if full_page
            else {
                "x": view["pageX"],
                "y": view["pageY"],
                "width": view["clientWidth"],
                "height": view["clientHeight"],
            }
        )
        scale = scale_to_fit((area["width"], area["height"]), fit)
        params["clip"] = {**area, "scale": scale}
    reply = await session.post("Page.captureScreenshot", params, timeout=timeout)
    return base64.b64decode(reply["data"]), width


async def view_size(target: PageTarget, seconds: float) -> tuple[float, float]:
    """Width and height of the viewport in CSS pixels."""
    metrics = await target.session.post("Page.getLayoutMetrics", timeout=seconds)
    view = metrics["cssVisualViewport"]
    return float(view["clientWidth"]), float(view["clientHeight"])


def cut_out(picture: bytes, box: Box, size: tuple[float, float]) -> bytes:
    """The part of a picture of the viewport that a box covers.

    Raises:
        ElementNotVisible: it covers none of it.
    """
    from PIL import Image

    left, top = max(box.x, 0.0), max(box.y, 0.0)
    right, bottom = min(box.x + box.width, size[0]), min(box.y + box.height, size[1])
    if right - left < 1 or bottom - top < 1:
        raise ElementNotVisible("nothing of the element is in view")
    with Image.open(io.BytesIO(picture)) as source:
        scale = source.width / size[0]
        part = source.crop((left * scale, top * scale, right * scale, bottom * scale))
        out = io.BytesIO()
        part.save(out, "PNG")
    return out.getvalue()


def scale_to_fit(size: tuple[float, float], fit: tuple[int, int] | None) -> float:
    """Returns the factor by which a picture has to be smaller; never above 1."""
    if fit is None or not size[0] or not size[1]:
        return 1.0
    return min(1.0, fit[0] / size[0], fit[1] / size[1])


def draw_marks(
    picture: bytes,
    elements: Iterable[Element],
    viewport: Viewport,
    labels: Mapping[str, str] | None = None,
) -> bytes:
    """Draw a box around each element in view, with its id on it.

    With `labels`, by id, each has its label on it instead.
    """
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(picture)) as source:
        image = source.convert("RGB")
    scale = image.width / viewport.width if viewport.width else 1.0
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=11)
    for number, element in enumerate(elements):
        box = element.bounds
        if box is None or box.width < 2 or box.height < 2:
            continue
        left, top = box.x * scale, box.y * scale
        right, bottom = left + box.width * scale, top + box.height * scale
        if right <= 0 or bottom <= 0 or left >= image.width or top >= image.height:
            continue
        colour = _COLOURS[number % len(_COLOURS)]
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(right, image.width - 1), min(bottom, image.height - 1)
        pen.rectangle((left, top, right, bottom), outline=colour)
        label = str(element.id) if labels is None else labels[str(element.id)]
        wide = pen.textlength(label, font=font) + 4
        where = (min(left, image.width - wide), max(top - 13, 0))
        pen.rectangle((where[0], where[1], where[0] + wide, where[1] + 13), fill=colour)
        pen.text((where[0] + 2, where[1]), label, fill="white", font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
