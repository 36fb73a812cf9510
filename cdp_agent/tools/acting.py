"""Tools that act on an element or go somewhere. Each answers what changed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cdp_agent.act import Outcome
from cdp_agent.api.core import Observe
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import InvalidParams, NavigationFailed
from cdp_agent.tools.report import acted
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.sentences import (
    checked,
    chosen,
    dragged,
    filled,
    position,
    pressed,
    typed,
    waited,
)
from cdp_agent.tools.tool import PointXY, Ref, RefArgs, Tool, ToolArgs, ToolCall

#: More than this is no text that a model writes, and would hold up the page for minutes.
MOST_TYPED = 50_000
MOST_FILLED = 1_000_000
#: A search by scrolling takes many steps.
SEARCH_SECONDS = 30.0


class NavigateArgs(ToolArgs):
    url: str | None = Field(None, max_length=100_000)
    go: Literal["back", "forward", "reload"] | None = Field(None, description="Instead of url")


async def navigate(call: ToolCall) -> ToolResult:
    args: NavigateArgs = call.args
    if (args.url is None) == (args.go is None):
        raise InvalidParams("give either url or go")

    async def perform(_: Observe) -> Outcome:
        if args.url is not None:
            return await call.page.goto(args.url)
        steps = {
            "back": call.page.back,
            "forward": call.page.forward,
            "reload": call.page.reload,
        }
        outcome = await steps[args.go or "reload"]()
        if not outcome.success:
            raise NavigationFailed(f"there is no page to go {args.go} to", hint="")
        return outcome

    said = "opened" if args.go is None else f"went {args.go}" if args.go != "reload" else "reloaded"
    return await acted(call, perform, said, tells_address=False)


class ClickArgs(RefArgs):
    button: Literal["left", "middle", "right"] = "left"
    count: int = Field(1, ge=1, le=3, description="2: double click")
    modifiers: tuple[Literal["Alt", "Control", "Meta", "Shift"], ...] = ()
    position: PointXY | None = Field(
        None, description="Pixels from its top left corner, e.g. in a canvas"
    )


async def click(call: ToolCall) -> ToolResult:
    args: ClickArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.click(
            args.ref,
            button=args.button,
            count=args.count,
            modifiers=args.modifiers,
            position=args.position,
            observe=observe,
        ),
        f"clicked {call.named(args.ref)}",
    )


async def hover(call: ToolCall) -> ToolResult:
    args: RefArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.hover(args.ref, observe=observe),
        f"pointer is on {call.named(args.ref)}",
    )


class FillArgs(RefArgs):
    value: str = Field(max_length=MOST_FILLED, description="Replaces the text; empty clears")
    old: str | None = Field(None, max_length=MOST_FILLED, description="Replaces only this piece")


async def fill(call: ToolCall) -> ToolResult:
    args: FillArgs = call.args

    async def perform(observe: Observe) -> Outcome:
        if args.old is not None:
            return await call.page.replace(args.ref, args.old, args.value, observe=observe)
        return await call.page.fill(args.ref, args.value, observe=observe)

    return await acted(call, perform, lambda outcome: filled(args, call, outcome))


class TypeArgs(ToolArgs):
    ref: Ref | None = Field(None, description="Default: where the focus is")
    text: str = Field(max_length=MOST_TYPED)
    enter: bool = Field(False, description="Press Enter afterwards")
    delay_ms: float = Field(0, ge=0, le=1000, description="Between keys")


async def type_text(call: ToolCall) -> ToolResult:
    args: TypeArgs = call.args
    # Typing takes its time by design: each key is an event that the page answers.
    seconds = 5 + len(args.text) * (args.delay_ms / 1000 + 0.01)
    return await acted(
        call,
        lambda observe: call.page.type(
            args.ref,
            args.text,
            delay_ms=args.delay_ms,
            commit_enter=args.enter,
            observe=observe,
            timeout=seconds,
        ),
        lambda outcome: typed(
            call.named(args.ref) if args.ref is not None else None, call, outcome
        ),
    )


class PressArgs(ToolArgs):
    key: str = Field(max_length=100, description="Enter, Escape, Control+A …")
    ref: Ref | None = Field(None, description="Element to focus first")
    times: int = Field(1, ge=1, le=100)


async def press(call: ToolCall) -> ToolResult:
    args: PressArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.press(
            args.key,
            args.ref,
            times=args.times,
            observe=observe,
            timeout=ACTION_TIMEOUT + 0.5 * (args.times - 1),
        ),
        lambda outcome: pressed(args, outcome),
    )


class SelectArgs(RefArgs):
    label: str | list[str] | None = Field(None, description="Visible text of the option(s)")
    value: str | list[str] | None = None
    index: int | list[int] | None = Field(None, description="From 0")


async def select(call: ToolCall) -> ToolResult:
    args: SelectArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.select(
            args.ref, value=args.value, label=args.label, index=args.index, observe=observe
        ),
        lambda outcome: f"{call.named(args.ref)} {chosen(outcome)}",
    )


class CheckArgs(RefArgs):
    checked: bool = Field(True, description="false: uncheck")


async def check(call: ToolCall) -> ToolResult:
    args: CheckArgs = call.args
    act = call.page.check if args.checked else call.page.uncheck
    return await acted(
        call,
        lambda observe: act(args.ref, observe=observe),
        lambda outcome: f"{call.named(args.ref)} {checked(outcome, args.checked)}",
    )


class ScrollArgs(ToolArgs):
    direction: Literal["up", "down", "left", "right", "top", "bottom"] = "down"
    amount: Literal["page", "half"] = "page"
    pixels: float | None = Field(None, gt=0, le=1_000_000, description="Instead of amount")
    ref: Ref | None = Field(None, description="Scroll this element")
    until: str | None = Field(None, max_length=10_000, description="Text to scroll on to")


async def scroll(call: ToolCall) -> ToolResult:
    args: ScrollArgs = call.args
    seconds = ACTION_TIMEOUT if args.until is None else SEARCH_SECONDS
    return await acted(
        call,
        lambda observe: call.page.scroll(
            args.direction,
            pixels=args.pixels,
            amount=args.amount,
            id=args.ref,
            until=args.until,
            observe=observe,
            timeout=seconds,
        ),
        position,
    )


class UploadArgs(RefArgs):
    paths: list[str] = Field(min_length=1, max_length=100)


async def upload(call: ToolCall) -> ToolResult:
    args: UploadArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.upload(args.ref, args.paths, observe=observe),
        lambda outcome: f"{call.named(args.ref)} was given {len(outcome.data['files'])} file(s)",
    )


class DragArgs(ToolArgs):
    ref: Ref | None = None
    to: Ref | None = Field(None, description="Element to drop on")
    at: PointXY | None = Field(None, description="Start [x, y] in ref, else in the viewport")
    by: PointXY | None = Field(None, description="Instead of to")


async def drag(call: ToolCall) -> ToolResult:
    args: DragArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.drag(args.ref, args.to, at=args.at, by=args.by, observe=observe),
        lambda outcome: dragged(args, call, outcome),
    )


class WaitArgs(ToolArgs):
    text: str | None = Field(None, max_length=10_000, description="Until this is shown")
    text_gone: str | None = Field(None, max_length=10_000)
    ref: Ref | None = Field(None, description="Until this element is in state")
    state: Literal["visible", "hidden", "enabled", "disabled", "checked", "unchecked", "gone"] = (
        "visible"
    )
    url: str | None = Field(None, max_length=10_000, description="Part of the address, or with *")
    quiet: bool = Field(False, description="Until nothing changes or loads")
    new: bool = Field(False, description="Not what text finds already")
    timeout: float = Field(10, gt=0, le=300, description="Seconds")


async def wait(call: ToolCall) -> ToolResult:
    args: WaitArgs = call.args
    if not (args.text or args.text_gone or args.ref or args.url or args.quiet):
        raise InvalidParams("say what to wait for", hint="text, text_gone, ref, url or quiet.")
    return await acted(
        call,
        lambda observe: call.page.wait_for(
            text=args.text,
            text_gone=args.text_gone,
            id=args.ref,
            state=args.state,
            url=args.url,
            quiet=args.quiet,
            new=args.new,
            observe=observe,
            timeout=args.timeout,
        ),
        lambda outcome: waited(args, call, outcome),
    )


TOOLS = (
    Tool("browser_navigate", "Open an address; answers the page.", NavigateArgs, navigate),
    Tool("browser_click", "Click an element.", ClickArgs, click),
    Tool("browser_fill", "Set the text of a field.", FillArgs, fill),
    Tool("browser_type", "Type key by key at the end of a field.", TypeArgs, type_text),
    Tool("browser_press", "Press a key or chord.", PressArgs, press),
    Tool("browser_select", "Choose in a list or combobox.", SelectArgs, select),
    Tool("browser_check", "Check or uncheck a box or switch.", CheckArgs, check),
    Tool("browser_scroll", "Scroll; answers the position.", ScrollArgs, scroll),
    Tool("browser_upload", "Give files to a file input or upload button.", UploadArgs, upload),
    Tool("browser_drag", "Drag an element or a point.", DragArgs, drag),
    Tool("browser_wait", "Wait for a text, element, address or rest.", WaitArgs, wait),
    Tool("browser_hover", "Put the pointer on an element.", RefArgs, hover),
)
