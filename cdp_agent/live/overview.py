"""The overview of a batch: how far it is, and the tasks, the newest news first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from cdp_agent.text import one_line

TaskState = Literal["waiting", "running", "retrying", "done", "failed"]
#: Rows that a viewer gets, and as many of failed tasks; counts are of all tasks.
MOST_ROWS = 200


@dataclass(slots=True)
class TaskRow:
    id: str
    state: TaskState
    note: str = ""
    #: The pane that shows it while it runs.
    pane: str = ""
    seconds: float | None = None


class Overview:
    """`update` is called for each task as it changes; `changed` hears of it."""

    def __init__(self, total: int, changed: Callable[[], None]) -> None:
        self.total = total
        self._changed = changed
        self._rows: dict[str, TaskRow] = {}
        self._counts: Counter[str] = Counter()

    def update(
        self,
        task_id: str,
        state: TaskState,
        note: str = "",
        *,
        pane: str = "",
        seconds: float | None = None,
    ) -> None:
        """Say how a task is now. Its row moves to the top."""
        before = self._rows.pop(task_id, None)
        if before is not None:
            self._counts[before.state] -= 1
        self._counts[state] += 1
        row = TaskRow(one_line(task_id, 80), state, one_line(note, 300), pane, seconds)
        self._rows[task_id] = row
        self._changed()

    def to_dict(self) -> dict[str, Any]:
        newest = list(reversed(self._rows.values()))
        counts = {state: number for state, number in self._counts.items() if number}
        counts["waiting"] = counts.get("waiting", 0) + max(self.total - len(self._rows), 0)
        older = [row for row in newest[MOST_ROWS:] if row.state == "failed"]
        rows = [asdict(row) for row in newest[:MOST_ROWS] + older[:MOST_ROWS]]
        return {"total": max(self.total, len(self._rows)), "counts": counts, "rows": rows}
