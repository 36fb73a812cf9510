"""The accessibility nodes that a change of a document may affect. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import cached_property

from cdp_agent.js.shared_lists import REFERRING
from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.tree import AxNode
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.incremental.dom_diff import DomDiff

_TEXT = 3
#: Controls whose insides are Chromium's own elements: not in the capture, but in the tree.
_TEXT_INPUTS = frozenset({"", "text", "search", "email", "url", "tel", "password"})
_PLAIN_INPUTS = _TEXT_INPUTS | {"checkbox", "radio", "hidden", "button", "submit", "reset"}
#: Attributes that make the content of one element part of another's name or description.
_NAMING = ("aria-labelledby", "aria-describedby")
_LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
_CELLS = frozenset({"td", "th", "caption"})
_TABLE = frozenset({"table", "thead", "tbody", "tfoot", "tr", "colgroup", "col", *_CELLS})
_PARTS = frozenset({"thead", "tfoot", "caption"})
_OPAQUE = frozenset({"video", "audio", "object", "embed", "canvas", "map", "area"})


def silent_changers(dom: DomFacts, nodes: Mapping[str, AxNode]) -> set[int]:
    """Backend ids of elements whose role or name may change without a trace in the DOM.

    Custom elements (by their internals), and elements that refer to others by script
    (`ariaLabelledByElements`): such an attribute is present and empty, before and after.
    A custom element that only wraps others keeps doing so: internals are set when it is made.
    """
    index = dom.attribute_index
    customs = {backend for backend in index.customs if _has_own_role(nodes.get(str(backend)))}
    by_script = {
        backend
        for name in REFERRING
        for backend, value in index.having(name).items()
        if not value.strip()
    }
    return customs | by_script


def _has_own_role(node: AxNode | None) -> bool:
    """Returns whether a node is more than a wrapper: it has a role, or takes the focus."""
    if node is None or node.ignored:
        return False
    takes_focus = any(prop.name == "focusable" for prop in node.properties)
    return takes_focus or node.role_name not in ("generic", "none")


def is_value_its_own(dom: DomFacts, nodes: Mapping[str, AxNode], field: int) -> bool:
    """Returns whether the text of a field is part of no other node's name or description."""
    kind = dom.attributes(field).get("type", "").lower() if dom.tag(field) == "input" else ""
    if dom.tag(field) not in ("input", "textarea") or kind not in _TEXT_INPUTS:
        return False
    index = dom.attribute_index
    named = {
        ref for name in _NAMING for value in index.having(name).values() for ref in value.split()
    }
    ids, backend = index.having("id"), field
    while backend:
        node = nodes.get(str(backend))
        if node is not None and roles.plain(node.role_name) in roles.NAMED_BY_CONTENT:
            return False
        if ids.get(backend) in named:
            return False
        if backend in index.labels and not _is_label_of(dom, backend, field):
            return False
        backend = dom.parent(backend)
    return True


def _is_label_of(dom: DomFacts, label: int, field: int) -> bool:
    """Returns whether a label that a field stands in is its own, not that of another control."""
    target = dom.attribute_index.having("for").get(label)
    if target is not None:
        return dom.attribute_index.having("id").get(field) == target
    inside = (i for i in dom.subtree(dom.position(label)) if dom.tag_at(i) in _LABELABLE)
    return min(inside, default=-1) == dom.position(field)


def moved_scrollers(dom: DomFacts, diff: DomDiff) -> set[int]:
    """Backend ids of scrolling elements whose content changed size or position.

    They take the focus by themselves while there is something to scroll.
    """
    scrollers = {dom.position(backend) for backend in dom.attribute_index.scrollers}
    seen: set[int] = set()
    parents, found = dom.document.nodes.parentIndex, set()
    for index in diff.moved | diff.touched | diff.parents if scrollers else ():
        while index >= 0 and index not in seen:
            seen.add(index)
            if index in scrollers:
                found.add(dom.document.nodes.backendNodeId[index])
            index = parents[index]
    return found


class AffectedNodes:
    """A superset of the nodes that a change may affect, or None for all of them."""

    def __init__(
        self,
        dom: DomFacts,
        diff: DomDiff,
        extra: Iterable[int] = (),
        changed: Iterable[int] = (),
        tree: Container[str] = (),
    ) -> None:
        """`extra` and `changed` are asked about as well; the latter may also name other nodes.

        `tree` has the ids of the nodes that the tree had before.
        """
        self._dom, self._tree = dom, tree
        self._changed = {index for b in changed if (index := dom.position(b)) >= 0}
        self._diff = diff
        self._nodes = dom.document.nodes
        self._extra = {index for b in extra if (index := dom.position(b)) >= 0}
        self._fetch: set[int] = set()
        self._affected: set[int] = set()

    def are_too_many(self, limit: int) -> bool:
        """Returns whether `backends` is None whatever else turns out to have changed."""
        begin = self._diff.touched | self._diff.parents
        if not begin:
            return False
        return len({self._rendered(index) for index in begin}) > limit or self._is_undecidable()

    def backends(self, limit: int) -> list[int] | None:
        """Backend node ids to ask about again. None: too many, or it cannot be decided."""
        diff = self._diff
        begin = diff.touched | diff.parents
        if not begin and diff.is_empty and not self._extra and not self._changed:
            return []
        if self._is_undecidable():
            return None
        for index in begin | self._changed | self._active(diff.touched):
            self._add(index)
        for index in diff.deep:
            for below in self._dom.subtree(index):
                self._add(below)
        while len(self._fetch) <= 2 * limit and (new := self._dependents() - self._fetch):
            for index in new:
                self._add(index)
        # The focus and scrolling of `extra` change no other node's name.
        wanted = {self._rendered(index) for index in self._fetch | self._extra}
        if len(wanted) > limit:
            return None
        return [self._nodes.backendNodeId[index] for index in sorted(wanted)]

    def _add(self, index: int) -> None:
        self._fetch.add(index)
        while index >= 0 and index not in self._affected:
            self._affected.add(index)
            index = self._nodes.parentIndex[index]

    def _rendered(self, index: int) -> int:
        """The node itself, or its nearest ancestor that is rendered or in the tree.

        The content of a canvas and a box with `display: contents` are in the tree without layout.
        """
        ids = self._nodes.backendNodeId
        while index > 0 and not self._dom.has_layout(index) and str(ids[index]) not in self._tree:
            if self._dom.tag_at(index) == "head":
                return 0  # the title is the document's name
            if self._dom.tag_at(index) in ("option", "optgroup"):
                return index  # part of the tree even while the list is not shown
            index = self._nodes.parentIndex[index]
        return max(index, 0)

    def _active(self, touched: set[int]) -> set[int]:
        """Nodes that `aria-activedescendant` now names: among options, that one is selected."""
        named = self._dom.attribute_index.having("aria-activedescendant").items()
        ids = {
            one for b, value in named if self._dom.position(b) in touched for one in value.split()
        }
        return {index for one in ids for index in self._ids.get(one, ())}

    def _is_undecidable(self) -> bool:
        dom = self._dom
        if dom.attribute_index.maps or dom.attribute_index.having("aria-owns"):
            return True
        if "" in dom.attribute_index.having("aria-activedescendant").values():
            return True
        for index in self._diff.touched | self._diff.parents:
            if self._nodes.nodeType[index] == _TEXT:
                continue
            tag = dom.tag_at(index)
            if tag in _OPAQUE:
                return True
            if tag in ("select", "optgroup") and index in self._diff.parents:
                return True
            if tag == "input":
                attributes = dom.attributes(self._nodes.backendNodeId[index])
                if attributes.get("type", "").lower() not in _PLAIN_INPUTS:
                    return True
            if self._makes_a_table(index, tag):
                return True  # whether it counts as a table depends on all its cells
        return any(
            dom.tag_at(index) in _TABLE and not self._has_table_parts(index)
            for index in self._diff.painted
        )

    def _makes_a_table(self, index: int, tag: str) -> bool:
        """Returns whether it decides that: a cell does, its content does not.

        Parts that come and go do in any table, other changes where nothing else decides it.
        """
        if tag in _CELLS and index not in self._diff.touched:
            return False
        return tag in _TABLE and (index in self._diff.parents or not self._has_table_parts(index))

    def _has_table_parts(self, index: int) -> bool:
        """Returns whether it is in a table with a head, foot or caption: always a real table."""
        while index >= 0 and self._dom.tag_at(index) != "table":
            index = self._nodes.parentIndex[index]
        return any(self._dom.tag_at(child) in _PARTS for child in self._dom.children_at(index))

    # -- nodes that are named or described by others ---------------------------------------------

    @cached_property
    def _references(self) -> list[tuple[int, tuple[str, ...]]]:
        """Elements that refer to others, with the ids they refer to."""
        return [
            (self._dom.position(backend), tuple(value.split()))
            for name in REFERRING
            for backend, value in self._dom.attribute_index.having(name).items()
        ]

    @cached_property
    def _ids(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for backend, value in self._dom.attribute_index.having("id").items():
            found.setdefault(value, []).append(self._dom.position(backend))
        return found

    @cached_property
    def _labels(self) -> list[tuple[int, str | None]]:
        targets = self._dom.attribute_index.having("for")
        labels = self._dom.attribute_index.labels
        return [(self._dom.position(label), targets.get(label)) for label in labels]

    def _dependents(self) -> set[int]:
        """Nodes that refer to an affected one, or are labelled by it."""
        found: set[int] = set()
        lost = self._diff.lost_ids
        changed = set(lost)
        for value, indices in self._ids.items():
            if not self._affected.isdisjoint(indices):
                changed.add(value)
                if len(indices) > 1:
                    found.update(indices)  # another of them may be meant now
        if changed:
            found.update(i for i, ids in self._references if not changed.isdisjoint(ids))
            found.update(index for value in lost for index in self._ids.get(value, ()))
        for index, target in self._labels:
            if target in changed:
                found.add(index)
            if index in self._affected:
                found.update(self._ids.get(target or "", ()))
                # Text that only repeats the control's name is left out of the tree.
                found.update(self._dom.subtree(index))
        return found
