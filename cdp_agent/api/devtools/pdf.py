"""A page as a PDF, as Chromium prints it."""

from __future__ import annotations

import asyncio
import base64
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cdp_agent.api.observation.picture_cover import Cover, hidden_areas
from cdp_agent.errors import BlockedByPolicy, InvalidParams, ProtocolError
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import PrintToPDFParameters

#: Width and height in inches.
PAPER_SIZES: dict[str, tuple[float, float]] = {
    "letter": (8.5, 11),
    "legal": (8.5, 14),
    "tabloid": (11, 17),
    "ledger": (17, 11),
    "a0": (33.1, 46.8),
    "a1": (23.4, 33.1),
    "a2": (16.54, 23.4),
    "a3": (11.7, 16.54),
    "a4": (8.27, 11.7),
    "a5": (5.83, 8.27),
    "a6": (4.13, 5.83),
}
_MOST_INCHES = 200.0
_PAGES = re.compile(r"\s*\d*\s*(-\s*\d*\s*)?(,\s*\d*\s*(-\s*\d*\s*)?)*")

Paper = str | tuple[float, float]
Margin = float | tuple[float, float, float, float]


def pdf_params(
    *,
    paper: Paper = "letter",
    landscape: bool = False,
    background: bool = False,
    scale: float = 1.0,
    margin: Margin = 0.4,
    pages: str = "",
    css_page_size: bool = False,
) -> PrintToPDFParameters:
    """The parameters of `Page.printToPDF`.

    Raises:
        InvalidParams: one is out of range.
    """
    width, height = _paper(paper)
    edges = (margin,) * 4 if isinstance(margin, int | float) else tuple(margin)
    if len(edges) != 4 or not all(_is_number(edge, 0, _MOST_INCHES) for edge in edges):
        raise InvalidParams(f"margin is inches, or four of them clockwise from the top: {margin!r}")
    if not _is_number(scale, 0.1, 2):
        raise InvalidParams(f"scale is from 0.1 to 2, not {scale!r}")
    if not isinstance(pages, str) or not _PAGES.fullmatch(pages):
        raise InvalidParams(f"pages look like '1-3, 5', not {pages!r}")
    top, right, bottom, left = edges
    return {
        "landscape": bool(landscape),
        "printBackground": bool(background),
        "scale": scale,
        "paperWidth": width,
        "paperHeight": height,
        "marginTop": top,
        "marginRight": right,
        "marginBottom": bottom,
        "marginLeft": left,
        "pageRanges": pages,
        "preferCSSPageSize": bool(css_page_size),
    }


def _paper(given: Any) -> tuple[float, float]:
    if isinstance(given, str) and given.lower() in PAPER_SIZES:
        return PAPER_SIZES[given.lower()]
    is_pair = isinstance(given, list | tuple) and len(given) == 2
    if is_pair and all(_is_number(side, 0.1, _MOST_INCHES) for side in given):
        return float(given[0]), float(given[1])
    raise InvalidParams(
        f"there is no paper {given!r}",
        hint=f"(width, height) in inches, or one of {', '.join(PAPER_SIZES)}.",
    )


def _is_number(given: Any, least: float, most: float) -> bool:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return is_number and least <= given <= most


async def print_pdf(
    target: PageTarget, params: PrintToPDFParameters, cover: Cover | None, seconds: float
) -> bytes:
    """Print the page.

    Raises:
        InvalidParams: Chromium does not print it so: no such pages, no room beside the margins.
        BlockedByPolicy: it would show what `cover` hides; a PDF cannot be painted over.
    """
    if cover is not None and await hidden_areas(target, cover, seconds):
        raise BlockedByPolicy(
            "the PDF is withheld: it shows a secret", hint="Use the snapshot, which masks it."
        )
    try:
        reply = await target.session.post("Page.printToPDF", params, timeout=seconds)
    except ProtocolError as error:
        raise InvalidParams(f"Chromium does not print it: {error.reason}") from None
    return await asyncio.to_thread(base64.b64decode, reply["data"])


async def write_file(path: str | Path, data: bytes) -> None:
    """Raises: InvalidParams: it cannot be written there."""
    try:
        await asyncio.to_thread(Path(path).write_bytes, data)
    except OSError as error:
        raise InvalidParams(f"cannot write {str(path)[:200]}: {error.strerror}") from None
