"""Calls a tool for the model, and checks the result before the model reads it.

After each call the page is looked at once more where it has moved on, checkpoints and failure
indicators are held against what it shows, and calls that lead nowhere are counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from cdp_agent import log
from cdp_agent.agent.models import prompt
from cdp_agent.agent.models.model_interface import ToolUse
from cdp_agent.agent.safety.checkpoints import Checkpoints
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import ServiceConfig
from cdp_agent.agent.trace.record import TaskResult, TurnRecord
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, ConnectionLost
from cdp_agent.snapshot import Snapshot
from cdp_agent.tools import ToolCall, ToolResult, ToolSession, call as call_tool

if TYPE_CHECKING:
    from cdp_agent.targets.network.gate import WireGate

_log = log.get("agent")

#: A call that changes nothing is told so, and made this often at the most.
_MOST_REPEATS = 5
_MOST_BLOCKED = 3
#: Frames of a new page are given this long to have an address.
_FRAME_SECONDS = 0.5


class ToolCaller:
    """`shown` is the page as the model knows it."""

    def __init__(
        self,
        session: ToolSession,
        first: Page,
        service: ServiceConfig | None,
        secrets: Secrets,
        checkpoints: Checkpoints,
    ) -> None:
        self.session = session
        self._first = first
        self._service = service
        self._secrets = secrets
        self._checkpoints = checkpoints
        self.shown: Snapshot | None = None
        self._repeats: Counter[tuple[str, str]] = Counter()
        self._frameless: set[str] = set()

    @property
    def here(self) -> Page:
        """The page that the model is on."""
        current = self.session.current
        return self.session.pages[current] if current is not None else self._first

    async def first_look(self) -> ToolResult:
        first = await call_tool(self.session, "browser_snapshot", {})
        self.shown = first.snapshot
        return first

    async def call(self, record: TurnRecord, use: ToolUse) -> tuple[ToolResult, TaskResult | None]:
        """The text for the model, and the end of the task where the call was one."""
        times = self._count(use)
        gate = self.here.browser.gate
        stopped = gate.blocked_count if gate is not None else 0
        result = await call_tool(self.session, use.name, use.arguments)
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
        self.shown = fresh
        refused = await self._checkpoints.look(fresh)
        lines: list[str] = []
        if gate is not None:
            blocked = self._stopped(gate, stopped)
            record.notes.extend(f"blocked: {one}" for one in blocked)
            blocked_lines = (f"blocked_by_policy: {one}" for one in blocked)
            lines.extend(one for one in blocked_lines if one not in result.text)
        for error in refused:
            lines.extend((str(error), f"hint: {error.hint}"))
        if times > 1:
            record.notes.append(f"repeated, {times} times on the same page")
            lines.append(prompt.repeated(times))
        reported = replace(
            result.with_notes(lines),
            is_error=result.is_error or bool(refused),
            code="human_rejected" if refused else result.code,
            snapshot=fresh,
        )
        if times > _MOST_REPEATS:
            said = f"going in circles: {use.name} was called {times} times on the same page"
            return reported, TaskResult(False, "failed", said)
        return reported, self.failed(fresh)

    def _stopped(self, gate: WireGate, before: int) -> list[str]:
        """The requests that the policy, or a human whom it asked, kept in the browser."""
        return [self._secrets.mask(one) for one in gate.blocked_since(before)[:_MOST_BLOCKED]]

    async def _frames_came(self, result: ToolResult) -> bool:
        """Returns whether frames that a new page announced came a moment later.

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
        seen = await call_tool(self.session, "browser_snapshot", {})
        if seen.is_error:
            return result
        looked = replace(result, page_text=seen.page_text, snapshot=seen.snapshot)
        return looked.with_notes([seen.notes]) if seen.notes else looked

    def _count(self, use: ToolUse) -> int:
        """The number of times that this call was made on a page that looked the same."""
        looks = self.shown.text if self.shown is not None else ""
        key = f"{use.name} {sorted(use.arguments.items(), key=str)}", looks
        self._repeats[key] += 1
        return self._repeats[key]

    async def _look(self) -> Snapshot | None:
        try:
            return await self.here.capture()
        except CdpAgentError as error:
            _log.debug("no fresh look: %s", error)
            return None

    def failed(self, snapshot: Snapshot | None) -> TaskResult | None:
        """The end of the task, where the page shows that it cannot succeed."""
        service = self._service
        if service is None or snapshot is None:
            return None
        found = service.first(service.failure, snapshot)
        return TaskResult(False, "failed", found.meaning) if found is not None else None


async def no_files(call: ToolCall) -> None:
    """A model may look at pictures; where files are written is not its to say."""
    if getattr(call.args, "path", None) is not None:
        raise BlockedByPolicy(f"{call.name} may not write files here", hint="Leave path out.")
