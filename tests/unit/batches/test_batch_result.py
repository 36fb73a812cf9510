"""Results: which failures are tried again, and where traces go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_agent.batches.batch_result import AttemptResult, failed_result, masked_result
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.workers.execution import trace_folder
from cdp_agent.errors import ConnectionLost, ElementNotFound, NavigationFailed

TASK = BatchTask("a", "steps", "https://x.test/")

RETRIES: dict[str, tuple[AttemptResult, bool]] = {
    "success": (AttemptResult(True, "success", ""), False),
    "the page failed": (failed_result(TASK, ElementNotFound("no").to_dict(), "failed"), False),
    "the browser died": (failed_result(TASK, ConnectionLost("gone").to_dict(), "failed"), True),
    "no answer": (failed_result(TASK, NavigationFailed("refused").to_dict(), "failed"), True),
    "the agent's browser died": (AttemptResult(False, "browser_error", "gone"), True),
    "the model gave up": (AttemptResult(False, "failed", "cannot"), False),
    "out of turns": (AttemptResult(False, "max_turns", "20 turns"), False),
}


@pytest.mark.parametrize(("result", "expected"), RETRIES.values(), ids=RETRIES.keys())
def test_only_what_is_not_the_pages_fault_is_tried_again(
    result: AttemptResult, expected: bool
) -> None:
    assert result.can_retry is expected


def test_a_failure_gives_its_reason_and_hint() -> None:
    result = failed_result(TASK, ConnectionLost("gone").to_dict(), "failed")

    assert result.reason == "connection_lost: gone"
    assert result.error is not None
    assert result.error["hint"].startswith("The browser is gone")


def test_nothing_of_a_result_escapes_the_mask() -> None:
    def mask(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("hunter22", "***")
        if isinstance(value, dict):
            return {name: mask(part) for name, part in value.items()}
        return [mask(part) for part in value] if isinstance(value, list) else value

    result = masked_result(
        AttemptResult(
            False,
            "failed",
            "typed hunter22",
            url="https://x.test/?q=hunter22",
            verified="hunter22",
            error={"code": "timeout", "message": "hunter22", "hint": ""},
            steps=({"result": {"value": "hunter22"}},),
        ),
        mask,
    )

    assert "hunter22" not in str(result)


FOLDERS = {
    "a plain id": ("order-7", 1, "order-7"),
    "a second attempt": ("order-7", 2, "order-7.2"),
    "a number": (7, 1, "7"),
}


@pytest.mark.parametrize(("task_id", "number", "name"), FOLDERS.values(), ids=FOLDERS.keys())
def test_an_id_names_the_folder_of_its_trace(task_id: str | int, number: int, name: str) -> None:
    assert trace_folder(Path("t"), BatchTask(task_id, "steps", "u"), number) == Path("t") / name


@pytest.mark.parametrize("task_id", ["../../etc", "a/b", "..", "x.2", "é" * 200, "a b"])
def test_no_id_leaves_the_folder_of_traces(task_id: str) -> None:
    folder = trace_folder(Path("t"), BatchTask(task_id, "steps", "u"), 1)

    assert folder.parent == Path("t")
    assert len(folder.name) < 100
    assert "." not in folder.name


def test_two_ids_never_share_a_folder() -> None:
    ids = ["a/b", "a_b", "a b", "a.b", "A/b"]
    folders = {trace_folder(Path("t"), BatchTask(one, "steps", "u"), 1) for one in ids}

    assert len(folders) == len(ids)
