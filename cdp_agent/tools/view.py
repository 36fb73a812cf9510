"""What the reader of one page has seen, and what of the page is news to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cdp_agent.snapshot import Snapshot, SnapshotOptions

_STUB = re.compile(r"(?:\+(\d+) ([^\[\n]{1,40}?) )?\[expand (\d+-\d+)\]")
_MOST_STUBS = 1000
#: Tokens that a page may cost a reader; the rest is folded into stubs that it can open.
DEFAULT_TOKENS = 8_000
DEFAULT_OPTIONS = SnapshotOptions(max_tokens=DEFAULT_TOKENS)


@dataclass(slots=True)
class Coverage:
    """Counts of diffs and of whole texts, and of the characters saved."""

    full: int = 0
    diffs: int = 0
    characters_sent: int = 0
    characters_whole: int = 0


@dataclass(slots=True)
class View:
    """One reader's view of one page.

    Its options (the budget, a filter) are those of every snapshot that it is shown, also after
    actions. A diff is of the whole page, whatever the filter.
    """

    seen: Snapshot | None = None
    options: SnapshotOptions = DEFAULT_OPTIONS
    coverage: Coverage = field(default_factory=Coverage)
    #: What each stub that was shown stands for: so many siblings from its id on.
    stubs: dict[str, int] = field(default_factory=dict)

    def note_stubs(self, text: str) -> None:
        """Remember the stubs of a text that the reader gets, so that they open what they count."""
        for count, kind, key in _STUB.findall(text):
            # `+12 more` are options inside the element itself; a stub without a count is one.
            self.stubs[key] = int(count) if count and kind != "more" else 1
        while len(self.stubs) > _MOST_STUBS:
            del self.stubs[next(iter(self.stubs))]

    def show(self, snapshot: Snapshot) -> str:
        """The page. From now on it is what the reader has seen."""
        self.seen = snapshot
        self._count(snapshot.text, snapshot, is_diff=False)
        return snapshot.text

    def update(self, snapshot: Snapshot) -> str:
        """The diff, or the page where that is shorter or shows another document."""
        if self.seen is None:
            return self.show(snapshot)
        diff = snapshot.unfiltered.diff(self.seen.unfiltered)
        if not diff.is_worth_it:
            text = self.show(snapshot)
            return f"{text}\n(filter: {snapshot.filtered_by})" if snapshot.filtered_by else text
        self.seen = snapshot
        text = "\n".join([*(dialog.line for dialog in snapshot.dialogs), diff.text])
        self._count(text, snapshot, is_diff=True)
        return text

    def _count(self, text: str, snapshot: Snapshot, *, is_diff: bool) -> None:
        self.note_stubs(text)
        count = self.coverage
        if is_diff:
            count.diffs += 1
        else:
            count.full += 1
        count.characters_sent += len(text)
        count.characters_whole += len(snapshot.text)
