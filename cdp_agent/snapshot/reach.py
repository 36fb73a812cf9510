"""Which accessibility nodes a change of a document may concern. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from cdp_agent.snapshot.changes import Changes
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.registers import REFERRING

_TEXT = 3
#: Controls whose insides are Chromium's own elements: not in the capture, but in the tree.
_PLAIN_INPUTS = frozenset(
    {"", "text", "search", "email", "url", "tel", "password", "checkbox", "radio", "hidden"}
    | {"button", "submit", "reset"}
)
_CELLS = frozenset({"td", "th", "caption"})
_TABLE = frozenset({"table", "thead", "tbody", "tfoot", "tr", "colgroup", "col", *_CELLS})
_OPAQUE = frozenset({"video", "audio", "object", "embed", "canvas", "map", "area"})


class Reach:
    """Which accessibility nodes a change may concern: a superset, or None for all of them."""

    def __init__(
        self,
        dom: DomFacts,
        changes: Changes,
        extra: Iterable[int] = (),
        unsure: Iterable[int] = (),
    ) -> None:
        """`extra` and `unsure` are asked about as well; the latter may also name others."""
        self._dom = dom
        self._unsure = {index for b in unsure if (index := dom.position(b)) >= 0}
        self._changes = changes
        self._nodes = dom.document.nodes
        self._extra = {index for b in extra if (index := dom.position(b)) >= 0}
        self._fetch: set[int] = set()
        self._affected: set[int] = set()

    def backends(self, limit: int) -> list[int] | None:
        """Backend node ids to ask about again. None: too many, or nobody can tell."""
        changes = self._changes
        begin = changes.touched | changes.parents
        always = self._customs | self._by_script | self._unsure
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
            if self._dom.name_at(index) in ("option", "optgroup"):
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
            if self._makes_a_table(index, tag):
                return True  # what counts as a table depends on all its cells
        return False

    def _makes_a_table(self, index: int, tag: str) -> bool:
        """Whether it is of those that do: a cell is, what it holds is not."""
        if tag in _CELLS and index not in self._changes.touched:
            return False
        return tag in _TABLE

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
