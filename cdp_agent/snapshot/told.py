"""What a page tells of itself since the last look: the answer of `relook` in `ledger.js`.

Nodes are named by their place in a list that comes with it; only Chromium knows their ids.
"""

from __future__ import annotations

import msgspec

from cdp_agent.snapshot.columns import BoxSides


class Row(msgspec.Struct, gc=False):
    """A node of a subtree: `parent` is the row it stands in."""

    node: int
    parent: int
    type: int
    name: str
    value: str | None = None
    attributes: list[str] = []
    styles: list[str] | None = None
    box: BoxSides | None = None
    clicks: bool = False
    off: bool = False


class Text(msgspec.Struct, gc=False):
    node: int
    value: str


class Attributes(msgspec.Struct, gc=False):
    node: int
    attributes: list[str]
    clicks: bool
    off: bool


class State(msgspec.Struct, gc=False):
    node: int
    clicks: bool
    off: bool


class Styled(msgspec.Struct, gc=False):
    node: int
    styles: list[str] | None
    box: BoxSides | None


class Moved(msgspec.Struct, gc=False):
    #: The number of the element among all elements, in the order of the document.
    place: int
    box: BoxSides


class Replaced(msgspec.Struct):
    node: int
    rows: list[Row]


class Added(msgspec.Struct):
    parent: int
    after: int
    rows: list[Row]


class Told(msgspec.Struct):
    scroll: tuple[float, float]
    size: tuple[float, float]
    removed: list[int]
    texts: list[Text]
    attributes: list[Attributes]
    replaced: list[Replaced]
    styled: list[Styled]
    states: list[State]
    moved: list[Moved]
    added: list[Added]
    count: int
    #: The number of this look.
    look: int
