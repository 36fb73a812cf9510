"""Nodes of one frame by CSS, XPath or attribute, and facts of a node."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.errors import BrowserError, InvalidParams
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.resolve.worlds import shown_document
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.targets.remote_objects import node_object, release_object
from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import CallFunctionOnReturns, EvaluateReturns
    from cdp_use.cdp.runtime.types import DeepSerializedValue, SerializationOptions

DomKind = Literal["css", "xpath", "test_id", "placeholder"]

#: Chromium writes the backend node ids of a whole array of nodes into one reply.
_DEEP: SerializationOptions = {
    "serialization": "deep",
    "maxDepth": 8,
    "additionalParameters": {"maxNodeDepth": 0},
}


_FACTS = "(node) => node.isConnected ? cdpAgent.factsOf(node) : null"


@dataclass(frozen=True, slots=True)
class FoundElement:
    """An element as it is now."""

    id: ElementId
    tag: str
    name: str
    visible: bool
    disabled: bool

    def __str__(self) -> str:
        name = f" {quoted(one_line(self.name, 60))}" if self.name else ""
        return f"[{self.id}] {self.tag}{name}"


async def search_frame(
    target: PageTarget, frame: Frame, kind: DomKind, value: str, exact: bool, seconds: float
) -> list[FoundElement]:
    """All elements of a frame that fit, in document order, open shadow trees included.

    Raises:
        InvalidParams: it is not a CSS selector, or no XPath.
    """
    session, world, loader_id, _ = await shown_document(target, frame, seconds)
    arguments = ", ".join(json.dumps(part) for part in (kind, value, exact))
    reply = await session.post(
        "Runtime.evaluate",
        {
            "expression": f"cdpAgent.find({arguments})",
            **world.for_evaluate,
            "serializationOptions": _DEEP,
        },
        timeout=seconds,
    )
    _release(session, reply)
    if "exceptionDetails" in reply:
        language = "a CSS selector" if kind == "css" else "an XPath"
        raise InvalidParams(f"{value[:200]!r} is not {language}")
    rows = _plain(reply["result"]["deepSerializedValue"])
    return [_found(frame, loader_id, row) for row in rows if row is not None]


async def facts_of_node(
    target: PageTarget, frame: Frame, node: ElementId, seconds: float
) -> FoundElement | None:
    """A node of a frame, or for a text the element around it; None when it is gone.

    It is gone, too, once the frame shows another document than the one the id is bound to: there
    its number may be another node's.
    """
    session, world, loader_id, _ = await shown_document(target, frame, seconds)
    if loader_id != node.loader_id:
        return None
    try:
        async with node_object(session, node.backend_node_id, world, seconds) as object_id:
            reply = await session.post(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": _FACTS,
                    **world.for_call,
                    "arguments": [{"objectId": object_id}],
                    "serializationOptions": _DEEP,
                },
                timeout=seconds,
            )
    except BrowserError as error:
        if is_node_gone(error):
            return None
        raise
    _release(session, reply)
    value = reply["result"].get("deepSerializedValue")
    row = _plain(value) if value is not None else None
    return _found(frame, loader_id, row) if row is not None else None


def _release(session: Session, reply: EvaluateReturns | CallFunctionOnReturns) -> None:
    """Releases objects that the renderer holds although they were serialized."""
    for part in (reply["result"], reply.get("exceptionDetails", {}).get("exception", {})):
        if "objectId" in part:
            release_object(session, part["objectId"])


def _found(frame: Frame, loader_id: LoaderId, row: list[Any]) -> FoundElement:
    backend_node_id, visible, disabled, tag, name = row
    return FoundElement(
        ElementId(frame.index, backend_node_id, loader_id),
        tag,
        " ".join(name.split()),
        visible,
        disabled,
    )


def _plain(value: DeepSerializedValue, met: dict[int, Any] | None = None) -> Any:
    """A deep-serialized value as plain data; a node is its backend node id.

    What occurs again is written as a number that its first occurrence was given.
    """
    met = {} if met is None else met
    reference = value.get("weakLocalObjectReference")
    if "value" not in value and reference is not None:
        return met[reference]
    made: Any = value.get("value")
    if value["type"] == "array":
        made = [_plain(part, met) for part in made]
    elif value["type"] == "node":
        made = int(made["backendNodeId"])
    if reference is not None:
        met[reference] = made
    return made
