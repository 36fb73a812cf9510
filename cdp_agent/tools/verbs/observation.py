"""Tools that look: the page as text, as a picture."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import SnapshotOptions
from cdp_agent.snapshot.text.snapshot_text import element_count
from cdp_agent.text import json_text
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.text.reader_view import DEFAULT_TOKENS
from cdp_agent.tools.tool import ElementTarget, MaxTokens, Tool, ToolArgs, ToolCall


class SnapshotArgs(ToolArgs):
    interactive_only: bool = Field(False, description="Only elements one can act on")
    viewport_only: bool = Field(False, description="Only what is in view")
    max_elements: int | None = Field(None, ge=1, le=100_000)
    max_tokens: MaxTokens | None = Field(None, description="2000 unless given")
    root: ElementTarget | None = Field(
        None,
        description="Only the subtree of this element",
        validation_alias=AliasChoices("root", "focus"),
    )
    expand: ElementTarget | None = Field(None, description="Open a stub: the id in [expand …]")
    search: str | None = Field(None, description="Only lines with any of these words")
    #: True: with a picture, as `browser_screenshot` gives it.
    include_screenshot: SkipJsonSchema[bool] = False
    #: False: only elements one can act on; otherwise the tree is always shown.
    include_accessibility: SkipJsonSchema[bool] = True


async def snapshot(call: ToolCall) -> ToolResult:
    args: SnapshotArgs = call.args
    options = SnapshotOptions(
        interactive_only=args.interactive_only or not args.include_accessibility,
        viewport_only=args.viewport_only,
        max_elements=args.max_elements,
        max_tokens=args.max_tokens or DEFAULT_TOKENS,
    )
    if args.root or args.expand or args.search:
        # A closer look at a part: what the reader has seen of the page stays.
        snap = await call.page.snapshot(
            options, root=args.root, expand=args.expand, search=args.search
        )
        text = snap.text
    else:
        snap = await call.page.snapshot(options)
        text = call.view.show(snap)
    shown = element_count(snap)
    if args.max_elements is not None and not snap.omitted:
        text = f"{text}\n({shown} of {shown} elements)"
    data = {"page": call.page_id, **snap.model_dump(), "total": shown + snap.omitted}
    images = (await call.page.screenshot(),) if args.include_screenshot else ()
    return ToolResult(page_text=text, snapshot=snap, data=data, images=images)


class ScreenshotArgs(ToolArgs):
    full_page: bool = False
    path: str | None = Field(None, description="Write the PNG there instead of showing it")
    ref: ElementTarget | None = Field(None, description="Only this element")


async def screenshot(call: ToolCall) -> ToolResult:
    args: ScreenshotArgs = call.args
    picture = await call.page.screenshot(full_page=args.full_page, id=args.ref)
    data = {"page": call.page_id, "bytes": len(picture)}
    if args.path is None:
        return ToolResult(f"picture of {call.page_id}", images=(picture,), data=data)
    path = await asyncio.to_thread(_written, args.path, picture)
    return ToolResult(f"wrote {path}", data={**data, "path": path})


def _written(name: str, picture: bytes) -> str:
    # Also so that nobody is talked into overwriting what is not a picture.
    if not name.casefold().endswith(".png"):
        raise InvalidParams(
            f"{name[:200]} is not a name for a picture", hint="It must end in .png."
        )
    try:
        path = Path(name).expanduser().resolve()
        path.write_bytes(picture)
    except (OSError, RuntimeError) as error:
        raise InvalidParams(f"cannot write {name[:200]}: {error}") from None
    return str(path)


class ExtractArgs(ToolArgs):
    json_schema: Annotated[dict[str, Any], WithJsonSchema({"type": "object"})] = Field(
        alias="schema", description="JSON Schema (object or array) of what is wanted"
    )
    root: ElementTarget | None = Field(None, description="Only inside this element")
    instruction: str = Field("", max_length=2000)


async def extract(call: ToolCall) -> ToolResult:
    args: ExtractArgs = call.args
    found = await call.page.extract(
        args.json_schema,
        root=args.root,
        instruction=args.instruction,
        ask_model=call.session.ask_model,
    )
    data = {"data": found.data, "sources": dict(found.sources), "method": found.method}
    return ToolResult(json_text(data), data=data)


TOOLS = (
    Tool(
        "browser_snapshot",
        "The page as text: one line per element, ids in brackets. Actions answer what changed, so "
        "call this only to see the whole again.",
        SnapshotArgs,
        snapshot,
        reads_only=True,
    ),
    Tool(
        "browser_extract",
        "Data from tables, lists, forms and key/value text, with the element id of each value.",
        ExtractArgs,
        extract,
        reads_only=True,
    ),
    Tool("browser_screenshot", "A picture of the page.", ScreenshotArgs, screenshot, True),
)
