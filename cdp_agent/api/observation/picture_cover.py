"""Keeps texts out of pictures: areas to paint over, or a refusal.

Text in fields, selections, images and frames is painted over: such elements clip what they show.
Where any other text of the page would give something away, the picture is withheld.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cdp_agent.errors import BlockedByPolicy, ProtocolError
from cdp_agent.protocol import Session
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.domsnapshot.types import DocumentSnapshot

_SECONDS = 10.0
#: Their text is painted as dots, or not at all.
_UNREADABLE_INPUTS = frozenset({"password", "hidden", "checkbox", "radio", "file", "image"})
#: Their text may stand out of their box.
_BUTTONS = frozenset({"button", "submit", "reset"})
_MEDIA = frozenset({"IMG", "VIDEO", "EMBED", "OBJECT", "image"})
_SOURCES = ("alt", "src", "srcset", "poster", "data", "href", "xlink:href")
_STYLES = ("background-image", "content", "list-style-image")
#: Anti-aliased edges, outlines.
_MARGIN = 3


class Cover(Protocol):
    """Decides what no picture may show."""

    @property
    def hides_drawings(self) -> bool:
        """Returns whether canvases and images made by scripts are hidden."""

    def finds(self, text: str) -> bool:
        """Returns whether a text must not be seen."""


class Area(NamedTuple):
    """A rectangle in CSS pixels of the viewport."""

    left: float
    top: float
    right: float
    bottom: float


def withheld() -> BlockedByPolicy:
    return BlockedByPolicy(
        "the picture is withheld: it shows a secret",
        hint="Use the snapshot, which masks it.",
    )


async def hidden_areas(target: PageTarget, cover: Cover, seconds: float = _SECONDS) -> list[Area]:
    """The areas of the viewport that a picture must not show.

    Raises:
        BlockedByPolicy: there is more than areas can hide.
    """
    main = target.session
    sessions = dict.fromkeys([main, *target.sessions])
    replies = [
        session.post(
            "DOMSnapshot.captureSnapshot", {"computedStyles": list(_STYLES)}, timeout=seconds
        )
        for session in sessions
    ]
    nodes: set[int] = set()
    frames: set[str] = set()
    for reply in await asyncio.gather(*replies):
        for document in reply["documents"]:
            captured = _CapturedDocument(document, reply["strings"])
            found = captured.hidden(cover)
            if captured.frame_id == target.frames.main.id:
                if None in found:
                    raise withheld()
                nodes.update(node for node in found if node is not None)
            elif found:
                frames.add(_outermost(target, captured.frame_id))
    for frame_id in frames:
        owner = await main.post("DOM.getFrameOwner", {"frameId": frame_id}, timeout=seconds)
        nodes.add(owner["backendNodeId"])
    return [area for node in sorted(nodes) if (area := await _area(main, node)) is not None]


def _outermost(target: PageTarget, frame_id: str) -> str:
    """The frame of the page itself that the frame is in."""
    frame = target.frames.find(frame_id)
    while frame is not None and frame.parent is not None and frame.parent.parent is not None:
        frame = frame.parent
    if frame is None:
        raise withheld()  # it came or went just now
    return frame.id


async def _area(session: Session, node: int) -> Area | None:
    try:
        reply = await session.post("DOM.getBoxModel", {"backendNodeId": node}, timeout=_SECONDS)
    except ProtocolError:
        return None  # it is not rendered
    quad = reply["model"]["border"]
    across, down = quad[0::2], quad[1::2]
    return Area(
        min(across) - _MARGIN, min(down) - _MARGIN, max(across) + _MARGIN, max(down) + _MARGIN
    )


class _CapturedDocument:
    """One document of a `DOMSnapshot.captureSnapshot` reply."""

    def __init__(self, document: DocumentSnapshot, strings: list[str]) -> None:
        self._nodes: Mapping[str, Any] = document["nodes"]
        self._layout, self._strings = document["layout"], strings
        self.frame_id = self._text(document["frameId"])

    def hidden(self, cover: Cover) -> set[int | None]:
        """The nodes with text to hide; None: text that no box of an element holds."""
        texts = [self._text(index) for index in self._layout["text"] if index >= 0]
        styles = {self._text(index) for row in self._layout["styles"] for index in row}
        # Together as well: a value may be spread over several elements of a line.
        found: set[int | None] = set()
        if any(cover.finds(text) for text in (*texts, "".join(texts), *styles)):
            found.add(None)
        for number, texts_of_node in self._boxes(cover.hides_drawings):
            if texts_of_node is None or any(cover.finds(text) for text in texts_of_node):
                is_button = number in self._buttons
                found.add(None if is_button else self._nodes["backendNodeId"][number])
        return found

    def _boxes(self, drawings: bool) -> Iterator[tuple[int, list[str] | None]]:
        """Elements that clip their content, with their texts; None: they cannot be read."""
        self._buttons: set[int] = set()
        values = {**self._rare("inputValue"), **self._rare("textValue")}
        sources = self._rare("currentSourceURL")
        inside: dict[int, list[str]] = {}
        for number, name in enumerate(self._nodes["nodeName"]):
            tag = self._text(name)
            attributes = self._attributes(number)
            if tag == "SELECT":
                inside[number] = []
            elif (owner := self._select_of(number, inside)) is not None:
                text = self._text(self._nodes["nodeValue"][number])
                inside[owner] += [text, attributes.get("label", "")]
            elif tag in ("INPUT", "TEXTAREA"):
                kind = attributes.get("type", "").casefold()
                if kind in _BUTTONS:
                    self._buttons.add(number)
                if kind not in _UNREADABLE_INPUTS:
                    yield number, [values.get(number, ""), attributes.get("placeholder", "")]
                elif attributes.get("placeholder"):
                    yield number, [attributes["placeholder"]]
            elif tag == "CANVAS" and drawings:
                yield number, None
            elif tag in _MEDIA:
                texts = [sources.get(number, ""), *(attributes.get(one, "") for one in _SOURCES)]
                is_made = drawings and any(text.startswith("blob:") for text in texts)
                yield number, None if is_made else texts
        yield from inside.items()

    def _select_of(self, number: int, selects: dict[int, list[str]]) -> int | None:
        parents = self._nodes["parentIndex"]
        while number >= 0 and selects:
            if number in selects:
                return number
            number = parents[number]
        return None

    def _attributes(self, number: int) -> dict[str, str]:
        flat = self._nodes["attributes"][number]
        return {
            self._text(name).casefold(): self._text(value)
            for name, value in zip(flat[::2], flat[1::2], strict=True)
        }

    def _rare(self, name: str) -> dict[int, str]:
        column = self._nodes.get(name, {"index": [], "value": []})
        return {
            number: self._text(value)
            for number, value in zip(column["index"], column["value"], strict=True)
        }

    def _text(self, index: int) -> str:
        return self._strings[index] if index >= 0 else ""


def paint_over(picture: bytes, areas: list[Area], scale: float) -> bytes:
    """The picture with the areas filled; `scale` is its pixels for one CSS pixel."""
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(picture)) as source:
        image = source.convert("RGB")
    pen = ImageDraw.Draw(image)
    for area in areas:
        box = tuple(edge * scale for edge in area)
        if box[0] < image.width and box[1] < image.height and box[2] > 0 and box[3] > 0:
            pen.rectangle(box, fill="#5f6b7a")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
