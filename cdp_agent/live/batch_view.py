"""A batch on the live page: its overview, kept up to date by the batch's own events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cdp_agent.live.board import Board
from cdp_agent.live.overview import Overview, TaskState


class ShownTask(Protocol):
    """A task of a batch, as far as it is shown."""

    @property
    def id(self) -> str | int: ...


class ShownResult(Protocol):
    """A result of a batch, as far as it is shown."""

    @property
    def id(self) -> str | int: ...

    @property
    def success(self) -> bool: ...

    @property
    def summary(self) -> str: ...


class BatchView:
    """Has the methods of a batch's watcher, and `finished` for each result."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._overview: Overview | None = None

    def resumed(self, results: Sequence[ShownResult], total: int) -> None:
        """Earlier runs recorded these results."""
        self._overview = self._board.open_overview(total)
        for result in results:
            self.finished(result)

    def started(self, task: ShownTask, attempt: int) -> None:
        """An attempt begins."""
        note = f"attempt {attempt}" if attempt > 1 else ""
        self._shown.update(str(task.id), "running", note)

    def retried(self, task: ShownTask, reason: str) -> None:
        """The task will be begun again."""
        self._shown.update(str(task.id), "retrying", reason)

    def finished(self, result: ShownResult) -> None:
        """The task has its result."""
        state: TaskState = "done" if result.success else "failed"
        self._shown.update(str(result.id), state, result.summary)

    @property
    def _shown(self) -> Overview:
        if self._overview is None:
            self._overview = self._board.open_overview(0)
        return self._overview
