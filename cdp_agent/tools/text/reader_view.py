"""The page as its reader knows it, and the parts that are new to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from cdp_agent import log
from cdp_agent.snapshot import Node, Snapshot, SnapshotOptions, text_after

_log = log.get("tools")

#: Tokens that a page may cost a reader; the rest is folded into stubs that it can open. Of the
#: first pages of eleven applications this folds rows of long tables and the text of long pages,
#: and no control outside of them.
DEFAULT_TOKENS = 2_000
DEFAULT_OPTIONS = SnapshotOptions(max_tokens=DEFAULT_TOKENS)


@dataclass(slots=True)
class Coverage:
    """Counts of diffs and of whole texts, and of the characters saved."""

    full: int = 0
    diffs: int = 0
    characters_sent: int = 0
    #: Estimated from ids, roles and names: to write all lines would cost more than a diff itself.
    characters_whole: int = 0

    def to_dict(self) -> dict[str, int]:
        return asdict(self)

    @property
    def line(self) -> str:
        """Returns `3 diffs, 1 whole page: 1,204 of about 5,210 characters`."""
        pages = f"{self.full} whole page{'' if self.full == 1 else 's'}"
        diffs = f"{self.diffs} diff{'' if self.diffs == 1 else 's'}"
        sent, whole = f"{self.characters_sent:,}", f"{self.characters_whole:,}"
        return f"{diffs}, {pages}: {sent} of about {whole} characters"


def _line_length(node: Node) -> int:
    """About how many characters a line has: ` [0-12] button "Save"` and its end."""
    own_id = len(node.key) + 3 if node.id is not None else 0
    return node.depth + own_id + len(node.role) + len(node.name) + 4


@dataclass(slots=True)
class View:
    """One reader's view of one page. A diff is of the whole page, whatever the filter."""

    seen: Snapshot | None = None
    coverage: Coverage = field(default_factory=Coverage)

    def show(self, snapshot: Snapshot) -> str:
        """The page. From now on it is what the reader has seen."""
        self.seen = snapshot
        self._count(snapshot.text, snapshot, is_diff=False)
        return snapshot.text

    def update(self, snapshot: Snapshot) -> str:
        """The diff, or the page where that is shorter or shows another document.

        Of a page, regions that read as before are one line each.
        """
        if self.seen is None:
            return self.show(snapshot)
        diff = snapshot.unfiltered.diff(self.seen.unfiltered)
        if not diff.is_worth_it:
            text = text_after(snapshot, self.seen)
            self.seen = snapshot
            self._count(text, snapshot, is_diff=False)
            return f"{text}\n(filter: {snapshot.filtered_by})" if snapshot.filtered_by else text
        self.seen = snapshot
        news = [one.line for one in snapshot.dialogs] + [one.line for one in snapshot.lost_values]
        text = "\n".join([*news, diff.text])
        self._count(text, snapshot, is_diff=True)
        return text

    def _count(self, text: str, snapshot: Snapshot, *, is_diff: bool) -> None:
        count = self.coverage
        if is_diff:
            count.diffs += 1
        else:
            count.full += 1
        count.characters_sent += len(text)
        count.characters_whole += sum(map(_line_length, snapshot.nodes))
        _log.debug("= shown as %s; %s", "a diff" if is_diff else "a whole page", count.line)
