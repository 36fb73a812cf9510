"""Rows of composites that are still running, for their callbacks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from cdp_agent.api.composite.steps import OnStep, PlannedStep
from cdp_agent.client.wire_form import step_row

_Queue = asyncio.Queue[Mapping[str, Any] | None]


class StepReports:
    """One queue for each call of `act` that has a callback."""

    def __init__(self) -> None:
        self._names = itertools.count(1)
        self._queues: dict[str, _Queue] = {}

    def put(self, report: Mapping[str, Any]) -> None:
        """A row has come; one that nobody waits for is dropped."""
        queue = self._queues.get(report.get("name", ""))
        if queue is not None:
            queue.put_nowait(report)

    @asynccontextmanager
    async def open(self, planned: list[PlannedStep], on_step: OnStep) -> AsyncIterator[str]:
        """The name for reports of one call; at the end all rows are handed on.

        Raises:
            Exception: what the callback has raised.
        """
        name = f"act-{next(self._names)}"
        queue: _Queue = asyncio.Queue()
        self._queues[name] = queue
        handing = asyncio.create_task(_hand_on(queue, planned, on_step), name=name)
        try:
            yield name
            queue.put_nowait(None)
            await handing
        finally:
            del self._queues[name]
            handing.cancel()
            await asyncio.wait([handing])


async def _hand_on(queue: _Queue, planned: list[PlannedStep], on_step: OnStep) -> None:
    while (report := await queue.get()) is not None:
        number = report["step"]
        await on_step(step_row(planned[number], report), number)
