"""Answers of scripts that hold nodes, with the ids that only Chromium knows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

#: For `Runtime.evaluate`: a list of nodes is answered node by node, without what is in them.
DEEP: dict[str, Any] = {
    "serializationOptions": {
        "serialization": "deep",
        "maxDepth": 1,
        "additionalParameters": {"maxNodeDepth": 0},
    }
}


def items_of(answer: dict[str, Any]) -> list[dict[str, Any]] | None:
    """What a list that a script answered holds; None: it answered no list."""
    found = answer.get("result", {}).get("deepSerializedValue", {}).get("value")
    return found if isinstance(found, list) else None


def nodes_among(items: Iterable[dict[str, Any]]) -> frozenset[int]:
    """The backend ids of the nodes in such a list."""
    return frozenset(one["value"]["backendNodeId"] for one in items if one.get("type") == "node")


def heard(reply: asyncio.Future[Any]) -> None:
    """Nobody may ever ask for it; asyncio would complain of an error that nobody saw."""
    if not reply.cancelled():
        reply.exception()
