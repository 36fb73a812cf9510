"""Differences between two captures of one document. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cdp_agent.snapshot.dom.columns import (
    TREE_STYLES,
    DocumentColumns,
    RareInteger,
    StringIndices,
)
from cdp_agent.snapshot.dom.facts import DomFacts

#: Attributes that do not concern the accessibility of descendants: where they change how those are
#: rendered, the capture shows it at the descendants.
_NOT_INHERITED = frozenset({"id", "for", "value", "title", "href", "placeholder"})
#: Attributes that concern the tree only by how an element is rendered, which the capture shows.
_PRESENTATION = frozenset({"class", "style"})


@dataclass(slots=True)
class DomDiff:
    """Indices are those of the new capture."""

    #: Nothing differs at all, boxes and scroll positions included.
    identical: bool = False
    #: Nodes that are new or moved, or changed in a way that the accessibility tree may show: their
    #: text, attributes, rendering or form state.
    touched: set[int] = field(default_factory=set)
    #: Nodes whose children changed, or their order.
    parents: set[int] = field(default_factory=set)
    #: Of those touched: an attribute changed that may concern all descendants.
    deep: set[int] = field(default_factory=set)
    #: Nodes that are only painted otherwise, in other colours for example.
    painted: set[int] = field(default_factory=set)
    #: Nodes with other attributes, also such as no accessibility node depends on.
    attributed: set[int] = field(default_factory=set)
    #: Rendered nodes of both captures with another position or size.
    moved: set[int] = field(default_factory=set)
    #: Values of `id` and `for` that were removed from an element.
    lost_ids: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Returns whether the accessibility tree cannot have changed."""
        return not (self.touched or self.parents or self.lost_ids)

    def nodes(self, dom: DomFacts) -> frozenset[int]:
        """Backend ids of all nodes that differ in anything.

        A child of one with another look or class may be shown otherwise: its cursor is compared
        with its parent's, and the class of a list item marks the link in it as the current one.
        """
        looks = self.touched | self.painted | self.attributed
        below = {child for index in looks for child in dom.children_at(index)}
        indices = looks | below | self.parents | self.deep | self.moved
        return frozenset(dom.document.nodes.backendNodeId[index] for index in indices)


def diff_documents(old: DomFacts, new: DomFacts) -> DomDiff:
    """The differences between two captures of a document."""
    return _Comparison(old, new).run()


def _is_presentation(name: str) -> bool:
    return name in _PRESENTATION or name.startswith("data-")


def _lost_ids(name: str, old_value: str | None) -> set[str]:
    """Ids that an attribute no longer gives or names, now that it changed."""
    if old_value is None:
        return set()
    if name in ("id", "for"):
        return {old_value}
    # The former active descendant may be selected no longer.
    return set(old_value.split()) if name == "aria-activedescendant" else set()


class _Comparison:
    def __init__(self, old: DomFacts, new: DomFacts) -> None:
        self._old, self._new = old, new
        self._a, self._b = old.document, new.document
        self._table = _translation(old.strings, new.strings)
        self._same_nodes = self._a.nodes.backendNodeId == self._b.nodes.backendNodeId
        #: So many nodes at the beginning are the same: what is compared as a list is compared fast.
        self._same_first = _equal_first(
            (self._a.nodes.backendNodeId, self._b.nodes.backendNodeId),
            (self._a.nodes.parentIndex, self._b.nodes.parentIndex),
        )
        self._diff = DomDiff()
        self._same_rendering = False

    @cached_property
    def _old_index(self) -> Sequence[int]:
        """For each node its index in the old capture, or -1."""
        if self._same_nodes:
            return range(len(self._b.nodes.backendNodeId))
        first, find = self._same_first, self._old.position
        return [*range(first), *map(find, self._b.nodes.backendNodeId[first:])]

    def run(self) -> DomDiff:
        a, b, diff = self._a.nodes, self._b.nodes, self._diff
        if not self._same_nodes or a.parentIndex != b.parentIndex:
            self._structure()
        touched = diff.touched
        touched |= self._differing(a.nodeName, self._translated(b.nodeName))
        touched |= self._differing(a.nodeValue, self._translated(b.nodeValue))
        attributes = self._translated_rows(b.attributes)
        other_attributes = self._differing(a.attributes, attributes)
        diff.attributed = other_attributes
        for index in other_attributes:
            self._attributes(index)
        touched |= self._rare(a.inputValue.index, a.inputValue.value, b.inputValue)
        touched |= self._rare(a.textValue.index, a.textValue.value, b.textValue)
        touched |= self._marks(a.inputChecked.index, b.inputChecked.index)
        touched |= self._marks(a.optionSelected.index, b.optionSelected.index)
        clickable = self._marks(a.isClickable.index, b.isClickable.index)
        touched |= clickable
        diff.deep |= clickable  # whether a label inside has a node depends on it
        self._rendering()
        if (
            self._same_nodes
            and self._a.layout.nodeIndex == self._b.layout.nodeIndex
            and a.parentIndex == b.parentIndex
        ):
            same_elements = self._same_rendering and not other_attributes
            self._new.share_indexes(self._old, same_elements=same_elements)
        self._boxes()
        same_boxes = not diff.moved and _frame_of(self._a) == _frame_of(self._b)
        same_layout = self._same_rendering and same_boxes
        diff.identical = diff.is_empty and same_layout and not other_attributes
        return diff

    # -- columns of the new capture, with string indices of the old one ----------------------------

    def _translated(self, column: list[int]) -> list[int]:
        table = self._table
        return column if table is None else list(map(table.__getitem__, column))

    def _translated_rows(self, rows: list[StringIndices]) -> list[StringIndices]:
        table = self._table
        if table is None:
            return rows
        # Rows repeat: thousands of elements share a handful of styles.
        cache: dict[StringIndices, StringIndices] = {}
        rows_translated = []
        for row in rows:
            translated = cache.get(row)
            if translated is None:
                translated = cache[row] = tuple([table[number] for number in row])
            rows_translated.append(translated)
        return rows_translated

    def _differing(self, old: Sequence[Any], new: Sequence[Any]) -> set[int]:
        """Nodes of both captures whose value in a column differs."""
        first = len(new) if self._same_nodes else self._same_first
        differing: set[int] = set()
        if old[:first] != new[:first]:
            pairs = zip(old[:first], new, strict=False)
            differing = {index for index, (one, other) in enumerate(pairs) if one != other}
        for index in range(first, len(new)):
            before = self._old_index[index]
            if before >= 0 and old[before] != new[index]:
                differing.add(index)
        return differing

    def _rare(self, index: list[int], value: list[int], new: RareInteger) -> set[int]:
        old_values = dict(zip(index, value, strict=True))
        new_values = dict(zip(new.index, self._translated(new.value), strict=True))
        return self._sparse(old_values, new_values)

    def _marks(self, old: list[int], new: list[int]) -> set[int]:
        return self._sparse(dict.fromkeys(old, 1), dict.fromkeys(new, 1))

    def _sparse(self, old: dict[int, int], new: dict[int, int]) -> set[int]:
        if self._same_nodes:
            if old == new:
                return set()
            return {i for i in old.keys() | new.keys() if old.get(i) != new.get(i)}
        ids = self._a.nodes.backendNodeId
        places = {self._new.position(ids[before]): before for before in old}
        places.update((index, self._old_index[index]) for index in new)
        places.pop(-1, None)
        return {i for i, before in places.items() if before >= 0 and old.get(before) != new.get(i)}

    # -- kinds of differences --------------------------------------------------------------------

    def _structure(self) -> None:
        """Nodes that were added, removed, moved or reordered."""
        a, b, diff = self._a.nodes, self._b.nodes, self._diff
        latest = self._same_first - 1
        for index in range(self._same_first, len(self._old_index)):
            before, parent = self._old_index[index], b.parentIndex[index]
            if before < 0:
                diff.touched.add(index)
                diff.parents.add(parent)
                continue
            old_parent = a.parentIndex[before]
            if _id_at(a.backendNodeId, old_parent) != _id_at(b.backendNodeId, parent):
                diff.touched.add(index)
                diff.deep.add(index)
                diff.parents.add(parent)
                diff.parents.add(self._new.position(_id_at(a.backendNodeId, old_parent)))
            elif before < latest:
                diff.parents.add(parent)
            latest = max(latest, before)
        if not self._same_nodes:
            self._removed()
        diff.parents.discard(-1)

    def _removed(self) -> None:
        a, diff = self._a.nodes, self._diff
        for index in range(self._same_first, len(a.backendNodeId)):
            backend = a.backendNodeId[index]
            if backend in self._new:
                continue
            parent = a.parentIndex[index]
            diff.parents.add(self._new.position(_id_at(a.backendNodeId, parent)))
            attributes = self._old.attributes(backend)
            diff.lost_ids |= {attributes[k] for k in ("id", "for") if k in attributes}

    def _attributes(self, index: int) -> None:
        """Note a node with other attributes, by what those concern."""
        backend, diff = self._b.nodes.backendNodeId[index], self._diff
        old, new = self._old.attributes(backend), self._new.attributes(backend)
        names = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        for name in names:
            diff.lost_ids |= _lost_ids(name, old.get(name))
        others = {name for name in names if not _is_presentation(name)}
        if others or not self._is_rendered_in_both(index):
            diff.touched.add(index)
        if others - _NOT_INHERITED:
            diff.deep.add(index)

    def _is_rendered_in_both(self, index: int) -> bool:
        before = self._old_index[index]
        return self._new.layout_rows[index] >= 0 and self._old.layout_rows[before] >= 0

    def _rendering(self) -> None:
        """Returns whether a node is rendered, with which styles, and as which text."""
        a, b = self._a.layout, self._b.layout
        styles, text = self._translated_rows(b.styles), self._translated(b.text)
        if self._same_nodes and a.nodeIndex == b.nodeIndex:
            if a.styles == styles and a.text == text:
                self._same_rendering = True
                return
            for row in zip(b.nodeIndex, a.styles, styles, a.text, text, strict=False):
                self._row(*row)
            return
        old_rows, new_rows = self._old.layout_rows, self._new.layout_rows
        old_further = _further(a.nodeIndex, old_rows, a.styles, a.text)
        new_further = _further(b.nodeIndex, new_rows, styles, text)
        further = {index for index in new_further if self._old_index[index] >= 0}
        further |= {self._new.position(self._a.nodes.backendNodeId[i]) for i in old_further}
        different = self._without_equal_rows((a.styles, styles), (a.text, text))
        for index in {*different, *further} - {-1}:
            before = self._old_index[index]
            if before < 0:
                continue
            old, new = old_rows[before], new_rows[index]
            if (old < 0) != (new < 0) or old_further.get(before) != new_further.get(index):
                self._diff.touched.add(index)
            elif old >= 0:
                self._row(index, a.styles[old], styles[new], a.text[old], text[new])

    def _without_equal_rows(self, *columns: tuple[Sequence[Any], Sequence[Any]]) -> Sequence[int]:
        """Nodes but for those at the beginning whose layout rows are equal in these columns."""
        first, rows = self._same_first, self._new.layout_rows
        if self._old.layout_rows[:first] != rows[:first]:
            return range(len(rows))
        same = _equal_first((self._a.layout.nodeIndex, self._b.layout.nodeIndex), *columns)
        return [index for index, row in enumerate(rows) if index >= first or row >= same]

    def _row(
        self, index: int, old: StringIndices, new: StringIndices, old_text: int, new_text: int
    ) -> None:
        """Note a node by what differs in one of its layout rows: styles or rendered text."""
        if old_text != new_text or (old != new and old[TREE_STYLES] != new[TREE_STYLES]):
            self._diff.touched.add(index)
        elif old != new:
            self._diff.painted.add(index)

    def _boxes(self) -> None:
        """Rendered nodes whose first box differs."""
        a, b = self._a.layout, self._b.layout
        if self._same_nodes and a.nodeIndex == b.nodeIndex:
            if a.bounds != b.bounds:
                rows = zip(b.nodeIndex, a.bounds, b.bounds, strict=False)
                self._diff.moved = {index for index, one, other in rows if one != other}
            return
        old_rows, new_rows = self._old.layout_rows, self._new.layout_rows
        for index in self._without_equal_rows((a.bounds, b.bounds)):
            before = self._old_index[index]
            old, new = old_rows[before] if before >= 0 else -1, new_rows[index]
            if old >= 0 and new >= 0 and a.bounds[old] != b.bounds[new]:
                self._diff.moved.add(index)


def _equal_first(*pairs: tuple[Sequence[Any], Sequence[Any]]) -> int:
    """The number of values at the beginning that are equal in all these pairs of columns."""
    most = min(len(column) for pair in pairs for column in pair)
    for one, other in pairs:
        equal, step = 0, most
        # Slices are compared many times faster than single values.
        while step > 0:
            end = min(equal + step, most)
            if end > equal and one[equal:end] == other[equal:end]:
                equal = end
            else:
                step //= 2
        most = equal
    return most


def _translation(old: list[str], new: list[str]) -> list[int] | None:
    """For each string of the new capture its index in the old one; None where they are equal."""
    if old == new:
        return None
    old_index = {text: number for number, text in enumerate(old)}
    table = [old_index.get(text, -2 - number) for number, text in enumerate(new)]
    table.append(-1)  # the index for "no string": -1 looks up the last entry
    return table


def _further(
    nodes: list[int], first_rows: list[int], styles: list[StringIndices], texts: list[int]
) -> dict[int, tuple[tuple[StringIndices, int], ...]]:
    """Styles and text of the further boxes of nodes that have several."""
    found: dict[int, tuple[tuple[StringIndices, int], ...]] = {}
    for row, node in enumerate(nodes):
        if first_rows[node] != row:
            found[node] = (*found.get(node, ()), (styles[row], texts[row]))
    return found


def _id_at(ids: list[int], index: int) -> int:
    return ids[index] if index >= 0 else -1


def _frame_of(document: DocumentColumns) -> tuple[float, ...]:
    return (
        document.scrollOffsetX,
        document.scrollOffsetY,
        document.contentWidth,
        document.contentHeight,
    )
