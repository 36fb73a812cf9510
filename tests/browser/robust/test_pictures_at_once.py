"""Pictures of one page that are asked for at the same time: each is what it would be alone."""

from __future__ import annotations

import asyncio
import io

from PIL import Image

from cdp_agent import Page
from tests.support.stage import OpenPage

#: Its right half is green.
HALVES = """<!doctype html><title>Halves</title><style>html, body { margin: 0; height: 100% }
body { background: linear-gradient(to right, #f00 50%, #0f0 50%) }</style>"""


def right_edge(picture: bytes) -> tuple[int, ...]:
    with Image.open(io.BytesIO(picture)) as image:
        pixel = image.convert("RGB").getpixel((image.width - 5, image.height // 2))
    assert isinstance(pixel, tuple)
    return pixel


async def test_a_scaled_picture_does_not_change_another(page: Page, open_page: OpenPage) -> None:
    await open_page(HALVES)

    pictures = await asyncio.gather(
        *(page.screenshot(fit=size) for size in [(100, 100), (400, 400), (200, 200)] * 3),
        page.screenshot(),
    )

    assert [right_edge(picture) for picture in pictures] == [(0, 255, 0)] * 10
