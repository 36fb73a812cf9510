"""Nodes of one document by backend node id: what stands in the columns, and where.

The reply of `DOMSnapshot.captureSnapshot` is columns, not nodes; it stays that way. A page has ten
times more nodes than anybody asks about, so a fact is looked up when it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from cdp_agent.snapshot.columns import Box, DocumentColumns, Ints
from cdp_agent.snapshot.places import places_of
from cdp_agent.snapshot.registers import REGISTERED, Registers

_ELEMENT, _TEXT = 1, 3


class DomTable:
    """One document's columns, and the registers that are carried on from look to look."""

    def __init__(self, document: DocumentColumns, strings: list[str]) -> None:
        self.document = document
        self._nodes = document.nodes
        self.strings = strings
        self.scroll = (document.scrollOffsetX, document.scrollOffsetY)
        self._names: dict[int, str] = {}
        self._marked_by: dict[str, set[int]] = {}
        self.content_size = (document.contentWidth, document.contentHeight)

    @cached_property
    def _index(self) -> Mapping[int, int]:
        return places_of(self._nodes.backendNodeId)

    @cached_property
    def _rows(self) -> Ints:
        """For each node its first row among the layout columns, or -1."""
        rows = [-1] * len(self._nodes.nodeType)
        indices = self.document.layout.nodeIndex
        for row in range(len(indices) - 1, -1, -1):
            rows[indices[row]] = row
        return Ints(rows)

    @cached_property
    def registers(self) -> Registers:
        made = Registers()
        nodes, layout, strings = self._nodes, self.document.layout, self.strings
        rows = self._rows
        telling = {number for number, text in enumerate(strings) if text in REGISTERED}
        # Elements are of few tags and styles: what those amount to is worked out once for each.
        plain: set[tuple[int, ...]] = set()
        for index, kind in enumerate(nodes.nodeType):
            if kind != _ELEMENT:
                continue
            flat, row = nodes.attributes[index], rows[index]
            numbers = layout.styles[row] if row >= 0 else ()
            key = (nodes.nodeName[index], *numbers)
            if key in plain and (not flat or telling.isdisjoint(flat)):
                continue
            backend, tag = nodes.backendNodeId[index], self._name(index)
            styles = [strings[n] if n >= 0 else "" for n in numbers]
            if not made.add(backend, tag, self.attributes(backend), styles):
                plain.add(key)
        return made

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Where each string stands among the strings."""
        return {text: number for number, text in enumerate(self.strings)}

    @cached_property
    def _clickable(self) -> frozenset[int]:
        return frozenset(self._nodes.isClickable.index)

    def carry(self, older: DomTable, *, same_shape: bool) -> None:
        """Take over what is known of an earlier state with the same strings."""
        self._names = older._names
        self.__dict__["numbers"] = older.numbers
        if same_shape:
            for name in ("_index", "_rows", "_siblings", "_clickable"):
                if name in older.__dict__:
                    self.__dict__[name] = older.__dict__[name]

    def renumber(self, new: Mapping[int, int], gone: Iterable[int]) -> None:
        """Other nodes stand where some stood that went."""
        if not new:
            return
        if not isinstance(self._index, dict):
            del self.__dict__["_index"]  # it is found anew when it is wanted
            return
        index = self.__dict__["_index"] = {**self._index, **new}
        for backend in gone:
            index.pop(backend, None)

    def child_count(self, backend_node_id: int) -> int:
        return len(self.children_at(self._index.get(backend_node_id, -1)))

    def clickable_ids(self) -> set[int]:
        ids = self._nodes.backendNodeId
        return {ids[index] for index in self._nodes.isClickable.index}

    def layout_row(self, backend_node_id: int) -> int | None:
        """The number of its first row among the layout columns; None where it has no layout."""
        index = self._index.get(backend_node_id, -1)
        row = self._rows[index] if index >= 0 else -1
        return row if row >= 0 else None

    def is_element(self, backend_node_id: int) -> bool:
        return self._nodes.nodeType[self._index[backend_node_id]] == _ELEMENT

    def styles_of(self, backend_node_id: int) -> list[str] | None:
        """As in `COMPUTED_STYLES`; None where it is not rendered."""
        row = self.layout_row(backend_node_id)
        numbers = self.document.layout.styles[row] if row is not None else []
        return [self.strings[n] if n >= 0 else "" for n in numbers] or None

    def texts_in(self, backend_node_id: int) -> list[int]:
        """Texts that stand directly in a node."""
        top = self._index.get(backend_node_id, -1)
        return [
            self._nodes.backendNodeId[index]
            for index in self.children_at(top)
            if self._nodes.nodeType[index] == _TEXT
        ]

    def elements_in_order(self) -> list[int]:
        """All elements, without what CSS writes before and after them."""
        nodes = self._nodes
        written = {n for n, text in enumerate(self.strings) if text.startswith("::")}
        rows = zip(nodes.backendNodeId, nodes.nodeType, nodes.nodeName, strict=True)
        return [one for one, kind, name in rows if kind == _ELEMENT and name not in written]

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
        return self._rows[index] >= 0

    @property
    def layout_rows(self) -> Ints:
        """For each node its first row among the layout columns, or -1."""
        return self._rows

    def shown_text(self, index: int) -> str:
        """The words of a text, or of what CSS writes, as they are rendered where they are."""
        row = self._rows[index]
        numbers = self._split_texts.get(index)
        if numbers is None:
            number = self.document.layout.text[row] if row >= 0 else -1
            numbers = [number if number >= 0 else self._nodes.nodeValue[index]]
        return "".join([self.strings[number] for number in numbers if number >= 0])

    @cached_property
    def _split_texts(self) -> dict[int, list[int]]:
        """Index of a node with several boxes → the words in each."""
        layout = self.document.layout
        found: dict[int, list[int]] = {}
        for row, (index, number) in enumerate(zip(layout.nodeIndex, layout.text, strict=True)):
            if number >= 0 and self._rows[index] != row:
                first = layout.text[self._rows[index]]
                found.setdefault(index, [first] if first >= 0 else []).append(number)
        return found

    def held(self, index: int) -> str | None:
        """What is in a field; None: it is none."""
        number = self._held.get(index)
        return None if number is None else self.strings[number] if number >= 0 else ""

    @cached_property
    def _held(self) -> dict[int, int]:
        inputs, areas = self._nodes.inputValue, self._nodes.textValue
        return {
            **dict(zip(inputs.index, inputs.value, strict=True)),
            **dict(zip(areas.index, areas.value, strict=True)),
        }

    def children_at(self, index: int) -> list[int]:
        """Indices of what stands right in the node with this index; none for -1."""
        found: list[int] = []
        first, following = self._siblings
        child = first[index] if index >= 0 else -1
        while child >= 0:
            found.append(child)
            child = following[child]
        return found

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
        row = self.layout_row(backend_node_id)
        return None if row is None else self.document.layout.bounds[row]

    def position(self, backend_node_id: int) -> int:
        """Its place in document order; -1 where it is not known."""
        return self._index.get(backend_node_id, -1)

    @cached_property
    def _siblings(self) -> tuple[Ints, Ints]:
        """For each node what stands first in it, and what follows it where it stands; or -1."""
        parents = self._nodes.parentIndex
        first, following = [-1] * len(parents), [-1] * len(parents)
        for index in range(len(parents) - 1, -1, -1):
            parent = parents[index]
            if parent >= 0:
                following[index] = first[parent]
                first[parent] = index
        return Ints(first), Ints(following)
