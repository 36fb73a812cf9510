"""Finds a replaced element again, by its path, role, name and tag.

Only its own frame is searched. Chromium's accessibility tree decides: the element at the stored
path must have the same role, name and tag, and no other element of the frame may have that role
and name. Elements that the tree does not name (clickable boxes, labels) are compared by their
text. Where that cannot be shown in time, or in a new closed shadow root, the element counts as
gone.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from cdp_agent.protocol import Session
from cdp_agent.resolve.refs import Ref
from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.tree import AxNode, AxTree
from cdp_agent.snapshot.build.naming import properties_of, shown_role
from cdp_agent.snapshot.fetch.ax import single_node
from cdp_agent.snapshot.fetch.script_nodes import NODE_LIST, items_of, release_when_done
from cdp_agent.targets import World
from cdp_agent.targets.remote_objects import release_object
from cdp_agent.text import one_line

if TYPE_CHECKING:
    from cdp_use.cdp.accessibility.commands import QueryAXTreeParameters
    from cdp_use.cdp.runtime.commands import EvaluateParameters

#: Names in snapshots are cut at this length, unless their options say otherwise.
_NAME_LIMIT = 200
#: Elements that the tree gives no name: snapshots name them by their text.
_NAMED_BY_TEXT = frozenset({"generic", "label"})


async def find_equal(session: Session, world: World, ref: Ref, seconds: float) -> int | None:
    """The backend node id of the element that is certain to be it, or None.

    Raises: what commands raise.
    """
    backend = await _at_path(session, world, ref, seconds)
    if backend is None:
        return None
    nodes = (await single_node(session, backend, seconds)).nodes
    if ref.role in _NAMED_BY_TEXT:
        return backend if nodes and _is_named_by_text(nodes[0]) else None
    if not nodes or not _is_equal(nodes[0], ref):
        return None
    same_role = await _of_role(session, world, nodes[0].role_name, seconds)
    equal = {node.backendDOMNodeId for node in same_role if _is_equal(node, ref)}
    return backend if equal == {backend} else None


def _is_named_by_text(node: AxNode) -> bool:
    """Returns whether the tree has no role for it that a snapshot would show instead."""
    return node.ignored or roles.plain(node.role_name) in ("generic", "label", "none", "")


def _is_equal(node: AxNode, ref: Ref) -> bool:
    if node.ignored:
        return False
    role = shown_role(node.role_name, properties_of(node))
    return (role, one_line(node.text, _NAME_LIMIT)) == (ref.role, ref.name)


async def _at_path(session: Session, world: World, ref: Ref, seconds: float) -> int | None:
    """The backend node id of the element at the ref's path, if it has the ref's tag."""
    if ref.role in _NAMED_BY_TEXT:
        if not ref.name:
            return None
        call = f"atPathWithText({json.dumps(ref.xpath)}, {json.dumps(ref.name)})"
    else:
        call = f"atPath({json.dumps(ref.xpath)})"
    expression = f"[cdpAgent.{call}].filter((element) => element !== null)"
    params: EvaluateParameters = {
        "expression": expression,
        "serializationOptions": NODE_LIST,
        **world.for_evaluate,
    }
    asked = session.post("Runtime.evaluate", params, timeout=seconds)
    release_when_done(session, asked)
    for item in items_of(await asked) or ():
        node = item.get("value", {})
        if str(node.get("localName", "")).lower() == ref.tag:
            return int(node["backendNodeId"])
    return None


async def _of_role(session: Session, world: World, role: str, seconds: float) -> list[AxNode]:
    """All nodes of the document with this role of Chromium's."""
    params: EvaluateParameters = {"expression": "document", **world.for_evaluate}
    document = await session.post("Runtime.evaluate", params, timeout=seconds)
    object_id = document["result"]["objectId"]
    query: QueryAXTreeParameters = {"objectId": object_id, "role": role}
    asked: asyncio.Future[AxTree] = session.post(
        "Accessibility.queryAXTree", query, into=AxTree, timeout=seconds
    )
    try:
        return (await asked).nodes
    finally:
        release_object(session, object_id)
