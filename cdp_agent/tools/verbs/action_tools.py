"""Tools that act on an element or go somewhere. Each answers what changed.

Their arguments and descriptions are those of the action table; a tool that stands for several
actions adds the argument that says which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from cdp_agent.action_table.entry import Parameter
from cdp_agent.action_table.limits import MOST_TYPED
from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.step_actions import brings_into_view, perform
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.tab import Observe
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.report import acted
from cdp_agent.tools.text.sentences import (
    checked,
    chosen,
    dragged,
    filled,
    in_view,
    position,
    pressed,
    typed,
    waited,
)
from cdp_agent.tools.tool import RunTool, Tool, ToolCall
from cdp_agent.tools.verbs.action_arguments import page_arguments, perform_call, tool_arguments


def _optional(action: str, name: str) -> Parameter:
    """A parameter of the table that a tool can do without."""
    return ACTION_TABLE[action].parameter(name)._replace(default=None)


async def navigate(call: ToolCall) -> ToolResult:
    args = call.args
    if (args.url is None) == (args.go is None):
        raise InvalidParams("give either url or go")

    async def go(_: Observe) -> Outcome:
        if args.url is not None:
            return await perform(call.page, "navigate", url=args.url)
        return await perform(call.page, args.go)

    said = "opened" if args.go is None else f"went {args.go}" if args.go != "reload" else "reloaded"
    return await acted(call, go, said, tells_address=False)


async def fill(call: ToolCall) -> ToolResult:
    args = call.args
    if not args.clear_first and (args.old is not None or len(args.value) > MOST_TYPED):
        raise InvalidParams(f"clear_first: false takes no old, and at most {MOST_TYPED} characters")

    async def write(observe: Observe) -> Outcome:
        if not args.clear_first:
            return await perform(call.page, "type", id=args.ref, text=args.value, observe=observe)
        return await perform_call(call, "fill" if args.old is None else "replace", observe)

    return await acted(call, write, lambda outcome: filled(call, outcome))


async def type_text(call: ToolCall) -> ToolResult:
    args = call.args
    if args.clear_first and args.ref is None:
        raise InvalidParams("clear_first needs ref: the field to clear")

    async def write(observe: Observe) -> Outcome:
        if args.clear_first:
            await perform(call.page, "clear", id=args.ref)
        return await perform_call(call, "type", observe)

    return await acted(call, write, lambda outcome: typed(call, outcome))


async def check(call: ToolCall) -> ToolResult:
    args = call.args
    action = "check" if args.checked else "uncheck"
    return await acted(
        call,
        lambda observe: perform_call(call, action, observe),
        lambda outcome: f"{call.named(args.ref)} {checked(outcome, args.checked)}",
    )


async def scroll(call: ToolCall) -> ToolResult:
    args = call.args
    if args.direction is None and args.ref is None and args.until is None:
        hint = "direction scrolls the page, ref alone brings an element into view."
        raise InvalidParams("say where to scroll: direction, ref or until", hint=hint)
    is_alone = brings_into_view(page_arguments(args, "scroll"))
    return await acted(
        call,
        lambda observe: perform_call(call, "scroll", observe),
        lambda outcome: (
            f"{call.named(args.ref)} {in_view(outcome)}" if is_alone else position(outcome)
        ),
    )


async def wait(call: ToolCall) -> ToolResult:
    args = call.args
    if not (args.text or args.text_gone or args.ref or args.url or args.quiet):
        raise InvalidParams("say what to wait for", hint="text, text_gone, ref, url or quiet.")
    arguments = page_arguments(args, "wait")
    if args.new and call.lines_before is not None:
        arguments["new"] = call.lines_before
    return await acted(
        call,
        lambda observe: perform(call.page, "wait", **arguments, observe=observe),
        lambda outcome: waited(call, outcome),
    )


def _plain(action: str, said: Callable[[ToolCall, Outcome], str]) -> RunTool:
    """A tool that does what its action does, and says so in one sentence."""

    async def run(call: ToolCall) -> ToolResult:
        return await acted(
            call,
            lambda observe: perform_call(call, action, observe),
            lambda outcome: said(call, outcome),
        )

    return run


def _clicked(call: ToolCall, _: Outcome) -> str:
    return f"clicked {call.named(call.args.ref)}"


def _hovered(call: ToolCall, _: Outcome) -> str:
    return f"pointer is on {call.named(call.args.ref)}"


def _chosen(call: ToolCall, outcome: Outcome) -> str:
    return f"{call.named(call.args.ref)} {chosen(outcome)}"


def _uploaded(call: ToolCall, outcome: Outcome) -> str:
    return f"{call.named(call.args.ref)} was given {len(outcome.data['files'])} file(s)"


def _tool(action: str, run: RunTool, *own: Parameter, description: str = "") -> Tool:
    entry = ACTION_TABLE[action]
    said = description or f"{entry.description}."
    return Tool(entry.tool, said, tool_arguments(action, *own), run)


_GO = Parameter("go", Literal["back", "forward", "reload"], None, "Instead of url")
_CHECKED = Parameter("checked", bool, True, "false: uncheck")
#: False: the value is typed after the text that is there.
_FILL_CLEARS = Parameter("clear_first", bool, True, is_listed=False)
#: True: the text of `ref` is removed before.
_TYPE_CLEARS = Parameter("clear_first", bool, False, is_listed=False)

TOOLS = (
    _tool(
        "navigate",
        navigate,
        _optional("navigate", "url"),
        _GO,
        description="Open an address; answers the page.",
    ),
    _tool("click", _plain("click", _clicked)),
    _tool("fill", fill, _optional("replace", "old"), _FILL_CLEARS),
    _tool("type", type_text, _TYPE_CLEARS),
    _tool("press", _plain("press", pressed)),
    _tool("select", _plain("select", _chosen)),
    _tool("check", check, _CHECKED, description="Check or uncheck a box or switch."),
    _tool("scroll", scroll),
    _tool("upload", _plain("upload", _uploaded)),
    _tool("drag", _plain("drag", dragged)),
    _tool("wait", wait),
    _tool("hover", _plain("hover", _hovered)),
)
