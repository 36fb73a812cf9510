"""A large document in parts: what is looked at first, what a stub stands for, what is searched for.

Chromium's whole accessibility tree of 10,000 rows takes it a quarter of a minute; a hundred nodes
of it a tenth of a second. So `parts.js` chooses what to show, the tree is asked about those nodes
alone, and what its nodes have besides is folded: a child that was not asked for stands for itself
and for those after it, by the id that opens it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.snapshot.asking import MOST_NODES, Asking, ask_node
from cdp_agent.snapshot.ax import AxTree
from cdp_agent.snapshot.deep import DEEP, heard
from cdp_agent.snapshot.part_facts import (
    DeepNode,
    DeepReply,
    Measured,
    PartFacts,
    part_facts,
)
from cdp_agent.snapshot.part_memory import AskedPart, KnownPart, still_known
from cdp_agent.snapshot.unseen import ask_unseen, hand
from cdp_agent.targets import Frame, World

#: A document with more elements than this is fetched in parts when a budget is set.
BIG = 2_000
_CLICKS = frozenset({"click", "mousedown", "mouseup", "DOMActivate"})
_LEAST_NODES = 300


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part: what is looked at first, or what follows a node, or what has words in it."""

    max_tokens: int
    expand: ElementId | None = None
    search: str = ""

    @property
    def nodes(self) -> int:
        """How many nodes of the document are worth fetching for so many tokens."""
        if self.expand is None and not self.search:
            return min(max(self.max_tokens // 5, _LEAST_NODES), MOST_NODES)
        return min(max(self.max_tokens // 3, _LEAST_NODES), MOST_NODES)


@dataclass(frozen=True, slots=True)
class Part:
    """What was fetched of one document."""

    tree: AxTree
    dom: PartFacts
    #: Backend node ids of what stands below something shown and was not fetched.
    unfetched: frozenset[int]
    #: What of it nobody sees, on its way.
    unseen: asyncio.Future[dict[str, Any]] | None
    warning: str = ""


class _Listener(msgspec.Struct):
    type: str
    backendNodeId: int = 0


class _Listeners(msgspec.Struct):
    listeners: list[_Listener]


class Parts:
    """Per page. Keeps a handle on each document that is fetched in parts."""

    def __init__(self) -> None:
        self._handles: dict[str, tuple[World, str]] = {}
        #: Frames that showed a large document when they were fetched last, and its loader.
        self._big: dict[str, str] = {}
        #: What was looked at first, in each frame.
        self._known: dict[str, KnownPart] = {}

    async def big_sessions(self, frames: Iterable[Frame], seconds: float, grace: float) -> set[str]:
        """Sessions that hold a document too large to be fetched whole for a budget.

        `grace` is for other processes than the page's own, which can be done without.
        """
        asked = []
        big = {
            frame.session.id
            for frame in frames
            if frame.session is not None and self._big.get(frame.id) == frame.loader_id
        }
        for frame in frames:
            world = frame.world
            if world is None or frame.session is None or frame.session.id in big:
                continue
            params = {
                "expression": "cdpAgent.elementCount()",
                "returnByValue": True,
                **world.for_evaluate,
            }
            most = seconds if frame.local_root.index == 0 else min(seconds, grace)
            asked.append((frame, frame.session.post("Runtime.evaluate", params, timeout=most)))
        if asked:
            await asyncio.wait([reply for _, reply in asked], timeout=seconds)
        for frame, reply in asked:
            done = reply.done() and not reply.cancelled() and reply.exception() is None
            count = reply.result().get("result", {}).get("value") if done else None
            if isinstance(count, int) and count > BIG and frame.session is not None:
                big.add(frame.session.id)
        return big

    def keep_only(self, frame_ids: set[str]) -> None:
        for gone in self._handles.keys() - frame_ids:
            del self._handles[gone]
        for gone in self._big.keys() - frame_ids:
            del self._big[gone]
        for gone in self._known.keys() - frame_ids:
            del self._known[gone]

    async def fetch(self, frame: Frame, wanted: Wanted, seconds: float) -> Part:
        """Raises: StaleRef: the node of `expand` is gone; and what commands raise."""
        session, world = frame.require_session(), frame.world
        if world is None:
            raise BrowserError(f"frame {frame.index} runs no scripts")
        listeners = await self._listeners(frame, session, seconds)
        known = self._known.get(frame.id)
        if wanted.expand is not None or wanted.search or (known and not known.is_of(frame)):
            known = None
        start = None
        if wanted.expand is not None and wanted.expand.frame_index == frame.index:
            start = await _handle(session, world, wanted.expand, seconds)
        beside = _Beside(frame, known, seconds)
        try:
            nodes, measured = await _chosen(session, world, wanted, start, beside, seconds)
        finally:
            if start is not None:
                session.send_only("Runtime.releaseObject", {"objectId": start})
        self._big.pop(frame.id, None)
        if measured.count > BIG:
            self._big[frame.id] = frame.loader_id
        heard = (await listeners).listeners
        listening = (one.backendNodeId for one in heard if one.type in _CLICKS)
        dom = part_facts(nodes, measured, listening)
        again = known.to_ask(dom, measured) if known is not None else None
        asking = Asking(session, nodes, measured, seconds, _holds(known, again, nodes, measured))
        asking.early = beside.early
        tree, unfetched = await asking.tree()
        if wanted.expand is None and not wanted.search:
            in_labels = frozenset(dom.in_labels(again or ()))
            self._known[frame.id] = KnownPart(
                frame.loader_id, session.id, dom, measured, asking.asked, in_labels
            )
        cut = f"only the first {measured.cut} places with these words are shown"
        return Part(tree, dom, unfetched, beside.unseen, cut if measured.cut else "")

    async def _listeners(
        self, frame: Frame, session: Session, seconds: float
    ) -> asyncio.Future[_Listeners]:
        """Who listens, asked of the page's own `document`.

        Asked of the one in our world, renderers crashed later, on pages where elements with an
        `onclick` attribute changed. Why is a guess: that attribute is compiled for who asks first.
        """
        world = frame.main_world
        if world is None:
            raise BrowserError(f"frame {frame.index} runs no scripts")
        known = self._handles.get(frame.id)
        if known is None or known[0] != world:
            params = {"expression": "document", **world.for_evaluate}
            reply = await session.post("Runtime.evaluate", params, timeout=seconds)
            known = self._handles[frame.id] = world, str(reply["result"]["objectId"])
        return session.post(
            "DOMDebugger.getEventListeners",
            {"objectId": known[1], "depth": -1, "pierce": True},
            into=_Listeners,
            timeout=seconds,
        )


async def _handle(session: Session, world: World, element: ElementId, seconds: float) -> str:
    params = {"backendNodeId": element.backend_node_id, "executionContextId": world.context_id}
    try:
        reply = await session.post("DOM.resolveNode", params, timeout=seconds)
    except CdpAgentError as error:
        if is_node_gone(error):
            raise StaleRef(f"{element} is not on the page any more", ref=str(element)) from None
        raise
    return str(reply["object"]["objectId"])


class _Beside:
    """What is sent right after the nodes are asked for, so that it is answered meanwhile."""

    def __init__(self, frame: Frame, known: KnownPart | None, seconds: float) -> None:
        self._frame = frame
        self._known = known
        self._seconds = seconds
        self.unseen: asyncio.Future[dict[str, Any]] | None = None
        self.early: dict[int, asyncio.Future[AxTree]] = {}

    def send(self) -> None:
        session = self._frame.require_session()
        self.unseen = ask_unseen(self._frame, self._seconds, in_part=True)
        if self._known is not None:
            for backend in self._known.foreseen:
                reply = self.early[backend] = ask_node(session, backend, self._seconds)
                reply.add_done_callback(heard)


def _holds(
    known: KnownPart | None, again: set[int] | None, nodes: list[DeepNode], measured: Measured
) -> AskedPart | None:
    """What was answered before and still holds."""
    if known is None or again is None:
        return None
    plain = set(measured.plain)
    chosen = {node.backendNodeId for place, node in enumerate(nodes) if place not in plain}
    return still_known(known.asked, chosen - known.plain, again)


async def _chosen(
    session: Session,
    world: World,
    wanted: Wanted,
    start: str | None,
    beside: _Beside,
    seconds: float,
) -> tuple[list[DeepNode], Measured]:
    """The nodes to show. Closed shadow roots among them are handed in, and the choice made anew."""
    params: dict[str, Any]
    words = json.dumps(wanted.search)
    if start is None:
        method = "Runtime.evaluate"
        call = f"cdpAgent.parts({wanted.nodes}, null, {words})"
        params = {"expression": call, **world.for_evaluate, **DEEP}
    else:
        method = "Runtime.callFunctionOn"
        call = f"function() {{ return cdpAgent.parts({wanted.nodes}, this, ''); }}"
        params = {"functionDeclaration": call, "objectId": start, **DEEP}
    for _ in range(3):
        choosing = session.post(method, params, into=DeepReply, timeout=seconds)
        beside.send()
        reply = await choosing
        if reply.result.objectId:
            session.send_only("Runtime.releaseObject", {"objectId": reply.result.objectId})
        items = reply.result.deepSerializedValue
        if items is None or reply.exceptionDetails is not None or not items.value:
            raise BrowserError("the page's parts could not be told apart")
        measured = msgspec.json.decode(str(items.value[0].value), type=Measured)
        nodes = [item.value for item in items.value[1:] if isinstance(item.value, DeepNode)]
        closed = [
            root.backendNodeId
            for index, node in enumerate(nodes)
            if (root := node.closed_root) is not None and index not in measured.hosts
        ]
        if not closed:
            break
        await asyncio.gather(*(hand(session, world, root, seconds) for root in closed))
    return nodes, measured
