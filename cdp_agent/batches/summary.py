"""The summary of a batch: success, turns, tokens, cost and time, by kind."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cdp_agent.batches.batch_result import BatchResult
from cdp_agent.batches.batch_task import KINDS
from cdp_agent.text import one_line

_HEADS = ("", "tasks", "success", "turns", "tokens", "cost", "p50 s", "p95 s")
_MOST_REASONS = 8
#: Tasks that are named beside the reason of their failure.
_MOST_NAMED = 3
_LONGEST_ID = 40


@dataclass(frozen=True, slots=True)
class _Facts:
    """The part of a result that the summary needs; whole results may be large."""

    id: str
    kind: str
    success: bool
    reason: str
    turns: int
    tokens: int
    cost: float | None
    seconds: float
    #: Attempts that were not the last of their task.
    interrupted: int
    retried: int


class Summary:
    """Grows with each result."""

    def __init__(self) -> None:
        self._facts: list[_Facts] = []

    def add(self, result: BatchResult) -> None:
        last, earlier = result.last, result.attempts[:-1]
        interrupted = sum(attempt.end == "interrupted" for attempt in earlier)
        reason = str(last.error["code"]) if last.error is not None else last.status
        self._facts.append(
            _Facts(
                str(result.id),
                result.kind,
                last.success,
                reason,
                last.turns,
                last.tokens,
                last.cost,
                last.seconds,
                interrupted,
                len(earlier) - interrupted,
            )
        )

    @property
    def tasks(self) -> int:
        """The number of results."""
        return len(self._facts)

    @property
    def failed(self) -> int:
        return sum(not facts.success for facts in self._facts)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each kind that there is, and the last for all."""
        of_kind = {kind: [one for one in self._facts if one.kind == kind] for kind in KINDS}
        rows = [_row(kind, facts) for kind, facts in of_kind.items() if facts]
        return [*(rows if len(rows) > 1 else []), _row("all", self._facts)]

    def to_dict(self) -> dict[str, Any]:
        interrupted, retried = self._attempts()
        return {
            "rows": self.rows(),
            "failures": dict(self._reasons()),
            "interrupted_attempts": interrupted,
            "retried_attempts": retried,
        }

    def text(self) -> str:
        """The table as lines, and why tasks failed."""
        cells = [_HEADS, *(_cells(row) for row in self.rows())]
        widths = [max(len(row[n]) for row in cells) for n in range(len(_HEADS))]
        lines = [
            "  ".join(
                text.ljust(width) if n == 0 else text.rjust(width)
                for n, (text, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        interrupted, retried = self._attempts()
        if interrupted or retried:
            lines.append(f"attempts begun again: {interrupted} interrupted, {retried} failed")
        lines.extend(
            f"failed: {count} x {why}: {self._named(why, count)}"
            for why, count in self._reasons().most_common(_MOST_REASONS)
        )
        return "\n".join(lines)

    def _named(self, reason: str, count: int) -> str:
        """The first tasks that failed for a reason."""
        failed = (facts.id for facts in self._facts if not facts.success and facts.reason == reason)
        names = ", ".join(one_line(name, _LONGEST_ID) for name in islice(failed, _MOST_NAMED))
        return f"{names} and {count - _MOST_NAMED} more" if count > _MOST_NAMED else names

    def _reasons(self) -> Counter[str]:
        return Counter(facts.reason for facts in self._facts if not facts.success)

    def _attempts(self) -> tuple[int, int]:
        """Attempts that were begun again: interrupted ones and failed ones."""
        interrupted = sum(facts.interrupted for facts in self._facts)
        return interrupted, sum(facts.retried for facts in self._facts)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed; 0 of none."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)] if ranked else 0.0


def _row(name: str, facts: Sequence[_Facts]) -> dict[str, Any]:
    costs = [one.cost for one in facts]
    seconds = [one.seconds for one in facts]
    return {
        "kind": name,
        "tasks": len(facts),
        "success": sum(one.success for one in facts),
        "turns": sum(one.turns for one in facts),
        "tokens": sum(one.tokens for one in facts),
        # One price that is not known makes the sum unknown.
        "cost": None if None in costs else sum(cost or 0.0 for cost in costs),
        "p50": round(percentile(seconds, 0.5), 3),
        "p95": round(percentile(seconds, 0.95), 3),
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    share = f" ({row['success'] / row['tasks']:.1%})" if row["tasks"] else ""
    return (
        row["kind"],
        str(row["tasks"]),
        f"{row['success']}{share}",
        f"{row['turns']:,}",
        f"{row['tokens']:,}",
        "unknown" if row["cost"] is None else f"${row['cost']:.4f}",
        f"{row['p50']:.2f}",
        f"{row['p95']:.2f}",
    )
