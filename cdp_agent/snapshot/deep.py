"""Answers of scripts that hold nodes, with the ids that only Chromium knows."""

from __future__ import annotations

import asyncio
from typing import Any

#: For `Runtime.evaluate`: a list of nodes is answered node by node, without what is in them.
DEEP: dict[str, Any] = {
    "serializationOptions": {
        "serialization": "deep",
        "maxDepth": 1,
        "additionalParameters": {"maxNodeDepth": 0},
    }
}


def heard(reply: asyncio.Future[Any]) -> None:
    """Nobody may ever ask for it; asyncio would complain of an error that nobody saw."""
    if not reply.cancelled():
        reply.exception()
