"""The previous partial capture of a document, so that the tree is asked about fewer nodes. Pure.

The nodes are chosen and measured anew with every capture; that is quick. The accessibility tree is
not, so it is asked only about nodes that a difference may affect, that depend on nodes which were
not chosen, and whose changes no measurement shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cdp_agent.snapshot.ax.tree import AxNode
from cdp_agent.snapshot.incremental.affected import AffectedNodes, silent_changers
from cdp_agent.snapshot.incremental.dom_diff import diff_documents
from cdp_agent.snapshot.partial.partial_facts import Measurements, PartialFacts
from cdp_agent.targets import Frame

#: Beyond this share of what a part has, all of it is asked about.
_MOST = 0.5


@dataclass(slots=True)
class FetchedNodes:
    """Accessibility nodes that were fetched, by their ids."""

    ax: dict[str, AxNode] = field(default_factory=dict)
    #: Nodes whose children were fetched as well.
    opened: set[str] = field(default_factory=set)
    #: Nodes that were asked for and are not in the tree.
    absent: set[int] = field(default_factory=set)
    #: The first of each run of nodes that are folded.
    folded: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PreviousPart:
    """The last partial capture of one document."""

    loader_id: str
    session_id: str
    dom: PartialFacts
    measured: Measurements
    fetched: FetchedNodes
    #: Nodes in labels that changed: Chromium updates whether they are in the tree only at the
    #: next change.
    in_labels: frozenset[int]

    @property
    def foreseen(self) -> list[int]:
        """Nodes that the next capture will ask about in any case."""
        return sorted({*_dependent(self.dom, self.measured), *self.fetched.folded})

    @property
    def plain(self) -> set[int]:
        """Texts that were not asked for."""
        ids = self.dom.document.nodes.backendNodeId
        return {ids[index] for index in self.measured.plain}

    def is_of(self, frame: Frame) -> bool:
        session = frame.session.id if frame.session is not None else ""
        return (self.loader_id, self.session_id) == (frame.loader_id, session)

    def affected(self, dom: PartialFacts, measured: Measurements) -> set[int] | None:
        """Backend node ids to ask about again, now that the capture is this. None: all."""
        if measured.states != self.measured.states:
            return None
        if not (measured.comparable and self.measured.comparable):
            return None
        if measured.hosts or self.measured.hosts:
            return None  # the states of controls in a closed root are not measured
        diff = diff_documents(self.dom, dom)
        diff.touched |= self._other_versions(dom, measured)
        extra = {*dom.attribute_index.scrollers, *self.in_labels}
        if measured.focus_holder != self.measured.focus_holder:
            holders = self._focused()
            if measured.focus >= 0:  # otherwise the document has it, which is always asked about
                holders.add(dom.document.nodes.backendNodeId[measured.focus])
            if dom.attribute_index.selects_by_focus(holders):
                return None
            extra |= holders
        changed = _dependent(dom, measured) | _dependent(self.dom, self.measured)
        changed |= silent_changers(dom, self.fetched.ax)
        most = int(_MOST * len(measured.parent))
        backends = AffectedNodes(dom, diff, extra, changed, self.fetched.ax).backends(most)
        if backends is None:
            return None
        return _with_relatives(dom, {dom.position(b) for b in backends}, diff.touched)

    def _other_versions(self, dom: PartialFacts, measured: Measurements) -> set[int]:
        """Indices of nodes whose version differs."""
        ids, old_ids = dom.document.nodes.backendNodeId, self.dom.document.nodes.backendNodeId
        before = {old_ids[index]: version for index, version in self.measured.versions}
        now = {ids[index]: version for index, version in measured.versions}
        return {
            index
            for backend in before.keys() | now.keys()
            if before.get(backend) != now.get(backend) and (index := dom.position(backend)) >= 0
        }

    def _focused(self) -> set[int]:
        return {
            node.backendDOMNodeId
            for node in self.fetched.ax.values()
            for prop in node.properties
            if prop.name == "focused"
        }


def _with_relatives(dom: PartialFacts, affected: set[int], touched: set[int]) -> set[int]:
    """Backend ids of these nodes, their ancestors, and their children without a box (texts,
    mostly); of touched nodes all children.
    """
    nodes = dom.document.nodes
    indices = affected | touched
    for index, parent in enumerate(nodes.parentIndex):
        if parent in touched or (parent in indices and not dom.has_layout(index)):
            indices.add(index)
    for index in tuple(indices):
        ancestor = nodes.parentIndex[index]
        while ancestor >= 0 and ancestor not in indices:
            indices.add(ancestor)
            ancestor = nodes.parentIndex[ancestor]
    return {nodes.backendNodeId[index] for index in indices}


def _dependent(dom: PartialFacts, measured: Measurements) -> set[int]:
    """Nodes that hold or refer to nodes which were not chosen; and the document."""
    ids, parents = dom.document.nodes.backendNodeId, dom.document.nodes.parentIndex
    holders: set[int] = {0}
    for index in measured.partial:
        while index >= 0 and index not in holders:
            holders.add(index)
            index = parents[index]
    return {ids[index] for index in (*holders, *measured.distant)}


def still_valid(fetched: FetchedNodes, chosen: Iterable[int], affected: set[int]) -> FetchedNodes:
    """The nodes fetched before that are `chosen` again and not `affected`.

    Nodes that only the tree has (texts that CSS generates) go with their ancestors.
    """
    keys = {str(backend) for backend in chosen}
    stale = {str(backend) for backend in affected}
    ax: dict[str, AxNode] = {key: fetched.ax[key] for key in (keys & fetched.ax.keys()) - stale}
    waiting = [key for key in fetched.opened if key in ax]
    opened = set(waiting)
    while waiting:
        for child in ax[waiting.pop()].childIds:
            node = fetched.ax.get(child)
            if node is None or child in ax or child in stale:
                continue
            ax[child] = node
            waiting.append(child)
    opened |= {key for key in fetched.opened if key in ax}
    return FetchedNodes(ax, opened, fetched.absent - affected)
