"""One task from its first look to its end, turn by turn.

It never sees a session of the protocol: it calls the tool table, as every other front does.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cdp_agent import log
from cdp_agent.agent import prompt
from cdp_agent.agent.approvals import Approver, Decision, Deny, HoldWrites, Question
from cdp_agent.agent.checkpoints import Checkpoints, rejection
from cdp_agent.agent.completion import Completion
from cdp_agent.agent.extracting import asks
from cdp_agent.agent.history import History, Turn
from cdp_agent.agent.model import Model, ModelReply, ModelRequest, ToolUse, Usage
from cdp_agent.agent.record import Asked, TaskResult, TurnRecord, Watcher
from cdp_agent.agent.secrets import Secrets
from cdp_agent.agent.service import ServiceConfig
from cdp_agent.agent.telling import acted_on, answer, brief, refusal
from cdp_agent.agent.trace import Trace
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, ConnectionLost, InvalidParams
from cdp_agent.snapshot import Snapshot
from cdp_agent.tools import ToolCall, ToolResult, ToolSession, schemas
from cdp_agent.tools import call as call_tool
from cdp_agent.tools.result import failure

_log = log.get("agent")

HISTORY_TOKENS = 40_000
#: Answers without a call and calls that change nothing are told this often, then it is over.
_PATIENCE = 3
_MOST_REPEATS = 5
_MOST_BLOCKED = 3
#: Frames of a new page are given this long to have an address.
_FRAME_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run works with and within."""

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
    watchers: Sequence[Watcher] = ()


class Run:
    """`work` gives the result; what it cost and what was done stays here when it is cut short."""

    def __init__(self, setting: Setting, goal: str) -> None:
        self._set = setting
        self._model = setting.model
        self._service = setting.service
        self._secrets = setting.secrets
        self._goal = setting.secrets.mask(goal)
        self._history = History(self._goal, budget=setting.history_tokens)
        self._checkpoints = Checkpoints(setting.service, self._ask)
        self._session = ToolSession(
            setting.page,
            ask_model=asks(setting.model, self._secrets.mask),
            before_call=(
                _no_files,
                self._note_element,
                self._checkpoints.before_call,
                self._secrets.before_call,
            ),
            after_call=(self._secrets.after_call,),
        )
        self._tools = [*schemas(), *prompt.OWN_TOOLS]
        self._system = prompt.system_prompt(setting.service, self._secrets.names)
        self._shown: Snapshot | None = None
        self._repeats: Counter[tuple[str, str]] = Counter()
        self._frameless: set[str] = set()
        self._silent = 0
        self._completion = Completion(setting.service, setting.secrets)
        self.records: list[TurnRecord] = []
        self.usage = Usage()

    @property
    def url(self) -> str:
        return self.here.url

    @property
    def here(self) -> Page:
        current = self._session.current
        return self._session.pages[current] if current is not None else self._set.page

    async def work(self) -> TaskResult:
        """Carry it out. Cancelling is safe: what is under way is interrupted."""
        hold = self._set.hold_writes
        with hold.asking(self._ask) if hold is not None else nullcontext():
            return await self._work()

    async def _work(self) -> TaskResult:
        first = await call_tool(self._session, "browser_snapshot", {})
        if first.is_error:
            return TaskResult(False, "browser_error", first.text)
        self._shown = first.snapshot
        self._history.begin(first.text)
        for watcher in self._set.watchers:
            await watcher.started(self._goal, self._model.name, first.text)
        ended = self._failed(first.snapshot)
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
        request = ModelRequest(self._system, self._history.messages(), self._tools, self._shown)
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
        self._remember(record, reply, answers)
        for watcher in self._set.watchers:
            await watcher.turn_over(record)
        return ended

    async def _no_call(self, record: TurnRecord, reply: ModelReply) -> TaskResult | None:
        self._silent += 1
        record.result = prompt.NO_CALL
        self._remember(record, reply, [{"type": "text", "text": prompt.NO_CALL}])
        for watcher in self._set.watchers:
            await watcher.turn_over(record)
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
            pages = (self.here, *self._session.pages.values())
            return await self._completion.answer(use.arguments, pages)
        if use.name == prompt.APPROVAL:
            return await self._approval(use.arguments), None
        return await self._tool(record, use)

    async def _tool(self, record: TurnRecord, use: ToolUse) -> tuple[ToolResult, TaskResult | None]:
        times = self._count(use)
        gate = self.here.browser.gate
        stopped = gate.blocked_count if gate is not None else 0
        result = await call_tool(self._session, use.name, use.arguments)
        if gate is not None and await gate.until_decided():
            # A human took their time over a request; the page has moved on since.
            result = await self._looked_again(result)
        elif await self._frames_came(result):
            result = await self._looked_again(result)
        if result.code == ConnectionLost.code:
            return result, TaskResult(False, "browser_error", result.text.split("\n")[0])
        if result.outcome is not None:
            record.healed = result.outcome.healed
        fresh = result.snapshot or await self._look()
        if fresh is None:
            return result, None
        self._shown = fresh
        refused = await self._checkpoints.look(fresh)
        lines = [result.text]
        if gate is not None:
            blocked = [self._secrets.mask(one) for one in gate.blocked_since(stopped)]
            lines.extend(f"blocked_by_policy: {one}" for one in blocked[:_MOST_BLOCKED])
            record.notes.extend(f"blocked: {one}" for one in blocked[:_MOST_BLOCKED])
        for error in refused:
            lines.extend((str(error), f"hint: {error.hint}"))
        if times > 1:
            record.notes.append(f"repeated, {times} times on the same page")
            lines.append(prompt.repeated(times))
        told = ToolResult(
            "\n".join(lines),
            is_error=result.is_error or bool(refused),
            code="human_rejected" if refused else result.code,
            images=result.images,
            outcome=result.outcome,
            snapshot=fresh,
            data=result.data,
        )
        if times > _MOST_REPEATS:
            said = f"going in circles: {use.name} was called {times} times on the same page"
            return told, TaskResult(False, "failed", said)
        return told, self._failed(fresh)

    async def _frames_came(self, result: ToolResult) -> bool:
        """Whether frames that a new page had announced were there a moment later.

        A page is shown when it is read; its frames come after it. To look again costs
        milliseconds, to let the model ask for it a whole turn.
        """
        moved = result.outcome is not None and result.outcome.navigated
        if not moved or result.snapshot is None or self.here.url in self._frameless:
            return False
        page = self.here

        async def look() -> bool | None:
            return all(frame.url for frame in page.frames) or None

        if await look():
            return False
        if await page.look_until(look, _FRAME_SECONDS):
            return True
        self._frameless.add(page.url)  # they have no address: not waited for again
        return False

    async def _looked_again(self, result: ToolResult) -> ToolResult:
        """The result with the page as it is now in place of the page as it was."""
        seen = await call_tool(self._session, "browser_snapshot", {})
        if seen.is_error:
            return result
        before = result.text.partition("\nPage: ")[0]
        return replace(result, text=f"{before}\n{seen.text}", snapshot=seen.snapshot)

    def _count(self, use: ToolUse) -> int:
        """How often the same call has been made on a page that looked the same."""
        looks = self._shown.text if self._shown is not None else ""
        key = f"{use.name} {sorted(use.arguments.items(), key=str)}", looks
        self._repeats[key] += 1
        return self._repeats[key]

    async def _look(self) -> Snapshot | None:
        try:
            return await self.here.snapshot()
        except CdpAgentError as error:
            _log.debug("no fresh look: %s", error)
            return None

    def _failed(self, snapshot: Snapshot | None) -> TaskResult | None:
        service = self._service
        if service is None or snapshot is None:
            return None
        found = service.first(service.failure, snapshot)
        return TaskResult(False, "failed", found.meaning) if found is not None else None

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
        masked = replace(
            question,
            action=self._secrets.mask(question.action),
            reason=self._secrets.mask(question.reason),
            url=self._secrets.mask(question.url),
            picture=await self._picture_for(question),
        )
        for watcher in self._set.watchers:
            await watcher.asking(masked)
        began = time.monotonic()
        decision = await self._set.approver.ask(masked)
        if self.records:
            self.records[-1].asked.append(
                Asked(
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

    async def _picture_for(self, question: Question) -> Path | None:
        trace = self._set.trace
        if trace is None:
            return None
        name = f"{len(self.records):03d}-approval"
        path, _ = await trace.picture(self.here, name, self._secrets)
        return trace.folder / path if path else None

    async def _take_picture(self, record: TurnRecord) -> None:
        trace = self._set.trace
        if trace is None:
            return
        name = f"{record.number:03d}"
        record.picture, why = await trace.picture(self.here, name, self._secrets)
        if why:
            record.notes.append(why)

    # -- keeping track --------------------------------------------------------------------------

    async def _note_element(self, call: ToolCall) -> None:
        """Which element a call is about, as the page knew it just before."""
        if self.records and self.records[-1].element is None and call.view.seen is not None:
            ref = getattr(call.args, "ref", None)
            if ref is not None:
                self.records[-1].element = acted_on(call.view.seen, str(ref), self._secrets)

    def _describe(self, record: TurnRecord, use: ToolUse) -> None:
        """Where the page stands when the model has decided."""
        page = self.here
        record.url, record.title = self._secrets.mask(page.url), self._secrets.mask(page.title)
        if self._shown is not None:
            record.viewport = self._shown.viewport.width, self._shown.viewport.height
            ref = use.arguments.get("ref")
            if isinstance(ref, str):
                record.element = acted_on(self._shown, ref, self._secrets)

    def _finish(self, record: TurnRecord, result: ToolResult) -> None:
        record.result = result.text
        record.is_error, record.code = result.is_error, result.code
        _log.debug("turn %d: %s %s", record.number, record.tool, record.code or "ok")

    def _remember(
        self, record: TurnRecord, reply: ModelReply, answers: list[dict[str, Any]]
    ) -> None:
        said = list(reply.content) or [{"type": "text", "text": "(nothing)"}]
        self._history.add(
            Turn(
                record.number,
                {"role": "assistant", "content": said},
                {"role": "user", "content": answers},
                brief(record),
            )
        )


async def _no_files(call: ToolCall) -> None:
    """A model may look at pictures; where files are written is not its to say."""
    if getattr(call.args, "path", None) is not None:
        raise BlockedByPolicy(f"{call.name} may not write files here", hint="Leave path out.")
