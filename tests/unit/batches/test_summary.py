"""The summary's table and the progress of a batch."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from cdp_agent.batches import BatchTask, Summary
from cdp_agent.batches.batch_result import Attempt, AttemptResult, BatchResult
from cdp_agent.batches.summary import percentile
from cdp_agent.cli.batch_progress import BatchProgress

LOST = {"code": "connection_lost", "message": "gone", "hint": ""}


def result(task_id: int | str, kind: Any = "steps", **facts: Any) -> BatchResult:
    given: dict[str, Any] = {"success": True, "status": "success", "summary": "ok", **facts}
    return BatchResult(task_id, kind, AttemptResult(**given), (Attempt(1, "success"),))


def test_the_table_has_a_row_for_each_kind_and_one_for_all() -> None:
    summary = Summary()
    for number in range(3):
        summary.add(result(number, seconds=1.0))
    summary.add(result(3, "goal", turns=4, tokens=1200, cost=0.0123, seconds=9.0))
    summary.add(result(4, "goal", success=False, status="failed", error=LOST, seconds=2.0))

    assert summary.text().splitlines() == [
        "       tasks     success  turns  tokens     cost  p50 s  p95 s",
        "goal       2   1 (50.0%)      4   1,200  $0.0123   2.00   9.00",
        "steps      3  3 (100.0%)      0       0  $0.0000   1.00   1.00",
        "all        5   4 (80.0%)      4   1,200  $0.0123   1.00   9.00",
        "failed: 1 x connection_lost: 4",
    ]
    assert summary.failed == 1


def test_the_first_tasks_that_failed_for_a_reason_are_named() -> None:
    summary = Summary()
    for number in range(5):
        summary.add(result(number, success=False, status="failed", error=LOST))
    summary.add(result("odd\x1b[2J", success=False, status="timeout"))

    assert summary.text().splitlines()[-2:] == [
        "failed: 5 x connection_lost: 0, 1, 2 and 2 more",
        "failed: 1 x timeout: odd[2J",
    ]


def test_one_unknown_price_makes_the_cost_unknown() -> None:
    summary = Summary()
    summary.add(result(1, "goal", cost=0.5))
    summary.add(result(2, "goal", cost=None))

    assert "unknown" in summary.text()
    assert summary.to_dict()["rows"][-1]["cost"] is None


def test_attempts_that_were_begun_again_are_counted() -> None:
    attempts = (Attempt(1, "interrupted", "killed"), Attempt(2, "failed"), Attempt(3, "success"))
    summary = Summary()
    summary.add(BatchResult(1, "steps", AttemptResult(True, "success", ""), attempts))

    assert "attempts begun again: 1 interrupted, 1 failed" in summary.text()
    facts = summary.to_dict()
    assert (facts["interrupted_attempts"], facts["retried_attempts"]) == (1, 1)


PERCENTILES = {
    "of none": ([], 0.5, 0.0),
    "of one": ([3.0], 0.95, 3.0),
    "the middle": ([3.0, 1.0, 2.0], 0.5, 2.0),
    "the lower middle": ([1.0, 2.0, 3.0, 4.0], 0.5, 2.0),
    "of a hundred": ([float(n) for n in range(1, 101)], 0.95, 95.0),
}


@pytest.mark.parametrize(
    ("values", "share", "expected"), PERCENTILES.values(), ids=PERCENTILES.keys()
)
def test_percentiles(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show(out: io.StringIO) -> str:
    progress = BatchProgress(out)
    progress.resumed([result(0)], 4)
    progress.finished(result(1, seconds=1.234))
    progress.retried(BatchTask("two\x1b[2J", "goal", "u"), "connection_lost: gone")
    progress.finished(result(2, success=False, status="failed", error=LOST))
    progress.stopping(30.0)
    progress.close()
    return out.getvalue()


def test_each_event_is_a_line_where_there_is_no_terminal() -> None:
    assert show(io.StringIO()).splitlines() == [
        "1 of 4 tasks were finished by an earlier run",
        "      2/4 ok        1 1.23 s",
        "retry     two[2J: connection_lost: gone",
        "      3/4 failed    2 0.00 s: connection_lost: gone",
        "finishing what runs, up to 30 s; another Ctrl-C stops at once",
    ]


def test_a_terminal_gets_a_bar_and_lines_for_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = show(Terminal())

    assert "[######------------------] 1/4" in shown
    assert "[##################------] 3/4, 1 failed" in shown
    assert "2/4 ok" not in shown
    assert "3/4 failed    2" in shown
    assert shown.endswith("\r\x1b[K")


def test_a_bar_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second line of it could not be taken away again."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    bars = [part for part in re.split(r"\r\x1b\[K|\n", show(Terminal())) if part.startswith("[")]
    assert bars[0] == "[######------------------] 1/"
    assert max(map(len, bars)) < 30
