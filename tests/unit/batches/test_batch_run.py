"""A batch under way, with workers that do what a test says: losses, retries and the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cdp_agent.batches.batch_result import AttemptResult
from cdp_agent.batches.batch_run import Batch
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.workers.memory import group_megabytes
from cdp_agent.batches.workers.worker import Worker
from cdp_agent.errors import BrowserError, ConnectionLost

DONE = AttemptResult(True, "success", "done")


def tasks(count: int, **more: Any) -> list[BatchTask]:
    return [BatchTask(n, "steps", "https://x.test/", digest="d", **more) for n in range(count)]


class ListedWorker:
    """Answers attempts from a list; an error in it is raised, an Event awaited."""

    def __init__(self, *answers: Any, problem: BrowserError | None = None) -> None:
        self.answers = list(answers)
        self.problem = problem
        self.attempted: list[tuple[str, int]] = []

    async def ready(self) -> None:
        if self.problem is not None:
            raise self.problem

    async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
        self.attempted.append((task.key, number))
        answer = self.answers.pop(0) if self.answers else DONE
        if isinstance(answer, asyncio.Event):
            await answer.wait()
            return DONE
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def aclose(self) -> None:
        """Nothing is open."""


class ListedEngine:
    def __init__(self, *workers: ListedWorker) -> None:
        self.workers = workers
        self.closed = 0

    async def start(self) -> Sequence[Worker]:
        return self.workers

    async def aclose(self) -> None:
        self.closed += 1


async def test_a_task_of_a_lost_worker_is_begun_again_and_has_one_result() -> None:
    worker = ListedWorker(ConnectionLost("the node died"))
    engine = ListedEngine(worker)

    results = [result async for result in Batch(tasks(2), engine)]

    assert [result.id for result in results] == [0, 1]
    assert worker.attempted == [("0", 1), ("0", 2), ("1", 1)]
    ends = [(attempt.end, attempt.reason) for attempt in results[0].attempts]
    assert ends == [("interrupted", "connection_lost: the node died"), ("success", "")]
    assert engine.closed == 1


async def test_a_worker_that_is_lost_again_and_again_is_a_result() -> None:
    lost = ConnectionLost("the node died")
    engine = ListedEngine(ListedWorker(lost, lost, lost))

    [result] = [result async for result in Batch(tasks(1, retries=1), engine)]

    assert (result.success, result.status) == (False, "interrupted")
    assert [attempt.end for attempt in result.attempts] == ["interrupted", "interrupted"]


async def test_who_waits_takes_over_what_a_lost_worker_had() -> None:
    """The last task's worker is lost for good while the other has nothing to do."""
    held = asyncio.Event()

    class Leaving(ListedWorker):
        async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
            await held.wait()
            self.problem = BrowserError("no place on the cluster")
            raise ConnectionLost("the node died")

    class Staying(ListedWorker):
        async def attempt(self, task: BatchTask, number: int) -> AttemptResult:
            held.set()
            return await super().attempt(task, number)

    staying = Staying()
    results = [result async for result in Batch(tasks(2), ListedEngine(Leaving(), staying))]

    assert sorted(result.id for result in results) == [0, 1]
    assert staying.attempted == [("1", 1), ("0", 2)]


async def test_without_any_worker_the_batch_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cdp_agent.batches.batch_run._FIRST_PAUSE", 0.001)
    engine = ListedEngine(ListedWorker(problem=BrowserError("no Chromium")))

    with pytest.raises(BrowserError, match="no Chromium"):
        [result async for result in Batch(tasks(2), engine)]

    assert engine.closed == 1


async def test_after_a_stop_what_runs_ends_and_nothing_begins() -> None:
    held = asyncio.Event()
    worker = ListedWorker(DONE, held)
    run = Batch(tasks(4), ListedEngine(worker))

    results: list[str | int] = []
    async for result in run:
        results.append(result.id)
        run.stop(grace=60)
        held.set()

    assert results == [0, 1]
    assert run.unfinished == 2
    assert len(worker.attempted) == 2


async def test_after_the_grace_what_runs_is_interrupted() -> None:
    run = Batch(tasks(2), ListedEngine(ListedWorker(DONE, asyncio.Event())))

    results: list[str | int] = []
    async for result in run:
        results.append(result.id)
        run.stop(grace=0.01)

    assert results == [0]
    assert run.unfinished == 1


async def test_a_bug_in_a_worker_is_raised_and_everything_is_closed() -> None:
    engine = ListedEngine(ListedWorker(ZeroDivisionError("a bug")))

    with pytest.raises(ZeroDivisionError):
        [result async for result in Batch(tasks(1), engine)]

    assert engine.closed == 1


async def test_results_that_nobody_takes_hold_the_workers_up() -> None:
    worker = ListedWorker()
    async with Batch(tasks(50), ListedEngine(worker)) as run:
        await anext(run)
        for _ in range(200):
            await asyncio.sleep(0)

        assert len(worker.attempted) < 5


def test_memory_of_a_group_that_is_not_there_is_nothing() -> None:
    assert group_megabytes(2**30) in (0.0, None)


def test_memory_of_our_own_group_is_more_than_a_python() -> None:
    import os

    megabytes = group_megabytes(os.getpgrp())
    assert megabytes is None or megabytes > 5


class SlowEngine(ListedEngine):
    async def aclose(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        await super().aclose()


@pytest.mark.parametrize("turns", range(16))
async def test_the_engine_is_closed_whenever_the_batch_is_left(turns: int) -> None:
    """Also while the batch is closing it by itself, after the last result."""
    engine = SlowEngine(ListedWorker())

    async with Batch(tasks(1), engine) as run:
        await anext(run)
        for _ in range(turns):
            await asyncio.sleep(0)

    assert engine.closed == 1
