"""Closed shadow roots, given to our scripts, which cannot find them by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cdp_agent import log
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.targets import Frame, World
from cdp_agent.targets.remote_objects import call_function, node_object

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import DescribeNodeParameters
    from cdp_use.cdp.runtime.types import CallArgument

_log = log.get("snapshot")


@dataclass(slots=True)
class ClosedRoots:
    """The closed shadow roots that the script of each frame was given."""

    #: Frame → its world, the elements that were searched, the roots that were given.
    _given: dict[str, tuple[World, set[int], set[int]]] = field(default_factory=dict)

    async def give(self, frame: Frame, hosts: Mapping[int, bool], seconds: float) -> bool:
        """Give a frame's script the new roots; whether there were any.

        `hosts` are those of `DomFacts.closed_hosts`.
        """
        world, session = frame.world, frame.session
        if world is None or session is None or session.ended is not None:
            return False
        given_to, searched, given = self._given.get(frame.id, (world, set(), set()))
        if given_to != world:
            searched, given = set(), set()
        if hosts.keys() <= searched:
            return False
        outer = [host for host, is_certain in hosts.items() if is_certain]
        roots = await asyncio.gather(*(_closed_roots(session, host, seconds) for host in outer))
        new = set().union(*roots) - given
        self._given[frame.id] = world, {*searched, *hosts}, given | new
        await asyncio.gather(*(give_root(session, world, root, seconds) for root in new))
        return bool(new)

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self._given.keys() - frame_ids:
            del self._given[gone]


async def _closed_roots(session: Session, host: int, seconds: float) -> set[int]:
    """Closed roots of an element and of everything inside them."""
    params: DescribeNodeParameters = {"backendNodeId": host, "depth": -1, "pierce": True}
    try:
        reply = await session.post("DOM.describeNode", params, timeout=seconds)
    except CdpAgentError as error:
        _log.debug("closed roots of %s: %s", host, error)  # it is gone, or nests too deep
        return set()
    roots: set[int] = set()
    waiting = [reply["node"]]
    while waiting:
        node = waiting.pop()
        if node.get("shadowRootType") == "closed":
            roots.add(node["backendNodeId"])
        waiting += node.get("children", [])
        waiting += node.get("shadowRoots", [])
    return roots


async def give_root(session: Session, world: World, root: int, seconds: float) -> None:
    """Give our scripts a closed shadow root, by its backend node id."""
    function = "(root) => { cdpAgent.adoptRoot(root) }"
    try:
        async with node_object(session, root, world, seconds) as object_id:
            node: CallArgument = {"objectId": object_id}
            await call_function(session, world, function, [node], seconds=seconds)
    except CdpAgentError as error:
        _log.debug("closed root %s: %s", root, error)  # it is gone, or its document is
