"""Plain texts that a page has drawn anew, as they were: no news to who has read them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cdp_agent.snapshot.diff import SnapshotDiff
    from cdp_agent.snapshot.model import Node

#: The keys of what a text stands in, and of what stands before it: both were there all along.
_Place = tuple[str, str]


def redrawn_texts(diff: SnapshotDiff) -> frozenset[str]:
    """Keys of texts that went, and of equal ones that came to the same place instead."""
    moved = set(diff.moved)
    new = {node.key for node in diff.added}
    if not new or not diff.removed:
        return frozenset()
    gone = {node.key for node in diff.removed}
    went = _by_place(diff.before.nodes, gone, moved)
    came = _by_place(diff.after.nodes, new, moved)
    redrawn: set[str] = set()
    for place in went.keys() & came.keys():
        # Another document may use a number again: such a key stands for two elements.
        if (gone & new).isdisjoint(node.key for node in (*went[place], *came[place])):
            redrawn |= _equal_ends(went[place], came[place])
    return frozenset(redrawn)


def _by_place(nodes: Sequence[Node], wanted: set[str], moved: set[str]) -> dict[_Place, list[Node]]:
    """Those of the wanted nodes that are plain texts in something that stayed."""
    by_place: dict[_Place, list[Node]] = {}
    around: list[Node] = []
    before = ""
    for node, following in zip(nodes, [*nodes[1:], None], strict=True):
        while around and around[-1].depth >= node.depth:
            around.pop()
        parent = around[-1].key if around else ""
        around.append(node)
        if node.key not in wanted:
            before = before if node.key in moved else node.key
        elif parent not in wanted and parent not in moved and _is_plain(node, following):
            by_place.setdefault((parent, before), []).append(node)
    return by_place


def _is_plain(node: Node, following: Node | None) -> bool:
    """Returns whether nobody can act on it and nothing is in it."""
    has_children = following is not None and following.depth > node.depth
    return node.id is None and node.frame is None and not node.folded and not has_children


def _equal_ends(went: list[Node], came: list[Node]) -> set[str]:
    """Keys of both, of the texts that are equal from the first on, or up to the last."""

    def are_equal(pair: tuple[Node, Node]) -> bool:
        one, other = pair
        return (one.depth, one.role, one.name, one.value, one.state) == (
            other.depth,
            other.role,
            other.name,
            other.value,
            other.state,
        )

    first = list(takewhile(are_equal, zip(went, came, strict=False)))
    rest = zip(went[len(first) :][::-1], came[len(first) :][::-1], strict=False)
    last = takewhile(are_equal, rest)
    return {node.key for pair in (*first, *last) for node in pair}
