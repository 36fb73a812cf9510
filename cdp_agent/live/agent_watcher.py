"""A run of the agent on the live page: its turns, its questions, its end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from cdp_agent.agent.safety.approvals import Approver, Decision, Deny, Question, approver_of
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.record import RunWatcher, TaskResult, TurnRecord
from cdp_agent.api.page import Page
from cdp_agent.live.action_log import Entry
from cdp_agent.live.board import Board
from cdp_agent.live.pane import Pane
from cdp_agent.tools.tool_session import AfterCall, BeforeCall


class AgentWatcher(RunWatcher):
    """Writes a run's turns into a pane."""

    def __init__(self, pane: Pane) -> None:
        self._pane = pane
        self._entry: Entry | None = None
        pane.logs_calls = False
        pane.idle_word = "thinking"

    async def started(self, goal: str, model: str, page: str) -> None:
        self._pane.show_text(page)

    async def called(self, record: TurnRecord) -> None:
        words = f"{record.tool.removeprefix('browser_')} {record.subject}".rstrip()
        self._entry = self._pane.log.begin(words, said=record.said)

    async def turn_over(self, record: TurnRecord) -> None:
        entry, self._entry = self._entry, None
        if entry is None:
            entry = self._pane.log.begin("no call", said=record.said)
        self._pane.log.end(entry, record.result, is_error=record.is_error)
        self._pane.show_text(record.result)

    async def ended(self, result: TaskResult) -> None:
        self._pane.finish(result.status, result.summary, success=result.success)


class LiveApprover:
    """Asks on the live page, and beside it whoever was asked before: the first answer counts."""

    def __init__(self, pane: Pane, beside: Approver | None = None) -> None:
        self._pane = pane
        self._beside = beside

    async def ask(self, question: Question) -> Decision:
        asking = [asyncio.create_task(self._pane.ask(question), name="live question")]
        if self._beside is not None:
            asking.append(asyncio.create_task(self._beside.ask(question), name="question"))
        try:
            done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
            return done.pop().result()
        finally:
            for task in asking:
                task.cancel()
            await asyncio.wait(asking)


@dataclass(frozen=True, slots=True)
class ShownRun:
    """Arguments for an `Agent` whose run is shown; without a pane they are empty."""

    pane: Pane | None = None

    @property
    def watchers(self) -> tuple[RunWatcher, ...]:
        return (AgentWatcher(self.pane),) if self.pane is not None else ()

    @property
    def before_call(self) -> tuple[BeforeCall, ...]:
        return (self.pane.before_call,) if self.pane is not None else ()

    @property
    def after_call(self) -> tuple[AfterCall, ...]:
        return (self.pane.after_call,) if self.pane is not None else ()

    def approver_of(self, word: str) -> Approver:
        """`ask`, `deny` or `auto`: who asks on a terminal asks on the live page as well.

        Raises:
            InvalidParams: it is none of them.
        """
        approver = approver_of(word)
        if self.pane is None or word != "ask":
            return approver
        return LiveApprover(self.pane, None if isinstance(approver, Deny) else approver)


def show_run(
    board: Board | None, title: str, page: Page, secrets: Secrets | None = None
) -> ShownRun:
    """Open a pane for an agent's run on a page. Whoever owns the board may close it."""
    if board is None:
        return ShownRun()
    pane = board.open_pane(title, secrets)
    pane.watch(page)
    return ShownRun(pane)
