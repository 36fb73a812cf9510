"""A document's own report at the beginning of a capture: the answer of `page_state.js`."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.targets import Frame


class DocumentState(msgspec.Struct, frozen=True):
    #: All elements, those in shadow roots not counted.
    elements: int
    #: Characters inside `script` and `style`, which `captureSnapshot` serializes as well.
    code: int
    #: A number for the element with the focus; comparable with other reports of the same document.
    focus: str
    #: States that the accessibility tree shows and neither the DOM nor its layout does.
    states: str
    #: Levels that its elements nest; 0 where there are few of them.
    depth: int = 0


def ask_state(frame: Frame, seconds: float) -> asyncio.Future[dict[str, Any]] | None:
    """Ask for it; None: the frame has no world of ours yet."""
    if frame.world is None:
        return None
    params = {
        "expression": "cdpAgent.documentState()",
        "returnByValue": True,
        **frame.world.for_evaluate,
    }
    return frame.require_session().post("Runtime.evaluate", params, timeout=seconds)


async def document_state(
    reply: asyncio.Future[dict[str, Any]] | None,
) -> DocumentState | None:
    """None: the frame could not answer. Cancelling this cancels the question."""
    if reply is None:
        return None
    try:
        value = (await reply).get("result", {}).get("value")
        return msgspec.json.decode(value, type=DocumentState) if isinstance(value, str) else None
    except (CdpAgentError, msgspec.MsgspecError):
        return None
