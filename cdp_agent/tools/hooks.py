"""A session's hooks for steps and single actions, which are not tool calls.

Whoever may refuse or change a tool call may do so with the action that the tool stands for, by
whichever door it comes in; and whoever takes things out of results takes them out of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.step_actions import Action, Ids, Params
from cdp_agent.api.composite.steps import BeforeStep, PlannedStep
from cdp_agent.errors import BlockedByPolicy
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall

if TYPE_CHECKING:
    from cdp_agent.api.page import Page
    from cdp_agent.tools.tool_session import ToolSession

#: What a hook may change in an action: what is written, not where.
_CHANGEABLE = ("value", "text", "url", "key", "paths")


class StepArgs(ToolArgs, extra="allow"):
    """The arguments of an action as a hook sees them: `ref` and the action's own."""

    ref: str | None = None
    to: str | None = None


async def _not_run(_: ToolCall) -> ToolResult:
    raise AssertionError("it stands for an action that is carried out elsewhere")


def call_of(
    session: ToolSession, page_id: str, page: Page, name: str, args: ToolArgs | None = None
) -> ToolCall:
    """A call for hooks, for an action that is not a tool call."""
    return ToolCall(
        session, Tool(name, "", StepArgs, _not_run), args or StepArgs(page=None), page_id, page
    )


async def under_hooks(
    session: ToolSession, page_id: str, page: Page, action: Action, params: Params, ids: Ids
) -> Params:
    """The parameters that an action is to be carried out with.

    Raises:
        BlockedByPolicy: a hook answered in its place. And whatever hooks raise to refuse it.
    """
    fields = {name: getattr(params, name) for name in type(params).model_fields}
    arguments = {**fields, "ref": ids.element or None, "to": ids.target or None, "page": None}
    name = ACTION_TABLE[action.name].tool
    made = call_of(session, page_id, page, name, StepArgs.model_construct(**arguments))
    await before_hooks(made)
    changes = {
        field: getattr(made.args, field)
        for field in _CHANGEABLE
        if field in fields and getattr(made.args, field) != fields[field]
    }
    return params.model_copy(update=changes) if changes else params


async def before_hooks(call: ToolCall) -> None:
    """Let the session's hooks see, change or refuse a call.

    Raises:
        BlockedByPolicy: a hook answered in its place. And whatever hooks raise to refuse it.
    """
    answer = await answer_of_hooks(call)
    if answer is not None:
        raise BlockedByPolicy(answer.text or "a rule of this session answered in its place")


async def answer_of_hooks(call: ToolCall) -> ToolResult | None:
    """Let the hooks see, change or refuse a call; returns a result in its place."""
    for hook in call.session.before_call:
        answer = await hook(call)
        if answer is not None:
            return answer
    return None


def before_step(session: ToolSession, page_id: str, page: Page) -> BeforeStep | None:
    """For `Page.act`: each step under the session's hooks. None where there are none."""
    if not session.before_call:
        return None

    async def checked(step: PlannedStep, ids: Ids) -> Params:
        return await under_hooks(session, page_id, page, step.action, step.params, ids)

    return checked


async def after_hooks(call: ToolCall, result: ToolResult) -> ToolResult:
    """The result as its reader may have it."""
    for hook in call.session.after_call:
        result = await hook(call, result)
    return result
