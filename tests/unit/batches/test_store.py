"""The store: what is recorded, and what a kill at any moment leaves."""

from __future__ import annotations

import json
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from cdp_agent.batches.batch_result import AttemptResult, BatchResult
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.store import KILLED, Store, store_path
from cdp_agent.errors import InvalidParams

TASKS = [BatchTask(n, "steps", "https://x.test/", digest=f"d{n}") for n in range(3)]
DONE = AttemptResult(True, "success", "1 of 1 steps done", seconds=1.5)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def test_a_result_is_a_line_with_all_attempts(out: Path) -> None:
    with Store(out) as store:
        assert store.begin(TASKS) == []
        first = store.begin_attempt(TASKS[1])
        store.end_attempt(TASKS[1], first, "failed", "connection_lost: gone")
        result = store.finish(TASKS[1], DONE, store.begin_attempt(TASKS[1]))

    [line] = lines(out)
    assert (line["id"], line["success"], line["summary"]) == (1, True, "1 of 1 steps done")
    ends = [(a["number"], a["end"], a["reason"]) for a in line["attempts"]]
    assert ends == [(1, "failed", "connection_lost: gone"), (2, "success", "")]
    assert BatchResult.from_dict(line).to_dict() == result.to_dict()


def test_an_attempt_without_an_end_is_marked_before_anything_runs(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        store.begin_attempt(TASKS[0])
    # A kill: the store was closed without a word about the attempt.
    with Store(out, resume=True) as store:
        store.begin(TASKS)
        [attempt] = store.attempts(TASKS[0])

        assert (attempt.end, attempt.reason) == ("interrupted", KILLED)
        assert store.begin_attempt(TASKS[0]) == 2


CUTS = {
    "before the line was written": lambda text: "",
    "in the middle of the line": lambda text: text[:20],
    "in the middle of a letter": lambda text: text[:20] + "\udcc3",
    "after the line": lambda text: text,
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS.keys())
def test_a_recorded_result_is_in_the_file_once_whenever_the_kill_came(out: Path, cut: Any) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        store.finish(TASKS[0], DONE, store.begin_attempt(TASKS[0]))
    whole = out.read_text("utf-8")
    out.write_bytes(cut(whole).encode("utf-8", "surrogateescape"))

    with Store(out, resume=True) as store:
        [result] = store.begin(TASKS)
        store.finish(TASKS[1], DONE, store.begin_attempt(TASKS[1]))

    assert result.id == 0
    assert [line["id"] for line in lines(out)] == [0, 1]
    assert out.read_text("utf-8").startswith(whole)


def test_a_task_has_one_result(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        store.finish(TASKS[0], DONE, store.begin_attempt(TASKS[0]))
        with pytest.raises(sqlite3.IntegrityError):
            store.finish(TASKS[0], DONE)

    assert len(lines(out)) == 1


def test_results_are_not_written_over(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        store.begin_attempt(TASKS[0])
    with pytest.raises(InvalidParams, match="has results already"):
        Store(out)

    store_path(out).unlink()
    out.write_text("{}\n")
    with pytest.raises(InvalidParams, match="no store"):
        Store(out, resume=True)
    assert out.read_text() == "{}\n"


def test_a_folder_takes_no_results(tmp_path: Path) -> None:
    for resume in (False, True):
        with pytest.raises(InvalidParams, match="is a folder"):
            Store(tmp_path, resume=resume)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_began_no_task_is_no_obstacle(out: Path) -> None:
    """A key or a browser was missing: the same command, or other tasks, may be tried again."""
    with Store(out) as store:
        store.begin(TASKS)
    changed = BatchTask(1, "steps", "https://x.test/", digest="new")

    with Store(out) as store:
        assert store.begin([changed]) == []


def test_to_resume_what_was_never_begun_is_to_begin(out: Path) -> None:
    with Store(out, resume=True) as store:
        assert store.begin(TASKS) == []


def test_a_task_that_was_begun_cannot_become_another(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        store.begin_attempt(TASKS[1])
    changed = BatchTask(1, "steps", "https://x.test/", digest="new")
    with Store(out, resume=True) as store, pytest.raises(InvalidParams, match="the task 1 is not"):
        store.begin([TASKS[0], changed])


def test_tasks_may_be_added(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS[:1])
        store.finish(TASKS[0], DONE, store.begin_attempt(TASKS[0]))
    with Store(out, resume=True) as store:
        assert [result.id for result in store.begin(TASKS)] == [0]


def test_two_runs_do_not_write_to_one_file(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)
        with pytest.raises(InvalidParams, match="another run is writing"):
            Store(out, resume=True)


def test_a_file_that_is_no_store_is_left_alone(out: Path) -> None:
    store_path(out).write_bytes(b"something else" * 100)

    with pytest.raises(InvalidParams, match="is not a store of a batch"):
        Store(out, resume=True)

    assert store_path(out).read_bytes().startswith(b"something else")


def test_a_store_of_another_version_is_left_alone(out: Path) -> None:
    base = sqlite3.connect(store_path(out))
    base.execute("PRAGMA user_version = 99")
    base.close()

    with pytest.raises(InvalidParams, match="another version"):
        Store(out, resume=True)


def test_files_are_their_owners_alone(out: Path) -> None:
    with Store(out) as store:
        store.begin(TASKS)

    for path in (out, store_path(out)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidParams, match="cannot write to"):
        Store(tmp_path / "file" / "results.jsonl")
