"""Reads steps with parameters beside the action, or with protocol names. Pure.

    {"action": "action/fill", "selector": "label=Email", "value": "ada@x.org"}
    {"action": "fill", "params": {"selector": "label=Email", "value": "ada@x.org"}}

are the same step. The first form is that of the Browser Agent Protocol's own MCP tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.steps import Step
from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot.options import with_known_names

_ACTIONS = {entry.wire: entry.name for entry in ACTION_TABLE.values()}


def plain_step(given: Mapping[str, Any]) -> dict[str, Any]:
    """The step with its parameters in `params`, and the action by our name.

    Raises:
        InvalidParams: a parameter is given twice, or `params` is not an object.
    """
    own = set(Step.model_fields)
    step = with_known_names(given, own)
    flat = {name: value for name, value in step.items() if name not in own}
    made = {name: value for name, value in step.items() if name in own}
    action = made.get("action")
    if isinstance(action, str):
        made["action"] = action = _ACTIONS.get(action, action.removeprefix("action/"))
    if not flat:
        return made
    params = made.get("params", {})
    if not isinstance(params, Mapping):
        raise InvalidParams("params of a step must be an object")
    twice = sorted(flat.keys() & params.keys())
    if twice:
        raise InvalidParams(f"{twice[0][:40]} is given twice, beside params and in it")
    if action == "press" and "value" in flat:
        flat["key"] = flat.pop("value")
    return {**made, "params": {**params, **flat}}
