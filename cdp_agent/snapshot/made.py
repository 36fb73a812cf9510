"""Whether a closed shadow root came since the last look.

No script finds a closed shadow root, and no mutation tells of it. But Chromium counts all nodes:
if there are no more than what was told explains, there is none. What came is described by Chromium
itself, so that a root that came with its host is found for certain. Where the count does not tell,
because some nodes were collected or a page makes more than it keeps, Chromium is asked about every
element that could have such a root.
"""

from __future__ import annotations

import asyncio
from typing import Any

from cdp_agent.protocol import Session
from cdp_agent.snapshot.deep import DEEP
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.part_facts import DeepNode, DeepReply
from cdp_agent.snapshot.told import Row, Told
from cdp_agent.targets import Frame

#: Inside of these Chromium makes elements of its own, as their state and attributes demand.
_FILLED = frozenset(
    "input textarea select option optgroup details summary progress meter img video audio object"  # noqa: SIM905
    " embed marquee q".split()
)
_OF_ITS_OWN = 8
_ELEMENT = 1
#: `::before`, `::after` and `::marker`.
_PSEUDO = 3
#: Setting `innerHTML` leaves behind what it was parsed into.
_FRAGMENT = 1
#: With more elements that may have a shadow root, everything is looked at.
_MOST_HOSTS = 20_000


async def has_closed_roots(frame: Frame, seconds: float) -> bool:
    """Whether some element has one; also where nobody can tell.

    Raises:
        CdpAgentError: the frame has gone.
    """
    if frame.world is None:
        return True
    params: dict[str, Any] = {
        "expression": f"cdpAgent.possibleHosts({_MOST_HOSTS})",
        **DEEP,
        **frame.world.for_evaluate,
    }
    session = frame.require_session()
    reply = await session.post("Runtime.evaluate", params, into=DeepReply, timeout=seconds)
    if reply.result.objectId:
        session.send_only("Runtime.releaseObject", {"objectId": reply.result.objectId})
    found = reply.result.deepSerializedValue
    if found is None or found.type != "array" or reply.exceptionDetails is not None:
        return True
    return any(
        isinstance(item.value, DeepNode) and item.value.closed_root is not None
        for item in found.value
    )


async def nodes_made(
    session: Session, dom: DomFacts, told: Told, ids: list[int], seconds: float
) -> int | None:
    """At most so many nodes are new. None: a closed shadow root is among them.

    Raises:
        CdpAgentError: what came is gone again, or nests too deep to be described.
    """
    made = _OF_ITS_OWN * len(told.states) + (_FRAGMENT if told.added else 0)
    for one in told.attributes:
        tag = dom.tag(ids[one.node])
        if tag in _FILLED:
            made += _OF_ITS_OWN
        elif tag == "dialog" or "popover" in one.attributes:
            made += 1  # its backdrop
    made += sum(_of_row(row) + _PSEUDO for shown in told.replaced for row in shown.rows)
    rows = [row for one in told.added for row in one.rows]
    if all(row.type != _ELEMENT for row in rows):
        return made + len(rows)
    described = await asyncio.gather(
        *(_describe(session, ids[one.rows[0].node], seconds) for one in told.added)
    )
    # Texts of spaces alone are not described.
    made += sum(row.type != _ELEMENT and not (row.value or "").strip() for row in rows)
    for top in described:
        count = _count(top)
        if count is None:
            return None
        made += count
    return made


def _of_row(row: Row) -> int:
    return 1 + (_OF_ITS_OWN if row.name.lower() in _FILLED else 0)


async def _describe(session: Session, backend: int, seconds: float) -> dict[str, Any]:
    params = {"backendNodeId": backend, "depth": -1, "pierce": True}
    node: dict[str, Any] = (await session.post("DOM.describeNode", params, timeout=seconds))["node"]
    return node


def _count(top: dict[str, Any]) -> int | None:
    """Nodes in a described tree, pseudo-elements and Chromium's own included."""
    found = 0
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if node.get("shadowRootType") == "closed":
            return None
        found += 1
        for inner in ("children", "shadowRoots", "pseudoElements"):
            waiting += node.get(inner, ())
        if "templateContent" in node:
            waiting.append(node["templateContent"])
    return found
