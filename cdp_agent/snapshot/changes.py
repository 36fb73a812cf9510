"""How a document differs from what it was at its last capture, from its layout facts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cdp_agent.snapshot.columns import DocumentColumns, Ints, Numbers, RareInteger
from cdp_agent.snapshot.dom import DomFacts

#: Attributes that say nothing about what stands below: what they do to the rendering of others
#: shows at those others.
_OWN_AFFAIR = frozenset({"class", "style", "id", "for", "value", "title", "href", "placeholder"})


@dataclass(slots=True)
class Changes:
    """Indices are those of the new capture."""

    #: Nothing at all differs, boxes and scroll positions included.
    identical: bool = False
    #: Nodes that are new, stand elsewhere, or whose text, attributes, rendering or form state
    #: is another.
    touched: set[int] = field(default_factory=set)
    #: Nodes whose children are others, or in another order.
    parents: set[int] = field(default_factory=set)
    #: Of those touched: an attribute changed that may concern everything below.
    deep: set[int] = field(default_factory=set)
    #: Values of `id` and `for` that the page no longer has where it had them.
    lost_ids: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """No difference that the accessibility tree could show."""
        return not (self.touched or self.parents or self.lost_ids)


def compare(old: DomFacts, new: DomFacts) -> Changes:
    """What happened to a document between two captures of it."""
    return _Comparison(old, new).run()


def touched_by(changes: Changes, old: DomFacts, new: DomFacts) -> frozenset[int]:
    """Backend ids of what differs in more than its box, or in what its box decides."""
    ids = new.document.nodes.backendNodeId
    found = {ids[index] for index in changes.touched | changes.deep}
    return frozenset(found | shape_changes(old, new))


def shape_changes(old: DomFacts, new: DomFacts) -> set[int]:
    """What has more to scroll to than before, or less, or fills the page and did not before."""
    scrollers = old.registers.scrollers | new.registers.scrollers
    found = {one for one in scrollers if old.is_scrollable(one) != new.is_scrollable(one)}
    boxes = {*old.listening_boxes(), *new.listening_boxes()}
    return found | {one for one in boxes if old.fills_viewport(one) != new.fills_viewport(one)}


def note_attributes(old: dict[str, str], new: dict[str, str], lost_ids: set[str]) -> bool:
    """Whether another attribute may concern everything below; ids that went are noted."""
    deep = False
    for name in old.keys() | new.keys():
        if old.get(name) == new.get(name):
            continue
        if name in ("id", "for") and name in old:
            lost_ids.add(old[name])
        if name == "aria-activedescendant":  # what it was may be selected no longer
            lost_ids.update(old.get(name, "").split())
        if name not in _OWN_AFFAIR and not name.startswith("data-"):
            deep = True
    return deep


class _Comparison:
    def __init__(self, old: DomFacts, new: DomFacts) -> None:
        self._old, self._new = old, new
        self._a, self._b = old.document, new.document
        self._table = _translation(old.strings, new.strings)
        self._same_nodes = self._a.nodes.backendNodeId == self._b.nodes.backendNodeId
        self._changes = Changes()

    @cached_property
    def _old_index(self) -> Sequence[int]:
        """For each node its index in the old capture, or -1."""
        if self._same_nodes:
            return range(len(self._b.nodes.backendNodeId))
        find = self._old.position
        return Ints(map(find, self._b.nodes.backendNodeId))

    def run(self) -> Changes:
        a, b, changes = self._a.nodes, self._b.nodes, self._changes
        if not self._same_nodes or a.parentIndex != b.parentIndex:
            self._structure()
        touched = changes.touched
        touched |= self._differing(a.nodeName, self._translated(b.nodeName))
        touched |= self._differing(a.nodeValue, self._translated(b.nodeValue))
        attributes = self._translated_rows(b.attributes)
        for index in self._differing(a.attributes, attributes):
            touched.add(index)
            self._attributes(index)
        touched |= self._rare(a.inputValue.index, a.inputValue.value, b.inputValue)
        touched |= self._rare(a.textValue.index, a.textValue.value, b.textValue)
        touched |= self._marks(a.inputChecked.index, b.inputChecked.index)
        touched |= self._marks(a.optionSelected.index, b.optionSelected.index)
        listening = self._marks(a.isClickable.index, b.isClickable.index)
        touched |= listening
        changes.deep |= listening  # whether a label inside is worth a node depends on it
        self._rendering()
        changes.identical = (
            changes.is_empty
            and self._same_nodes
            and _frame_of(self._a) == _frame_of(self._b)
            and self._a.layout.bounds == self._b.layout.bounds
        )
        return changes

    # -- columns of another capture, in words of the old one --------------------------------------

    def _translated(self, column: Ints) -> Ints:
        table = self._table
        return column if table is None else Ints(map(table.__getitem__, column))

    def _translated_rows(self, rows: list[Numbers]) -> list[Numbers]:
        table = self._table
        if table is None:
            return rows
        # Rows repeat: thousands of elements share a handful of styles.
        known: dict[Numbers, Numbers] = {}
        found = []
        for row in rows:
            translated = known.get(row)
            if translated is None:
                translated = known[row] = tuple([table[number] for number in row])
            found.append(translated)
        return found

    def _differing(self, old: Sequence[Any], new: Sequence[Any]) -> set[int]:
        """Nodes of both captures that have another value in a column."""
        if self._same_nodes:
            if old == new:
                return set()
            pairs = zip(old, new, strict=False)
            return {index for index, (one, other) in enumerate(pairs) if one != other}
        return {
            index
            for index, before in enumerate(self._old_index)
            if before >= 0 and old[before] != new[index]
        }

    def _rare(self, index: Ints, value: Ints, new: RareInteger) -> set[int]:
        old_values = dict(zip(index, value, strict=True))
        new_values = dict(zip(new.index, self._translated(new.value), strict=True))
        return self._sparse(old_values, new_values)

    def _marks(self, old: Ints, new: Ints) -> set[int]:
        return self._sparse(dict.fromkeys(old, 1), dict.fromkeys(new, 1))

    def _sparse(self, old: dict[int, int], new: dict[int, int]) -> set[int]:
        if self._same_nodes:
            if old == new:
                return set()
            return {i for i in old.keys() | new.keys() if old.get(i) != new.get(i)}
        places = enumerate(self._old_index)
        return {i for i, before in places if before >= 0 and old.get(before) != new.get(i)}

    # -- what can differ --------------------------------------------------------------------------

    def _structure(self) -> None:
        """Nodes that came, went, moved or changed places."""
        a, b, changes = self._a.nodes, self._b.nodes, self._changes
        latest = -1
        for index, before in enumerate(self._old_index):
            parent = b.parentIndex[index]
            if before < 0:
                changes.touched.add(index)
                changes.parents.add(parent)
                continue
            old_parent = a.parentIndex[before]
            if _id_at(a.backendNodeId, old_parent) != _id_at(b.backendNodeId, parent):
                changes.touched.add(index)
                changes.deep.add(index)
                changes.parents.add(parent)
                changes.parents.add(self._new.position(_id_at(a.backendNodeId, old_parent)))
            elif before < latest:
                changes.parents.add(parent)
            latest = max(latest, before)
        if not self._same_nodes:
            self._removed()
        changes.parents.discard(-1)

    def _removed(self) -> None:
        a, changes = self._a.nodes, self._changes
        for index, backend in enumerate(a.backendNodeId):
            if backend in self._new:
                continue
            parent = a.parentIndex[index]
            changes.parents.add(self._new.position(_id_at(a.backendNodeId, parent)))
            attributes = self._old.attributes(backend)
            changes.lost_ids |= {attributes[k] for k in ("id", "for") if k in attributes}

    def _attributes(self, index: int) -> None:
        backend = self._b.nodes.backendNodeId[index]
        old, new = self._old.attributes(backend), self._new.attributes(backend)
        if note_attributes(old, new, self._changes.lost_ids):
            self._changes.deep.add(index)

    def _rendering(self) -> None:
        """Whether a node is shown, with which styles, and as which text."""
        a, b = self._a.layout, self._b.layout
        styles, text = self._translated_rows(b.styles), self._translated(b.text)
        if self._same_nodes and a.nodeIndex == b.nodeIndex:
            if a.styles == styles and a.text == text:
                return
            rows = zip(b.nodeIndex, a.styles, styles, a.text, text, strict=False)
            self._changes.touched |= {index for index, s, s2, t, t2 in rows if s != s2 or t != t2}
            return
        touched = self._changes.touched
        old_rows, new_rows = self._old.layout_rows, self._new.layout_rows
        old_further = _further(a.nodeIndex, old_rows, a.styles, a.text)
        new_further = _further(b.nodeIndex, new_rows, styles, text)
        for index, before in enumerate(self._old_index):
            if before < 0:
                continue
            old, new = old_rows[before], new_rows[index]
            if old < 0 or new < 0:
                other = old != new
            else:
                other = styles[new] != a.styles[old] or text[new] != a.text[old]
            if other or old_further.get(before) != new_further.get(index):
                touched.add(index)


def _translation(old: list[str], new: list[str]) -> list[int] | None:
    """For each string of the new capture its number in the old one; None where they agree."""
    if old == new:
        return None
    known = {text: number for number, text in enumerate(old)}
    table = [known.get(text, -2 - number) for number, text in enumerate(new)]
    table.append(-1)  # the number of "no string", and the place that -1 looks up
    return table


def _further(
    nodes: Ints, first_rows: Ints, styles: list[Numbers], texts: Ints
) -> dict[int, tuple[tuple[Numbers, int], ...]]:
    """What a node with several boxes is shown as in those besides its first."""
    found: dict[int, tuple[tuple[Numbers, int], ...]] = {}
    for row, node in enumerate(nodes):
        if first_rows[node] != row:
            found[node] = (*found.get(node, ()), (styles[row], texts[row]))
    return found


def _id_at(ids: Ints, index: int) -> int:
    return ids[index] if index >= 0 else -1


def _frame_of(document: DocumentColumns) -> tuple[float, ...]:
    return (
        document.scrollOffsetX,
        document.scrollOffsetY,
        document.contentWidth,
        document.contentHeight,
    )
