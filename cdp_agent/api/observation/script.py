"""Scripts of the caller, run in the page's own world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Tab
from cdp_agent.errors import InvalidParams
from cdp_agent.resolve.live import script_value

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters


async def evaluate(tab: Tab, expression: str, frame_index: int, timeout: float) -> Any:
    """The JSON value of a script in a frame; see `Page.evaluate`."""
    if not isinstance(expression, str):
        raise InvalidParams(f"a script must be a text, not {type(expression).__name__}")
    require_seconds(timeout)
    tab.require_ready()
    frame = tab.resolver.frame(frame_index)
    session = frame.require_session()
    world = frame.main_world
    where = world.for_evaluate if world is not None else {}
    params: EvaluateParameters = {
        "expression": expression,
        "awaitPromise": True,
        "returnByValue": True,
        **where,
    }
    reply = await session.post("Runtime.evaluate", params, timeout=timeout)
    return script_value(reply, "the script threw")
