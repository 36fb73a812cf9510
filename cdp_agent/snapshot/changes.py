"""How a document differs from what it was at its last capture, from its layout facts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cdp_agent.snapshot.dom import DocumentColumns, DomFacts
from cdp_agent.snapshot.registers import REFERRING

_TEXT = 3

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
        return [find(backend) for backend in self._b.nodes.backendNodeId]

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

    def _translated(self, column: list[int]) -> list[int]:
        table = self._table
        return column if table is None else [table[number] for number in column]

    def _translated_rows(self, rows: list[list[int]]) -> list[list[int]]:
        table = self._table
        if table is None:
            return rows
        # Rows repeat: thousands of elements share a handful of styles.
        known: dict[tuple[int, ...], list[int]] = {}
        found = []
        for row in rows:
            key = tuple(row)
            translated = known.get(key)
            if translated is None:
                translated = known[key] = [table[number] for number in row]
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

    def _rare(self, index: list[int], value: list[int], new: Any) -> set[int]:
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
        old = _by_node(a.nodeIndex, a.styles, a.text)
        new = _by_node(b.nodeIndex, styles, text)
        places = enumerate(self._old_index)
        self._changes.touched |= {
            i for i, before in places if before >= 0 and old.get(before) != new.get(i)
        }


def _translation(old: list[str], new: list[str]) -> list[int] | None:
    """For each string of the new capture its number in the old one; None where they agree."""
    if old == new:
        return None
    known = {text: number for number, text in enumerate(old)}
    table = [known.get(text, -2 - number) for number, text in enumerate(new)]
    table.append(-1)  # the number of "no string", and the place that -1 looks up
    return table


def _by_node(
    nodes: Iterable[int], styles: list[list[int]], texts: list[int]
) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for node, style, text in zip(nodes, styles, texts, strict=False):
        found.setdefault(node, []).append((style, text))
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


# -- what a change reaches ------------------------------------------------------------------------

#: Controls whose insides are Chromium's own elements: not in the capture, but in the tree.
_PLAIN_INPUTS = frozenset(
    {"", "text", "search", "email", "url", "tel", "password", "checkbox", "radio", "hidden"}
    | {"button", "submit", "reset"}
)
_OPAQUE = frozenset({"video", "audio", "object", "embed", "canvas", "map", "area"})


class Reach:
    """Which accessibility nodes a change may concern: a superset, or None for all of them."""

    def __init__(self, dom: DomFacts, changes: Changes, extra: Iterable[int] = ()) -> None:
        self._dom = dom
        self._changes = changes
        self._nodes = dom.document.nodes
        self._extra = {index for b in extra if (index := dom.position(b)) >= 0}
        self._fetch: set[int] = set()
        self._affected: set[int] = set()

    def backends(self, limit: int) -> list[int] | None:
        """Backend node ids to ask about again. None: too many, or nobody can tell."""
        changes = self._changes
        begin = changes.touched | changes.parents
        always = self._customs | self._by_script
        if not begin and changes.is_empty and not self._extra and not always:
            return []
        if self._cannot_tell():
            return None
        for index in begin | always | self._active(changes.touched):
            self._add(index)
        for index in changes.deep:
            for below in self._dom.subtree(index):
                self._add(below)
        while len(self._fetch) <= 2 * limit and (found := self._dependents() - self._fetch):
            for index in found:
                self._add(index)
        # Who has the focus, or can scroll, is nobody else's name.
        wanted = {self._shown(index) for index in self._fetch | self._extra}
        if len(wanted) > limit:
            return None
        return [self._nodes.backendNodeId[index] for index in sorted(wanted)]

    def _add(self, index: int) -> None:
        self._fetch.add(index)
        while index >= 0 and index not in self._affected:
            self._affected.add(index)
            index = self._nodes.parentIndex[index]

    def _shown(self, index: int) -> int:
        """The node itself, or what is nearest around it that is rendered."""
        while index > 0 and not self._dom.has_layout(index):
            if self._dom.name_at(index) == "head":
                return 0  # the title is the document's name
            if self._dom.name_at(index) == "option":
                return index  # part of the tree even while the list is not shown
            index = self._nodes.parentIndex[index]
        return max(index, 0)

    @cached_property
    def _customs(self) -> set[int]:
        return {self._dom.position(backend) for backend in self._dom.registers.customs}

    def _active(self, touched: set[int]) -> set[int]:
        """What elements now name as active: among options, that one is selected."""
        named = self._dom.registers.having("aria-activedescendant").items()
        ids = {
            one for b, value in named if self._dom.position(b) in touched for one in value.split()
        }
        return {index for one in ids for index in self._ids.get(one, ())}

    @cached_property
    def _by_script(self) -> set[int]:
        """Elements that a script referred to others (`ariaLabelledByElements`): whom, none tells.

        Such an attribute is there and empty, before and after.
        """
        return {index for index, ids in self._references if not ids}

    def _cannot_tell(self) -> bool:
        dom = self._dom
        if dom.registers.maps or dom.registers.having("aria-owns"):
            return True
        if "" in dom.registers.having("aria-activedescendant").values():
            return True
        for index in self._changes.touched | self._changes.parents:
            if self._nodes.nodeType[index] == _TEXT:
                continue
            tag = dom.name_at(index)
            if tag in _OPAQUE:
                return True
            if tag in ("select", "optgroup") and index in self._changes.parents:
                return True
            if tag == "input":
                attributes = dom.attributes(self._nodes.backendNodeId[index])
                if attributes.get("type", "").lower() not in _PLAIN_INPUTS:
                    return True
            if self._is_in_table(index):
                return True  # what counts as a table depends on all its cells
        return False

    def _is_in_table(self, index: int) -> bool:
        while index >= 0:
            if self._dom.name_at(index) == "table":
                return True
            index = self._nodes.parentIndex[index]
        return False

    # -- what is named or described by something else ---------------------------------------------

    @cached_property
    def _references(self) -> list[tuple[int, tuple[str, ...]]]:
        """Elements that refer to others, with the ids they name."""
        return [
            (self._dom.position(backend), tuple(value.split()))
            for name in REFERRING
            for backend, value in self._dom.registers.having(name).items()
        ]

    @cached_property
    def _ids(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for backend, value in self._dom.registers.having("id").items():
            found.setdefault(value, []).append(self._dom.position(backend))
        return found

    @cached_property
    def _labels(self) -> list[tuple[int, str | None]]:
        targets = self._dom.registers.having("for")
        labels = self._dom.registers.labels
        return [(self._dom.position(label), targets.get(label)) for label in labels]

    def _dependents(self) -> set[int]:
        """What refers to something affected, or is labelled by it."""
        found: set[int] = set()
        lost = self._changes.lost_ids
        changed = set(lost)
        for value, places in self._ids.items():
            if not self._affected.isdisjoint(places):
                changed.add(value)
                if len(places) > 1:
                    found.update(places)  # which of them is meant may be another now
        if changed:
            found.update(i for i, ids in self._references if not changed.isdisjoint(ids))
            found.update(index for value in lost for index in self._ids.get(value, ()))
        for index, target in self._labels:
            if target in changed:
                found.add(index)
            if index in self._affected:
                found.update(self._ids.get(target or "", ()))
                # Words that only repeat the control's name are left out of the tree.
                found.update(self._dom.subtree(index))
        return found
