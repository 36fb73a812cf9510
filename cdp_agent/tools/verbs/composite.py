"""The tool that runs many steps in one call, under the session's hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from cdp_agent.action_table.limits import LONGEST
from cdp_agent.api.composite.step_actions import ACTIONS
from cdp_agent.api.composite.steps import CompositeResult, StepRow, plan
from cdp_agent.api.outcome import Outcome
from cdp_agent.errors import InvalidParams
from cdp_agent.text import one_line
from cdp_agent.tools.hooks import before_step
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.page_text import page_text
from cdp_agent.tools.text.report import effects, new_page_lines, stopped_lines
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall
from cdp_agent.tools.verbs.command_steps import read_steps, run_commands
from cdp_agent.tools.verbs.flat_steps import plain_step

_STEPS_SCHEMA = {
    "type": "array",
    "description": "1-50 of these. params: ref or selector {role,name}|{text}|{label}|{css}… with "
    "optional frame, and the action's own (value, text, key, url …)",
    "items": {
        "type": "object",
        "properties": {
            "action": {"enum": sorted(ACTIONS)},
            "params": {"type": "object"},
            "label": {"type": "string"},
            "condition": {
                "type": "object",
                "description": "selector, state: visible|enabled|exists|hidden|disabled, timeout",
            },
            "on_error": {"enum": ["stop", "skip", "retry"]},
        },
        "required": ["action"],
    },
}


_STEP_KINDS = [{"type": "string"}, _STEPS_SCHEMA["items"]]


class ExecuteArgs(ToolArgs):
    steps: Annotated[list[str | Mapping[str, Any]], WithJsonSchema(_STEPS_SCHEMA)]
    timeout: float = Field(60, gt=0, le=LONGEST, description="Seconds for all")
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    go_on: bool = Field(False, description="Also after a change of address")
    #: Where paths in steps that are commands begin.
    folder: SkipJsonSchema[str | None] = None


def with_commands(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema for a reader whose session takes steps as commands, too."""
    steps = {**schema["properties"]["steps"], "items": {"anyOf": _STEP_KINDS}}
    steps["description"] += "; or all of them commands, e.g. 'fill label=Email ada@x.org', "
    steps["description"] += "'click \"text=Log in\"'"
    return {**schema, "properties": {**schema["properties"], "steps": steps}}


async def execute(call: ToolCall) -> ToolResult:
    args: ExecuteArgs = call.args
    commands = [step for step in args.steps if isinstance(step, str)]
    if len(commands) == len(args.steps):
        return await run_commands(call, read_steps(call, commands, args.folder))
    if commands:
        raise InvalidParams("steps are either all commands or all objects with action and params")
    return await _run_actions(
        call, [plain_step(step) for step in args.steps if not isinstance(step, str)]
    )


async def _run_actions(call: ToolCall, steps: list[dict[str, Any]]) -> ToolResult:
    args: ExecuteArgs = call.args
    total = len(plan(steps))

    async def on_step(row: StepRow, number: int) -> None:
        await call.tell(number + 1, total, row.label)

    result = await call.page.act(
        steps,
        timeout=args.timeout,
        stop_on_first_error=args.stop_on_first_error,
        continue_on_condition_fail=args.continue_on_condition_fail,
        before_step=before_step(call.session, call.page_id, call.page),
        on_step=on_step,
    )
    lines = [_headline(result)]
    for number, row in enumerate(result.steps):
        lines.append(_numbered(number + 1, _row(row)))
        if row.outcome is not None:
            outcome_lines = [*effects(call, row.outcome), *await new_page_lines(call, row.outcome)]
            lines.extend(f"   {line}" for line in outcome_lines)
    lines.extend(stopped_lines(call))
    snapshot, shown_page = None, ""
    if call.page.is_closed:
        lines.append(f"page {call.page_id} closed")
    elif call.page.dialog is None:
        snapshot, shown_page = await page_text(call, None)
    return ToolResult(
        "\n".join(lines),
        shown_page,
        is_error=not result.success,
        code=None if result.success else _code(result),
        outcome=Outcome(success=result.success),
        snapshot=snapshot,
        data={"page": call.page_id, **result.to_dict()},
        seconds=result.duration,
    )


def _numbered(number: int, line: str) -> str:
    """A step without a label is called by its number already."""
    return line if line.startswith(f"{number}. ") else f"{number}. {line}"


def _headline(result: CompositeResult) -> str:
    said = f"{result.completed} of {result.total} steps done"
    return said if result.failed_at is None else f"{said}, failed at step {result.failed_at + 1}"


def _row(row: StepRow) -> str:
    label = one_line(row.label, 60)
    tries = f" after {row.retries} retries" if row.retries else ""
    if row.error is not None:
        message = one_line(str(row.error["message"]), 1000)
        return f"{label} {row.status}{tries}: {row.error['code']}: {message}"
    facts = ", ".join(
        f"{name} {one_line(str(value), 100)}"
        for name, value in (row.result or {}).items()
        if name in ("id", "value", "position")
    )
    status = row.status.replace("_", " ")
    return f"{label} {status}{tries}{f' ({facts})' if facts else ''}"


def _code(result: CompositeResult) -> str | None:
    error = result.steps[result.failed_at or 0].error
    return None if error is None else str(error["code"])


TOOLS = (
    Tool(
        "browser_execute",
        "Run several actions in one call; cheaper than one by one when you know what comes.",
        ExecuteArgs,
        execute,
    ),
)
