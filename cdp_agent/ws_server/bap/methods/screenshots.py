"""Pictures as a client wants them: format, size, a part, with elements covered or marked."""

from __future__ import annotations

import base64
import io
import struct
from collections.abc import Sequence
from typing import Any, Literal

from cdp_agent.api.observation.pictures import view_size
from cdp_agent.api.page import Page
from cdp_agent.errors import InvalidParams

Format = Literal["png", "jpeg", "webp"]
Area = tuple[float, float, float, float]
_MASK_COLOUR = "#ff00ff"


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


def base64_text(data: bytes) -> str:
    return base64.b64encode(data).decode()


async def pixel_ratio(page: Page, png: bytes, *, full_page: bool) -> float:
    """Returns the number of pixels of the picture for one CSS pixel."""
    if full_page:
        return float(await page.evaluate("devicePixelRatio"))
    width, _ = await view_size(page._tab.target, 10.0)
    return size_of(png)[0] / width if width else 1.0


def converted(
    png: bytes,
    kind: Format,
    *,
    quality: int | None = None,
    ratio: float = 1.0,
    to_css: bool = False,
    area: Area | None = None,
    masked: Sequence[Area] = (),
) -> dict[str, Any]:
    """The picture as the protocol has it. `area` and `masked` are in CSS pixels.

    Raises:
        InvalidParams: the area shows nothing of the picture.
    """
    width, height = size_of(png)
    if kind == "png" and area is None and not masked and (not to_css or ratio == 1):
        return {"data": png, "format": kind, "width": width, "height": height}
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(png)) as source:
        image = source.convert("RGB")
    pen = ImageDraw.Draw(image)
    for box in masked:
        pen.rectangle(_corners(box, ratio), fill=_MASK_COLOUR)
    if area is not None:
        left, top, right, bottom = _corners(area, ratio)
        part = max(left, 0), max(top, 0), min(right, image.width), min(bottom, image.height)
        if part[2] - part[0] < 1 or part[3] - part[1] < 1:
            raise InvalidParams("clip shows nothing of the page")
        image = image.crop(part)
    if to_css and ratio != 1:
        image = image.resize((round(image.width / ratio), round(image.height / ratio)))
    out = io.BytesIO()
    options = {} if kind == "png" or quality is None else {"quality": max(quality, 1)}
    image.save(out, kind.upper(), **options)
    return {"data": out.getvalue(), "format": kind, "width": image.width, "height": image.height}


def _corners(area: Area, ratio: float) -> tuple[int, int, int, int]:
    x, y, width, height = (round(value * ratio) for value in area)
    return x, y, x + width, y + height
