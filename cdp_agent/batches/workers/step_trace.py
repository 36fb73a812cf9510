"""Traces of tasks that no model works on, in the form of a model's run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.record import TaskResult, TurnRecord
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.api.composite.steps import StepRow
from cdp_agent.api.page import Page
from cdp_agent.batches.batch_result import AttemptResult


class StepTrace:
    """Writes the rows of steps as turns. Without a folder it writes nothing."""

    def __init__(self, trace: Trace | None, page: Page, secrets: Secrets) -> None:
        self._trace = trace
        self._page = page
        self._secrets = secrets

    async def start(self, goal: str, kind: str) -> None:
        """Write the first line; `goal` is what the task is called."""
        if self._trace is not None:
            page = self._secrets.mask(f"Page: {self._page.title} · {self._page.url}")
            await self._trace.started(self._secrets.mask(goal), kind, page)

    async def row(self, row: StepRow, number: int, step: Mapping[str, Any]) -> None:
        """Write one step, with a picture of the page after it."""
        if self._trace is None:
            return
        record = TurnRecord(number, said=row.label, tool=row.action)
        record.arguments = self._secrets.mask_data(dict(step.get("params") or {}))
        error = row.error or {}
        said = f"{error['code']}: {error['message']}" if error else f"{row.status} {row.result}"
        record.result, record.is_error = self._secrets.mask(said), bool(error)
        record.code = error.get("code")
        record.tool_seconds = row.duration
        await self.turn(record)

    async def turn(self, record: TurnRecord) -> None:
        """Write a turn that was put together already."""
        if self._trace is None:
            return
        record.url = self._secrets.mask(self._page.url)
        record.title = self._secrets.mask(self._page.title)
        name = f"{record.number:03d}"
        record.picture, why = await self._trace.picture(self._page, name, self._secrets)
        record.notes.extend([why] if why else [])
        await self._trace.turn_over(record)

    async def end(self, result: AttemptResult, rows: Sequence[Any]) -> None:
        """Write the result and the page to look at."""
        if self._trace is None:
            return
        status: Any = result.status
        done = TaskResult(result.success, status, self._secrets.mask(result.summary))
        done.turns, done.seconds, done.url = len(rows), result.seconds, result.url
        await self._trace.ended(done)
