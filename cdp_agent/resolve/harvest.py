"""Structured data of a frame (tables, lists, pairs), read by `js/read/harvest.js`.

Texts come first, with a number for each node. Chromium takes a second to serialize 20,000 nodes, so
it is asked only about the nodes of values that were taken.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from cdp_agent.deadline import seconds_until
from cdp_agent.errors import BrowserError
from cdp_agent.ids import LoaderId
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import shown_document
from cdp_agent.snapshot.fetch.script_nodes import NODE_LIST
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.targets.remote_objects import call_function, node_object, release_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import (
        CallFunctionOnParameters,
        CallFunctionOnReturns,
        EvaluateReturns,
    )

#: Nodes that are named in one reply.
_BATCH = 5_000


class _NodeValue(msgspec.Struct, gc=False):
    backendNodeId: int = 0


class _Item(msgspec.Struct, gc=False):
    value: _NodeValue | None = None


class _Array(msgspec.Struct):
    value: list[_Item] = []


class _Result(msgspec.Struct):
    objectId: str = ""
    deepSerializedValue: _Array | None = None


class _NodesReply(msgspec.Struct):
    result: _Result
    exceptionDetails: msgspec.Raw | None = None


@dataclass(frozen=True, slots=True)
class FrameHarvest:
    """Tables, repeated items (`groups`) and pairs of a frame. The caller releases it.

    Nodes in it are numbers that `backend_node_ids` turns into ids.
    """

    frame: Frame
    loader_id: LoaderId
    handle: str
    groups: list[Any]
    pairs: list[Any]

    async def backend_node_ids(self, numbers: Sequence[int], seconds: float) -> list[int]:
        """Raises: BrowserError: the document is gone, or a number is not of this harvest."""
        session = self.frame.require_session()
        deadline = time.monotonic() + seconds
        backends: list[int] = []
        for start in range(0, len(numbers), _BATCH):
            some = list(numbers[start : start + _BATCH])
            reply = await session.post(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": "function(ns) { return ns.map((n) => this.nodes[n]) }",
                    "objectId": self.handle,
                    "arguments": [{"value": some}],
                    "serializationOptions": NODE_LIST,
                },
                into=_NodesReply,
                timeout=seconds_until(deadline, 0.5),
            )
            if reply.result.objectId:
                release_object(session, reply.result.objectId)
            items = reply.result.deepSerializedValue
            if reply.exceptionDetails is not None or items is None:
                raise BrowserError("the elements of the extracted values could not be read")
            backends += [item.value.backendNodeId if item.value else 0 for item in items.value]
        return backends

    def release(self) -> None:
        session = self.frame.session
        if session is not None and session.ended is None:
            release_object(session, self.handle)


async def harvest(
    target: PageTarget, frame: Frame, top: int | None, seconds: float
) -> FrameHarvest:
    """Tables, repeated items and pairs of a frame, or of the subtree of one node."""
    session, world, loader_id, _ = await shown_document(target, frame, seconds)
    if top is None:
        expression = "cdpAgent.harvest(document.body)"
        made: EvaluateReturns | CallFunctionOnReturns = await session.post(
            "Runtime.evaluate", {"expression": expression, **world.for_evaluate}, timeout=seconds
        )
    else:
        function = "function() { return cdpAgent.harvest(this) }"
        async with node_object(session, top, world, seconds) as object_id:
            params: CallFunctionOnParameters = {
                "functionDeclaration": function,
                "objectId": object_id,
            }
            made = await session.post("Runtime.callFunctionOn", params, timeout=seconds)
    script_value(made)  # a script of ours that threw is a bug, and says so
    handle = made["result"]["objectId"]
    function = "(harvest) => harvest.json"
    asked = call_function(session, world, function, [{"objectId": handle}], seconds=seconds)
    text = script_value(await asked)
    groups, pairs = msgspec.json.decode(text)
    return FrameHarvest(frame, loader_id, handle, groups, pairs)
