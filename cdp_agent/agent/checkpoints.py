"""Where a human has to agree: enforced by the loop, whatever the model thinks of it.

A checkpoint is asked about when its condition holds on a fresh snapshot, and at the latest when
one of its guarded elements is about to be acted on. A yes allows one such action; a no locks the
elements until the page has left the state.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cdp_agent.agent.approvals import Decision, Question
from cdp_agent.agent.service import Checkpoint, ServiceConfig
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, HumanRejected
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.model import Node
from cdp_agent.tools import ToolCall, ToolResult

Ask = Callable[[Question], Awaitable[Decision]]

#: Tools that move the pointer or the focus and set nothing off.
_HARMLESS = frozenset({"browser_hover", "browser_scroll"})
#: Keys that set off what has the focus.
_TRIGGERS = frozenset({"enter", "space", " ", "numpadenter"})


class Checkpoints:
    def __init__(self, service: ServiceConfig | None, ask: Ask) -> None:
        self._points = service.checkpoints if service is not None else ()
        self._ask = ask
        self._decided: dict[str, Decision] = {}

    @property
    def any_guards(self) -> bool:
        return any(point.guards for point in self._points)

    async def look(self, snapshot: Snapshot) -> list[HumanRejected]:
        """Ask about what the page has come to; the refusals, for the model."""
        refused = []
        for point in self._points:
            if not point.when(snapshot):
                self._decided.pop(point.name, None)
            elif point.name not in self._decided:
                decision = await self._decide(point, snapshot, _guarded_name(point, snapshot))
                if not decision.approved:
                    refused.append(rejection(point.name, decision))
        return refused

    async def before_call(self, call: ToolCall) -> ToolResult | None:
        """Raises: HumanRejected: it acts on something that a human has not allowed."""
        if call.tool.reads_only or call.name in _HARMLESS or not self.any_guards:
            return None
        if call.name == "browser_execute":
            raise BlockedByPolicy(
                "several steps at once are not allowed on a service with checkpoints",
                hint="Do them one by one.",
            )
        if not any(getattr(call.args, field, None) for field in ("ref", "to", "key")):
            return None
        snapshot = await _newest(call)
        node = _acted_on(call, snapshot) if snapshot is not None else None
        if node is None or snapshot is None:
            return None
        for point in self._points:
            if not point.guarded(node):
                continue
            decision = self._decided.get(point.name)
            if decision is None:
                decision = await self._decide(point, snapshot, node.name)
            if not decision.approved:
                raise rejection(point.name, decision)
            self._decided.pop(point.name)  # a yes is for one action
        return None

    async def _decide(self, point: Checkpoint, snapshot: Snapshot, element: str) -> Decision:
        action = f'use "{element}"' if element else "go on from here"
        question = Question("checkpoint", point.name, action, point.reason, snapshot.page.url)
        decision = await self._ask(question)
        self._decided[point.name] = decision
        return decision


def rejection(name: str, decision: Decision) -> HumanRejected:
    words = f": {decision.words}" if decision.words else ""
    return HumanRejected(
        f"the human refused {name}{words}",
        hint="Do not try it again. Find another way, or end the task with complete_task.",
        words=decision.words,
    )


async def _newest(call: ToolCall) -> Snapshot | None:
    """The page as it is: what the reader saw may be old, and a name may have changed."""
    try:
        return await call.page.capture()
    except CdpAgentError:
        return None  # the tool itself will say why it cannot act


def _acted_on(call: ToolCall, snapshot: Snapshot) -> Node | None:
    refs = {str(ref) for field in ("ref", "to") if (ref := getattr(call.args, field, None))}
    key = getattr(call.args, "key", None)
    if not refs and isinstance(key, str) and key.rpartition("+")[2].casefold() in _TRIGGERS:
        refs = {str(snapshot.focused.id)} if snapshot.focused is not None else set()
    return next((node for node in snapshot.nodes if node.id and str(node.id) in refs), None)


def _guarded_name(point: Checkpoint, snapshot: Snapshot) -> str:
    return next((node.name for node in snapshot.nodes if point.guarded(node)), "")
