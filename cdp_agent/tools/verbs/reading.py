"""The tool that reads a page's text: as much as is wanted, and how to go on."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from cdp_agent.resolve.readable_text import ReadableLine
from cdp_agent.snapshot.search import SearchWords
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line, quoted
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import ElementTarget, Tool, ToolArgs, ToolCall

DEFAULT_TOKENS = 1_000
_MOST_SECTIONS = 12
_LONGEST_LABEL = 40
#: Of several elements, each may take so many tokens at least.
_LEAST_SHARE = 60


class ReadArgs(ToolArgs):
    ref: ElementTarget | None = Field(
        None, description="Only this element; of a heading, its section"
    )
    search: str | None = Field(None, max_length=1000, description="Only lines with these words")
    max_tokens: int | None = Field(None, ge=50, le=1_000_000)
    start: int = Field(1, ge=1, alias="from", description="Line to begin with")


async def read(call: ToolCall) -> ToolResult:
    args: ReadArgs = call.args
    limit = args.max_tokens or DEFAULT_TOKENS
    if call.several:
        return await _read_several(call, limit)
    lines = await call.page.read(args.ref)
    if args.search:
        text = found_text(lines, args.search, limit)
    else:
        text = section_text(lines, args.start, limit)
    data = {"page": call.page_id, "url": call.page.url, "total": len(lines)}
    return ToolResult(text, data={**data, "lines": [str(line) for line in lines]})


async def _read_several(call: ToolCall, limit: int) -> ToolResult:
    """Each element under its id, as many as fit; with words to search for, those that have any."""
    args: ReadArgs = call.args
    wanted = SearchWords.parse(args.search) if args.search else None
    shown: list[str] = []
    all_lines: list[str] = []
    left, share = limit, max(limit // len(call.several), _LEAST_SHARE)
    for number, element in enumerate(call.several):
        lines = await call.page.read(element)
        if lines and lines[0].level:
            lines = lines[:1]  # of several headings not their sections, too
        all_lines += map(str, lines)
        if wanted is not None and not any(wanted.count(line.text.casefold()) for line in lines):
            continue
        text = (
            found_text(lines, args.search, share) if args.search else section_text(lines, 1, share)
        )
        left -= estimate_tokens(text)
        if left < 0 and shown:
            shown.append(f"({len(call.several) - number} more elements)")
            break
        shown.append(f"[{element}] {text}")
    text = "\n".join(shown) or _nothing(args.search or "")
    data = {"page": call.page_id, "url": call.page.url, "total": len(all_lines)}
    return ToolResult(text, data={**data, "lines": all_lines})


def _nothing(words: str) -> str:
    return f"(nothing here has any of the words {quoted(one_line(words, 100))})"


def section_text(lines: Sequence[ReadableLine], start: int, limit: int) -> str:
    """The lines from one on that fit, and what comes after them."""
    if not lines:
        return "(there is no text)"
    if start > len(lines):
        return f"(there are only {len(lines)} lines)"
    left, end = limit, start - 1
    while end < len(lines):
        left -= estimate_tokens(f"{lines[end]}\n")
        if left < 0 and end >= start:
            break
        end += 1
    shown = [_cut(str(line), limit) for line in lines[start - 1 : end]]
    if end < len(lines):
        shown.append(f"({_rest(lines, start, end)})")
    return "\n".join(shown)


def _cut(line: str, limit: int) -> str:
    """A line that alone is longer than all that may be shown is cut, and says so."""
    most = limit * 4
    return line if len(line) <= most else f"{line[:most]}... ({len(line) - most} more characters)"


def _rest(lines: Sequence[ReadableLine], start: int, end: int) -> str:
    tokens = estimate_tokens("\n".join(str(line) for line in lines[end:]))
    rest = f"lines {start}-{end} of {len(lines)}, about {tokens} tokens more: go on with from "
    rest += f"{end + 1}, or search"
    later = [(n + 1, line) for n, line in enumerate(lines) if n >= end and line.level]
    if not later:
        return rest
    names = ", ".join(f"{n} {one_line(line.text, 40)}" for n, line in later[:_MOST_SECTIONS])
    more = f" and {len(later) - _MOST_SECTIONS} more" if len(later) > _MOST_SECTIONS else ""
    return f"{rest}; sections: {names}{more}"


def found_text(lines: Sequence[ReadableLine], words: str, limit: int) -> str:
    """The lines with any of the words, best first, under their headings."""
    wanted = SearchWords.parse(words)
    scored = []
    for index, line in enumerate(lines):
        folded = line.text.casefold()
        score = 100 if wanted.has_phrase(folded) else wanted.count(folded)
        if score:
            scored.append((-score, index))
    if not scored:
        return _nothing(words)
    scored.sort()
    shown: list[str] = []
    context: list[int] = []
    left = limit
    for number, (_, index) in enumerate(scored):
        around = _context(lines, index)
        block = [str(lines[n]) for n in around if n not in context]
        following = ""
        if index + 1 < len(lines) and _is_label(lines[index], lines[index + 1]):
            following = f" {lines[index + 1]}"  # a name whose value stands in the next box
        block.append(f"{index + 1}: {_cut(str(lines[index]) + following, limit)}")
        left -= estimate_tokens("\n".join(block))
        if left < 0 and shown:
            shown.append(f"({len(scored) - number} more lines with some of the words)")
            break
        context = around
        shown += block
    return "\n".join(shown)


def _is_label(line: ReadableLine, after: ReadableLine) -> bool:
    """Returns whether a line may be the name of what the next one says."""
    if line.text.endswith(":"):
        return True
    both = (line, after)
    return not any(one.level or one.is_head or " | " in one.text for one in both) and all(
        len(one.text) <= _LONGEST_LABEL for one in both
    )


def _context(lines: Sequence[ReadableLine], index: int) -> list[int]:
    """The heading that a line stands under, and the head of its table."""
    found: list[int] = []
    for n in range(index - 1, -1, -1):
        if lines[n].is_head and not found:
            found.append(n)
        if lines[n].level:
            found.append(n)
            break
    return found[::-1]


TOOLS = (
    Tool(
        "browser_read",
        "The readable text of a page or element.",
        ReadArgs,
        read,
        reads_only=True,
        takes_several=True,
    ),
)
