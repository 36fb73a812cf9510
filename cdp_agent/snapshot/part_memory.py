"""What is known of the part of a document that was looked at last, so that less of it is asked.

The nodes of a part are chosen and measured anew with every look; that is quick. What the
accessibility tree says of them is not, so it is asked only about those that a difference reaches,
those that depend on what was not fetched, and those that nobody can tell about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cdp_agent.snapshot.ax import AxNode
from cdp_agent.snapshot.changes import compare
from cdp_agent.snapshot.part_facts import Measured, PartFacts
from cdp_agent.snapshot.reach import Reach
from cdp_agent.targets import Frame

#: Beyond this share of what a part has, all of it is asked about.
_MOST = 0.5


@dataclass(slots=True)
class AskedPart:
    """What was answered about a part: nodes of the accessibility tree, by their ids."""

    ax: dict[str, AxNode] = field(default_factory=dict)
    #: Nodes whose children were asked for as well.
    opened: set[str] = field(default_factory=set)
    #: Nodes that were asked about and have no place in the tree.
    absent: set[int] = field(default_factory=set)
    #: The first of each run of nodes that are folded.
    folded: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KnownPart:
    """The part that was looked at last, of one document."""

    loader_id: str
    session_id: str
    dom: PartFacts
    measured: Measured
    asked: AskedPart
    #: Nodes in labels that changed: whether they have a place of their own in the tree, Chromium
    #: decides only when something changes the next time.
    in_labels: frozenset[int]

    @property
    def foreseen(self) -> list[int]:
        """What will surely be asked about at the next look."""
        return sorted({*_dependent(self.dom, self.measured), *self.asked.folded})

    @property
    def plain(self) -> set[int]:
        """Texts that were not asked about."""
        ids = self.dom.document.nodes.backendNodeId
        return {ids[place] for place in self.measured.plain}

    def is_of(self, frame: Frame) -> bool:
        session = frame.session.id if frame.session is not None else ""
        return (self.loader_id, self.session_id) == (frame.loader_id, session)

    def to_ask(self, dom: PartFacts, measured: Measured) -> set[int] | None:
        """Backend node ids to ask about again, now that the part is this. None: all of them."""
        focus, _, states = measured.vitals.partition("|")
        old_focus, _, old_states = self.measured.vitals.partition("|")
        if states != old_states or not measured.steady or not self.measured.steady:
            return None
        if measured.hosts or self.measured.hosts:
            return None  # what a closed root holds may be half checked, and nobody could tell
        changes = compare(self.dom, dom)
        changes.touched |= self._marked(dom, measured)
        extra = {*dom.registers.scrollers, *self.in_labels}
        if focus != old_focus:
            if dom.registers.follow_focus:
                return None
            extra |= self._focused()
            if measured.focus >= 0:  # otherwise the page itself has it, which is always asked
                extra.add(dom.document.nodes.backendNodeId[measured.focus])
        unsure = _dependent(dom, measured) | _dependent(self.dom, self.measured)
        most = int(_MOST * len(measured.parent))
        found = Reach(dom, changes, extra, unsure).backends(most)
        if found is None:
            return None
        return _with_relatives(dom, {dom.position(one) for one in found}, changes.touched)

    def _marked(self, dom: PartFacts, measured: Measured) -> set[int]:
        ids, old_ids = dom.document.nodes.backendNodeId, self.dom.document.nodes.backendNodeId
        before = {old_ids[place]: number for place, number in self.measured.marks}
        now = {ids[place]: number for place, number in measured.marks}
        return {
            place
            for one in before.keys() | now.keys()
            if before.get(one) != now.get(one) and (place := dom.position(one)) >= 0
        }

    def _focused(self) -> set[int]:
        return {
            node.backendDOMNodeId
            for node in self.asked.ax.values()
            for prop in node.properties
            if prop.name == "focused"
        }


def _with_relatives(dom: PartFacts, found: set[int], touched: set[int]) -> set[int]:
    """Backend ids of these, of what they stand in and of what has no box in them: texts, mostly;
    and of all that is right in those that were touched.
    """
    nodes = dom.document.nodes
    places = found | touched
    for place, parent in enumerate(nodes.parentIndex):
        if parent in touched or (parent in places and not dom.has_layout(place)):
            places.add(place)
    for place in tuple(places):
        above = nodes.parentIndex[place]
        while above >= 0 and above not in places:
            places.add(above)
            above = nodes.parentIndex[above]
    return {nodes.backendNodeId[place] for place in places}


def _dependent(dom: PartFacts, measured: Measured) -> set[int]:
    """Nodes that something is in, or refers to, which was not fetched; and the document."""
    ids, parents = dom.document.nodes.backendNodeId, dom.document.nodes.parentIndex
    found: set[int] = {0}
    for place in measured.partial:
        while place >= 0 and place not in found:
            found.add(place)
            place = parents[place]
    return {ids[place] for place in (*found, *measured.distant)}


def still_known(asked: AskedPart, chosen: Iterable[int], again: set[int]) -> AskedPart:
    """What was answered before and holds: of nodes that are `chosen` still and not asked again.

    Nodes that the tree alone has (texts that CSS writes) go with what they stand in.
    """
    keys = {str(one) for one in chosen}
    stale = {str(one) for one in again}
    ax: dict[str, AxNode] = {key: asked.ax[key] for key in (keys & asked.ax.keys()) - stale}
    waiting = [key for key in asked.opened if key in ax]
    opened = set(waiting)
    while waiting:
        for child in ax[waiting.pop()].childIds:
            node = asked.ax.get(child)
            if node is None or child in ax or child in stale:
                continue
            ax[child] = node
            waiting.append(child)
    opened |= {key for key in asked.opened if key in ax}
    return AskedPart(ax, opened, asked.absent - again)
