"""The page in an answer: its changes, all, a part, or nothing of it."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.api.tab import Observe
from cdp_agent.errors import ElementError
from cdp_agent.snapshot import Snapshot, SnapshotOptions
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line
from cdp_agent.tools.text.reader_view import DEFAULT_OPTIONS
from cdp_agent.tools.tool import Show, ToolCall

#: Tokens of the lines that a search found, the best first: who gets more asks for less.
FOUND_TOKENS = 800


async def look(call: ToolCall, most_tokens: int | None = None) -> Snapshot:
    """A snapshot with the options of a call, within `most_tokens` by default."""
    options = _options(call)
    if most_tokens is not None and (call.args.show is None or call.args.show.max_tokens is None):
        options = replace(options, max_tokens=min(options.max_tokens or most_tokens, most_tokens))
    return await call.page.snapshot(options)


def observation(call: ToolCall) -> Observe:
    """The snapshot that an action has to take of the page after it, or none."""
    show: Show | None = call.args.show
    if call.is_step or (show is not None and (show.quiet or show.search or show.root)):
        return False
    return _options(call)


async def page_text(call: ToolCall, snapshot: Snapshot | None) -> tuple[Snapshot | None, str]:
    """The page's text as the call wants it; `snapshot` is the action's own, if any."""
    if call.is_step:
        return None, ""
    show: Show | None = call.args.show
    if show is not None and show.quiet:
        await note_new_document(call)
        return None, ""
    if show is not None and (show.search or show.root):
        return await _part(call, show)
    if snapshot is None:
        snapshot = await look(call)
    return snapshot, _cut(call.view.update(snapshot), show)


def cut_text(text: str, most_tokens: int) -> str:
    """Whole lines up to a number of tokens: a diff folds nothing itself."""
    if estimate_tokens(text) <= most_tokens:
        return text
    lines, left = text.split("\n"), most_tokens - 15
    kept: list[str] = []
    for line in lines:
        left -= estimate_tokens(f"{line}\n")
        if left < 0 and kept:
            break
        kept.append(line)
    more = len(lines) - len(kept)
    return "\n".join([*kept, f"({more} more lines)"] if more else kept)


def _options(call: ToolCall) -> SnapshotOptions:
    show: Show | None = call.args.show
    if show is None:
        return DEFAULT_OPTIONS
    return replace(
        DEFAULT_OPTIONS,
        interactive_only=show.interactive,
        max_tokens=show.max_tokens or DEFAULT_OPTIONS.max_tokens,
    )


async def _part(call: ToolCall, show: Show) -> tuple[Snapshot, str]:
    """A part of the page. The changes that are shown next are those after this."""
    try:
        root = await call.page.find_soon(show.root) if show.root is not None else None
        part = await call.page.snapshot(_options(call), search=show.search, root=root)
    except ElementError as error:
        # What was asked for was done: an error would have it done again.
        snapshot = await look(call)
        lost = f"not shown: {one_line(str(error), 300)}"
        if error.data.get("matches"):
            return snapshot, lost  # it lists what may have been meant
        return snapshot, f"{lost}\n{_cut(call.view.update(snapshot), show)}"
    call.view.seen = part if not part.is_partial else await look(call)
    if show.search is not None and show.max_tokens is None:
        return part, cut_text(part.text, FOUND_TOKENS)
    return part, part.text


async def note_new_document(call: ToolCall) -> None:
    """Capture a new document that was not shown, so that a later result is a diff."""
    seen, frames = call.view.seen, call.page.frames
    if not frames or call.page.dialog is not None:
        return
    if seen is None or seen.frame_map[0].loader_id != frames[0].loader_id:
        call.view.seen = await look(call)


def _cut(text: str, show: Show | None) -> str:
    return text if show is None or show.max_tokens is None else cut_text(text, show.max_tokens)
