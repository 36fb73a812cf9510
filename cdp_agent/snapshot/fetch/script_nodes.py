"""Nodes that a script returns, with the backend ids that only Chromium knows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cdp_agent.protocol import Session
from cdp_agent.targets.remote_objects import release_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateReturns
    from cdp_use.cdp.runtime.types import SerializationOptions

#: `serializationOptions` by which a list of nodes comes node by node, without their content.
NODE_LIST: SerializationOptions = {
    "serialization": "deep",
    "maxDepth": 1,
    "additionalParameters": {"maxNodeDepth": 0},
}
#: The same for one node.
SINGLE_NODE: SerializationOptions = {**NODE_LIST, "maxDepth": 0}


def backend_id_of(reply: EvaluateReturns) -> int | None:
    """The backend node id of the node that a script returned; None: it returned no node."""
    value = reply.get("result", {}).get("deepSerializedValue", {}).get("value")
    return int(value["backendNodeId"]) if isinstance(value, dict) else None


def items_of(reply: EvaluateReturns) -> list[dict[str, Any]] | None:
    """The items of the list that a script returned; None: it returned something else."""
    value = reply.get("result", {}).get("deepSerializedValue", {}).get("value")
    return value if isinstance(value, list) else None


def backend_ids(items: Iterable[dict[str, Any]]) -> frozenset[int]:
    """The backend node ids of the nodes in such a list."""
    return frozenset(item["value"]["backendNodeId"] for item in items if item.get("type") == "node")


def release_when_done(session: Session, reply: asyncio.Future[EvaluateReturns]) -> None:
    """Release the list in the renderer once it has arrived, whether or not anybody waits."""

    def release(done: asyncio.Future[EvaluateReturns]) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        object_id = done.result().get("result", {}).get("objectId")
        if object_id is not None and session.ended is None:
            release_object(session, object_id)

    reply.add_done_callback(release)


def retrieve_exception(reply: asyncio.Future[Any]) -> None:
    """Mark a reply's error as seen: asyncio complains of errors that are never read."""
    reply.add_done_callback(lambda done: done.cancelled() or done.exception())
