"""Results of a batch: of each attempt, and of each task. Plain, masked values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from cdp_agent.batches.batch_task import BatchTask, TaskKind

#: How one attempt ended, as the store has it.
AttemptEnd = Literal["success", "failed", "interrupted"]
#: Codes of failures that are the machine's or the network's: another attempt may fare better.
RETRIED = frozenset({"connection_lost", "browser_error", "target_crashed", "navigation_failed"})


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The end of one attempt. `status` is one of `TaskResult`'s."""

    success: bool
    status: str
    summary: str
    url: str = ""
    #: The indicator that proves a success, where there is one.
    verified: str = ""
    turns: int = 0
    tokens: int = 0
    #: In US dollars; None where the model's price is not known.
    cost: float | None = 0.0
    seconds: float = 0.0
    #: `code`, `message` and `hint` of what failed.
    error: Mapping[str, Any] | None = None
    #: A row for each step of `steps` and `replay`.
    steps: Sequence[Mapping[str, Any]] = ()
    #: The folder of the trace.
    trace: str = ""

    @property
    def can_retry(self) -> bool:
        """Returns whether the failure is not the page's or the model's."""
        code = self.error.get("code") if self.error is not None else None
        return not self.success and (code in RETRIED or self.status == "browser_error")

    @property
    def reason(self) -> str:
        """The reason of the failure, in a line; empty after a success."""
        if self.success:
            return ""
        if self.error is not None:
            return f"{self.error['code']}: {self.error['message']}"
        return f"{self.status}: {self.summary}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt as the store has it."""

    number: int
    end: AttemptEnd
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of a task: its last attempt's, with the list of all attempts."""

    id: str | int
    kind: TaskKind
    last: AttemptResult
    attempts: tuple[Attempt, ...] = field(default=())

    @property
    def success(self) -> bool:
        return self.last.success

    @property
    def status(self) -> str:
        return self.last.status

    @property
    def summary(self) -> str:
        return self.last.summary

    def to_dict(self) -> dict[str, Any]:
        """The line of the results file."""
        last = asdict(self.last)
        last["seconds"], last["steps"] = round(self.last.seconds, 3), list(last["steps"])
        attempts = [
            {**asdict(attempt), "seconds": round(attempt.seconds, 3)} for attempt in self.attempts
        ]
        return {"id": self.id, "kind": self.kind, **last, "attempts": attempts}

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> BatchResult:
        """The result that `to_dict` made a line of."""
        given = dict(line)
        task_id, kind = given.pop("id"), given.pop("kind")
        attempts = tuple(Attempt(**attempt) for attempt in given.pop("attempts"))
        return cls(task_id, kind, AttemptResult(**given), attempts)


def interrupted_result(task: BatchTask, reason: str) -> AttemptResult:
    """The result of a task that may not be begun again."""
    return AttemptResult(False, "interrupted", f"begun and not finished: {reason}", url=task.url)


def failed_result(task: BatchTask, error: Mapping[str, Any], status: str) -> AttemptResult:
    """The result of an attempt that an error ended."""
    shown = {name: error[name] for name in ("code", "message", "hint")}
    message = f"{shown['code']}: {shown['message']}"
    return AttemptResult(False, status, message, url=task.url, error=shown)


def masked_result(result: AttemptResult, mask_data: Any) -> AttemptResult:
    """The result with every secret's value replaced by its name."""
    plain = asdict(result)
    texts = {name: mask_data(plain[name]) for name in ("summary", "url", "verified", "error")}
    return replace(result, **texts, steps=tuple(mask_data(list(plain["steps"]))))
