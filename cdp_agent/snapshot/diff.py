"""What changed from one snapshot to the next, by node. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cdp_agent.snapshot.format import format_line, header
from cdp_agent.snapshot.model import Node, Snapshot

#: A difference longer than this share of the whole text is not worth reading.
THRESHOLD = 0.6


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

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)

    @cached_property
    def text(self) -> str:
        """`+` for what came, `-` for what went, `~` for what is different now."""
        lines = []
        if header(self.before) != header(self.after):
            lines.append(header(self.after))
        touched = {change.key for change in self.changed}
        moved = set(self.moved)
        added = {node.key for node in self.added}
        for node in self.after.nodes:
            if node.key in added:
                lines.append(f"+ {' ' * node.depth}{format_line(node)}")
            elif node.key in touched:
                lines.append(f"~ {format_line(node)}")
            elif node.key in moved:
                lines.append(f"> {format_line(node)}")
        lines.extend(f"- {format_line(node)}" for node in self.removed)
        return "\n".join(lines) if lines else "(no change)"

    @cached_property
    def is_worth_it(self) -> bool:
        """Shorter than the whole, and of the same document."""
        same = self.before.frames[:1] and self.after.frames[:1]
        if not same or self.before.frames[0].loader_id != self.after.frames[0].loader_id:
            return False
        return len(self.text) <= THRESHOLD * len(self.after.text)


def compare(before: Snapshot, after: Snapshot) -> SnapshotDiff:
    """The difference that turns `before` into `after`."""
    old = {_identity(before, node): node for node in before.nodes}
    new = {_identity(after, node): node for node in after.nodes}
    added = tuple(node for key, node in new.items() if key not in old)
    removed = tuple(node for key, node in old.items() if key not in new)
    changed: list[Change] = []
    for key, node in new.items():
        previous = old.get(key)
        if previous is not None and previous is not node:
            changed.extend(_changes(previous, node))
    return SnapshotDiff(before, after, added, removed, tuple(changed), _moved(old, new))


def _identity(snapshot: Snapshot, node: Node) -> tuple[str, str]:
    """A key holds in one document only: another document may use the same numbers."""
    frame = snapshot.frame_map.get(int(node.key.partition("-")[0]))
    return node.key, frame.loader_id if frame is not None else ""


def _changes(before: Node, after: Node) -> list[Change]:
    changes = [
        Change(after.key, name, getattr(before, name), getattr(after, name))
        for name in ("id", "role", "name", "value", "frame")
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
    from bisect import bisect_left

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
