"""The event listeners of a document: one command, by an object that stands for the document.

The object is fetched with the first capture; nothing is done to the page. It is the page's own
`document`: asked of the one in our world, renderers crashed later, on pages where elements with an
`onclick` attribute changed. A guess: that attribute is compiled for who asks first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.targets import Frame, World
from cdp_agent.targets.remote_objects import node_object

if TYPE_CHECKING:
    from cdp_use.cdp.domdebugger.commands import GetEventListenersParameters
    from cdp_use.cdp.runtime.commands import EvaluateParameters

#: Listeners that make an element something to act on, beside those that layout facts have.
TARGET_TYPES = frozenset({"drop", "dblclick", "contextmenu", "pointerdown", "auxclick"})
#: Those that layout facts have.
CLICK_TYPES = frozenset({"click", "mousedown", "mouseup", "DOMActivate"})


#: Chromium collects nested elements by recursion: without a bound, 2,000 levels crash the page.
_MOST_LEVELS = 300
#: Deeper nodes are asked for below the elements of each level that this divides.
LEVELS = 250
#: Single nodes that are asked about, and how many at one time.
MOST_NODES, _AT_ONCE = 60, 10
#: More listeners take Chromium over 10 ms to list.
_MANY = 2_000


class Listener(msgspec.Struct):
    type: str
    backendNodeId: int = 0


class _Reply(msgspec.Struct):
    listeners: list[Listener] = []


class ListenerCount(msgspec.Struct):
    jsEventListeners: int


def nodes_with(listeners: Iterable[Listener], types: Container[str]) -> frozenset[int]:
    """Returns the backend ids of the elements that listen for one of these types."""
    return frozenset(one.backendNodeId for one in listeners if one.type in types)


def nodes_at_levels(parents: Sequence[int], backends: Sequence[int]) -> list[int]:
    """Returns the nodes of each level that `LEVELS` divides, those without children left out."""
    depths: list[int] = []
    chosen: dict[int, None] = {}
    for index, parent in enumerate(parents):
        depth = depths[parent] + 1 if 0 <= parent < index else 0
        depths.append(depth)
        if depth > LEVELS and depths[parent] % LEVELS == 0:
            chosen[backends[parent]] = None
    return list(chosen)


def new_nodes(parents: Sequence[int], backends: Sequence[int], known: Container[int]) -> list[int]:
    """Returns the nodes that are not known, those inside others of them left out."""
    return [
        backend
        for backend, parent in zip(backends, parents, strict=True)
        if backend not in known and (parent < 0 or backends[parent] in known)
    ]


def count_listeners(session: Session, seconds: float) -> asyncio.Future[ListenerCount]:
    """Asks for the number of listeners in the process of a session, those of our world included."""
    return session.post("Memory.getDOMCounters", into=ListenerCount, timeout=seconds)


@dataclass(slots=True)
class Listeners:
    """The objects that stand for the documents of a page's frames."""

    _documents: dict[str, tuple[World, str]] = field(default_factory=dict)
    #: Frame → listeners of its document, when they were last listed.
    _sizes: dict[str, int] = field(default_factory=dict)

    async def of_document(self, frame: Frame, seconds: float) -> list[Listener]:
        """Returns the listeners of a document, those in shadow roots too, some levels deep.

        Raises:
            CdpAgentError: the document cannot answer.
        """
        world, session = frame.main_world, frame.require_session()
        if world is None:
            raise BrowserError(f"frame {frame.index} runs no scripts")
        try:
            object_id = await self._document(frame, world, seconds)
            listeners = await _listeners_below(session, object_id, seconds)
        except CdpAgentError:
            self._documents.pop(frame.id, None)
            raise
        self._sizes[frame.id] = len(listeners)
        return listeners

    def are_many(self, frame: Frame) -> bool:
        """Returns whether the document had too many listeners to be listed after every action."""
        return self._sizes.get(frame.id, 0) > _MANY

    async def inside(self, frame: Frame, nodes: Sequence[int], seconds: float) -> list[Listener]:
        """Returns the listeners of the first of these nodes and of what is inside them.

        Raises:
            CdpAgentError: the document cannot answer.
        """
        session = frame.require_session()
        found: list[Listener] = []

        async def ask(node: int) -> None:
            async with node_object(session, node, None, seconds) as object_id:
                found.extend(await _listeners_below(session, object_id, seconds))

        asked = nodes[:MOST_NODES]
        for start in range(0, len(asked), _AT_ONCE):
            await asyncio.gather(*map(ask, asked[start : start + _AT_ONCE]))
        return found

    async def _document(self, frame: Frame, world: World, seconds: float) -> str:
        known, object_id = self._documents.get(frame.id, (None, ""))
        if known != world:
            # Without a group of objects: with one, each listener would come as an object too.
            params: EvaluateParameters = {"expression": "document", **world.for_evaluate}
            session = frame.require_session()
            reply = await session.post("Runtime.evaluate", params, timeout=seconds)
            object_id = str(reply.get("result", {}).get("objectId", ""))
            if not object_id:
                raise BrowserError(f"frame {frame.index} has no document of its own")
            self._documents[frame.id] = world, object_id
        return object_id

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self._documents.keys() - frame_ids:
            del self._documents[gone]
            self._sizes.pop(gone, None)


async def _listeners_below(session: Session, object_id: str, seconds: float) -> list[Listener]:
    params: GetEventListenersParameters = {
        "objectId": object_id,
        "depth": _MOST_LEVELS,
        "pierce": True,
    }
    reply = session.post("DOMDebugger.getEventListeners", params, into=_Reply, timeout=seconds)
    return (await reply).listeners
