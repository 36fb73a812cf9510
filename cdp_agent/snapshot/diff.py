"""The changes from one snapshot to the next, by node. Pure."""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from cdp_agent.snapshot.model import Node, Snapshot
from cdp_agent.snapshot.text.diff_text import diff_text
from cdp_agent.snapshot.text.line import header
from cdp_agent.snapshot.text.tokens import estimate_tokens

_FIELDS = ("id", "role", "name", "value", "frame", "folded")


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one node."""

    key: str
    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class SnapshotDiff:
    """Nodes added, removed, moved and changed; `text` is what a model reads."""

    before: Snapshot = field(repr=False)
    after: Snapshot = field(repr=False)
    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[Change, ...]
    moved: tuple[str, ...]
    #: Where what came and what moved stands now, in the order of the page.
    placed: tuple[tuple[int, Node], ...] = ()
    #: Of large pages: what was there before but is shown only now, and the other way round.
    uncovered: tuple[Node, ...] = ()
    covered: tuple[Node, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)

    @cached_property
    def text(self) -> str:
        """`+` for what came, `-` what went, `~` what is different now, `>` what moved.

        `=` is for what a large page had before, and shows only now.
        """
        return diff_text(self)

    def apply(self, before: Snapshot) -> tuple[Node, ...]:
        """The nodes after the change, from those before it and the difference alone."""
        gone = {node.key for node in (*self.removed, *self.covered)}
        gone |= {node.key for _, node in self.placed}
        changes: dict[str, list[Change]] = {}
        for change in self.changed:
            changes.setdefault(change.key, []).append(change)
        nodes = [
            _changed(node, changes.get(node.key, ()))
            for node in before.nodes
            if node.key not in gone
        ]
        for place, node in self.placed:
            nodes.insert(place, node)
        return tuple(nodes)

    @cached_property
    def is_worth_it(self) -> bool:
        """Shorter than the whole, and of the same document."""
        same = self.before.frames[:1] and self.after.frames[:1]
        if not same or self.before.frames[0].loader_id != self.after.frames[0].loader_id:
            return False
        size, written = len(self.text), len(header(self.after))
        # Most often the first few lines are longer, and the others need not be written.
        for line in self.after.written_lines():
            written += len(line.text) + line.depth + 1
            if size <= self.after.diff_threshold * written:
                break
        else:
            return False
        # A page that is folded within its budget may be as short as what is new, but hides that.
        budget = self.after.max_tokens
        return budget is None or size <= budget or estimate_tokens(self.text) <= budget


def compare(before: Snapshot, after: Snapshot) -> SnapshotDiff:
    """The difference that turns `before` into `after`."""
    grown = _folded_anew(before, after)
    start, end = 0, 0
    if before.frames == after.frames:
        start, end = _equal_ends(before.nodes, after.nodes)
    old = _by_identity(before, grown, before.nodes[start : len(before.nodes) - end])
    new = _by_identity(after, grown, after.nodes[start : len(after.nodes) - end])
    came = {key: node for key, node in new.items() if key not in old}
    went = {key: node for key, node in old.items() if key not in new}
    uncovered = {key: node for key, node in came.items() if _was_folded(node, after, before)}
    covered = {key: node for key, node in went.items() if _was_folded(node, before, after)}
    added = tuple(node for key, node in came.items() if key not in uncovered)
    removed = tuple(node for key, node in went.items() if key not in covered)
    changed: list[Change] = []
    for key, node in new.items():
        previous = old.get(key)
        if previous is not None and previous is not node:
            changed.extend(_changes(previous, node))
    moved = _moved(old, new)
    elsewhere = {*moved, *(node.key for node in came.values())}
    middle = enumerate(after.nodes[start : len(after.nodes) - end], start)
    placed = tuple((index, node) for index, node in middle if node.key in elsewhere)
    return SnapshotDiff(
        before,
        after,
        added,
        removed,
        tuple(changed),
        moved,
        placed,
        tuple(uncovered.values()),
        tuple(covered.values()),
    )


def _equal_ends(before: Sequence[Node], after: Sequence[Node]) -> tuple[int, int]:
    """The number of nodes that are equal in both, at the beginning and at the end."""
    start, most = 0, min(len(before), len(after))
    while start < most and _are_equal(before[start], after[start]):
        start += 1
    end = 0
    while end < most - start and _are_equal(before[-1 - end], after[-1 - end]):
        end += 1
    return start, end


def _are_equal(one: Node, other: Node) -> bool:
    # Most are the same object; to compare their fields takes much longer.
    return one is other or one == other


def _folded_anew(before: Snapshot, after: Snapshot) -> set[int]:
    """Frames in whose folded parts something came or went. A stub also changes by scrolling."""
    return {
        index
        for index in before.frame_map.keys() & after.frame_map.keys()
        if before.unfetched_in(index) and after.unfetched_in(index)
        if _unknown(after, before, index) or _unknown(before, after, index)
    }


def _unknown(here: Snapshot, there: Snapshot, frame: int) -> bool:
    """Returns whether a part that was not fetched here has something that is nowhere there."""
    facts, folded = there.document(frame), there.unfetched_in(frame)
    return any(facts is None or node not in facts for node in here.unfetched_in(frame) - folded)


def _was_folded(node: Node, here: Snapshot, there: Snapshot) -> bool:
    """Returns whether what one snapshot shows is, in the other, in a part that was not fetched."""
    frame, _, number = node.key.partition("-")
    index = int(frame)
    folded = there.unfetched_in(index)
    if node.folded:
        return bool(folded) or bool(here.unfetched_in(index))
    if not folded or not number.partition(":")[0].isdigit():
        return False
    facts = here.document(index)
    return facts is not None and facts.is_inside_any(int(number.partition(":")[0]), folded)


def _changed(node: Node, changes: Iterable[Change]) -> Node:
    state = dict(node.state)
    fields: dict[str, Any] = {}
    for change in changes:
        if change.field in _FIELDS:
            fields[change.field] = change.after
        elif change.after is None:
            state.pop(change.field, None)
        else:
            state[change.field] = change.after
    return replace(node, state=state, **fields)


def _by_identity(
    snapshot: Snapshot, grown: set[int], nodes_compared: Iterable[Node]
) -> dict[tuple[str, str], Node]:
    """Nodes by their key and document: another document may use the same numbers.

    A stub has the key of the first node it stands for, and is not that node. It is a changed one
    only where what it stands for has changed.
    """
    loaders = {str(index): frame.loader_id for index, frame in snapshot.frame_map.items()}
    nodes: dict[tuple[str, str], Node] = {}
    for node in nodes_compared:
        key = node.key
        frame = key.partition("-")[0]
        if node.folded:
            key = f"+{key}" if int(frame) in grown else f"+{key} {node.folded}"
        nodes[key, loaders.get(frame, "")] = node
    return nodes


def _changes(before: Node, after: Node) -> list[Change]:
    changes = [
        Change(after.key, name, getattr(before, name), getattr(after, name))
        for name in _FIELDS
        if getattr(before, name) != getattr(after, name)
    ]
    for name in {**before.state, **after.state}:
        old, new = before.state.get(name), after.state.get(name)
        if old != new:
            changes.append(Change(after.key, name, old, new))
    return changes


def _moved(old: dict[tuple[str, str], Node], new: dict[tuple[str, str], Node]) -> tuple[str, ...]:
    """Nodes in both whose order or depth differs: all but a longest run that kept its order."""
    place = {key: index for index, key in enumerate(old)}
    common = [key for key in new if key in place]
    kept = _longest_increasing([place[key] for key in common])
    return tuple(
        new[key].key
        for index, key in enumerate(common)
        if index not in kept or old[key].depth != new[key].depth
    )


def _longest_increasing(values: list[int]) -> set[int]:
    """Positions of a longest increasing subsequence (patience sorting)."""
    if all(map(operator.lt, values, islice(values, 1, None))):
        return set(range(len(values)))  # nothing moved, as most often
    tails: list[int] = []
    positions: list[int] = []
    previous = [-1] * len(values)
    for index, value in enumerate(values):
        slot = bisect_left(tails, value)
        if slot:
            previous[index] = positions[slot - 1]
        if slot == len(tails):
            tails.append(value)
            positions.append(index)
        else:
            tails[slot] = value
            positions[slot] = index
    kept: set[int] = set()
    index = positions[-1] if positions else -1
    while index >= 0:
        kept.add(index)
        index = previous[index]
    return kept
