"""The store of a batch: SQLite beside the results, and the truth about them.

An attempt is recorded before it begins and when it ends; a result is recorded before its line is
written to the results file. So a run that is killed at any moment leaves a store from which the
file can be written again, and in which an attempt without an end was interrupted. A result is
recorded once: the table has each task once.

One run at a time: the results file is locked while a store is open, and a kill ends the lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from cdp_agent.batches.batch_result import Attempt, AttemptEnd, AttemptResult, BatchResult
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.errors import InvalidParams
from cdp_agent.text import json_text

VERSION = 1
KILLED = "the run was killed or lost"
_BUSY_SECONDS = 10.0
_TABLES = """
CREATE TABLE IF NOT EXISTS task (id TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempt (
    task TEXT NOT NULL REFERENCES task (id),
    number INTEGER NOT NULL,
    began REAL NOT NULL,
    ended REAL,
    end TEXT CHECK (end IN ('success', 'failed', 'interrupted')),
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (task, number)
);
CREATE TABLE IF NOT EXISTS result (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL UNIQUE REFERENCES task (id),
    line TEXT NOT NULL
);
"""


def store_path(out: Path) -> Path:
    """`results.jsonl` has its store in `results.jsonl.sqlite`."""
    return out.with_name(f"{out.name}.sqlite")


class Store:
    """Use it in `with`. Without `out` it is in memory, and gone with the batch."""

    def __init__(self, out: Path | None, *, resume: bool = False) -> None:
        """Raises: InvalidParams: there are results already, or another run writes them."""
        self._file: TextIO | None = None
        if out is not None:
            _require_state(out, resume=resume)
            self._file = _locked_file(out)
        try:
            self._base = _database(out)
            if not resume and self._base.execute("SELECT 1 FROM attempt LIMIT 1").fetchone():
                raise _begun(out)
        except BaseException:  # also when interrupted: the file's lock is let go
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files. May be called twice."""
        if hasattr(self, "_base"):
            self._base.close()
        if self._file is not None:
            self._file.close()

    def begin(self, tasks: Sequence[BatchTask]) -> list[BatchResult]:
        """Take in the tasks of a run; the results that earlier runs recorded.

        Attempts without an end are marked as interrupted, and the results file is written again
        where it lacks a line.

        Raises:
            InvalidParams: a task was begun with another content.
        """
        digests = dict(
            self._base.execute("SELECT id, digest FROM task WHERE id IN (SELECT task FROM attempt)")
        )
        for task in tasks:
            if digests.get(task.key, task.digest) != task.digest:
                raise InvalidParams(
                    f"the task {task.id!r} is not the one that was begun under this id",
                    hint="Give it an id of its own, or write to another results file.",
                )
        with self._base:
            self._base.execute(
                "UPDATE attempt SET end = 'interrupted', reason = ?, ended = ? WHERE end IS NULL",
                (KILLED, time.time()),
            )
            self._base.executemany(
                "INSERT OR REPLACE INTO task VALUES (?, ?)",
                [(task.key, task.digest) for task in tasks],
            )
        lines = [
            line for (line,) in self._base.execute("SELECT line FROM result ORDER BY position")
        ]
        if self._file is not None:
            _write_again(self._file, lines)
        return [BatchResult.from_dict(json.loads(line)) for line in lines]

    def begin_attempt(self, task: BatchTask) -> int:
        """Record that an attempt begins; its number, from 1."""
        with self._base:
            [(last,)] = self._base.execute(
                "SELECT coalesce(max(number), 0) FROM attempt WHERE task = ?", (task.key,)
            )
            self._base.execute(
                "INSERT INTO attempt (task, number, began) VALUES (?, ?, ?)",
                (task.key, last + 1, time.time()),
            )
        return int(last) + 1

    def end_attempt(self, task: BatchTask, number: int, end: AttemptEnd, reason: str) -> None:
        """Record how an attempt ended, and that there will be another."""
        with self._base:
            self._end_attempt(task, number, end, reason)

    def finish(
        self, task: BatchTask, result: AttemptResult, number: int | None = None
    ) -> BatchResult:
        """Record the result of a task and its last attempt, then write the line."""
        with self._base:
            if number is not None:
                end: AttemptEnd = "success" if result.success else "failed"
                self._end_attempt(task, number, end, result.reason)
            whole = BatchResult(task.id, task.kind, result, tuple(self.attempts(task)))
            line = json_text(whole.to_dict())
            self._base.execute("INSERT INTO result (task, line) VALUES (?, ?)", (task.key, line))
        if self._file is not None:
            self._file.write(f"{line}\n")
            self._file.flush()
        return whole

    def attempts(self, task: BatchTask) -> list[Attempt]:
        """The attempts of a task that have ended."""
        rows = self._base.execute(
            "SELECT number, end, reason, ended - began FROM attempt "
            "WHERE task = ? AND end IS NOT NULL ORDER BY number",
            (task.key,),
        )
        return [Attempt(*row) for row in rows]

    def _end_attempt(self, task: BatchTask, number: int, end: AttemptEnd, reason: str) -> None:
        self._base.execute(
            "UPDATE attempt SET end = ?, reason = ?, ended = ? WHERE task = ? AND number = ?",
            (end, reason, time.time(), task.key, number),
        )


def _require_state(out: Path, *, resume: bool) -> None:
    """Raises: InvalidParams: what is there does not go with what is asked for."""
    if out.is_dir():
        raise InvalidParams(f"{out} is a folder", hint="Name a file for the results.")
    has_store, has_results = store_path(out).exists(), out.exists() and out.stat().st_size > 0
    if not resume and has_results:
        raise _begun(out)
    if resume and has_results and not has_store:
        raise InvalidParams(
            f"{out} has results and no store ({store_path(out).name}): nobody can tell what was "
            "begun",
            hint="Write to another file.",
        )


def _begun(out: Path | None) -> InvalidParams:
    return InvalidParams(
        f"{out} has results already, or tasks that were begun",
        hint="--resume (resume=True) goes on with them; or write to another file.",
    )


def _locked_file(out: Path) -> TextIO:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        file = open(out, "a+", encoding="utf-8", opener=_private)  # noqa: SIM115 (kept open)
    except OSError as error:
        raise InvalidParams(f"cannot write to {out}: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InvalidParams(
            f"another run is writing to {out}", hint="Wait for its end, or stop it."
        ) from None
    return file


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _database(out: Path | None) -> sqlite3.Connection:
    """Raises: InvalidParams: the store is none, or one of another version."""
    path = store_path(out) if out is not None else None
    try:
        if path is not None:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        base = sqlite3.connect(path or ":memory:", timeout=_BUSY_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise InvalidParams(f"cannot open the store {path}: {error}") from None
    try:
        base.execute("PRAGMA synchronous = FULL")
        [(version,)] = base.execute("PRAGMA user_version")
        if version not in (0, VERSION):
            raise InvalidParams(f"the store {path} is one of another version ({version})")
        base.executescript(f"{_TABLES}PRAGMA user_version = {VERSION};")
    except sqlite3.Error as error:
        base.close()
        raise InvalidParams(f"{path} is not a store of a batch: {error}") from None
    except BaseException:  # also when interrupted: the file is closed
        base.close()
        raise
    return base


def _write_again(file: TextIO, lines: Iterable[str]) -> None:
    """Make the file hold exactly the recorded lines: a kill may cut off the last."""
    whole = "".join(f"{line}\n" for line in lines)
    file.seek(0)
    with contextlib.suppress(UnicodeDecodeError):
        if file.read() == whole:
            return
    file.seek(0)
    file.truncate()
    file.write(whole)
    file.flush()
