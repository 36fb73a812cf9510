"""What a large document says of itself before and after samples of its tree are taken.

Before: how large it is, and what of its elements the DOM does not show. After: whether it held
still meanwhile, and the names that only Chromium can compute. See `census.js`.
"""

from __future__ import annotations

import asyncio
import json

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.deep import DEEP
from cdp_agent.snapshot.part_facts import DeepNode, DeepReply
from cdp_agent.targets import Frame

CensusReply = asyncio.Future[DeepReply]


class Census(msgspec.Struct):
    count: int
    stirred: bool
    #: Whether elements have computed names.
    names: bool
    #: What is peculiar about the nodes that follow; None: too many are, or nobody looked.
    marks: list[str] | None


class Testimony(msgspec.Struct):
    count: int
    names: list[str]
    #: Whether all that changed is listed.
    all: bool
    #: Of each whether what stands in it may be different too.
    deep: list[bool]


def ask_census(
    frame: Frame, large: int, seconds: float, *, again: bool = False
) -> CensusReply | None:
    """Have the document say how large it is. None: it runs no scripts.

    `again`: what is known of it is of the last look, and counts only if nothing happened since.
    """
    if frame.world is None:
        return None
    call = f"cdpAgent.census({large}, {json.dumps(again)})"
    params = {"expression": call, **frame.world.for_evaluate, **DEEP}
    return frame.require_session().post("Runtime.evaluate", params, into=DeepReply, timeout=seconds)


async def counted(
    session: Session, reply: CensusReply | None
) -> tuple[Census | None, list[DeepNode]]:
    if reply is None:
        return None, []
    try:
        first, nodes = _listed(session, await reply)
    except CdpAgentError:
        return None, []
    return (msgspec.json.decode(first, type=Census) if first else None), nodes


def _listed(session: Session, reply: DeepReply) -> tuple[str, list[DeepNode]]:
    """A text and the nodes that follow it; "" if they are not all to be had."""
    if reply.result.objectId:
        session.send_only("Runtime.releaseObject", {"objectId": reply.result.objectId})
    items = reply.result.deepSerializedValue
    if items is None or reply.exceptionDetails is not None or not items.value:
        return "", []
    nodes = [item.value for item in items.value[1:] if isinstance(item.value, DeepNode)]
    return (str(items.value[0].value), nodes) if len(nodes) == len(items.value) - 1 else ("", [])


async def testify(
    frame: Frame, numbers: list[int], seconds: float
) -> tuple[Testimony | None, list[DeepNode]]:
    """Names of elements by their number, and what changed since the census. None: not to be had."""
    if frame.world is None:
        return None, []
    call = f"cdpAgent.testimony({json.dumps(numbers, separators=(',', ':'))})"
    params = {"expression": call, **frame.world.for_evaluate, **DEEP}
    session = frame.require_session()
    reply = await session.post("Runtime.evaluate", params, into=DeepReply, timeout=seconds)
    first, changed = _listed(session, reply)
    return (msgspec.json.decode(first, type=Testimony) if first else None), changed


def end_census(frame: Frame) -> None:
    """Have the document stop noting what changes: nobody is going to ask."""
    if frame.world is not None and frame.session is not None:
        params = {"expression": "cdpAgent.endCensus()", **frame.world.for_evaluate}
        frame.session.send_only("Runtime.evaluate", params)
