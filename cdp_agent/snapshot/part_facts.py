"""Layout facts of some nodes of a document, in the columns that those of a whole one have. Pure.

`parts.js` chooses the nodes; Chromium serializes them with their backend node ids, tags, attributes
and texts, and the script adds what it measured.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cdp_agent.snapshot.columns import Boxes, Ints
from cdp_agent.snapshot.dom import (
    DocumentColumns,
    DomFacts,
    LayoutColumns,
    NodeColumns,
    RareBoolean,
)

_ELEMENT, _TEXT = 1, 3
#: Elements that a page may attach a shadow root to, besides those of its own making.
_HOSTS = frozenset(
    {"article", "aside", "blockquote", "body", "div", "footer", "header", "main", "nav", "p"}
    | {"section", "span", "h1", "h2", "h3", "h4", "h5", "h6"}
)


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
        """What the page keeps in a closed shadow root; the browser's own look the same."""
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


class Measured(msgspec.Struct):
    """What `parts.js` says of its nodes, by their place in the list."""

    parent: list[int]
    #: For an element: the how-manieth of its name among all its siblings, shown or not.
    nth: list[int]
    #: Place, box in the document, and styles of those that are rendered.
    rows: list[Row]
    #: Texts that the accessibility tree has in the same words.
    plain: list[int]
    #: Nodes some of whose children were left out.
    partial: list[int]
    #: Nodes that the accessibility tree seldom has.
    later: list[int]
    #: List items that have nothing made by CSS in them but their marker.
    marker: list[int]
    #: Elements that answer clicks by what they are, and those that are disabled.
    active: list[int]
    dead: list[int]
    #: Hosts of shadow roots that were looked into.
    hosts: list[int]
    scroll: tuple[float, float]
    content: tuple[float, float]
    #: All elements of the document.
    count: int
    #: Elements that are shown in a slot, the slot, and the how-manieth of its name each is there.
    slotted: list[tuple[int, int, int]] = []
    #: Set when more was found than is shown: how much is shown.
    cut: int = 0
    #: Places of nodes with a number that grows when the accessibility tree may show them otherwise
    #: although all else about them is the same.
    marks: list[tuple[int, int]] = []
    #: Elements that something names or describes which is not among these nodes.
    distant: list[int] = []
    #: The place of what has the focus; -1: it is not among them.
    focus: int = -1
    #: As of `vitals.js`, for these nodes.
    vitals: str = ""
    #: Whether all that the tree may show of them can be told from the above.
    steady: bool = False


class PartFacts(DomFacts):
    """Like the facts of a whole document, for what is shown of a large one."""

    def __init__(self, document: DocumentColumns, strings: list[str], measured: Measured) -> None:
        super().__init__(document, strings)
        self._nth = measured.nth
        self._slotted = {index: (slot, nth) for index, slot, nth in measured.slotted}
        self.partial = frozenset(document.nodes.backendNodeId[index] for index in measured.partial)

    def _step(self, index: int) -> str:
        _, nth = self._slotted.get(index, (0, self._nth[index]))
        return f"{self._name(index)}[{nth}]"

    def _above(self, index: int) -> int:
        slot, _ = self._slotted.get(index, (super()._above(index), 0))
        return slot


class _Strings:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def part_facts(nodes: list[DeepNode], measured: Measured, listening: Iterable[int]) -> PartFacts:
    """Facts of these nodes; `listening` are backend node ids of what has listeners for clicks."""
    strings = _Strings()
    number = strings.number
    attributes = [
        tuple([n for pair in (node.attributes or {}).items() for n in map(number, pair)])
        for node in nodes
    ]
    listens = set(listening)
    active, dead = set(measured.active), set(measured.dead)
    columns = NodeColumns(
        parentIndex=Ints(measured.parent),
        nodeType=Ints(node.nodeType for node in nodes),
        nodeName=Ints(number(_name(node)) for node in nodes),
        nodeValue=Ints(number(n.nodeValue) if n.nodeType == _TEXT else -1 for n in nodes),
        backendNodeId=Ints(node.backendNodeId for node in nodes),
        attributes=attributes,
        isClickable=RareBoolean(
            Ints(
                index
                for index, node in enumerate(nodes)
                if index not in dead and (index in active or _takes_clicks(node, listens))
            )
        ),
    )
    layout = LayoutColumns(
        nodeIndex=Ints(row[0] for row in measured.rows),
        bounds=Boxes(row[1:5] for row in measured.rows),
        styles=[(*map(number, row[5:11]), -1) for row in measured.rows],
        text=Ints([-1] * len(measured.rows)),
    )
    (left, top), (width, height) = measured.scroll, measured.content
    document = DocumentColumns(-1, columns, layout, left, top, width, height)
    return PartFacts(document, list(strings.numbers), measured)


def _name(node: DeepNode) -> str:
    return node.localName or ("#text" if node.nodeType == _TEXT else "#document")


def _takes_clicks(node: DeepNode, listens: set[int]) -> bool:
    """As Chromium counts it: by a listener, or by what the element is."""
    if node.nodeType != _ELEMENT:
        return False
    attributes = node.attributes or {}
    if node.backendNodeId in listens:
        return True
    return node.localName in ("a", "area") and "href" in attributes
