"""The engine of a batch in this process: as many browsers as there are workers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from cdp_agent.agent.models.named_model import named_model
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.worker_options import WorkerOptions, endpoints_of
from cdp_agent.batches.workers.worker import BrowserWorker, all_secrets
from cdp_agent.live import Board


class LocalEngine:
    """Workers in this process; `endpoints` are running browsers, taken in turn."""

    def __init__(
        self,
        tasks: Sequence[BatchTask],
        options: WorkerOptions,
        workers: int,
        endpoints: Sequence[str] = (),
        board: Board | None = None,
    ) -> None:
        self._board = board
        self._models = {task.model for task in tasks if task.kind == "goal"}
        self._options = options
        self._endpoints = endpoints_of(workers, endpoints)
        self._workers: list[BrowserWorker] = []
        self._logs = ExitStack()

    async def start(self) -> Sequence[BrowserWorker]:
        """Raises: InvalidParams, ModelError: a secret or a key is missing."""
        for name in sorted(self._models):
            await named_model(name or None).aclose()
        self._logs.enter_context(all_secrets(self._options.secrets).kept_out_of_logs())
        self._workers = [
            BrowserWorker(self._options, endpoint, self._board) for endpoint in self._endpoints
        ]
        return self._workers

    async def aclose(self) -> None:
        try:
            await asyncio.gather(*(worker.aclose() for worker in self._workers))
        finally:
            self._workers = []
            self._logs.close()
