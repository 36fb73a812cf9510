"""The text of a difference, for a model that has read the page before. Pure.

`+` is for what came, `-` what went, `~` what is different now, `>` what moved, and `=` for what a
large page had before, and shows only now. A row is one line, whichever of its cells changed; so is
a subtree that went. Focus that went elsewhere is told by the line that has it now. A plain text
that was drawn anew as it was is no change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cdp_agent.snapshot.text.choices import choices_text, is_closed_list
from cdp_agent.snapshot.text.line import header, scrolled
from cdp_agent.snapshot.text.redrawn import redrawn_texts

if TYPE_CHECKING:
    from cdp_agent.snapshot.diff import Change, SnapshotDiff
    from cdp_agent.snapshot.model import Node, Snapshot
    from cdp_agent.snapshot.text.layout import Line

NO_CHANGE = "(no change)"
#: Of more lines than this that went from one place, the first ones are written.
_MOST_REMOVED = 8
_FIRST_REMOVED = 3
#: So many lines that were folded before, and are not now, are written where nobody scrolled.
_MOST_SHOWN_NOW = 8
#: What a subtree is made of, where all of its children are such.
_KINDS = frozenset({"option", "row", "listitem", "treeitem", "menuitem", "tab"})


def diff_text(diff: SnapshotDiff) -> str:
    """All lines of a difference; one that says so where there is none."""
    redrawn = redrawn_texts(diff)
    lines = _header_lines(diff.before, diff.after)
    lines += _present_lines(diff, redrawn)
    gone = {node.key for node in diff.removed}
    if gone:
        lines += _removed_lines(diff.before, gone, redrawn)
    return "\n".join(lines) if lines else NO_CHANGE


def _header_lines(before: Snapshot, after: Snapshot) -> list[str]:
    """The changed part of the page's first line; a new height alone is left out."""
    if (before.page, before.viewport.width, before.viewport.height) != (
        after.page,
        after.viewport.width,
        after.viewport.height,
    ):
        return [header(after)]
    if before.viewport.scroll_y != after.viewport.scroll_y:
        return [scrolled(after)]
    return []


def _present_lines(diff: SnapshotDiff, redrawn: frozenset[str]) -> list[str]:
    """Lines of what is there now, in the order of the page."""
    touched = {change.key for change in diff.changed if not _is_lost_focus(change)}
    moved = set(diff.moved)
    added = {node.key for node in diff.added} - redrawn
    uncovered = {node.key for node in diff.uncovered}
    lost_from = _lost_from(diff, redrawn)
    different = touched | added
    nodes = diff.after.nodes
    told = different | uncovered | lost_from.keys() | moved
    wanted = [index for index, node in enumerate(nodes) if node.key in told]
    lines = []
    shown_now = 0
    has_scrolled = diff.before.viewport.scroll_y != diff.after.viewport.scroll_y
    for line in diff.after.written_lines(wanted):
        key = nodes[line.node].key
        keys = {key} if line.end == line.node + 1 else {n.key for n in nodes[line.node : line.end]}
        if key in added:
            lines.append(f"+ {line.indented}")
        elif key in uncovered:
            # A stub that stands elsewhere is no news, and many lines are only where one scrolled.
            shown_now += not nodes[line.node].folded
            if has_scrolled or (not nodes[line.node].folded and shown_now <= _MOST_SHOWN_NOW):
                lines.append(f"= {line.indented}")
        elif not keys.isdisjoint(different) or _has_lost(nodes[line.node : line.end], lost_from):
            lines.append(f"~ {_without_choices(diff, line)}")
        elif key in moved:
            lines.append(f"> {line.text}")
    if shown_now > _MOST_SHOWN_NOW and not has_scrolled:
        lines.append(f"= {shown_now - _MOST_SHOWN_NOW} more lines that were there before")
    return lines


def _without_choices(diff: SnapshotDiff, line: Line) -> str:
    """The line of a closed list without its choices, where none of them came or went."""
    nodes = diff.after.nodes
    node, inside = nodes[line.node], nodes[line.node + 1 : line.end]
    if not is_closed_list(node) or not inside:
        return line.text
    old = diff.before.nodes
    before = next((n for n, one in enumerate(old) if one.key == node.key), None)
    if before is None:
        return line.text
    names = [one.name for one in old[before + 1 : diff.before.ends[before]]]
    if names != [one.name for one in inside]:
        return line.text
    return line.text.removesuffix(choices_text(node, inside)).rstrip()


def _is_lost_focus(change: Change) -> bool:
    return change.field == "focused" and not change.after


def _has_lost(nodes: Sequence[Node], lost_from: Mapping[str, int]) -> bool:
    """Returns whether a line for several nodes (a row, a list) has lost a part."""
    depth = min((node.depth for node in nodes[1:]), default=0)
    return len(nodes) > 1 and any(lost_from.get(node.key, -1) >= depth for node in nodes)


def _lost_from(diff: SnapshotDiff, redrawn: frozenset[str]) -> dict[str, int]:
    """Keys of nodes that a removed node stood right behind, or in, with the depth of that."""
    gone = {node.key for node in diff.removed}
    if not gone:
        return {}
    return {
        previous.key: node.depth
        for previous, node in pairwise(diff.before.nodes)
        if node.key in gone - redrawn and previous.key not in gone
    }


def _removed_lines(before: Snapshot, gone: set[str], redrawn: frozenset[str]) -> list[str]:
    """One line for each subtree that went. Of many from one place only the first are written."""
    written: list[str] = []
    run: list[str] = []
    nodes, last_end, last_depth = before.nodes, 0, 0
    for line, top, end, text in _removed_subtrees(before, gone):
        if nodes[top].key in redrawn:
            continue
        follows = all(node.key in gone for node in nodes[last_end:top])
        if not follows or line.depth != last_depth:
            written += _shortened(run)
            run = []
        run.append(text)
        last_end, last_depth = end, line.depth
    return [f"- {text}" for text in (*written, *_shortened(run))]


def _removed_subtrees(before: Snapshot, gone: set[str]) -> Iterator[tuple[Line, int, int, str]]:
    """The first line of each, the numbers of its first node and of the first after it, text."""
    nodes, ends = before.nodes, before.ends
    wanted = [index for index, node in enumerate(nodes) if node.key in gone]
    told = 0
    for line in before.written_lines(wanted):
        if line.node < told or nodes[line.node].key not in gone:
            continue
        top = line.top if nodes[line.top].key in gone else line.node
        end, text = ends[top], line.text
        # What has moved out of it is still there, and what stays in it is told by itself.
        if all(node.key in gone for node in nodes[top:end]):
            if _has_lines(before, line.end, end):
                text = f"{text} ({content_summary(nodes[line.end : end])})"
            told = end
        else:
            end = line.end
        yield line, top, end, text


def _has_lines(snapshot: Snapshot, start: int, end: int) -> bool:
    """Returns whether any of these nodes has a line."""
    lines = snapshot.written_lines(range(start, end))
    return any(start <= line.node < end for line in lines)


def _shortened(run: list[str]) -> list[str]:
    if len(run) <= _MOST_REMOVED:
        return run
    return [*run[:_FIRST_REMOVED], f"{len(run) - _FIRST_REMOVED} more"]


def content_summary(inside: Sequence[Node]) -> str:
    """Counts the nodes below one: its children of one kind, else what one can act on."""
    depth = min(node.depth for node in inside)
    children = [node.role for node in inside if node.depth == depth]
    if children[0] in _KINDS and len(set(children)) == 1:
        return _counted(len(children), children[0])
    elements = sum(node.id is not None for node in inside)
    return _counted(elements, "element") if elements else _counted(len(inside), "line")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
