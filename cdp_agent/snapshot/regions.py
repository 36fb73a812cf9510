"""The text of a page for a reader that has seen another, or this one before it changed. Pure.

Regions around the content (a banner, a sidebar) are most often those of the page before. One that
reads as it did has one line, with the id that opens it in the document of now:
`navigation "Sidebar" unchanged (24 elements) [expand 0-17]`. Where a page does not fit into its
budget, lines of the same document that read as before are folded first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cdp_agent.snapshot.model import Node, Snapshot
from cdp_agent.snapshot.text.diff_text import content_summary
from cdp_agent.snapshot.text.layout import Line
from cdp_agent.snapshot.text.snapshot_text import snapshot_text

#: Landmarks, and how many lines below them are worth a stub. A form or a named region is often
#: what a page is about: its controls are wanted again, unless there are many.
_LEAST_LINES = {
    "navigation": 3,
    "banner": 3,
    "contentinfo": 3,
    "complementary": 3,
    "search": 6,
    "form": 12,
    "region": 12,
}


def text_after(snapshot: Snapshot, seen: Snapshot) -> str:
    """The text of a snapshot, without the content of regions that read as in `seen`."""
    before = {_structure(seen.nodes, start, end) for start, end in _regions(seen)}
    return snapshot_text(snapshot, list(_lines(snapshot, before)), _known(snapshot, seen))


def _known(snapshot: Snapshot, seen: Snapshot) -> frozenset[str]:
    """The keys of nodes that read as they did, in frames that show the same documents."""
    same = {
        index
        for index, frame in snapshot.frame_map.items()
        if index in seen.frame_map and seen.frame_map[index].loader_id == frame.loader_id
    }
    before = {node.key: _words(node) for node in seen.nodes}
    return frozenset(
        node.key
        for node in snapshot.nodes
        if int(node.key.partition("-")[0]) in same and before.get(node.key) == _words(node)
    )


def _regions(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    for index, node in enumerate(snapshot.nodes):
        if node.role in _LEAST_LINES:
            yield index, snapshot.ends[index]


def _structure(nodes: Sequence[Node], start: int, end: int) -> tuple[object, ...]:
    """The words of a subtree's lines, but for ids and the focus."""
    depth = nodes[start].depth
    return tuple((node.depth - depth, *_words(node)) for node in nodes[start:end])


def _words(node: Node) -> tuple[object, ...]:
    return (
        node.role,
        node.name,
        node.value,
        node.id is not None,
        node.frame,
        node.folded,
        *((name, value) for name, value in node.state.items() if name != "focused"),
    )


def _lines(snapshot: Snapshot, before: set[tuple[object, ...]]) -> Iterator[Line]:
    nodes, lines = snapshot.nodes, snapshot.lines
    ends = snapshot.ends
    index = 0
    while index < len(lines):
        line = lines[index]
        start, end = line.node, ends[line.node]
        least = _LEAST_LINES.get(nodes[start].role, 0)
        after = index + 1
        while least and after < len(lines) and lines[after].node < end:
            after += 1
        is_long = bool(least) and after - index > least
        if not is_long or not _is_known(nodes, start, end, before):
            yield line
            index += 1
            continue
        key = nodes[start].key
        content = content_summary(nodes[line.end : end])
        text = f"{line.text} unchanged ({content}) [expand {key}]"
        snapshot.stubs[key] = nodes[end].key if end < len(nodes) else ""
        yield Line(start, end, line.top, line.depth, text)
        index = after


def _is_known(nodes: Sequence[Node], start: int, end: int, before: set[tuple[object, ...]]) -> bool:
    has_focus = any(node.state.get("focused") for node in nodes[start:end])
    return not has_focus and _structure(nodes, start, end) in before
