"""Tools of the shell alone: PDFs, cookies, logins, console and requests.

They are in no list that a model is given: what they show and change is the person's, who types
the commands.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from cdp_agent.errors import BlockedByPolicy, InvalidParams
from cdp_agent.targets.logs.console_log import ConsoleMessage
from cdp_agent.text import one_line
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall
from cdp_agent.tools.verbs.devices import DEVICES

_MOST_CHARACTERS = 20_000
_LONGEST_TEXT = 300
_LARGEST_STATE = 50_000_000
_LONGEST_VALUE = 60


class PdfArgs(ToolArgs):
    path: str
    paper: str = "letter"
    landscape: bool = False
    background: bool = False
    scale: float = 1.0
    pages: str = ""


async def pdf(call: ToolCall) -> ToolResult:
    args: PdfArgs = call.args
    path = _named(args.path, ".pdf")
    printed = await call.page.pdf(
        paper=args.paper,
        landscape=args.landscape,
        background=args.background,
        scale=args.scale,
        pages=args.pages,
    )
    await asyncio.to_thread(_write, path, printed)
    return call.done(f"wrote {path}, {len(printed):,} bytes", path=path, bytes=len(printed))


class ContentArgs(ToolArgs):
    path: str | None = None
    frame: int = Field(0, ge=0)


async def content(call: ToolCall) -> ToolResult:
    args: ContentArgs = call.args
    html = await call.page.content(frame=args.frame)
    if args.path is not None:
        path = _named(args.path, ".html")
        await _require_no_secret(call, html)
        await asyncio.to_thread(_write, path, html.encode(errors="replace"))
        return call.done(f"wrote {path}, {len(html):,} characters", path=path)
    text = html[:_MOST_CHARACTERS]
    if len(html) > len(text):
        text += f"\n({len(html) - len(text):,} more characters; `content FILE` writes all)"
    return call.done(text, html=html)


class CookiesArgs(ToolArgs):
    action: Literal["list", "set", "clear"] = "list"
    name: str | None = None
    value: str | None = None
    url: str | None = None


async def cookies(call: ToolCall) -> ToolResult:
    args: CookiesArgs = call.args
    page = call.page
    if args.action == "clear":
        count = await page.clear_cookies(args.url)
        return call.done(f"removed {_counted(count, 'cookie')}", removed=count)
    if args.action == "set":
        if not args.name or args.value is None:
            raise InvalidParams("a cookie has a name and a value", hint="cookies set NAME VALUE")
        cookie = {"name": args.name, "value": args.value, "url": args.url or page.url}
        await page.set_cookies([cookie])
        return call.done(f"set {one_line(args.name, 100)} for {one_line(cookie['url'], 200)}")
    found = await page.cookies(args.url)
    lines = [_cookie_line(cookie) for cookie in found]
    return call.done("\n".join(lines) or "there are no cookies", cookies=found)


def _cookie_line(cookie: dict[str, Any]) -> str:
    flags = [name for name in ("httpOnly", "secure") if cookie.get(name)]
    if cookie.get("expires", -1) == -1:
        flags.append("session")
    value = one_line(cookie["value"], _LONGEST_VALUE)
    place = f"{cookie['domain']}{cookie['path']}"
    return " ".join((f"{one_line(cookie['name'], 100)}={value}", place, *flags))


class LogArgs(ToolArgs):
    since: int = Field(0, ge=0)
    last: int = Field(50, ge=1, le=1000)


async def console(call: ToolCall) -> ToolResult:
    return _messages(call, call.page.console(since=call.args.since), "messages")


async def errors(call: ToolCall) -> ToolResult:
    return _messages(call, call.page.errors(since=call.args.since), "errors")


def _messages(call: ToolCall, found: Sequence[ConsoleMessage], what: str) -> ToolResult:
    shown = found[-call.args.last :]
    lines = [
        f"{message.number} {message.level} {one_line(message.text, _LONGEST_TEXT)}"
        f"{_place(message, call.page.url)}"
        for message in shown
    ]
    rows = [message.to_dict() for message in shown]
    text = _listed(lines, len(found), what, call.args.since)
    return call.done(text, messages=rows, total=len(found))


def _place(message: ConsoleMessage, page_url: str) -> str:
    """The source position of a message, or the resource that it is about."""
    url = one_line(message.url, _LONGEST_TEXT)
    if message.line:
        return f" ({url}:{message.line}:{message.column})"
    return f" ({url})" if url and message.url != page_url else ""


class RequestsArgs(LogArgs):
    failed: bool = False


async def requests(call: ToolCall) -> ToolResult:
    args: RequestsArgs = call.args
    found = call.page.requests(failed=args.failed, since=args.since)
    shown = found[-args.last :]
    lines = [f"{request.number} {one_line(request.line, _LONGEST_TEXT)}" for request in shown]
    rows = [request.to_dict() for request in shown]
    what = "failed requests" if args.failed else "requests"
    text = _listed(lines, len(found), what, args.since)
    return call.done(text, requests=rows, total=len(found))


class StateArgs(ToolArgs):
    action: Literal["save", "load"]
    path: str


async def state(call: ToolCall) -> ToolResult:
    args: StateArgs = call.args
    path = _named(args.path, ".json")
    if args.action == "save":
        saved = await call.page.storage_state()
        text = json.dumps(saved, ensure_ascii=False, indent=1)
        await _require_no_secret(call, text)
        await asyncio.to_thread(_write, path, text.encode(errors="replace"))
        return call.done(f"saved {_contents(saved)} to {path}, for you alone to read", path=path)
    loaded = await asyncio.to_thread(_read_state, path)
    await call.page.set_storage_state(loaded)
    return call.done(f"loaded {_contents(loaded)}; reload shows the page with them", path=path)


def _contents(saved: dict[str, Any]) -> str:
    count, origins = len(saved.get("cookies", ())), len(saved.get("origins", ()))
    return f"{_counted(count, 'cookie')} and the storage of {_counted(origins, 'site')}"


def _read_state(path: str) -> dict[str, Any]:
    try:
        if os.path.getsize(path) > _LARGEST_STATE:
            raise InvalidParams(f"{path} is larger than {_LARGEST_STATE // 1_000_000} MB")
        read = json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is not JSON"
        raise InvalidParams(
            f"cannot read {path}: {reason}", hint="`state save FILE` writes one."
        ) from None
    if not isinstance(read, dict):
        raise InvalidParams(f"{path} holds no storage state", hint="`state save FILE` writes one.")
    return read


class TracingArgs(ToolArgs):
    action: Literal["start", "stop"]
    path: str | None = None
    screenshots: bool = False


async def tracing(call: ToolCall) -> ToolResult:
    args: TracingArgs = call.args
    if args.action == "start":
        await call.page.start_tracing(screenshots=args.screenshots)
        return call.done("recording; `tracing stop FILE` ends it")
    if args.path is None:
        raise InvalidParams("stop needs a file", hint="tracing stop FILE")
    path = _named(args.path, ".json")
    recorded = await call.page.stop_tracing()
    await _require_no_secret(call, recorded.decode(errors="replace"))
    await asyncio.to_thread(_write, path, recorded)
    return call.done(f"wrote {path}, {len(recorded):,} bytes", path=path, bytes=len(recorded))


# -- files and texts ---------------------------------------------------------------------------


def _named(path: str, ending: str) -> str:
    # So that nobody is talked into overwriting something else.
    if not path.casefold().endswith(ending):
        raise InvalidParams(f"{path[:200]} is not a name for it", hint=f"It must end in {ending}.")
    return os.path.abspath(os.path.expanduser(path))


def _write(path: str, data: bytes) -> None:
    """Write a file for its owner alone, replacing an existing one as a whole."""
    folder, name = os.path.split(path)
    try:
        number, made = tempfile.mkstemp(prefix=f".{name[:100]}", dir=folder)  # 0600
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
            os.replace(made, path)
        except BaseException:  # also when interrupted: no half file stays
            os.unlink(made)
            raise
    except OSError as error:
        raise InvalidParams(f"cannot write {path[:200]}: {error.strerror}") from None


async def _require_no_secret(call: ToolCall, text: str) -> None:
    """Raises: BlockedByPolicy: a file would hold what every answer masks."""
    cover = call.page.browser.picture_cover
    if cover is not None and await asyncio.to_thread(cover.finds, text):
        raise BlockedByPolicy("nothing was written: the file would hold a secret of this session")


def _listed(lines: list[str], total: int, what: str, since: int) -> str:
    if not lines:
        return f"there are no {what}{f' after number {since}' if since else ''}"
    more = total - len(lines)
    first = [f"({more} earlier {what}; --last N shows more)"] if more else []
    return "\n".join([*first, *lines])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


DEVTOOLS = DEVICES | {
    tool.name: tool
    for tool in (
        Tool("browser_pdf", "Print the page.", PdfArgs, pdf, reads_only=True),
        Tool("browser_content", "The HTML of the page.", ContentArgs, content, reads_only=True),
        Tool("browser_cookies", "List, set or remove cookies.", CookiesArgs, cookies),
        Tool("browser_console", "The page's console.", LogArgs, console, reads_only=True),
        Tool("browser_errors", "The page's errors.", LogArgs, errors, reads_only=True),
        Tool("browser_requests", "The page's requests.", RequestsArgs, requests, reads_only=True),
        Tool("browser_state", "Save or load a login.", StateArgs, state),
        Tool("browser_tracing", "Record the page.", TracingArgs, tracing),
    )
}
