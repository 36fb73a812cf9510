"""The table: every tool by its name, and the one way to call them.

`call` is the only place where an exception becomes a result. What a model may get wrong is a
result with a code and a hint; a bug of ours still raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from cdp_agent.api.checked_model import problems
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, DialogOpen, ElementError, InvalidParams
from cdp_agent.tools.hooks import after_hooks, answer_of_hooks
from cdp_agent.tools.result import ToolResult, failure
from cdp_agent.tools.selector_arguments import find_targets
from cdp_agent.tools.text.report import page_after_error, with_dialogs
from cdp_agent.tools.tool import ReportProgress, Tool, ToolCall
from cdp_agent.tools.tool_session import ToolSession
from cdp_agent.tools.verbs import action_tools, composite, observation, reading, tabs

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        tool.name: tool
        for part in (observation, reading, action_tools, tabs, composite)
        for tool in part.TOOLS
    }
)
#: Other names that a call may use; they are not listed for models.
ALIASES: Mapping[str, str] = MappingProxyType({"get_snapshot": "browser_snapshot"})


def find_tool(name: str) -> Tool | None:
    """The tool of that name or alias."""
    return TOOLS.get(ALIASES.get(name, name))


def schemas() -> list[dict[str, Any]]:
    """All tools as a model wants them: `name`, `description`, `input_schema`."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        for tool in TOOLS.values()
    ]


async def call(
    session: ToolSession,
    name: str,
    arguments: Mapping[str, Any],
    *,
    progress: ReportProgress | None = None,
) -> ToolResult:
    """Call a tool; errors of model, page and browser are in the result.

    The calls of one session run one after another. Cancelling is safe: an action under way is
    interrupted and the page stays usable.
    """
    async with session.lock:
        try:
            tool = session.more_tools.get(name) or require_tool(name)
            args = checked(tool, arguments)
        except CdpAgentError as error:
            return failure(error)
        made: ToolCall | None = None
        try:
            page_id, page = await session.page_for(args.page)
            made = ToolCall(session, tool, args, page_id, page, progress, _stopped(page))
            result = await run_call(made)
        except CdpAgentError as error:
            if isinstance(error, DialogOpen):
                error.hint = "Answer it with browser_dialog."  # a model has no page object
            result = await _failed(made, error)
        if made is None:
            return result
        return await after_hooks(made, with_dialogs(result, made.page.report_dialogs()))


def _stopped(page: Page) -> int:
    gate = page.browser.gate
    return gate.blocked_count if gate is not None else 0


def checked(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    """The arguments, checked by their type.

    Raises:
        InvalidParams: what is wrong, argument by argument; never with the values themselves.
        RefInvalid: an id does not look like one.
    """
    try:
        return tool.args.model_validate(dict(arguments))
    except ValidationError as error:
        raise InvalidParams(f"{tool.name}: {problems(error)}", hint=_usage(tool)) from None


async def run_call(call: ToolCall) -> ToolResult:
    """Find what a call is about, ask the session's hooks, run the tool.

    Raises:
        CdpAgentError: whatever the tool, the hooks or the search for its elements raise.
    """
    await find_targets(call)
    answer = await answer_of_hooks(call)
    return answer if answer is not None else await call.tool.run(call)


async def _failed(call: ToolCall | None, error: CdpAgentError) -> ToolResult:
    if call is None or not isinstance(error, ElementError):
        return failure(error)
    try:
        snapshot, text = await page_after_error(call, error)
    except CdpAgentError:
        return failure(error)  # the page cannot be looked at either; the first error says why
    return failure(error, snapshot, text)


def require_tool(name: str) -> Tool:
    """Raises: InvalidParams: there is none of that name."""
    tool = find_tool(name)
    if tool is None:
        raise InvalidParams(
            f"there is no tool {str(name)[:60]!r}", hint=f"Tools: {', '.join(TOOLS)}."
        )
    return tool


def _usage(tool: Tool) -> str:
    required = set(tool.schema.get("required", ()))
    names = [name if name in required else f"{name}?" for name in tool.schema.get("properties", {})]
    return f"Arguments of {tool.name}: {', '.join(names)}."
