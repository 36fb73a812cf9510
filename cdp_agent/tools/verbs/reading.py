"""The tool that reads a page's text: as much as is wanted, and how to go on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field

from cdp_agent.resolve.readable_text import ReadableLine
from cdp_agent.snapshot.search import SearchWords
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line, quoted
from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.tool import ElementTarget, Tool, ToolArgs, ToolCall

DEFAULT_TOKENS = 1_000
_LEAST_TOKENS = 50
_MOST_SECTIONS = 12
_LONGEST_LABEL = 40
#: The words of a name, and a number with its unit.
_NAME = re.compile(r"[^\W\d_][^\d|,;=\"'\[\]]*")
_NUMBER = re.compile(r"[^\w\s]?\s?[+-]?[\d.,:\s]+\s?[^\W\d]{0,3}[%€$£]?")
#: Scores of lines with the words as they stand; others have as many points as words.
_PHRASE = 10_000
_WHOLE_PHRASE = 20_000
#: Of several elements, each may take so many tokens at least.
_LEAST_SHARE = 60


class ReadArgs(ToolArgs):
    ref: ElementTarget | None = Field(
        None, description="Only this element; of a heading, its section"
    )
    search: str | None = Field(None, max_length=1000, description="Only lines with these words")
    max_tokens: int | None = Field(None, ge=1, le=1_000_000)
    start: int = Field(1, ge=1, alias="from", description="Line to begin with")


async def read(call: ToolCall) -> ToolResult:
    args: ReadArgs = call.args
    limit = max(args.max_tokens or DEFAULT_TOKENS, _LEAST_TOKENS)
    if call.several:
        return await _read_several(call, limit)
    sections = args.ref not in call.named_by_structure
    lines = await call.page.read(args.ref, sections=sections, outside=True)
    if args.search:
        text = found_text(lines, args.search, limit)
    else:
        main = [line for line in lines if not line.is_outside]
        text = section_text(main, args.start, limit)
        if len(main) < len(lines) and args.start == 1:
            text += f"\n(outside the main text: {_count_lines(len(lines) - len(main))})"
        lines = main
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
        lines = await call.page.read(element, sections=False)
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


def _count_lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


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
    """The lines with the words as they stand, or else with any, best first, under headings."""
    scores = _scores(lines, SearchWords.parse(words))
    if not scores:
        return _nothing(words)
    best = max(scores.values())
    listed = [n for n, score in scores.items() if score == best or best < _PHRASE]
    listed.sort(key=lambda n: (-scores[n], n))
    vague = len(scores) - len(listed)
    shown: list[str] = []
    written: set[int] = set()
    context: list[int] = []
    left = limit
    for number, index in enumerate(listed):
        if index in written:
            continue
        around = _context(lines, index)
        block = [str(lines[n]) for n in around if n not in context]
        value = _value_of(lines, index)
        block.append(_numbered(lines, index, limit, value))
        left -= estimate_tokens("\n".join(block))
        if left < 0 and shown:
            vague += len(listed) - number
            break
        context = around
        shown += block
        written |= {index, value}
    if vague:
        shown.append(f"({_count_lines(vague).replace(' ', ' more ')} with some of the words)")
    return "\n".join(shown)


def _scores(lines: Sequence[ReadableLine], words: SearchWords) -> dict[int, int]:
    """How well each line fits; those that do not are left out."""
    scores = {}
    for index, line in enumerate(lines):
        folded = line.text.casefold()
        if words.has_whole_phrase(folded):
            score = _WHOLE_PHRASE
        else:
            score = _PHRASE if words.has_phrase(folded) else words.count(folded)
        if score:
            scores[index] = score
    return scores


def _numbered(lines: Sequence[ReadableLine], index: int, limit: int, value: int) -> str:
    line = lines[index]
    if line.is_outside:  # one cannot go on from there
        return f"outside the main text: {_cut(line.text, limit)}"
    if value == index:
        return f"{index + 1}: {_cut(str(line), limit)}"
    return f"{index + 1}: {line} {lines[value]}"


def _value_of(lines: Sequence[ReadableLine], index: int) -> int:
    """The index of the line with the value that a line names, or its own.

    A value stands in the next box: behind a colon, or a number behind words.
    """
    after = lines[index + 1 : index + 2]
    both = (lines[index], *after)
    if not after or any(line.level or line.is_head or " | " in line.text for line in both):
        return index
    name, value = (line.text for line in both)
    if max(len(name), len(value)) > _LONGEST_LABEL or value.startswith("- "):
        return index
    is_named = name.endswith(":") or (_NAME.fullmatch(name) and _NUMBER.fullmatch(value))
    return index + 1 if is_named and lines[index].is_outside == after[0].is_outside else index


def _context(lines: Sequence[ReadableLine], index: int) -> list[int]:
    """The heading that a line of the main part stands under, and the head of its table."""
    found: list[int] = []
    if lines[index].is_outside:
        return found
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
