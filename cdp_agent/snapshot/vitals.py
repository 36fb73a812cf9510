"""What a document says of itself at the beginning of a look: the answer of `vitals.js`."""

from __future__ import annotations

import asyncio

from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot.ledger import Reply


async def vitals_of(reply: Reply) -> str | None:
    """To be compared with earlier ones. None: there are none to be had."""
    await asyncio.wait([reply])
    return answered(reply)


async def holds(reply: Reply) -> bool:
    """Whether a document says that all is seen of it that was seen of it at its last answer."""
    await asyncio.wait([reply])
    return (_text(reply) or "").startswith("=")


def answered(reply: Reply) -> str | None:
    """The same of an answer that is there."""
    text = _text(reply)
    return text.removeprefix("=") if text is not None else None


def _text(reply: Reply) -> str | None:
    try:
        value = reply.result().get("result", {}).get("value")
    except (CdpAgentError, asyncio.CancelledError):
        return None
    return value if isinstance(value, str) else None
