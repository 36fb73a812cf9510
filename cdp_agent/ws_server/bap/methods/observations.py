"""`observe/*`: pictures, trees, documents, elements and PDFs of a page."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal

from pydantic import Field

from cdp_agent.api.selectors.selector_search import find_all
from cdp_agent.errors import BrowserError, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Box
from cdp_agent.ws_server.bap.client_state import Method, PageCall
from cdp_agent.ws_server.bap.methods import screenshots
from cdp_agent.ws_server.bap.methods.actions import box_of
from cdp_agent.ws_server.bap.methods.element_facts import element_properties
from cdp_agent.ws_server.bap.methods.trees import aria_snapshot, tree_of
from cdp_agent.ws_server.bap.selectors import engine_selector
from cdp_agent.ws_server.bap.wire import Milliseconds, PageParams, Wire, without_none

_TEXT = "document.body ? document.body.innerText : document.documentElement.textContent || ''"


class Clip(Wire):
    x: float
    y: float
    width: float
    height: float


class ScreenshotOptions(Wire):
    full_page: bool = False
    clip: Clip | None = None
    format: screenshots.Format = "png"
    quality: int | None = Field(default=None, ge=0, le=100)
    scale: Literal["css", "device"] = "device"
    mask: list[Any] = Field(default_factory=list)
    stream: bool = False


class ScreenshotParams(PageParams):
    options: ScreenshotOptions = ScreenshotOptions()


class AccessibilityOptions(Wire):
    root: Any = None
    #: The tree has what a screen reader would say; there is no other.
    interesting_only: Literal[True] = True


class AccessibilityParams(PageParams):
    options: AccessibilityOptions = AccessibilityOptions()


class DomOptions(Wire):
    stream: bool = False


class DomParams(PageParams):
    options: DomOptions = DomOptions()


class ElementParams(PageParams):
    selector: Any
    properties: list[str] = Field(max_length=50)


class ContentParams(PageParams):
    format: Literal["text", "html", "markdown"] = "text"


class AriaOptions(Wire):
    timeout: Milliseconds | None = None


class AriaParams(PageParams):
    selector: Any = None
    options: AriaOptions = AriaOptions()


class PdfOptions(Wire):
    format: str = "A4"
    landscape: bool = False
    scale: float = 1.0
    print_background: bool = False
    prefer_css_page_size: bool = Field(default=False, alias="preferCSSPageSize")
    page_ranges: str = ""
    margin: dict[str, Any] = Field(default_factory=dict)
    stream: bool = False


class PdfParams(PageParams):
    options: PdfOptions = PdfOptions()


async def _screenshot(call: PageCall, params: ScreenshotParams) -> dict[str, Any]:
    options = params.options
    picture = await call.page.screenshot(full_page=options.full_page)
    ratio = await screenshots.pixel_ratio(call.page, picture, full_page=options.full_page)
    boxes = [box for selector in options.mask for box in await _boxes(call, selector)]
    if boxes and options.full_page:
        raise InvalidParams("mask is for pictures of the viewport", hint="Leave out fullPage.")
    clip = options.clip
    area = None if clip is None else (clip.x, clip.y, clip.width, clip.height)
    made = await asyncio.to_thread(
        screenshots.converted,
        picture,
        options.format,
        quality=options.quality,
        ratio=ratio,
        to_css=options.scale == "css",
        area=area,
        masked=boxes,
    )
    return _streamed(call, made, "data", options.stream)


async def _boxes(call: PageCall, selector: Any) -> list[Box]:
    found = await find_all(call.page._tab, engine_selector(selector, call.frame), 10.0)
    return [await box_of(call.page, element.id) for element in found if element.visible]


def _streamed(call: PageCall, made: dict[str, Any], key: str, wanted: bool) -> dict[str, Any]:
    """The result, or with `stream` a result whose data comes in parts."""
    if not wanted:
        return made
    data = made[key] if isinstance(made[key], str) else screenshots.base64_text(made[key])
    return {**made, key: "", "streamId": call.state.streams.open(data)}


async def _accessibility(call: PageCall, params: AccessibilityParams) -> dict[str, Any]:
    root = await _root(call, params.options.root)
    return {"tree": tree_of(await call.page.snapshot(root=root))}


async def _root(call: PageCall, selector: Any) -> str | None:
    if selector is None:
        return None
    return await call.page.find_soon(engine_selector(selector, call.frame))


async def _dom(call: PageCall, params: DomParams) -> dict[str, Any]:
    page, frame = call.page, call.frame or 0
    html = await page.content(frame=frame)
    text = str(await page.evaluate(_TEXT, frame))
    made = {"html": html, "text": text, "title": page.title, "url": page.url}
    return _streamed(call, made, "html", params.options.stream)


async def _element(call: PageCall, params: ElementParams) -> dict[str, Any]:
    element_id = await call.page.find_soon(engine_selector(params.selector, call.frame))
    properties = await element_properties(call.page, ElementId.parse(element_id), params.properties)
    return {"found": True, "ref": str(element_id), "properties": properties}


async def _content(call: PageCall, params: ContentParams) -> dict[str, Any]:
    page = call.page
    if params.format == "html":
        content = await page.content(frame=call.frame or 0)
    elif params.format == "text":
        content = str(await page.evaluate(_TEXT, call.frame or 0))
    else:
        content = "\n\n".join(str(line) for line in await page.read())
    return {"content": content, "format": params.format, "url": page.url, "title": page.title}


async def _aria_snapshot(call: PageCall, params: AriaParams) -> dict[str, Any]:
    root = await _root(call, params.selector)
    seen = await call.page.snapshot(root=root, **without_none(timeout=params.options.timeout))
    return {"snapshot": aria_snapshot(seen), "url": seen.page.url, "title": seen.page.title}


async def _pdf(call: PageCall, params: PdfParams) -> dict[str, Any]:
    options = params.options
    margin = (0.4,) * 4 if not options.margin else _margin(options.margin)
    printed = await call.page.pdf(
        paper=options.format,
        landscape=options.landscape,
        background=options.print_background,
        scale=options.scale,
        margin=margin,
        pages=options.page_ranges,
        css_page_size=options.prefer_css_page_size,
    )
    return _streamed(call, {"data": printed, "pages": page_count(printed)}, "data", options.stream)


_UNITS = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "px": 1 / 96, "": 1 / 96}


def _margin(given: dict[str, Any]) -> tuple[float, float, float, float]:
    """Margins in inches, clockwise from the top; on the wire `1cm`, `0.5in`, or pixels."""

    def inches(side: str) -> float:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(in|cm|mm|px|)", str(given.get(side, 0)))
        if match is None:
            raise InvalidParams(f"{side} of margin is not {str(given[side])[:20]!r}", hint="1cm")
        return float(match[1]) * _UNITS[match[2]]

    unknown = sorted(set(given) - {"top", "right", "bottom", "left"})
    if unknown:
        raise InvalidParams(f"margin has no {unknown[0][:40]!r}")
    return inches("top"), inches("right"), inches("bottom"), inches("left")


def page_count(printed: bytes) -> int:
    """Returns the number of pages of a PDF that Chromium wrote.

    Raises:
        BrowserError: it does not say.
    """
    counts = [int(count) for count in re.findall(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", printed)]
    counts += [int(c) for c in re.findall(rb"/Count\s+(\d+)[^>]*?/Type\s*/Pages\b", printed)]
    if not counts:
        raise BrowserError("the PDF does not say how many pages it has")
    return max(counts)


METHODS = {
    "observe/screenshot": Method(_screenshot, ScreenshotParams, tool="browser_screenshot"),
    "observe/accessibility": Method(_accessibility, AccessibilityParams, tool="browser_snapshot"),
    "observe/dom": Method(_dom, DomParams, tool="browser_snapshot"),
    "observe/element": Method(_element, ElementParams, tool="browser_snapshot"),
    "observe/content": Method(_content, ContentParams, tool="browser_snapshot"),
    "observe/ariaSnapshot": Method(_aria_snapshot, AriaParams, tool="browser_snapshot"),
    "observe/pdf": Method(_pdf, PdfParams, tool="browser_screenshot"),
}
