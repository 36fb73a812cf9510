"""What the reader of one page has seen, and what of the page is news to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cdp_agent.snapshot import Snapshot

#: What a whole page may cost a reader; the rest is folded into stubs that it can open.
DEFAULT_TOKENS = 8_000


@dataclass(slots=True)
class Coverage:
    """How often a difference was enough, and what it saved."""

    full: int = 0
    diffs: int = 0
    characters_sent: int = 0
    characters_whole: int = 0

    @property
    def share_of_diffs(self) -> float:
        return self.diffs / max(self.full + self.diffs, 1)

    @property
    def characters_saved(self) -> int:
        return self.characters_whole - self.characters_sent


@dataclass(slots=True)
class View:
    """One reader's view of one page.

    A reader that asked for part of the page (only what is interactive, only what is in view)
    keeps looking that way until it asks for another: a difference between two ways of
    looking would be a list of what it did not want.
    """

    seen: Snapshot | None = None
    options: dict[str, Any] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=Coverage)

    def show(self, snapshot: Snapshot) -> str:
        """The page within its budget. From now on it is what the reader knows."""
        snapshot = within_budget(snapshot)
        self.seen = snapshot
        self._count(snapshot.text, snapshot, is_diff=False)
        return snapshot.text

    def update(self, snapshot: Snapshot) -> str:
        """What is new, or the whole page where that is shorter or of another document."""
        if self.seen is None:
            return self.show(snapshot)
        snapshot = within_budget(snapshot)
        diff = snapshot.diff(self.seen)
        if not diff.is_worth_it:
            return self.show(snapshot)
        self.seen = snapshot
        self._count(diff.text, snapshot, is_diff=True)
        return diff.text

    def _count(self, text: str, snapshot: Snapshot, *, is_diff: bool) -> None:
        count = self.coverage
        if is_diff:
            count.diffs += 1
        else:
            count.full += 1
        count.characters_sent += len(text)
        count.characters_whole += len(snapshot.text)


def within_budget(snapshot: Snapshot) -> Snapshot:
    if snapshot.max_tokens is not None:
        return snapshot
    return replace(snapshot, max_tokens=DEFAULT_TOKENS)
