"""The tasks of a batch that are not finished, waiting or under way."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable

from cdp_agent.batches.batch_task import BatchTask


class PendingTasks:
    """A queue of tasks. A task that a lost worker had goes back to the front."""

    def __init__(self, tasks: Iterable[BatchTask]) -> None:
        self._waiting = deque(tasks)
        self._unfinished = len(self._waiting)
        self._stopped = False
        self._changed = asyncio.Event()
        #: Set when every task has its result.
        self.all_finished = asyncio.Event()

    @property
    def unfinished(self) -> int:
        return self._unfinished

    @property
    def stopped(self) -> bool:
        return self._stopped

    async def wait_for_task(self) -> bool:
        """Wait until a task can be taken; False when none will come.

        A worker waits while others are at work: what they have may be given back.
        """
        while self._unfinished and not self._stopped:
            if self._waiting:
                return True
            self._changed.clear()
            await self._changed.wait()
        return False

    def take(self) -> BatchTask | None:
        """The next task; None when another worker was quicker, or no more are to be begun."""
        return self._waiting.popleft() if self._waiting and not self._stopped else None

    def give_back(self, task: BatchTask) -> None:
        """The task has to be begun again, by whoever is free."""
        self._waiting.appendleft(task)
        self._changed.set()

    def finish(self) -> None:
        """A task that was taken has its result."""
        self._unfinished -= 1
        if not self._unfinished:
            self._changed.set()
            self.all_finished.set()

    def stop(self) -> None:
        """No task is begun from now on."""
        self._stopped = True
        self._changed.set()
