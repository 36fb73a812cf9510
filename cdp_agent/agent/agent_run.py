"""One task from its first snapshot to its end, turn by turn.

It never sees a session of the protocol: it calls the tool table, as every other front does.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cdp_agent import log
from cdp_agent.agent.claim_check import Completion
from cdp_agent.agent.history import History, Turn
from cdp_agent.agent.model_extraction import asks
from cdp_agent.agent.models import prompt
from cdp_agent.agent.models.model_interface import Model, ModelReply, ModelRequest, ToolUse, Usage
from cdp_agent.agent.safety.approvals import (
    Approve,
    Approver,
    Decision,
    Deny,
    HoldWrites,
    Question,
)
from cdp_agent.agent.safety.checkpoints import Checkpoints, rejection
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import ServiceConfig
from cdp_agent.agent.tool_caller import ToolCaller, no_files
from cdp_agent.agent.trace.record import ApprovalRecord, RunWatcher, TaskResult, TurnRecord
from cdp_agent.agent.trace.trace_folder import Trace, write_picture
from cdp_agent.agent.turn_text import acted_on, answer, brief, refusal, resolved_facts
from cdp_agent.api.page import Page
from cdp_agent.errors import InvalidParams
from cdp_agent.tools import ToolCall, ToolResult, ToolSession, schemas
from cdp_agent.tools.file_limits import FileLimits
from cdp_agent.tools.result import failure
from cdp_agent.tools.tool_session import AfterCall, BeforeCall

_log = log.get("agent")

HISTORY_TOKENS = 40_000
#: Answers without a call are told this often, then it is over.
_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The parts that a run works with, and its limits."""

    page: Page
    model: Model
    service: ServiceConfig | None = None
    approver: Approver = field(default_factory=Deny)
    max_turns: int = 20
    max_tokens: int | None = None
    history_tokens: int = HISTORY_TOKENS
    secrets: Secrets = field(default_factory=Secrets)
    hold_writes: HoldWrites | None = None
    trace: Trace | None = None
    watchers: Sequence[RunWatcher] = ()
    limits: FileLimits | None = None
    #: Hooks before all others and after all others: they see what a reader may see.
    before_call: Sequence[BeforeCall] = ()
    after_call: Sequence[AfterCall] = ()


def _limits(page: Page) -> FileLimits:
    """Closed, but for the folder that the browser's policy opens."""
    gate = page.browser.gate
    return FileLimits(upload_folder=gate.policy.upload_folder if gate is not None else None)


class AgentRun:
    """`work` gives the result; `records` and `usage` stay when it is cut short."""

    def __init__(self, setting: RunSettings, goal: str) -> None:
        self._set = setting
        self._model = setting.model
        self._secrets = setting.secrets
        self._goal = setting.secrets.mask(goal)
        self._history = History(self._goal, budget=setting.history_tokens)
        self._checkpoints = Checkpoints(setting.service, self._ask)
        session = ToolSession(
            setting.page,
            ask_model=asks(setting.model, self._secrets.mask),
            before_call=(
                *setting.before_call,
                no_files,
                (setting.limits or _limits(setting.page)).before_call,
                self._note_element,
                self._checkpoints.before_call,
                self._secrets.before_call,
            ),
            after_call=(
                self._checkpoints.after_call,
                self._secrets.after_call,
                *setting.after_call,
            ),
        )
        self.caller = ToolCaller(
            session, setting.page, setting.service, setting.secrets, self._checkpoints
        )
        self._tools = [*schemas(), *prompt.OWN_TOOLS]
        self._system = prompt.system_prompt(setting.service, self._secrets.names)
        self._silent = 0
        self._questions = 0
        #: Where pictures for questions are without a trace; gone when the run is over.
        self._pictures: tempfile.TemporaryDirectory[str] | None = None
        self._completion = Completion(setting.service, setting.secrets)
        self.records: list[TurnRecord] = []
        self.usage = Usage()

    @property
    def url(self) -> str:
        return self.caller.here.url

    async def work(self) -> TaskResult:
        """Carry it out. Cancelling is safe: what is under way is interrupted."""
        hold = self._set.hold_writes
        try:
            with hold.asking(self._ask) if hold is not None else nullcontext():
                return await self._work()
        finally:
            if self._pictures is not None:
                self._pictures.cleanup()

    async def _work(self) -> TaskResult:
        first = await self.caller.first_look()
        if first.is_error:
            return TaskResult(False, "browser_error", first.text)
        self._history.begin(first.text)
        for watcher in self._set.watchers:
            await watcher.started(self._goal, self._model.name, first.text)
        ended = self.caller.failed(first.snapshot)
        for number in range(1, self._set.max_turns + 1):
            if ended is not None:
                return ended
            ended = await self._turn(number)
            limit = self._set.max_tokens
            if ended is None and limit is not None and self.usage.total > limit:
                said = f"{self.usage.total} tokens are used, {limit} were allowed"
                ended = TaskResult(False, "over_budget", said)
        if ended is not None:
            return ended
        said = f"not done after {self._set.max_turns} turns"
        return TaskResult(False, "max_turns", said)

    # -- one turn -------------------------------------------------------------------------------

    async def _turn(self, number: int) -> TaskResult | None:
        record = TurnRecord(number)
        began = time.monotonic()
        request = ModelRequest(
            self._system, self._history.messages(), self._tools, self.caller.shown
        )
        reply = await self._model.reply(request)
        record.model_seconds = time.monotonic() - began
        record.usage, record.attempts = reply.usage, reply.attempts
        record.said = self._secrets.mask(reply.text)
        self.usage += reply.usage
        self.records.append(record)
        if not reply.calls:
            return await self._no_call(record, reply)
        self._silent = 0
        first, *others = reply.calls
        record.tool = first.name
        record.arguments = self._secrets.mask_data(dict(first.arguments))
        record.refused = len(others)
        self._describe(record, first)
        await self._take_picture(record)
        for watcher in self._set.watchers:
            await watcher.called(record)
        began = time.monotonic()
        result, ended = await self._carry_out(record, first)
        record.tool_seconds = time.monotonic() - began
        self._finish(record, result)
        answers = [answer(first, result)]
        answers.extend(refusal(other) for other in others)
        self._remember(record, reply, answers, result.page_text)
        for watcher in self._set.watchers:
            await watcher.turn_over(record)
        return ended

    async def _no_call(self, record: TurnRecord, reply: ModelReply) -> TaskResult | None:
        self._silent += 1
        record.result = prompt.NO_CALL
        self._remember(record, reply, [{"type": "text", "text": prompt.NO_CALL}])
        for watcher in self._set.watchers:
            await watcher.turn_over(record)
        if reply.stop_reason == "refusal":  # asked again it would refuse again
            said = f": {record.said[:300]}" if record.said else ""
            return TaskResult(False, "failed", f"the model declined to go on{said}")
        if self._silent >= _PATIENCE:
            said = f"the model called no tool {self._silent} times in a row"
            return TaskResult(False, "failed", f"{said}; it said: {record.said[:300]}")
        return None

    async def _carry_out(
        self, record: TurnRecord, use: ToolUse
    ) -> tuple[ToolResult, TaskResult | None]:
        if use.problem:
            hint = "Send the call again with a JSON object as arguments."
            return failure(InvalidParams(f"{use.name}: {use.problem}", hint=hint)), None
        if use.name == prompt.COMPLETE:
            pages = (self.caller.here, *self.caller.session.pages.values())
            return await self._completion.answer(use.arguments, pages)
        if use.name == prompt.APPROVAL:
            return await self._approval(use.arguments), None
        return await self.caller.call(record, use)

    # -- what the loop answers itself -----------------------------------------------------------

    async def _approval(self, arguments: Mapping[str, Any]) -> ToolResult:
        action = str(arguments.get("action", "")).strip()
        if not action:
            return failure(InvalidParams("request_human_approval needs action and reason"))
        question = Question(
            "model", prompt.APPROVAL, action, str(arguments.get("reason", "")), self.url
        )
        decision = await self._ask(question)
        if decision.approved:
            return ToolResult(f"approved{f': {decision.words}' if decision.words else ''}")
        return failure(rejection("it", decision))

    async def _ask(self, question: Question) -> Decision:
        picture, problem = await self._picture_for(question)
        masked = replace(
            question,
            name=self._secrets.mask(question.name),
            action=self._secrets.mask(question.action),
            reason=self._secrets.mask(question.reason),
            url=self._secrets.mask(question.url),
            picture=picture,
            no_picture=problem,
        )
        for watcher in self._set.watchers:
            await watcher.asking(masked)
        began = time.monotonic()
        decision = await self._set.approver.ask(masked)
        if self.records:
            self.records[-1].asked.append(
                ApprovalRecord(
                    masked.kind,
                    masked.name,
                    masked.action,
                    masked.reason,
                    decision.approved,
                    self._secrets.mask(decision.words),
                    time.monotonic() - began,
                )
            )
        return decision

    async def _picture_for(self, question: Question) -> tuple[Path | None, str]:
        """The picture for whoever decides, or why there is none."""
        trace = self._set.trace
        if trace is None and isinstance(self._set.approver, Deny | Approve):
            return None, ""  # nobody looks at it
        self._questions += 1
        name = f"{len(self.records):03d}-approval"
        if trace is not None:
            path, problem = await trace.picture(self.caller.here, name, self._secrets)
            return (trace.folder / path if path else None), problem
        if self._pictures is None:
            self._pictures = tempfile.TemporaryDirectory(prefix="cdp-agent-approval-")
        file = Path(self._pictures.name) / f"{name}-{self._questions}.png"
        problem = await write_picture(self.caller.here, file, self._secrets)
        return (None if problem else file), problem

    async def _take_picture(self, record: TurnRecord) -> None:
        trace = self._set.trace
        if trace is None:
            return
        name = f"{record.number:03d}"
        record.picture, why = await trace.picture(self.caller.here, name, self._secrets)
        if why:
            record.notes.append(why)

    # -- keeping track --------------------------------------------------------------------------

    async def _note_element(self, call: ToolCall) -> None:
        """The element that a call is about, as the page knew it just before."""
        if self.records and self.records[-1].element is None and call.view.seen is not None:
            ref = getattr(call.args, "ref", None)
            if ref is not None:
                self.records[-1].element = acted_on(call.view.seen, str(ref), self._secrets)
        element = self.records[-1].element if self.records else None
        if self._set.trace is not None and element is not None and element.resolved is None:
            facts = await resolved_facts(call.page, element.ref)
            self.records[-1].element = replace(element, resolved=facts)

    def _describe(self, record: TurnRecord, use: ToolUse) -> None:
        """The state of the page when the model has decided."""
        page = self.caller.here
        record.url, record.title = self._secrets.mask(page.url), self._secrets.mask(page.title)
        if self.caller.shown is not None:
            record.viewport = self.caller.shown.viewport.width, self.caller.shown.viewport.height
            ref = use.arguments.get("ref")
            if isinstance(ref, str):
                record.element = acted_on(self.caller.shown, ref, self._secrets)

    def _finish(self, record: TurnRecord, result: ToolResult) -> None:
        record.result, record.page_line = result.text, result.page_line
        record.is_error, record.code = result.is_error, result.code
        _log.debug("turn %d: %s %s", record.number, record.tool, record.code or "ok")

    def _remember(
        self,
        record: TurnRecord,
        reply: ModelReply,
        answers: list[dict[str, Any]],
        page: str = "",
    ) -> None:
        said = list(reply.content) or [{"type": "text", "text": "(nothing)"}]
        self._history.add(
            Turn(
                record.number,
                {"role": "assistant", "content": said},
                {"role": "user", "content": answers},
                brief(record),
                page,
            )
        )
