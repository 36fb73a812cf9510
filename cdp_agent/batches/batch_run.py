"""A batch under way: workers take tasks, attempts and results are recorded.

The same for every engine. A worker has one task at a time, so that no more is under way than there
are workers; results that nobody takes hold the workers up.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from cdp_agent import log
from cdp_agent.batches.batch_result import BatchResult, interrupted_result
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.pending import PendingTasks
from cdp_agent.batches.store import Store
from cdp_agent.batches.summary import Summary
from cdp_agent.batches.workers.worker import Worker
from cdp_agent.errors import BrowserError, CdpAgentError, ConnectionLost
from cdp_agent.live import Board
from cdp_agent.live.overview import TaskState

_log = log.get("batch")

#: How often a worker may fail to get ready in a row before it is given up.
_MOST_STARTS = 3
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 5.0
_CLOSE_SECONDS = 30.0


class BatchEngine(Protocol):
    """The place of the workers: this process, or a cluster."""

    async def start(self) -> Sequence[Worker]:
        """Raises: CdpAgentError: it cannot be used."""

    async def aclose(self) -> None:
        """End the workers and what was started for them. May be called twice."""


class BatchWatcher:
    """Receives what happens between two results. Every method has a default."""

    def resumed(self, results: Sequence[BatchResult], total: int) -> None:
        """Earlier runs recorded these results."""

    def started(self, task: BatchTask, attempt: int) -> None:
        """An attempt begins."""

    def retried(self, task: BatchTask, reason: str) -> None:
        """The task will be begun again."""

    def finished(self, result: BatchResult) -> None:
        """A result was recorded."""


class OverviewWatcher(BatchWatcher):
    """Shows how tasks are on the overview of a live page."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def resumed(self, results: Sequence[BatchResult], total: int) -> None:
        self._board.open_overview(total)
        for result in results:
            self.finished(result)

    def retried(self, task: BatchTask, reason: str) -> None:
        if self._board.overview is not None:
            self._board.overview.update(task.key, "retrying", reason)

    def finished(self, result: BatchResult) -> None:
        if self._board.overview is not None:
            state: TaskState = "done" if result.success else "failed"
            said = result.summary if result.success else result.last.reason
            seconds = result.last.seconds
            self._board.overview.update(str(result.id), state, said, seconds=seconds)


class Batch:
    """An async iterator of results, in the order in which tasks end; use it once.

    Nothing runs before the first result is asked for. A loop that is left early leaves workers
    running: use `async with`, or call `aclose`.
    """

    def __init__(
        self,
        tasks: Sequence[BatchTask],
        engine: BatchEngine,
        *,
        out: Path | None = None,
        resume: bool = False,
        watchers: Sequence[BatchWatcher] = (),
    ) -> None:
        self.tasks = tuple(tasks)
        #: Of all results, those of earlier runs included.
        self.summary = Summary()
        self._engine = engine
        self._out, self._resume = out, resume
        self._watchers = tuple(watchers)
        self._results: asyncio.Queue[BatchResult | None] = asyncio.Queue(maxsize=1)
        self._run: asyncio.Task[None] | None = None
        self._loops: list[asyncio.Task[None]] = []
        self._pending = PendingTasks(())
        self._tries: Counter[str] = Counter()
        self._grace: asyncio.TimerHandle | None = None
        self._why = "the batch was closed"
        self._failure: CdpAgentError | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> BatchResult:
        """The next result.

        Raises:
            InvalidParams: there are results already, another run writes them, or a task changed.
            CdpAgentError: no worker could be started.
        """
        if self._run is None:
            self._run = asyncio.create_task(self._work(), name="cdp_agent batch")
        if not self._run.done() or not self._results.empty():
            result = await self._results.get()
            if result is not None:
                return result
        await asyncio.wait([self._run])
        if not self._run.cancelled():
            self._run.result()
        raise StopAsyncIteration

    @property
    def unfinished(self) -> int:
        """The number of tasks without a result."""
        return self._pending.unfinished

    def stop(self, why: str = "the run was stopped", *, grace: float = 30.0) -> None:
        """Begin no more tasks; those under way have `grace` seconds to end.

        What does not end in time is recorded as interrupted, and has no result: a resumed run
        begins it again. May be called again with less grace.
        """
        self._why = why
        self._pending.stop()
        if self._grace is not None:
            self._grace.cancel()
        loop = asyncio.get_running_loop()
        self._grace = loop.call_later(grace, self._interrupt)

    async def aclose(self) -> None:
        """Interrupt what runs and let go of everything. May be called twice."""
        self._pending.stop()
        if self._run is not None and not self._run.done():
            # The run itself is not cancelled: it may be closing the engine.
            self._interrupt()
            await asyncio.wait([self._run])

    def _interrupt(self) -> None:
        for loop in self._loops:
            loop.cancel()

    async def _work(self) -> None:
        try:
            with Store(self._out, resume=self._resume) as store:
                recorded = store.begin(self.tasks)
                self._take_in(recorded)
                if self._pending.unfinished and not self._pending.stopped:
                    await self._serve_all(store)
        finally:
            if self._grace is not None:
                self._grace.cancel()
            await self._say_end()

    def _take_in(self, recorded: Sequence[BatchResult]) -> None:
        """Learn what earlier runs did with these tasks."""
        keys = {task.key for task in self.tasks}
        recorded = [result for result in recorded if str(result.id) in keys]
        for result in recorded:
            self.summary.add(result)
        done = {str(result.id) for result in recorded}
        waiting = [task for task in self.tasks if task.key not in done]
        stopped = self._pending.stopped
        self._pending = PendingTasks(waiting)
        if stopped:
            self._pending.stop()
        for watcher in self._watchers:
            watcher.resumed(recorded, len(self.tasks))

    async def _serve_all(self, store: Store) -> None:
        over = asyncio.create_task(self._pending.all_finished.wait(), name="batch end")
        try:
            workers = await self._engine.start()
            self._loops = [
                asyncio.create_task(self._serve(worker, store), name=f"batch worker {number}")
                for number, worker in enumerate(workers, 1)
            ]
            await _first_failure_or_end(self._loops, over)
        finally:
            for task in (over, *self._loops):
                task.cancel()
            await asyncio.wait((over, *self._loops))
            await self._close_engine()
        for loop in self._loops:
            if not loop.cancelled():
                loop.result()
        if self._pending.unfinished and not self._pending.stopped:
            raise self._failure or BrowserError("no worker could be started")

    async def _close_engine(self) -> None:
        closing = asyncio.create_task(self._engine.aclose(), name="batch engine end")
        done, _ = await asyncio.wait({closing}, timeout=_CLOSE_SECONDS)
        if not done:
            closing.cancel()
            await asyncio.wait({closing})
            _log.warning("= the batch's workers did not end within %g s", _CLOSE_SECONDS)

    async def _serve(self, worker: Worker, store: Store) -> None:
        """Carry out tasks with one worker, until there are none or it cannot be had."""
        while await self._pending.wait_for_task():
            # First the worker: a task that is taken for one that cannot be had waits for nothing.
            if not await self._is_ready(worker):
                return
            task = self._pending.take()
            if task is not None:
                await self._carry_out(worker, task, store)

    async def _is_ready(self, worker: Worker) -> bool:
        for number in range(_MOST_STARTS):
            if number:
                await asyncio.sleep(_pause(number))
            try:
                await worker.ready()
                return True
            except CdpAgentError as error:
                _log.warning("= a batch worker is not ready: %s", error)
                self._failure = error
        return False

    async def _carry_out(self, worker: Worker, task: BatchTask, store: Store) -> None:
        earlier = store.attempts(task)
        if earlier and task.retries == 0:
            result = interrupted_result(task, earlier[-1].reason)
            await self._finish(store.finish(task, result))
            return
        number = store.begin_attempt(task)
        for watcher in self._watchers:
            watcher.started(task, number)
        self._tries[task.key] += 1
        may_retry = self._tries[task.key] <= task.retries
        try:
            result = await worker.attempt(task, number)
        except ConnectionLost as error:
            store.end_attempt(task, number, "interrupted", str(error))
            if may_retry:
                self._tell_retry(task, str(error))
                self._pending.give_back(task)
            else:
                await self._finish(store.finish(task, interrupted_result(task, str(error))))
            return
        except asyncio.CancelledError:
            store.end_attempt(task, number, "interrupted", self._why)
            self._pending.give_back(task)
            raise
        if not may_retry or not result.can_retry:
            await self._finish(store.finish(task, result, number))
            return
        store.end_attempt(task, number, "failed", result.reason)
        self._tell_retry(task, result.reason)
        try:
            await asyncio.sleep(_pause(self._tries[task.key]))
        finally:
            self._pending.give_back(task)

    def _tell_retry(self, task: BatchTask, reason: str) -> None:
        for watcher in self._watchers:
            watcher.retried(task, reason)

    async def _finish(self, result: BatchResult) -> None:
        """Give a recorded result to whoever iterates."""
        self.summary.add(result)
        for watcher in self._watchers:
            watcher.finished(result)
        try:
            await self._results.put(result)
        finally:
            self._pending.finish()

    async def _say_end(self) -> None:
        """Wake the reader that waits for a result; one that nobody took is recorded."""
        with contextlib.suppress(asyncio.QueueFull):
            self._results.put_nowait(None)


async def _first_failure_or_end(
    loops: Sequence[asyncio.Task[None]], over: asyncio.Task[Literal[True]]
) -> None:
    """Wait until a loop raises, all loops have ended, or every task has its result."""
    running: set[asyncio.Task[Any]] = {over, *loops}
    while over in running and len(running) > 1:
        done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        if any(not task.cancelled() and task.exception() is not None for task in done):
            return


def _pause(times: int) -> float:
    return min(_FIRST_PAUSE * 2.0 ** (times - 1), _LONGEST_PAUSE)
