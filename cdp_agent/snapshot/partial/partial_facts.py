"""Layout facts of chosen nodes of a document, in the columns of a whole capture. Pure.

`partial.js` chooses the nodes; Chromium serializes them with their backend node ids, tags,
attributes and texts, and the script adds what it measured.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cdp_agent.snapshot.dom.columns import (
    COMPUTED_STYLES,
    DocumentColumns,
    LayoutColumns,
    NodeColumns,
    RareBoolean,
)
from cdp_agent.snapshot.dom.facts import DomFacts

_ELEMENT, _TEXT = 1, 3
#: Elements that a page may attach a shadow root to, besides those of its own making.
_HOSTS = frozenset(
    {"article", "aside", "blockquote", "body", "div", "footer", "header", "main", "nav", "p"}
    | {"section", "span", "h1", "h2", "h3", "h4", "h5", "h6"}
)


#: Styles of a whole capture that the script does not read.
_NOT_MEASURED = (-1,) * (len(COMPUTED_STYLES) - 6)


class DeepNode(msgspec.Struct, gc=False):
    """A node as `Runtime.evaluate` serializes it."""

    nodeType: int = 0
    backendNodeId: int = 0
    localName: str = ""
    nodeValue: str = ""
    mode: str = ""
    attributes: dict[str, str] | None = None
    shadowRoot: DeepItem | None = None

    @property
    def closed_root(self) -> DeepNode | None:
        """The closed shadow root that the page attached; not one of the browser's own."""
        root = self.shadowRoot.value if self.shadowRoot is not None else None
        if not isinstance(root, DeepNode) or root.mode != "closed":
            return None
        return root if "-" in self.localName or self.localName in _HOSTS else None


class DeepItem(msgspec.Struct, gc=False):
    type: str = ""
    value: DeepNode | str | None = None


class DeepArray(msgspec.Struct):
    type: str = ""
    value: list[DeepItem] = []


class DeepObject(msgspec.Struct):
    objectId: str = ""
    deepSerializedValue: DeepArray | None = None


class DeepReply(msgspec.Struct):
    result: DeepObject = msgspec.field(default_factory=DeepObject)
    exceptionDetails: msgspec.Raw | None = None


Row = tuple[int, float, float, float, float, str, str, str, str, str, str]


class Measurements(msgspec.Struct):
    """The report of `partial.js` on its nodes, by their index in the list."""

    parent: list[int]
    #: The number of an element among all its siblings of its tag, chosen or not.
    nth: list[int]
    #: Index, box in the document, and styles of those that are rendered.
    rows: list[Row]
    #: Texts that the accessibility tree has unchanged.
    plain: list[int]
    #: Nodes with children that were not chosen.
    partial: list[int]
    #: Nodes that the accessibility tree seldom has: asked for when it names them.
    later: list[int]
    #: List items whose only generated content is their marker.
    marker: list[int]
    #: Elements that answer clicks by their kind, and disabled ones.
    active: list[int]
    disabled: list[int]
    #: Hosts of shadow roots that were walked.
    hosts: list[int]
    scroll: tuple[float, float]
    content: tuple[float, float]
    #: All elements of the document.
    count: int
    #: Slotted elements, their slot, and their number among those of their tag in it.
    slotted: list[tuple[int, int, int]] = []
    #: Set when a search found more than is shown: how much is shown.
    cut: int = 0
    #: Indices of nodes with a version that grows when something changed that only the
    #: accessibility tree shows.
    versions: list[tuple[int, int]] = []
    #: Elements that are named or described by a node that was not chosen.
    distant: list[int] = []
    #: The index of the element with the focus; -1: it was not chosen.
    focus: int = -1
    #: As in `DocumentState`, for these nodes.
    focus_holder: str = ""
    states: str = ""
    #: Whether the above shows every change that may affect the accessibility tree.
    comparable: bool = False


class PartialFacts(DomFacts):
    """Layout facts of the chosen nodes of a document."""

    def __init__(
        self, document: DocumentColumns, strings: list[str], measured: Measurements
    ) -> None:
        super().__init__(document, strings)
        self._nth = measured.nth
        self._slotted = {index: (slot, nth) for index, slot, nth in measured.slotted}

    def path_step(self, index: int) -> str:
        _, nth = self._slotted.get(index, (0, self._nth[index]))
        return f"{self.tag_at(index)}[{nth}]"

    def parent_in_path(self, index: int) -> int:
        slot, _ = self._slotted.get(index, (super().parent_in_path(index), 0))
        return slot


class _Strings:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def partial_facts(
    nodes: list[DeepNode], measured: Measurements, listening: Iterable[int]
) -> PartialFacts:
    """Facts of these nodes; `listening` are backend ids of elements with click listeners."""
    strings = _Strings()
    number = strings.number
    attributes = [
        tuple([n for pair in (node.attributes or {}).items() for n in map(number, pair)])
        for node in nodes
    ]
    listens = set(listening)
    active, disabled = set(measured.active), set(measured.disabled)
    columns = NodeColumns(
        parentIndex=measured.parent,
        nodeType=[node.nodeType for node in nodes],
        nodeName=[number(_name(node)) for node in nodes],
        nodeValue=[number(n.nodeValue) if n.nodeType == _TEXT else -1 for n in nodes],
        backendNodeId=[node.backendNodeId for node in nodes],
        attributes=attributes,
        isClickable=RareBoolean(
            [
                index
                for index, node in enumerate(nodes)
                if index not in disabled and (index in active or _takes_clicks(node, listens))
            ]
        ),
    )
    layout = LayoutColumns(
        nodeIndex=[row[0] for row in measured.rows],
        bounds=[row[1:5] for row in measured.rows],
        styles=[(*map(number, row[5:11]), *_NOT_MEASURED) for row in measured.rows],
        text=[-1] * len(measured.rows),
    )
    (left, top), (width, height) = measured.scroll, measured.content
    document = DocumentColumns(-1, columns, layout, left, top, width, height)
    return PartialFacts(document, list(strings.numbers), measured)


def _name(node: DeepNode) -> str:
    return node.localName or ("#text" if node.nodeType == _TEXT else "#document")


def _takes_clicks(node: DeepNode, listens: set[int]) -> bool:
    """Returns whether it is clickable as in a whole capture: by a listener, or as a link."""
    if node.nodeType != _ELEMENT:
        return False
    attributes = node.attributes or {}
    if node.backendNodeId in listens:
        return True
    return node.localName in ("a", "area") and "href" in attributes
