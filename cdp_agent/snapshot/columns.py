"""What `DOMSnapshot.captureSnapshot` sends: columns, not nodes.

A large page has a hundred thousand nodes. As Python's numbers and lists their columns would take
sixty megabytes; packed they take eight.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Self, cast

import msgspec

if TYPE_CHECKING:
    _IntArray = array[int]
else:
    _IntArray = array

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


#: Numbers of strings: the attributes of an element, name by value, or its styles.
Numbers = tuple[int, ...]


class Ints(_IntArray):
    """Whole numbers, four bytes each."""

    __slots__ = ()

    def __new__(cls, values: Iterable[int] = ()) -> Self:
        # From anything else it takes five times as long.
        listed = values if isinstance(values, list | array) else list(values)
        return cast(Self, super().__new__(cls, "i", listed))

    def copy(self) -> Ints:
        return Ints(self)


class Box(NamedTuple):
    """Left, top, width, height in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


#: As a page tells of it: left, top, width, height.
BoxSides = tuple[float, float, float, float]


class Boxes:
    """Boxes by number."""

    __slots__ = ("_sides",)

    def __init__(self, boxes: Iterable[BoxSides] = ()) -> None:
        self._sides = array("d", chain.from_iterable(boxes))

    def copy(self) -> Boxes:
        made = Boxes()
        made._sides = self._sides[:]
        return made

    def extend(self, boxes: Iterable[BoxSides]) -> None:
        self._sides.extend(chain.from_iterable(boxes))

    def picked(self, numbers: list[int]) -> Boxes:
        """The boxes with these numbers, in that order. Most of them follow each other."""
        made = Boxes()
        start = 0
        for end in range(1, len(numbers) + 1):
            if end == len(numbers) or numbers[end] != numbers[end - 1] + 1:
                made._sides += self._sides[4 * numbers[start] : 4 * numbers[end - 1] + 4]
                start = end
        return made

    def __len__(self) -> int:
        return len(self._sides) // 4

    def __getitem__(self, number: int) -> Box:
        return Box(*self._sides[4 * number : 4 * number + 4])

    def __setitem__(self, number: int, box: BoxSides) -> None:
        self._sides[4 * number : 4 * number + 4] = array("d", box)

    def __iter__(self) -> Iterator[BoxSides]:
        sides = iter(self._sides)
        return zip(sides, sides, sides, sides, strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Boxes) and self._sides == other._sides

    __hash__ = None  # type: ignore[assignment]


class RareBoolean(msgspec.Struct, gc=False, frozen=True):
    index: Ints = msgspec.field(default_factory=Ints)


class RareInteger(msgspec.Struct, gc=False, frozen=True):
    index: Ints = msgspec.field(default_factory=Ints)
    value: Ints = msgspec.field(default_factory=Ints)


class NodeColumns(msgspec.Struct):
    parentIndex: Ints = msgspec.field(default_factory=Ints)
    nodeType: Ints = msgspec.field(default_factory=Ints)
    nodeName: Ints = msgspec.field(default_factory=Ints)
    nodeValue: Ints = msgspec.field(default_factory=Ints)
    backendNodeId: Ints = msgspec.field(default_factory=Ints)
    attributes: list[Numbers] = []
    shadowRootType: RareInteger = msgspec.field(default_factory=RareInteger)
    textValue: RareInteger = msgspec.field(default_factory=RareInteger)
    inputValue: RareInteger = msgspec.field(default_factory=RareInteger)
    inputChecked: RareBoolean = msgspec.field(default_factory=RareBoolean)
    optionSelected: RareBoolean = msgspec.field(default_factory=RareBoolean)
    isClickable: RareBoolean = msgspec.field(default_factory=RareBoolean)
    contentDocumentIndex: RareInteger = msgspec.field(default_factory=RareInteger)


class LayoutColumns(msgspec.Struct):
    nodeIndex: Ints = msgspec.field(default_factory=Ints)
    bounds: Boxes = msgspec.field(default_factory=Boxes)
    styles: list[Numbers] = []
    #: What is shown of a text, after `text-transform`; that of a pseudo-element too.
    text: Ints = msgspec.field(default_factory=Ints)


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


def shared(rows: Iterable[Numbers], known: dict[Numbers, Numbers]) -> list[Numbers]:
    """The same rows, those that are equal as one: thousands of elements have the same few."""
    return [known.setdefault(row, row) for row in rows]
