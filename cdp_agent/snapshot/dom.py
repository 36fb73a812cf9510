"""Layout facts of one document from `DOMSnapshot.captureSnapshot`, looked up by backend node id."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from cdp_agent.snapshot.columns import (
    COMPUTED_STYLES,
    Box,
    DocumentColumns,
    DomCapture,
    LayoutColumns,
    NodeColumns,
    RareBoolean,
    RareInteger,
)
from cdp_agent.snapshot.dom_table import DomTable

__all__ = [
    "COMPUTED_STYLES",
    "CONTROL_ROLES",
    "Box",
    "DocumentColumns",
    "DomCapture",
    "DomFacts",
    "LayoutColumns",
    "NodeColumns",
    "RareBoolean",
    "RareInteger",
    "documents_by_frame",
]

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


class DomFacts(DomTable):
    """One document's facts: the questions that the snapshot asks."""

    @property
    def has_shadow_roots(self) -> bool:
        return bool(self._nodes.shadowRootType.index)

    @property
    def holds_documents(self) -> bool:
        """Whether frames of the same process stand in it."""
        return bool(self._nodes.contentDocumentIndex.index)

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
            waiting.extend(self.children_at(one))

    def in_labels(self, backends: Iterable[int]) -> Iterator[int]:
        """Those of them that stand in a label."""
        for backend in backends:
            around = backend
            while around and self.tag(around) != "label":
                around = self.parent(around)
            if around:
                yield backend

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
        row = self._rows[index]
        styles = self.document.layout.styles[row] if row >= 0 else ()
        return self.strings[styles[which]] if len(styles) > which and styles[which] >= 0 else ""

    def _is_visible(self, index: int) -> bool:
        return self._style(index, 3) in ("", "visible")

    def is_scrollable(self, backend_node_id: int) -> bool:
        """It scrolls, and has more below than it shows."""
        index = self._index.get(backend_node_id, -1)
        if index < 0 or self._style(index, 1) not in ("auto", "scroll"):
            return False
        box = self.bounds(backend_node_id)
        below = (self.bounds(self._nodes.backendNodeId[child]) for child in self.children_at(index))
        return box is not None and any(b and b.y + b.height > box.y + box.height for b in below)

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
        if not self.registers.pointers:
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

    def unspoken_clickables(self, known: set[int]) -> list[int]:
        """Rendered elements that listen for clicks and are not in `known`, in document order."""
        found = []
        for index in self._nodes.isClickable.index:
            backend = self._nodes.backendNodeId[index]
            if backend in known or self._rows[index] < 0 or not self._is_visible(index):
                continue
            if self._nodes.nodeType[index] == _ELEMENT and not self._is_hidden_from_users(index):
                found.append(backend)
        return found

    def put_off(self) -> list[int]:
        """Controls that `content-visibility: auto` keeps out of layout until they come near.

        The accessibility tree does not know them; a person who scrolls will meet them.
        """
        later = [self._index[backend] for backend in self.registers.put_off]
        found = []
        waiting = [child for index in later for child in self.children_at(index)]
        while waiting:
            index = waiting.pop()
            if self._rows[index] >= 0:
                continue  # near enough, and known
            waiting.extend(self.children_at(index))
            backend = self._nodes.backendNodeId[index]
            if self._name(index) in _CONTROLS and not self._is_hidden_from_users(index):
                found.append(backend)
        return sorted(found, key=self.position)

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
            waiting.extend(reversed(self.children_at(index)))
        return " ".join(words)

    def silent_pointers(self, known: set[int], containers: set[int]) -> list[int]:
        """Outermost elements with a hand cursor and a box, not in, around or inside `known`.

        `containers` of those may hold more: a bar that listens for the clicks on its icons.
        """
        candidates = [one for one in self.registers.pointers - known if self._is_silent(one)]
        if not candidates:
            return []
        spoken = {self._index[backend] for backend in known if backend in self._index}
        around: set[int] = set()
        for index in spoken:
            while index >= 0 and index not in around:
                around.add(index)
                index = self._nodes.parentIndex[index]
        closed = {self._index[one] for one in known - containers if one in self._index}
        return [
            backend
            for backend in sorted(candidates, key=self.position)
            if self._index[backend] not in around
            and not self._stands_in(self._index[backend], closed)
        ]

    def _is_silent(self, backend: int) -> bool:
        """Whether it is the outermost with a hand cursor, can be seen and is meant for people."""
        if self.parent_has_pointer(backend):
            return False
        box = self.bounds(backend)
        if box is None or box.width < 2 or box.height < 2:
            return False
        index = self._index[backend]
        return self._is_visible(index) and not self._is_hidden_from_users(index)

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
        below = -1
        while index >= 0:
            attributes = self.attributes(self._nodes.backendNodeId[index])
            if attributes.get("aria-hidden") == "true" or "inert" in attributes:
                return True
            if below >= 0 and self._puts_away(index, below, attributes):
                return True
            index, below = self._nodes.parentIndex[index], index
        return False

    def _puts_away(self, index: int, below: int, attributes: dict[str, str]) -> bool:
        """Whether an element keeps what stands in it out of sight, boxes or no boxes."""
        if self._style(index, 2) == "hidden":
            return True
        if self._name(index) != "details" or "open" in attributes:
            return False
        inside = self.children_at(index)
        return below != next((one for one in inside if self._name(one) == "summary"), -1)

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
            index = self._above(index)
        return "/" + "/".join(reversed(steps))

    def _above(self, index: int) -> int:
        """What a node stands in; what is shown in a slot stands in that."""
        return self._nodes.parentIndex[index]

    def _step(self, index: int) -> str:
        parent = self._nodes.parentIndex[index]
        places = self._places.get(parent)
        if places is None:
            # Of all children at once: to count them for each of thousands takes seconds.
            counts: dict[str, int] = {}
            places = self._places[parent] = {}
            for child in self.children_at(parent):
                if self._nodes.nodeType[child] == _ELEMENT:
                    name = self._name(child)
                    places[child] = counts[name] = counts.get(name, 0) + 1
        return f"{self._name(index)}[{places.get(index, 0)}]"

    @cached_property
    def _places(self) -> dict[int, dict[int, int]]:
        """Node → which of its kind each element right in it is; filled when asked for."""
        return {}


def documents_by_frame(capture: DomCapture) -> dict[str, DomFacts]:
    """Facts of every document in a capture, by frame id."""
    return {
        capture.strings[document.frameId]: DomFacts(document, capture.strings)
        for document in capture.documents
        if document.frameId >= 0
    }
