"""Tools about pages as such: tabs, dialogs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cdp_agent.api.outcome import Outcome
from cdp_agent.errors import InvalidParams
from cdp_agent.text import one_line, quoted
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.report import acted, reported
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall


class TabsArgs(ToolArgs):
    action: Literal["list", "new", "select", "close"] = Field(
        "list", description="select, close: of page"
    )
    url: str | None = Field(None, max_length=100_000, description="For new")


async def tabs(call: ToolCall) -> ToolResult:
    args: TabsArgs = call.args
    session = call.session
    if args.action == "new":
        page_id, page = await session.new_page()
        made = ToolCall(session, call.tool, args, page_id, page, call.progress)
        outcome = await page.goto(args.url) if args.url is not None else Outcome(success=True)
        return await reported(made, outcome, f"opened page {page_id}", tells_address=False)
    if args.action == "select":
        if args.page is None:
            raise InvalidParams("select needs page")
        session.select(args.page)
        return await reported(call, Outcome(success=True), f"current page is {args.page}")
    if args.action == "close":
        await call.page.close()
    lines = [] if args.action == "list" else [f"closed page {call.page_id}"]
    rows = []
    for page_id, page in session.pages.items():
        current = page_id == session.current
        rows.append({"id": page_id, "url": page.url, "title": page.title, "current": current})
        title = f" {quoted(one_line(page.title, 100))}" if page.title else ""
        mark = " (current)" if current else ""
        lines.append(f"{page_id}{mark} {one_line(page.url, 200)}{title}")
    return ToolResult("\n".join(lines) or "no page is open", data={"pages": rows})


class DialogArgs(ToolArgs):
    accept: bool = True
    text: str | None = Field(None, max_length=100_000, description="Answer to a prompt")


async def dialog(call: ToolCall) -> ToolResult:
    args: DialogArgs = call.args
    return await acted(
        call,
        lambda observe: call.page.answer_dialog(
            accept=args.accept, text=args.text, observe=observe
        ),
        _answered,
    )


def _answered(outcome: Outcome) -> str:
    answered = outcome.data["answered"]
    word = "accepted" if answered["accepted"] else "dismissed"
    said = f"{word} {answered['type']} {quoted(one_line(answered['message'], 200))}"
    if answered["left"] is None:
        return said
    return f"{said}: the page was {'left' if answered['left'] else 'not left'}"


TOOLS = (
    Tool(
        "browser_tabs",
        "List, open, choose or close pages. Every tool takes page: an id listed here, else the "
        "current one.",
        TabsArgs,
        tabs,
    ),
    Tool("browser_dialog", "Answer an open alert, confirm or prompt.", DialogArgs, dialog),
)
