"""Finds hidden text by a script in each frame (`js/snapshot/hidden_text.js`).

Whatever the script cannot decide counts as visible: letters over pictures, in the middle of a
transition, in the colour of what a frame's parent has behind the frame, or in `::before`. A control
that the page draws itself (a transparent checkbox on a styled label) counts as visible where its
label is.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, TypeAlias

from cdp_agent import log
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot.build.hidden import NOTHING_HIDDEN, HiddenNodes
from cdp_agent.snapshot.fetch.script_nodes import (
    NODE_LIST,
    backend_ids,
    items_of,
    release_when_done,
)
from cdp_agent.targets import Frame

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters, EvaluateReturns

_log = log.get("snapshot")

Reply: TypeAlias = "asyncio.Future[EvaluateReturns]"


def ask_hidden(frame: Frame, seconds: float, *, chosen_only: bool = False) -> Reply | None:
    """Ask which nodes of a frame's document are hidden. None: it runs no scripts, or is gone.

    `chosen_only`: only among the nodes that `partial.js` chose last.
    """
    session = frame.session
    if frame.world is None or session is None or session.ended is not None:
        return None
    params: EvaluateParameters = {
        "expression": f"cdpAgent.hiddenNodes({json.dumps(chosen_only)})",
        "serializationOptions": NODE_LIST,
        **frame.world.for_evaluate,
    }
    reply = session.post("Runtime.evaluate", params, timeout=seconds)
    release_when_done(session, reply)
    return reply


async def hidden_nodes(reply: Reply | None) -> HiddenNodes:
    """The hidden nodes; none where the frame could not answer."""
    if reply is None:
        return NOTHING_HIDDEN
    try:
        answer = await reply
    except CdpAgentError as error:
        _log.debug("hidden text: %s", error)
        return NOTHING_HIDDEN
    if "exceptionDetails" in answer:
        _log.debug("hidden text: %s", answer["exceptionDetails"].get("text", ""))
        return NOTHING_HIDDEN
    items = items_of(answer)
    if items is None:
        return NOTHING_HIDDEN
    unchecked = sum(int(item["value"]) for item in items if item.get("type") == "number")
    return HiddenNodes(backend_ids(items), unchecked=unchecked)


def hidden_in_frame(own: HiddenNodes, parent: HiddenNodes, owner: int | None) -> HiddenNodes:
    """The hidden nodes of a frame; everything, where its `owner` in the parent is hidden."""
    if parent.everything or (owner is not None and owner in parent):
        return HiddenNodes(everything=True)
    return own
