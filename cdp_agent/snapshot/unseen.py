"""Text that a person cannot see, found by a script in each frame and marked `hidden`.

A page can say to a model what nobody who looks at it would read: off the screen, in the colour of
its background, one pixel high. Such text is kept, cut short and marked, rather than left out: some
of it is meant for screen readers and useful, and some will be seen after the next click. What one
can act on keeps its name and its id and gets the mark as well; a control that the page draws itself
(a transparent checkbox on a styled label) counts as seen where its stand-in is.

What the script cannot tell counts as seen: letters over pictures, half-way through a transition,
in the colour of whatever a frame's parent has behind the frame, or made by `::before`. Closed
shadow roots are handed to the script, which cannot find them by itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cdp_agent import log
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax import AxNode
from cdp_agent.snapshot.clean import one_line
from cdp_agent.snapshot.deep import DEEP, items_of, nodes_among
from cdp_agent.targets import Frame, World

_log = log.get("snapshot")

#: Longer than any name.
_WHOLE = 1_000_000
#: Nodes between a text that CSS puts somewhere and the element it is put into.
_PSEUDO_LEVELS = 3
#: What is shown of a text that nobody sees.
LONGEST = 80
#: The state of a line or an element that nobody sees.
HIDDEN = {"hidden": True}


@dataclass(frozen=True, slots=True)
class Unseen:
    """Backend node ids of one document, or all of it: its frame cannot be seen."""

    nodes: frozenset[int] = frozenset()
    everything: bool = False
    #: Elements far from the viewport that nobody has judged: the page is too large.
    passed_over: int = 0

    def __contains__(self, backend_node_id: int) -> bool:
        return self.everything or backend_node_id in self.nodes

    def __bool__(self) -> bool:
        return self.everything or bool(self.nodes)


NOTHING_UNSEEN = Unseen()


def ask_unseen(
    frame: Frame,
    seconds: float,
    *,
    in_part: bool = False,
    few: int | None = None,
    number: int | None = 0,
) -> asyncio.Future[dict[str, Any]] | None:
    """Ask what of a frame's document cannot be seen. None: it runs no scripts, or has gone.

    `in_part`: only among the nodes that `parts.js` chose last. `few`: the document was just asked
    what changed; with more elements than this it may want to be asked in full (see `is_told`).
    `number`: by which the document can say later that the answer holds; None leaves no trace.
    """
    session = frame.session
    if frame.world is None or session is None or session.ended is not None:
        return None
    call = f"unseen({json.dumps(in_part)}, {json.dumps(number)})"
    if few is not None:
        call = f"unseenAgain({few})"
    params = {
        "expression": f"cdpAgent.{call}",
        **DEEP,
        **frame.world.for_evaluate,
    }
    reply = session.post("Runtime.evaluate", params, timeout=seconds)
    reply.add_done_callback(lambda done: _release(session, done))
    return reply


async def is_told(reply: asyncio.Future[dict[str, Any]] | None, seconds: float) -> bool:
    """Whether a document that was asked again could tell."""
    if reply is None:
        return False
    await asyncio.wait([reply], timeout=seconds)
    if not reply.done() or reply.cancelled() or reply.exception() is not None:
        return False
    answer = reply.result()
    return "exceptionDetails" not in answer and answer["result"].get("value") != "?"


def _release(session: Session, reply: asyncio.Future[dict[str, Any]]) -> None:
    """Whoever still waits for the answer or not: the page's nodes are not held."""
    if reply.cancelled() or reply.exception() is not None:
        return
    object_id = reply.result().get("result", {}).get("objectId")
    if object_id is not None and session.ended is None:
        session.send_only("Runtime.releaseObject", {"objectId": object_id})


@dataclass(slots=True)
class HandedRoots:
    """The closed shadow roots that the script of each frame was given."""

    #: Frame → its world, the elements that were looked at, the roots that were given.
    _given: dict[str, tuple[World, set[int], set[int]]] = field(default_factory=dict)

    async def hand(self, frame: Frame, hosts: Mapping[int, bool], seconds: float) -> bool:
        """Hand over what is new. Whether there was any: then the frame has to be asked again.

        `hosts` are those of `DomFacts.closed_hosts`.
        """
        world, session = frame.world, frame.session
        if world is None or session is None or session.ended is not None:
            return False
        known_world, looked_at, given = self._given.get(frame.id, (world, set(), set()))
        if known_world != world:
            looked_at, given = set(), set()
        if hosts.keys() <= looked_at:
            return False
        outer = [host for host, is_sure in hosts.items() if is_sure]
        found = await asyncio.gather(*(_closed_roots(session, host, seconds) for host in outer))
        new = set().union(*found) - given
        self._given[frame.id] = world, {*looked_at, *hosts}, given | new
        await asyncio.gather(*(hand(session, world, root, seconds) for root in new))
        return bool(new)

    def keep_only(self, frame_ids: set[str]) -> None:
        for gone in self._given.keys() - frame_ids:
            del self._given[gone]


async def _closed_roots(session: Session, host: int, seconds: float) -> set[int]:
    """Closed roots of an element and of all that stands in them."""
    params = {"backendNodeId": host, "depth": -1, "pierce": True}
    try:
        reply = await session.post("DOM.describeNode", params, timeout=seconds)
    except CdpAgentError as error:
        _log.debug("closed roots of %s: %s", host, error)  # it is gone, or nests too deep
        return set()
    found: set[int] = set()
    waiting = [reply["node"]]
    while waiting:
        node = waiting.pop()
        if node.get("shadowRootType") == "closed":
            found.add(node["backendNodeId"])
        waiting += node.get("children", [])
        waiting += node.get("shadowRoots", [])
    return found


async def hand(session: Session, world: World, root: int, seconds: float) -> None:
    """Give our scripts a closed shadow root, by its backend node id."""
    params = {"backendNodeId": root, "executionContextId": world.context_id}
    try:
        reply = await session.post("DOM.resolveNode", params, timeout=seconds)
        object_id = reply["object"]["objectId"]
        script = "function () { cdpAgent.adoptRoot(this) }"
        call = {"functionDeclaration": script, "objectId": object_id}
        await session.post("Runtime.callFunctionOn", call, timeout=seconds)
        session.send_only("Runtime.releaseObject", {"objectId": object_id})
    except CdpAgentError as error:
        _log.debug("closed root %s: %s", root, error)  # it is gone, or its document is


def unseen_in(
    reply: asyncio.Future[dict[str, Any]] | None, parent: Unseen, owner: int | None
) -> Unseen:
    """What the frame said; everything, where its `owner` in the parent's document is unseen."""
    if parent.everything or (owner is not None and owner in parent):
        return Unseen(everything=True)
    if reply is None or not reply.done():
        return NOTHING_UNSEEN
    try:
        result = reply.result()
    except (CdpAgentError, asyncio.CancelledError):
        return NOTHING_UNSEEN
    if "exceptionDetails" in result:
        _log.debug("unseen: %s", result["exceptionDetails"].get("text", ""))
        return NOTHING_UNSEEN
    found = items_of(result)
    if found is None:
        return NOTHING_UNSEEN
    passed_over = sum(int(one["value"]) for one in found if one.get("type") == "number")
    return Unseen(nodes_among(found), passed_over=passed_over)


def is_unseen(node: AxNode, unseen: Unseen, find: Callable[[str], AxNode | None]) -> bool:
    """What CSS puts before or after something has no number, and shows where that does."""
    if node.backendDOMNodeId:
        return node.backendDOMNodeId in unseen
    found = find(node.parentId)
    for _ in range(_PSEUDO_LEVELS):
        if found is None or found.backendDOMNodeId in unseen:
            return found is not None
        found = find(found.parentId)
    return False


def seen_name(node: AxNode, unseen: Unseen, find: Callable[[str], AxNode | None]) -> str:
    """A name made of what an element holds, uncut, without the words in it that nobody sees."""
    name = one_line(node.text, _WHOLE)
    waiting = list(node.childIds)
    while waiting:
        child = find(waiting.pop())
        if child is None:
            continue
        if child.role_name != "StaticText":
            waiting.extend(child.childIds)
        elif child.backendDOMNodeId in unseen:
            name = name.replace(one_line(child.text, _WHOLE), " ", 1)
    return one_line(name, _WHOLE)
