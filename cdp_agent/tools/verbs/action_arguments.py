"""The arguments of tools that act, made from the action table."""

from __future__ import annotations

from typing import Any

from cdp_agent.action_table.entry import Coordinates, ElementParameter, Parameter
from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.parameter_model import make_model
from cdp_agent.api.composite.step_actions import perform
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.tab import Observe
from cdp_agent.tools.tool import ElementTarget, PointXY, ToolArgs, ToolCall

_TYPES = {ElementParameter: ElementTarget, Coordinates: PointXY}


def tool_arguments(action: str, *own: Parameter) -> type[ToolArgs]:
    """The arguments of an action's tool, with those that the tool alone has."""
    entry = ACTION_TABLE[action]
    offered = {p.in_tools: p for p in entry.parameters if p.offered == "tools"}
    parameters = {**offered, **{parameter.in_tools: parameter for parameter in own}}
    fields = [(name, p._replace(aliases=())) for name, p in parameters.items()]
    return make_model(f"{action.title()}Args", ToolArgs, fields, _TYPES)


def page_arguments(args: Any, action: str) -> dict[str, Any]:
    """The arguments of a tool call as the action's method of `Page` has them."""
    return {
        p.in_page: getattr(args, p.in_tools)
        for p in ACTION_TABLE[action].parameters
        if p.offered == "tools" and hasattr(args, p.in_tools)
    }


async def perform_call(call: ToolCall, action: str, observe: Observe) -> Outcome:
    """Carry out the action that a tool call stands for, with the call's arguments."""
    return await perform(call.page, action, **page_arguments(call.args, action), observe=observe)
