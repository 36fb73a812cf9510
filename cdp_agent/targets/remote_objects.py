"""Remote objects: nodes that scripts are given, and their release.

Chromium keeps a remote object, and with it the node and its document, until it is released. Every
node that is handed to a script is resolved here, and every object is released here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cdp_agent.errors import ProtocolError
from cdp_agent.protocol import Session
from cdp_agent.targets.frames import World

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import DescribeNodeParameters, ResolveNodeParameters
    from cdp_use.cdp.dom.types import Node
    from cdp_use.cdp.runtime.commands import CallFunctionOnReturns
    from cdp_use.cdp.runtime.types import CallArgument


async def find_object(
    session: Session, backend_node_id: int, world: World | None, seconds: float
) -> str | None:
    """Returns a node's object in a world (None: the page's own), to be released.

    A node whose document is not shown any more has none.
    """
    params: ResolveNodeParameters = {"backendNodeId": backend_node_id}
    if world is not None:
        params["executionContextId"] = world.context_id
    reply = await session.post("DOM.resolveNode", params, timeout=seconds)
    return reply["object"].get("objectId")


async def resolve_node(
    session: Session, backend_node_id: int, world: World | None, seconds: float
) -> str:
    """Returns a node's object, as `find_object` does.

    Raises:
        ProtocolError: there is no such node (`is_node_gone`).
    """
    object_id = await find_object(session, backend_node_id, world, seconds)
    if object_id is None:
        raise ProtocolError("DOM.resolveNode", "No node with given id found in a shown document")
    return object_id


@asynccontextmanager
async def node_object(
    session: Session, backend_node_id: int, world: World | None, seconds: float
) -> AsyncIterator[str]:
    """Gives a node's object, as `resolve_node` does, and releases it at the end."""
    object_id = await resolve_node(session, backend_node_id, world, seconds)
    try:
        yield object_id
    finally:
        release_object(session, object_id)


def keep_node(session: Session, backend_node_id: int, group: str) -> None:
    """Keep a node alive that no document may hold, until `release_group`."""
    session.send_only("DOM.resolveNode", {"backendNodeId": backend_node_id, "objectGroup": group})


def release_object(session: Session, object_id: str) -> None:
    """Let Chromium forget an object; nothing happens if its session is over."""
    session.send_only("Runtime.releaseObject", {"objectId": object_id})


def release_group(session: Session, group: str) -> None:
    """Let Chromium forget the objects of a group."""
    session.send_only("Runtime.releaseObjectGroup", {"objectGroup": group})


async def describe_object(session: Session, object_id: str, seconds: float) -> Node:
    """Returns the node that a script returned as an object, which is released."""
    try:
        params: DescribeNodeParameters = {"objectId": object_id}
        return (await session.post("DOM.describeNode", params, timeout=seconds))["node"]
    finally:
        release_object(session, object_id)


def call_function(
    session: Session,
    world: World,
    function: str,
    arguments: Sequence[CallArgument],
    *,
    seconds: float,
    await_promise: bool = False,
    user_gesture: bool = False,
) -> asyncio.Future[CallFunctionOnReturns]:
    """Call a function of ours in a world; the reply has what it returns, by value.

    Nodes are arguments as objects: `{"objectId": …}`; all else is `{"value": …}`.
    """
    return session.post(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            **world.for_call,
            "arguments": list(arguments),
            "awaitPromise": await_promise,
            "returnByValue": True,
            "userGesture": user_gesture,
        },
        timeout=seconds,
    )
