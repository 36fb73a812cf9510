"""One document's nodes by backend node id, looked up in the columns of a capture.

A page has ten times more nodes than anybody asks about, so the columns stay columns and a fact is
looked up when it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from cdp_agent.snapshot.dom.attribute_index import INDEXED, INDEXED_STYLES, AttributeIndex
from cdp_agent.snapshot.dom.columns import Box, BoxSides, DocumentColumns

_ELEMENT, _DOCUMENT, _FRAGMENT = 1, 9, 11


class DomTable:
    """Columns of one document, with the indexes over them."""

    def __init__(self, document: DocumentColumns, strings: list[str]) -> None:
        self.document = document
        self._nodes = document.nodes
        self.strings = strings
        self.scroll = (document.scrollOffsetX, document.scrollOffsetY)
        self.content_size = (document.contentWidth, document.contentHeight)
        self._tags: dict[int, str] = {}
        self._indices_by_attribute: dict[str, set[int]] = {}

    # -- indexes ----------------------------------------------------------------------------------

    def share_indexes(self, other: DomTable, *, same_elements: bool) -> None:
        """Take over the indexes of a capture with the same nodes and layout rows.

        `same_elements`: also with the same attributes and styles.
        """
        names = ["_index", "_siblings", "layout_rows"]
        if same_elements:
            names.append("attribute_index")
        for name in names:
            if name in other.__dict__:
                self.__dict__[name] = other.__dict__[name]

    @cached_property
    def _index(self) -> dict[int, int]:
        """Backend node id → index in the columns."""
        ids = self._nodes.backendNodeId
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def layout_rows(self) -> list[int]:
        """For each node its first row among the layout columns, or -1."""
        rows = [-1] * len(self._nodes.nodeType)
        indices = self.document.layout.nodeIndex
        for row in range(len(indices) - 1, -1, -1):
            rows[indices[row]] = row
        return rows

    @cached_property
    def attribute_index(self) -> AttributeIndex:
        index = AttributeIndex()
        nodes, layout, strings = self._nodes, self.document.layout, self.strings
        rows = self.layout_rows
        indexed = {number for number, text in enumerate(strings) if text in INDEXED}
        # Elements share few tags and styles: whether those matter is decided once for each.
        unremarkable: set[tuple[int, ...]] = set()
        for i, kind in enumerate(nodes.nodeType):
            if kind != _ELEMENT:
                continue
            flat, row = nodes.attributes[i], rows[i]
            numbers = layout.styles[row][:INDEXED_STYLES] if row >= 0 else ()
            key = (nodes.nodeName[i], *numbers)
            if key in unremarkable and (not flat or indexed.isdisjoint(flat)):
                continue
            styles = [strings[n] if n >= 0 else "" for n in numbers]
            backend = nodes.backendNodeId[i]
            if not index.add(backend, self.tag_at(i), self.attributes_at(i), styles):
                unremarkable.add(key)
        return index

    @cached_property
    def _clickable(self) -> frozenset[int]:
        return frozenset(self._nodes.isClickable.index)

    @cached_property
    def _siblings(self) -> tuple[list[int], list[int]]:
        """For each node its first child, and its next sibling; -1 for none."""
        parents = self._nodes.parentIndex
        first, following = [-1] * len(parents), [-1] * len(parents)
        for index in range(len(parents) - 1, -1, -1):
            parent = parents[index]
            if parent >= 0:
                following[index] = first[parent]
                first[parent] = index
        return first, following

    # -- by index ---------------------------------------------------------------------------------

    def tag_at(self, index: int) -> str:
        number = self._nodes.nodeName[index]
        tag = self._tags.get(number)
        if tag is None:
            tag = self._tags[number] = self.strings[number].lower() if number >= 0 else ""
        return tag

    def attributes_at(self, index: int) -> dict[str, str]:
        flat = self._nodes.attributes[index] if index < len(self._nodes.attributes) else ()
        text = self.strings
        return {
            text[flat[i]]: text[flat[i + 1]] if flat[i + 1] >= 0 else ""
            for i in range(0, len(flat) - 1, 2)
        }

    def has_layout(self, index: int) -> bool:
        return self.layout_rows[index] >= 0

    def children_at(self, index: int) -> list[int]:
        """Indices of the children of the node with this index; none for -1."""
        children: list[int] = []
        first, following = self._siblings
        child = first[index] if index >= 0 else -1
        while child >= 0:
            children.append(child)
            child = following[child]
        return children

    def subtree(self, index: int) -> Iterator[int]:
        """The node with this index and everything below it."""
        waiting = [index]
        while waiting:
            current = waiting.pop()
            yield current
            waiting.extend(self.children_at(current))

    # -- by backend node id -----------------------------------------------------------------------

    def __contains__(self, backend_node_id: int) -> bool:
        return backend_node_id in self._index

    def position(self, backend_node_id: int) -> int:
        """Its index, which is its position in document order; -1 where it is not known."""
        return self._index.get(backend_node_id, -1)

    def tag(self, backend_node_id: int) -> str:
        index = self._index.get(backend_node_id)
        return "" if index is None else self.tag_at(index)

    def attributes(self, backend_node_id: int) -> dict[str, str]:
        index = self._index.get(backend_node_id)
        return {} if index is None else self.attributes_at(index)

    def parent(self, backend_node_id: int) -> int:
        """The backend node id of its parent; 0 for the document, and where unknown."""
        index = self._index.get(backend_node_id, -1)
        parent = self._nodes.parentIndex[index] if index >= 0 else -1
        return self._nodes.backendNodeId[parent] if parent >= 0 else 0

    def sides(self, backend_node_id: int) -> BoxSides | None:
        """Its box in the document's own coordinates, or None where it has no layout."""
        index = self._index.get(backend_node_id, -1)
        row = self.layout_rows[index] if index >= 0 else -1
        return self.document.layout.bounds[row] if row >= 0 else None

    def bounds(self, backend_node_id: int) -> Box | None:
        """The same, with names."""
        sides = self.sides(backend_node_id)
        return Box(*sides) if sides is not None else None

    def contains(self, ancestor: int, descendant: int) -> bool:
        """Returns whether one node is, or stands below, another in the DOM."""
        top = self._index.get(ancestor)
        return top is not None and self.is_inside(self._index.get(descendant, -1), {top})

    def is_inside(self, index: int, tops: Iterable[int]) -> bool:
        """Returns whether the node with this index is, or stands below, one of those with these."""
        parents = self._nodes.parentIndex
        while index >= 0:
            if index in tops:
                return True
            index = parents[index]
        return False

    # -- paths ------------------------------------------------------------------------------------

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
                steps.append(self.path_step(index))
            index = self.parent_in_path(index)
        return "/" + "/".join(reversed(steps))

    def parent_in_path(self, index: int) -> int:
        """The parent of a node; of what is shown in a slot, the slot."""
        return self._nodes.parentIndex[index]

    def path_step(self, index: int) -> str:
        parent = self._nodes.parentIndex[index]
        numbers = self._numbers_by_parent.get(parent)
        if numbers is None:
            # For all children at once: counting them for each of thousands takes seconds.
            counts: dict[str, int] = {}
            numbers = self._numbers_by_parent[parent] = {}
            for child in self.children_at(parent):
                if self._nodes.nodeType[child] == _ELEMENT:
                    name = self.tag_at(child)
                    numbers[child] = counts[name] = counts.get(name, 0) + 1
        return f"{self.tag_at(index)}[{numbers.get(index, 0)}]"

    @cached_property
    def _numbers_by_parent(self) -> dict[int, dict[int, int]]:
        """Parent → child → its number among the children of its tag; filled when asked for."""
        return {}
