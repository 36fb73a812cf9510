"""What `DOMSnapshot.captureSnapshot` sends: columns, not nodes."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

#: Asked for with every capture; the order is the order in `layout.styles`.
COMPUTED_STYLES = (
    "cursor",
    "overflow-y",
    "content-visibility",
    "visibility",
    # Looked at only for what differs from one capture to the next.
    "display",
    "overflow-x",
    "interactivity",
)


class RareBoolean(msgspec.Struct, gc=False, frozen=True):
    index: list[int] = []


class RareInteger(msgspec.Struct, gc=False, frozen=True):
    index: list[int] = []
    value: list[int] = []


class NodeColumns(msgspec.Struct):
    parentIndex: list[int] = []
    nodeType: list[int] = []
    nodeName: list[int] = []
    nodeValue: list[int] = []
    backendNodeId: list[int] = []
    attributes: list[list[int]] = []
    shadowRootType: RareInteger = RareInteger()
    textValue: RareInteger = RareInteger()
    inputValue: RareInteger = RareInteger()
    inputChecked: RareBoolean = RareBoolean()
    optionSelected: RareBoolean = RareBoolean()
    isClickable: RareBoolean = RareBoolean()
    contentDocumentIndex: RareInteger = RareInteger()


class LayoutColumns(msgspec.Struct):
    nodeIndex: list[int] = []
    bounds: list[list[float]] = []
    styles: list[list[int]] = []
    #: What is shown of a text, after `text-transform`; that of a pseudo-element too.
    text: list[int] = []


class DocumentColumns(msgspec.Struct):
    frameId: int
    nodes: NodeColumns
    layout: LayoutColumns
    scrollOffsetX: float = 0
    scrollOffsetY: float = 0
    contentWidth: float = 0
    contentHeight: float = 0


class DomCapture(msgspec.Struct):
    documents: list[DocumentColumns]
    strings: list[str]


class Box(NamedTuple):
    """Left, top, width, height in CSS pixels."""

    x: float
    y: float
    width: float
    height: float
