"""Carries out one task in a context of its own: a goal, steps or a replay."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from cdp_agent.action_table.limits import LONGEST
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.named_model import named_model
from cdp_agent.agent.safety.approvals import Approver, Deny, approver_of
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.record import TurnRecord
from cdp_agent.agent.trace.replay import replay
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.api.composite.steps import StepRow
from cdp_agent.api.context import BrowserContext
from cdp_agent.api.page import Page
from cdp_agent.batches.batch_result import AttemptResult
from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.batches.worker_options import WorkerOptions
from cdp_agent.batches.workers.step_trace import StepTrace
from cdp_agent.live import Board, LiveApprover, ShownRun, show_run
from cdp_agent.tools import ToolSession
from cdp_agent.tools.hooks import before_step

_LONGEST_NAME = 80


async def carry_out(
    context: BrowserContext,
    task: BatchTask,
    number: int,
    options: WorkerOptions,
    board: Board | None = None,
) -> AttemptResult:
    """Carry out the attempt `number` of a task in a context; a `board` shows it.

    Raises:
        CdpAgentError: the browser, the first page or the model's key failed.
    """
    origins = options.policy.allow_origins if options.policy is not None else ()
    secrets = Secrets.from_environment(task.secrets, origins=origins or [task.url])
    trace = None
    if options.trace:
        trace = Trace(trace_folder(Path(options.trace), task, number))
        trace.describe(url=secrets.mask(task.url), service=task.service, task=task.id)
    page = await context.new_page(task.url if task.kind != "replay" else None)
    shown = show_run(board, f"task {task.id}", page, secrets)
    if board is not None and board.overview is not None and shown.pane is not None:
        board.overview.update(task.key, "running", pane=shown.pane.id)
    try:
        approver = _approver(options, shown)
        attempt = _RunningAttempt(page, task, secrets, approver, trace, shown)
        if task.kind == "goal":
            return await attempt.goal()
        return await (attempt.steps() if task.kind == "steps" else attempt.replay())
    finally:
        if board is not None and shown.pane is not None:
            await board.close_pane(shown.pane)


def _approver(options: WorkerOptions, shown: ShownRun) -> Approver:
    """The approver at checkpoints: `ask` is on the live page, never on a terminal."""
    if options.approve == "ask":
        return LiveApprover(shown.pane) if shown.pane is not None else Deny()
    return approver_of(options.approve)


def trace_folder(root: Path, task: BatchTask, number: int) -> Path:
    """The folder of an attempt's trace: the task's id, and `.2` for the second.

    An id that cannot be a file name as it is gets a part of its digest, so that no two share one.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", task.key)[:_LONGEST_NAME]
    if name != task.key:
        name = f"{name}-{hashlib.sha256(task.key.encode()).hexdigest()[:8]}"
    return root / (name if number == 1 else f"{name}.{number}")


@dataclass(frozen=True, slots=True)
class _RunningAttempt:
    """One attempt of a task under way, on a page of its own."""

    page: Page
    task: BatchTask
    secrets: Secrets
    approver: Approver
    trace: Trace | None
    shown: ShownRun

    async def goal(self) -> AttemptResult:
        task, shown = self.task, self.shown
        model = named_model(task.model or None)
        try:
            agent = Agent(
                self.page,
                model,
                SERVICES.get(task.service) if task.service else None,
                self.approver,
                task.max_turns,
                max_tokens=task.max_tokens,
                max_seconds=task.timeout,
                secrets=self.secrets,
                trace=self.trace,
                watchers=shown.watchers,
                before_call=shown.before_call,
                after_call=shown.after_call,
            )
            result = await agent.run(task.goal)
        finally:
            await model.aclose()
        return AttemptResult(
            result.success,
            result.status,
            result.summary,
            url=result.url,
            verified=result.verified,
            turns=result.turns,
            tokens=result.usage.total,
            cost=result.cost,
            trace=str(result.trace or ""),
        )

    async def steps(self) -> AttemptResult:
        task, page, pane = self.task, self.page, self.shown.pane
        hooks = (*self.shown.before_call, *((self.secrets.before_call,) if self.secrets else ()))
        session = ToolSession(page, before_call=hooks)
        lines = StepTrace(self.trace, page, self.secrets)
        await lines.start(f"{len(task.steps)} steps of {task.id}", "steps")

        async def on_step(row: StepRow, number: int) -> None:
            await lines.row(row, number + 1, task.steps[number])
            if pane is not None:
                error = row.error or {}
                words = f"{error['code']}: {error['message']}" if error else row.status
                pane.log.end_step(row.label, words, is_error=bool(error))

        composite = await page.act(
            task.steps,
            timeout=min(task.timeout, LONGEST),
            before_step=before_step(session, session.adopt(page), page),
            on_step=on_step,
        )
        failed_at = composite.failed_at
        failed = composite.steps[failed_at].error if failed_at is not None else None
        result = AttemptResult(
            composite.success,
            "success" if composite.success else "failed",
            f"{composite.completed} of {composite.total} steps done",
            url=page.url,
            error={name: failed[name] for name in ("code", "message", "hint")} if failed else None,
            steps=tuple(row.to_dict() for row in composite.steps),
            trace=self._trace_path,
        )
        await lines.end(result, composite.steps)
        return result

    async def replay(self) -> AttemptResult:
        task = self.task
        lines = StepTrace(self.trace, self.page, self.secrets)
        await lines.start(f"replay of {task.replay}", "replay")
        played = await replay(
            self.page, task.replay, url=task.url, secrets=self.secrets, approvals=self.approver
        )
        for step in played.steps:
            is_error = step.state == "stopped"
            words = f"{step.state} {step.reason}".strip()
            turn = TurnRecord(step.number, step.what, step.tool, {}, None, words, is_error)
            await lines.turn(turn)
        summary = f"{played.total} actions carried out, {played.healed} healed"
        if played.stopped is not None:
            summary = f"stopped at turn {played.stopped.number}: {played.stopped.reason}"
        rows = tuple(
            {
                "number": step.number,
                "action": step.tool,
                "what": step.what,
                "status": step.state,
                "reason": step.reason,
            }
            for step in played.steps
        )
        result = AttemptResult(
            played.success,
            "success" if played.success else "failed",
            summary,
            url=played.url,
            steps=rows,
            trace=self._trace_path,
        )
        await lines.end(result, played.steps)
        return result

    @property
    def _trace_path(self) -> str:
        return str(self.trace.folder) if self.trace is not None else ""
