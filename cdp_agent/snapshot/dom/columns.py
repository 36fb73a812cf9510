"""The reply of `DOMSnapshot.captureSnapshot`: columns, not nodes."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

#: Asked for with every capture; the order is the order in `layout.styles`.
COMPUTED_STYLES = (
    "cursor",
    "overflow-y",
    "content-visibility",
    "visibility",
    # These matter for the accessibility tree where they differ from one capture to the next,
    "display",
    "overflow-x",
    "interactivity",
    # this one only for whether a table without a head counts as a table.
    "background-color",
    "pointer-events",
)

#: Those of `COMPUTED_STYLES` that the accessibility tree depends on.
TREE_STYLES = slice(1, 7)

#: Indices of strings: the attributes of an element, name by value, or its styles.
StringIndices = tuple[int, ...]


class Box(NamedTuple):
    """Left, top, width, height in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


#: A box as Chromium writes it.
BoxSides = tuple[float, float, float, float]


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
    attributes: list[StringIndices] = []
    shadowRootType: RareInteger = msgspec.field(default_factory=RareInteger)
    textValue: RareInteger = msgspec.field(default_factory=RareInteger)
    inputValue: RareInteger = msgspec.field(default_factory=RareInteger)
    inputChecked: RareBoolean = msgspec.field(default_factory=RareBoolean)
    optionSelected: RareBoolean = msgspec.field(default_factory=RareBoolean)
    isClickable: RareBoolean = msgspec.field(default_factory=RareBoolean)


class LayoutColumns(msgspec.Struct):
    nodeIndex: list[int] = []
    bounds: list[BoxSides] = []
    styles: list[StringIndices] = []
    #: The rendered text, after `text-transform`; that of a pseudo-element too.
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
