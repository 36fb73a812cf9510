"""From the reply of `DOMSnapshot.captureSnapshot` to packed columns.

Boxes and styles are most of it, and as Python's lists ten times as large as they are when packed:
they are read some thousand rows at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cdp_agent.protocol.codec import decode
from cdp_agent.snapshot.columns import (
    Boxes,
    BoxSides,
    DocumentColumns,
    DomCapture,
    Ints,
    LayoutColumns,
    NodeColumns,
    Numbers,
    shared,
)

#: Bytes that are read at a time.
_PIECE = 200_000
_NO_ROWS = msgspec.Raw(b"[]")

_read_boxes = msgspec.json.Decoder(list[BoxSides]).decode
_read_numbers = msgspec.json.Decoder(list[Numbers]).decode


class _Layout(msgspec.Struct):
    nodeIndex: Ints
    bounds: msgspec.Raw = _NO_ROWS
    styles: msgspec.Raw = _NO_ROWS
    text: Ints = msgspec.field(default_factory=Ints)


class _Document(msgspec.Struct):
    frameId: int
    nodes: NodeColumns
    layout: _Layout
    scrollOffsetX: float = 0
    scrollOffsetY: float = 0
    contentWidth: float = 0
    contentHeight: float = 0


class _Reply(msgspec.Struct):
    documents: list[_Document]
    strings: list[str]


def read_capture(reply: msgspec.Raw) -> DomCapture:
    read: _Reply = decode(reply, _Reply)
    return DomCapture([_packed(document) for document in read.documents], read.strings)


def _packed(read: _Document) -> DocumentColumns:
    bounds, styles = Boxes(), list[Numbers]()
    known: dict[Numbers, Numbers] = {}
    for piece in _pieces(read.layout.bounds):
        bounds.extend(_read_boxes(piece))
    for piece in _pieces(read.layout.styles):
        styles += shared(_read_numbers(piece), known)
    read.nodes.attributes = shared(read.nodes.attributes, known)
    return DocumentColumns(
        read.frameId,
        read.nodes,
        LayoutColumns(read.layout.nodeIndex, bounds, styles, read.layout.text),
        read.scrollOffsetX,
        read.scrollOffsetY,
        read.contentWidth,
        read.contentHeight,
    )


def _pieces(rows: msgspec.Raw) -> Iterator[bytes]:
    """A list of lists of numbers as several such lists."""
    data = bytes(rows)
    start = 1
    while (end := data.find(b"],[", start + _PIECE)) >= 0:
        yield b"[%b]]" % data[start:end]
        start = end + 2
    yield b"[%b" % data[start:]
