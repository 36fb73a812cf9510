"""The overview of a batch: counts of all tasks, the newest news first."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_agent.live import BatchView, Board
from cdp_agent.live.overview import MOST_ROWS, Overview


def test_tasks_are_counted_by_their_latest_state() -> None:
    told = []
    overview = Overview(5, lambda: told.append(1))
    overview.update("a", "running", pane="7")
    overview.update("b", "running")
    overview.update("a", "done", "it is\ncancelled", seconds=2.5)

    facts = overview.to_dict()

    assert facts["total"] == 5
    assert facts["counts"] == {"done": 1, "running": 1, "waiting": 3}
    assert [row["id"] for row in facts["rows"]] == ["a", "b"]
    assert facts["rows"][0]["note"] == "it is cancelled"
    assert len(told) == 3


def test_rows_are_bounded_and_counts_are_not() -> None:
    overview = Overview(1000, lambda: None)
    for number in range(1000):
        overview.update(str(number), "done")
    facts = overview.to_dict()
    assert len(facts["rows"]) == MOST_ROWS
    assert facts["counts"] == {"done": 1000, "waiting": 0}


def test_failures_are_shown_however_many_came_after_them() -> None:
    overview = Overview(1000, lambda: None)
    overview.update("the first", "failed", "the shop is closed")
    for number in range(999):
        overview.update(str(number), "done")
    rows = overview.to_dict()["rows"]
    assert (rows[-1]["id"], rows[-1]["note"]) == ("the first", "the shop is closed")


@dataclass(frozen=True)
class Task:
    id: str | int


@dataclass(frozen=True)
class Result:
    id: str | int
    success: bool
    summary: str


def test_a_batch_tells_its_overview_by_its_events() -> None:
    board = Board()
    view = BatchView(board)
    view.resumed([Result(1, True, "was done before")], 4)
    view.started(Task(2), 1)
    view.retried(Task(2), "connection_lost: the browser is gone")
    view.started(Task(2), 2)
    view.started(Task("three"), 1)
    view.finished(Result("three", False, "the shop is closed"))

    assert board.overview is not None
    facts = board.overview.to_dict()
    assert facts["counts"] == {"done": 1, "running": 1, "failed": 1, "waiting": 1}
    assert [(row["id"], row["note"]) for row in facts["rows"]] == [
        ("three", "the shop is closed"),
        ("2", "attempt 2"),
        ("1", "was done before"),
    ]
