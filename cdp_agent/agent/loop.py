"""The agent: a goal in, a verified result out.

What the model claims is checked, what a human has to decide is asked, and how it ends is always a
`TaskResult`, whatever went wrong on the way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from cdp_agent import log
from cdp_agent.agent.agent_run import HISTORY_TOKENS, AgentRun, RunSettings
from cdp_agent.agent.final_snapshot import final_snapshot
from cdp_agent.agent.models.model_interface import Model
from cdp_agent.agent.safety.approvals import Approver, Deny, HoldWrites
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import ServiceConfig
from cdp_agent.agent.trace.record import RunWatcher, TaskResult
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, InvalidParams, ModelError
from cdp_agent.tools.file_limits import FileLimits
from cdp_agent.tools.tool_session import AfterCall, BeforeCall

_log = log.get("agent")


class Agent:
    """`await Agent(page, model).run("cancel my subscription")`. One run at a time."""

    def __init__(
        self,
        page: Page,
        model: Model,
        service: ServiceConfig | None = None,
        approvals: Approver | None = None,
        max_turns: int = 20,
        *,
        max_tokens: int | None = None,
        max_seconds: float | None = None,
        history_tokens: int = HISTORY_TOKENS,
        secrets: Secrets | None = None,
        hold_writes: HoldWrites | None = None,
        trace: Trace | None = None,
        watchers: Iterable[RunWatcher] = (),
        limits: FileLimits | None = None,
        before_call: Iterable[BeforeCall] = (),
        after_call: Iterable[AfterCall] = (),
    ) -> None:
        if max_turns < 1:
            raise InvalidParams("max_turns must be at least 1")
        # The trace first: progress may say where it is.
        all_watchers: list[RunWatcher] = [*((trace,) if trace is not None else ()), *watchers]
        self._set = RunSettings(
            page,
            model,
            service,
            approvals or Deny(),
            max_turns,
            max_tokens,
            history_tokens,
            secrets or Secrets(),
            hold_writes,
            trace,
            all_watchers,
            limits,
            tuple(before_call),
            tuple(after_call),
        )
        self._max_seconds = max_seconds
        self._running: asyncio.Task[TaskResult] | None = None
        self._stopped = ""

    def stop(self, why: str = "interrupted") -> None:
        """End the run: `run` returns a result that says so. May be called any time."""
        self._stopped = why
        if self._running is not None:
            self._running.cancel()

    async def run(self, goal: str) -> TaskResult:
        """Carry out a goal. Failures of model, page or human are in the result.

        Raises:
            InvalidParams: the goal is empty, or a run is under way.
        """
        if not goal.strip():
            raise InvalidParams("the goal is empty")
        if self._running is not None:
            raise InvalidParams("this agent is running already")
        began = time.monotonic()
        secrets = self._set.secrets
        run = AgentRun(self._set, goal.strip())
        with secrets.kept_out_of_logs():
            self._running = asyncio.create_task(run.work(), name="cdp_agent task")
            try:
                result = await self._outcome(self._running)
            finally:
                self._running = None
            result.goal = secrets.mask(goal.strip())
            result.seconds = time.monotonic() - began
            result.turns = len(run.records)
            result.usage = run.usage
            price = self._set.model.price
            result.cost = price.of(run.usage) if price is not None else None
            result.asked = [asked for record in run.records for asked in record.asked]
            result.url = secrets.mask(run.url)
            result.coverage = run.caller.session.coverage.to_dict()
            _log.info("= %s: %s", result.status, run.caller.session.coverage.line)
            result.summary = secrets.mask(result.summary)
            result.final_snapshot = await final_snapshot(run.caller, secrets)
            if self._set.trace is not None:
                await self._set.trace.picture(run.caller.here, "end", secrets)
            for watcher in self._set.watchers:
                await watcher.ended(result)
        return result

    async def _outcome(self, task: asyncio.Task[TaskResult]) -> TaskResult:
        try:
            await asyncio.wait([task], timeout=self._max_seconds)
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
            said = f"the time of {self._max_seconds:g} s is over"
            return TaskResult(False, "over_budget", said)
        if task.cancelled():
            return TaskResult(False, "interrupted", self._stopped or "interrupted")
        error = task.exception()
        if isinstance(error, ModelError):
            hint = f" ({error.hint})" if error.hint else ""
            return TaskResult(False, "model_error", f"{error.message}{hint}")
        if isinstance(error, CdpAgentError):
            return TaskResult(False, "browser_error", str(error))
        return task.result()
