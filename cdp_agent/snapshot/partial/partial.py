"""Partial captures: chosen nodes of a large document, with stubs for the rest.

Chromium's whole accessibility tree of 10,000 rows takes it a quarter of a minute; a hundred nodes
of it a tenth of a second. So `partial.js` chooses what to show, the tree is asked about those nodes
alone, and the others are folded: a child that was not chosen stands for itself and for its
following siblings, by the id that expands it.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.fetch.ax import full_tree, single_node
from cdp_agent.snapshot.fetch.closed_roots import give_root
from cdp_agent.snapshot.fetch.hidden_text import Reply, ask_hidden
from cdp_agent.snapshot.fetch.listeners import (
    CLICK_TYPES,
    TARGET_TYPES,
    Listener,
    Listeners,
    nodes_at_levels,
    nodes_with,
)
from cdp_agent.snapshot.fetch.script_nodes import NODE_LIST, retrieve_exception
from cdp_agent.snapshot.partial.ax_nodes import MOST_NODES, AxNodeFetch
from cdp_agent.snapshot.partial.partial_facts import (
    DeepNode,
    DeepReply,
    Measurements,
    PartialFacts,
    partial_facts,
)
from cdp_agent.snapshot.partial.reuse import FetchedNodes, PreviousPart, still_valid
from cdp_agent.targets import Frame, World
from cdp_agent.targets.remote_objects import release_object, resolve_node

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import CallFunctionOnParameters

#: However small the budget: a dialog or form that an action opens on a large page is fetched whole.
_LEAST_NODES = 800
#: A node fetched by itself costs as much as this many in the whole tree.
_COST_OF_ONE = 20
#: Nodes are chosen again at most this often because of closed shadow roots among them.
_CHOICES = 3


@dataclass(frozen=True, slots=True)
class PartChoice:
    """The nodes to choose: those in view, those after a node, or those with certain words."""

    max_tokens: int = 0
    expand: ElementId | None = None
    search: str = ""
    #: All rendered nodes in document order, up to `most_nodes`, and those in view.
    everything: bool = False
    most_nodes: int = MOST_NODES

    @property
    def nodes(self) -> int:
        """The number of nodes that are worth fetching for the budget."""
        if self.everything:
            return self.most_nodes
        if self.expand is None and not self.search:
            return min(max(self.max_tokens // 5, _LEAST_NODES), MOST_NODES)
        return min(max(self.max_tokens // 3, _LEAST_NODES), MOST_NODES)

    @property
    def is_comparable(self) -> bool:
        """Returns whether the next capture will most likely choose the same nodes."""
        return self.expand is None and not self.search


@dataclass(frozen=True, slots=True)
class PartialCapture:
    """The fetched part of one document."""

    tree: AxTree
    dom: PartialFacts
    #: Backend node ids of children of shown nodes that were not fetched.
    unfetched: frozenset[int]
    #: The reply with the hidden nodes, on its way.
    hidden: Reply | None
    #: Elements that listen for drops, double clicks and the like.
    listening: frozenset[int] = frozenset()
    warning: str = ""


class PartialCapturer:
    """Per page. Keeps the last partial capture of each document, and a handle on it."""

    def __init__(self) -> None:
        self._listeners = Listeners()
        self._previous: dict[str, PreviousPart] = {}

    def retain(self, frame_ids: set[str]) -> None:
        self._listeners.retain(frame_ids)
        for gone in self._previous.keys() - frame_ids:
            del self._previous[gone]

    async def capture(self, frame: Frame, choice: PartChoice, seconds: float) -> PartialCapture:
        """Raises: StaleRef: the node of `expand` is gone; and what commands raise."""
        session, world = frame.require_session(), frame.world
        if world is None:
            raise BrowserError(f"frame {frame.index} runs no scripts")
        asking = asyncio.ensure_future(self._listeners.of_document(frame, seconds))
        retrieve_exception(asking)
        previous = self._previous.get(frame.id)
        if previous is not None and not (choice.is_comparable and previous.is_of(frame)):
            previous = None
        start = None
        if choice.expand is not None and choice.expand.frame_index == frame.index:
            start = await _resolve(session, world, choice.expand, seconds)
        ahead = _AskedAhead(frame, previous, seconds)
        try:
            nodes, measured = await _choose(session, world, choice, start, ahead, seconds)
        finally:
            if start is not None:
                release_object(session, start)
        listeners = await self._with_deep(await asking, frame, nodes, measured, seconds)
        dom = partial_facts(nodes, measured, nodes_with(listeners, CLICK_TYPES))
        affected = previous.affected(dom, measured) if previous is not None else None
        valid = _valid(previous, affected, nodes, measured)
        is_whole = choice.everything and not measured.partial
        if is_whole and (valid is None or len(affected or ()) > len(nodes) // _COST_OF_ONE):
            by_id = (await full_tree(session, frame.id, seconds)).by_id
            absent = {node.backendNodeId for node in nodes if str(node.backendNodeId) not in by_id}
            valid = FetchedNodes(dict(by_id), set(by_id), absent)
        fetch = AxNodeFetch(session, nodes, measured, seconds, valid)
        fetch.early = ahead.nodes
        tree, unfetched = await fetch.tree()
        if choice.is_comparable:
            in_labels = frozenset(dom.in_labels(affected or ()))
            self._previous[frame.id] = PreviousPart(
                frame.loader_id, session.id, dom, measured, fetch.fetched, in_labels
            )
        cut = f"only the first {measured.cut} matches are shown" if measured.cut else ""
        targets = nodes_with(listeners, TARGET_TYPES)
        return PartialCapture(tree, dom, unfetched, ahead.hidden, targets, cut)

    async def _with_deep(
        self,
        listeners: list[Listener],
        frame: Frame,
        nodes: list[DeepNode],
        measured: Measurements,
        seconds: float,
    ) -> list[Listener]:
        """Returns the listeners with those that are deep inside the document, of chosen nodes."""
        deep = nodes_at_levels(measured.parent, [node.backendNodeId for node in nodes])
        return listeners + await self._listeners.inside(frame, deep, seconds)


async def _resolve(session: Session, world: World, element: ElementId, seconds: float) -> str:
    """The remote object of an element."""
    try:
        return await resolve_node(session, element.backend_node_id, world, seconds)
    except CdpAgentError as error:
        if is_node_gone(error):
            raise StaleRef(f"{element} is not on the page any more", ref=str(element)) from None
        raise


class _AskedAhead:
    """Commands sent right after the choice of nodes, so that they are answered meanwhile."""

    def __init__(self, frame: Frame, previous: PreviousPart | None, seconds: float) -> None:
        self._frame = frame
        self._previous = previous
        self._seconds = seconds
        self.hidden: Reply | None = None
        self.nodes: dict[int, asyncio.Future[AxTree]] = {}

    def send(self) -> None:
        session = self._frame.require_session()
        self.hidden = ask_hidden(self._frame, self._seconds, chosen_only=True)
        if self._previous is not None:
            for backend in self._previous.foreseen:
                reply = self.nodes[backend] = single_node(session, backend, self._seconds)
                retrieve_exception(reply)


def _valid(
    previous: PreviousPart | None,
    affected: set[int] | None,
    nodes: list[DeepNode],
    measured: Measurements,
) -> FetchedNodes | None:
    """Nodes that need not be fetched again; None: all have to be."""
    if previous is None or affected is None:
        return None
    plain = set(measured.plain)
    chosen = {node.backendNodeId for index, node in enumerate(nodes) if index not in plain}
    return still_valid(previous.fetched, chosen - previous.plain, affected)


async def _choose(
    session: Session,
    world: World,
    choice: PartChoice,
    start: str | None,
    ahead: _AskedAhead,
    seconds: float,
) -> tuple[list[DeepNode], Measurements]:
    """The chosen nodes. Closed roots among them are given to the script, which chooses again."""
    options = json.dumps(
        {"limit": choice.nodes, "words": choice.search, "everything": choice.everything}
    )
    params: CallFunctionOnParameters = {
        "functionDeclaration": f"(...start) => cdpAgent.chooseNodes({options}, ...start)",
        "arguments": [{"objectId": start}] if start is not None else [],
        **world.for_call,
        "serializationOptions": NODE_LIST,
    }
    for _ in range(_CHOICES):
        choosing = session.post("Runtime.callFunctionOn", params, into=DeepReply, timeout=seconds)
        ahead.send()
        reply = await choosing
        if reply.result.objectId:
            release_object(session, reply.result.objectId)
        items = reply.result.deepSerializedValue
        if items is None or reply.exceptionDetails is not None or not items.value:
            raise BrowserError("the script that chooses nodes failed")
        measured = msgspec.json.decode(str(items.value[0].value), type=Measurements)
        nodes = [item.value for item in items.value[1:] if isinstance(item.value, DeepNode)]
        closed = [
            root.backendNodeId
            for index, node in enumerate(nodes)
            if (root := node.closed_root) is not None and index not in measured.hosts
        ]
        if not closed:
            break
        await asyncio.gather(*(give_root(session, world, root, seconds) for root in closed))
    return nodes, measured
