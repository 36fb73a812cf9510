"""Layout facts of one document from `DOMSnapshot.captureSnapshot`, looked up by backend node id.

The reply is columns, not nodes; it stays that way. A page has ten times more nodes than anybody
asks about, so a fact is looked up when it is wanted.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property
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

#: Elements that are controls by themselves, and the role each has.
CONTROL_ROLES = {
    "a": "link",
    "button": "button",
    "input": "textbox",
    "select": "combobox",
    "textarea": "textbox",
    "summary": "button",
}
_CONTROLS = frozenset(CONTROL_ROLES)

_ELEMENT, _TEXT, _DOCUMENT, _FRAGMENT = 1, 3, 9, 11


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


class DomFacts:
    """One document's columns with the look-ups that the snapshot needs."""

    def __init__(self, document: DocumentColumns, strings: list[str]) -> None:
        self.document = document
        self._nodes = document.nodes
        self.strings = strings
        self.scroll = (document.scrollOffsetX, document.scrollOffsetY)
        self._names: dict[int, str] = {}
        self._marked_by: dict[str, set[int]] = {}
        self.content_size = (document.contentWidth, document.contentHeight)

    @cached_property
    def _index(self) -> dict[int, int]:
        ids = self._nodes.backendNodeId
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _layout(self) -> dict[int, int]:
        indices = self.document.layout.nodeIndex
        return dict(zip(reversed(indices), range(len(indices) - 1, -1, -1), strict=True))

    @cached_property
    def _clickable(self) -> frozenset[int]:
        return frozenset(self._nodes.isClickable.index)

    def __contains__(self, backend_node_id: int) -> bool:
        return backend_node_id in self._index

    def tag(self, backend_node_id: int) -> str:
        index = self._index.get(backend_node_id)
        return "" if index is None else self._name(index)

    def _name(self, index: int) -> str:
        number = self._nodes.nodeName[index]
        name = self._names.get(number)
        if name is None:
            name = self._names[number] = self.strings[number].lower() if number >= 0 else ""
        return name

    def parent(self, backend_node_id: int) -> int:
        """The backend node id of what it stands in; 0 for the document, and where unknown."""
        index = self._index.get(backend_node_id, -1)
        parent = self._nodes.parentIndex[index] if index >= 0 else -1
        return self._nodes.backendNodeId[parent] if parent >= 0 else 0

    def elements_below(self, backend_node_id: int) -> Iterator[int]:
        """Backend node ids of all that stands below a node."""
        top = self._index.get(backend_node_id, -1)
        if top >= 0:
            # A subtree is one run of the columns, which are in the order of the document.
            parents, ids = self._nodes.parentIndex, self._nodes.backendNodeId
            for index in range(top + 1, len(ids)):
                if parents[index] < top:
                    break
                yield ids[index]

    def name_at(self, index: int) -> str:
        """The tag of the node with this index."""
        return self._name(index)

    def has_layout(self, index: int) -> bool:
        return index in self._layout

    @cached_property
    def closed_hosts(self) -> dict[int, bool]:
        """Elements with something in a closed shadow root right in them.

        True: it is surely the host. False: it stands in such a root itself, and may be one too.
        """
        rows = self._nodes.shadowRootType
        closed = {kind for kind in set(rows.value) if self.strings[kind] == "closed"}
        inside = {i for i, kind in zip(rows.index, rows.value, strict=True) if kind in closed}
        parents = {self._nodes.parentIndex[index] for index in inside}
        return {self._nodes.backendNodeId[i]: i not in inside for i in parents if i >= 0}

    @property
    def has_closed_roots(self) -> bool:
        """Some of it stands in shadow roots that no script of ours finds by itself."""
        return bool(self.closed_hosts)

    def subtree(self, index: int) -> Iterator[int]:
        """The node with this index and everything below it."""
        waiting = [index]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(self._children.get(one, ()))

    def in_labels(self, backends: Iterable[int]) -> Iterator[int]:
        """Those of them that stand in a label."""
        for backend in backends:
            around = backend
            while around and self.tag(around) != "label":
                around = self.parent(around)
            if around:
                yield backend

    def with_attribute(self, name: str) -> list[tuple[int, str]]:
        """Index and value of every element that has an attribute."""
        if name not in self.strings:
            return []
        number, text = self.strings.index(name), self.strings
        return [
            (index, text[flat[i + 1]] if flat[i + 1] >= 0 else "")
            for index, flat in enumerate(self._nodes.attributes)
            if number in flat
            for i in range(0, len(flat) - 1, 2)
            if flat[i] == number
        ]

    def attributes(self, backend_node_id: int) -> dict[str, str]:
        index = self._index.get(backend_node_id)
        if index is None or index >= len(self._nodes.attributes):
            return {}
        flat = self._nodes.attributes[index]
        text = self.strings
        return {
            text[flat[i]]: text[flat[i + 1]] if flat[i + 1] >= 0 else ""
            for i in range(0, len(flat) - 1, 2)
        }

    def bounds(self, backend_node_id: int) -> Box | None:
        """Its box in the document's own coordinates, or None where it has no layout."""
        index = self._index.get(backend_node_id)
        row = None if index is None else self._layout.get(index)
        return None if row is None else Box(*self.document.layout.bounds[row])

    def is_clickable(self, backend_node_id: int) -> bool:
        """It has a listener for clicks, or is a link."""
        return self._index.get(backend_node_id) in self._clickable

    def has_pointer(self, backend_node_id: int) -> bool:
        """The cursor over it is a hand."""
        index = self._index.get(backend_node_id)
        return index is not None and self._cursor(index) == "pointer"

    def _cursor(self, index: int) -> str:
        return self._style(index, 0)

    def _style(self, index: int, which: int) -> str:
        row = self._layout.get(index)
        styles = self.document.layout.styles[row] if row is not None else []
        return self.strings[styles[which]] if len(styles) > which and styles[which] >= 0 else ""

    def _is_visible(self, index: int) -> bool:
        return self._style(index, 3) in ("", "visible")

    def is_scrollable(self, backend_node_id: int) -> bool:
        """It scrolls, and has more below than it shows."""
        index = self._index.get(backend_node_id, -1)
        if index < 0 or self._style(index, 1) not in ("auto", "scroll"):
            return False
        box = self.bounds(backend_node_id)
        below = (
            self.bounds(self._nodes.backendNodeId[child]) for child in self._children.get(index, ())
        )
        return box is not None and any(b and b.y + b.height > box.y + box.height for b in below)

    def scrollers(self) -> list[int]:
        """Elements that scroll when their content is too large: they take the focus then."""
        numbers = {n for n, text in enumerate(self.strings) if text in ("auto", "scroll")}
        layout = self.document.layout
        rows = zip(layout.nodeIndex, layout.styles, strict=False)
        found = {i for i, s in rows if len(s) > 5 and (s[1] in numbers or s[5] in numbers)}
        return [
            self._nodes.backendNodeId[index]
            for index in found
            if self._name(index) not in ("textarea", "select", "html")  # they take it anyway
        ]

    def parent_has_pointer(self, backend_node_id: int) -> bool:
        index = self._index.get(backend_node_id)
        if index is None:
            return False
        parent = self._nodes.parentIndex[index]
        while parent >= 0:
            cursor = self._cursor(parent)
            if cursor:
                return cursor == "pointer"
            parent = self._nodes.parentIndex[parent]  # no box of its own
        return False

    def pointer_owner(self, backend_node_id: int) -> int:
        """The outermost element with a hand cursor around a node, or 0."""
        if not self._pointer_rows:
            return 0
        index = self._index.get(backend_node_id, -1)
        owner = 0
        while index >= 0:
            if self._nodes.nodeType[index] == _ELEMENT:
                cursor = self._cursor(index)
                if cursor and cursor != "pointer":
                    break
                if cursor and self._name(index) not in ("html", "body"):
                    owner = self._nodes.backendNodeId[index]
            index = self._nodes.parentIndex[index]
        return owner

    @cached_property
    def _pointer_rows(self) -> list[int]:
        try:
            pointer = self.strings.index("pointer")
        except ValueError:
            return []
        return [
            row for row, style in enumerate(self.document.layout.styles) if style[:1] == [pointer]
        ]

    def unspoken_clickables(self, known: set[int]) -> list[int]:
        """Rendered elements that listen for clicks and are not in `known`, in document order."""
        found = []
        for index in self._nodes.isClickable.index:
            backend = self._nodes.backendNodeId[index]
            if backend in known or index not in self._layout or not self._is_visible(index):
                continue
            if self._nodes.nodeType[index] == _ELEMENT and not self._is_hidden_from_users(index):
                found.append(backend)
        return found

    def put_off(self) -> list[int]:
        """Controls that `content-visibility: auto` keeps out of layout until they come near.

        The accessibility tree does not know them; a person who scrolls will meet them.
        """
        rows = enumerate(self.document.layout.styles)
        later = [self.document.layout.nodeIndex[row] for row, _ in rows if self._is_auto(row)]
        found = []
        waiting = [child for index in later for child in self._children.get(index, ())]
        while waiting:
            index = waiting.pop()
            if index in self._layout:
                continue  # near enough, and known
            waiting.extend(self._children.get(index, ()))
            backend = self._nodes.backendNodeId[index]
            if self._name(index) in _CONTROLS and not self._is_hidden_from_users(index):
                found.append(backend)
        return sorted(found, key=self.position)

    def _is_auto(self, row: int) -> bool:
        styles = self.document.layout.styles[row]
        return len(styles) > 2 and styles[2] >= 0 and self.strings[styles[2]] == "auto"

    def text(self, backend_node_id: int, limit: int = 1000) -> str:
        """The words below a node, in document order."""
        top = self._index.get(backend_node_id, -1)
        words: list[str] = []
        waiting = [top] if top >= 0 else []
        while waiting and limit > 0:
            index = waiting.pop()
            value = self._nodes.nodeValue[index] if self._nodes.nodeType[index] == _TEXT else -1
            if value >= 0:
                words.append(self.strings[value])
                limit -= len(words[-1])
            waiting.extend(reversed(self._children.get(index, ())))
        return " ".join(words)

    def silent_pointers(self, known: set[int], containers: set[int]) -> list[int]:
        """Outermost elements with a hand cursor and a box, not in, around or inside `known`.

        `containers` of those may hold more: a bar that listens for the clicks on its icons.
        """
        rows = self._pointer_rows
        if not rows:
            return []
        spoken = {self._index[backend] for backend in known if backend in self._index}
        around: set[int] = set()
        for index in spoken:
            while index >= 0 and index not in around:
                around.add(index)
                index = self._nodes.parentIndex[index]
        closed = {self._index[one] for one in known - containers if one in self._index}
        found = []
        for row in rows:
            index = self.document.layout.nodeIndex[row]
            if index in around or self._nodes.nodeType[index] != _ELEMENT:
                continue
            backend = self._nodes.backendNodeId[index]
            _, _, width, height = self.document.layout.bounds[row]
            if width < 2 or height < 2 or self.parent_has_pointer(backend):
                continue
            if not self._is_visible(index):
                continue
            if not self._is_hidden_from_users(index) and not self._stands_in(index, closed):
                found.append(backend)
        return found

    def _stands_in(self, index: int, tops: set[int]) -> bool:
        while index >= 0:
            if index in tops:
                return True
            index = self._nodes.parentIndex[index]
        return False

    def stands_in_any(self, backend_node_id: int, tops: Container[int]) -> bool:
        """Whether it is, or stands below, one of these nodes."""
        index = self._index.get(backend_node_id, -1)
        while index >= 0:
            if self._nodes.backendNodeId[index] in tops:
                return True
            index = self._nodes.parentIndex[index]
        return False

    def stands_in_marked(self, backend_node_id: int, attribute: str) -> bool:
        """Whether it is, or stands below, an element with this attribute."""
        tops = self._marked(attribute)
        return bool(tops) and self._stands_in(self._index.get(backend_node_id, -1), tops)

    def has_attribute(self, attribute: str) -> bool:
        """Whether any element has it."""
        return bool(self._marked(attribute))

    def _marked(self, attribute: str) -> set[int]:
        """Indices of the elements that have an attribute; most pages have not one such name."""
        known = self._marked_by.get(attribute)
        if known is None:
            known = set()
            if attribute in self.strings:
                name = self.strings.index(attribute)
                rows = enumerate(self._nodes.attributes)
                known = {index for index, flat in rows if name in flat[0::2]}
            self._marked_by[attribute] = known
        return known

    def _is_hidden_from_users(self, index: int) -> bool:
        while index >= 0:
            attributes = self.attributes(self._nodes.backendNodeId[index])
            if attributes.get("aria-hidden") == "true" or "inert" in attributes:
                return True
            index = self._nodes.parentIndex[index]
        return False

    def position(self, backend_node_id: int) -> int:
        """Its place in document order; -1 where it is not known."""
        return self._index.get(backend_node_id, -1)

    def fills_viewport(self, backend_node_id: int) -> bool:
        """It is as large as the page: a listener there serves others, it is no button."""
        box = self.bounds(backend_node_id)
        width, height = self.content_size
        return box is not None and box.width >= 0.9 * width and box.height >= 0.6 * height

    def listening_boxes(self) -> Iterator[int]:
        """What listens for clicks and is no control: by its size it may be a region or a thing."""
        for index in self._nodes.isClickable.index:
            if self._name(index) not in _CONTROLS:
                yield self._nodes.backendNodeId[index]

    def contains(self, ancestor: int, descendant: int) -> bool:
        """Whether one node is, or stands below, another in the DOM."""
        index, top = self._index.get(descendant), self._index.get(ancestor)
        if index is None or top is None:
            return False
        while index >= 0:
            if index == top:
                return True
            index = self._nodes.parentIndex[index]
        return False

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for index, parent in enumerate(self._nodes.parentIndex):
            children.setdefault(parent, []).append(index)
        return children

    def xpath(self, backend_node_id: int) -> str:
        """`/html[1]/body[1]/div[2]`; below a shadow root the step is `#shadow-root`."""
        index = self._index.get(backend_node_id)
        if index is None:
            return ""
        steps: list[str] = []
        while index >= 0 and self._nodes.nodeType[index] != _DOCUMENT:
            kind = self._nodes.nodeType[index]
            if kind == _FRAGMENT:
                steps.append("#shadow-root")
            elif kind == _ELEMENT:
                steps.append(self._step(index))
            index = self._nodes.parentIndex[index]
        return "/" + "/".join(reversed(steps))

    def _step(self, index: int) -> str:
        name = self._name(index)
        position = 0
        for sibling in self._children.get(self._nodes.parentIndex[index], ()):
            if self._nodes.nodeType[sibling] == _ELEMENT and self._name(sibling) == name:
                position += 1
                if sibling == index:
                    break
        return f"{name}[{position}]"


def documents_by_frame(capture: DomCapture) -> dict[str, DomFacts]:
    """Facts of every document in a capture, by frame id."""
    return {
        capture.strings[document.frameId]: DomFacts(document, capture.strings)
        for document in capture.documents
        if document.frameId >= 0
    }
