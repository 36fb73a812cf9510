"""Checkpoints: actions that need a person's approval, enforced by the loop.

A checkpoint is asked about when its condition holds on a fresh snapshot, and at the latest when
one of its guarded elements is about to be acted on. A yes allows one such action; a no locks the
elements until the page has left the state. While a call runs, guarded elements are locked in the
page itself, so that no other way leads to the same effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.service import Checkpoint, ServiceConfig
from cdp_agent.api.access.locks import Locks, lock
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, HumanRejected
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Snapshot
from cdp_agent.targets.network.gate import plain_address
from cdp_agent.text import quoted
from cdp_agent.tools import ToolCall, ToolResult

Ask = Callable[[Question], Awaitable[Decision]]

#: Tools that move the pointer or the focus and set nothing off.
_HARMLESS = frozenset({"browser_hover", "browser_scroll", "browser_wait"})
#: Keys that set off what has the focus.
_TRIGGERS = frozenset({"enter", "return", "space", " ", "numpadenter", "\n", "\r"})
_LINE_ENDS = ("\n", "\r")


class Checkpoints:
    """Checkpoints of a run, as the hooks `before_call` and `after_call` of a session."""

    def __init__(self, service: ServiceConfig | None, ask: Ask) -> None:
        self._points = service.checkpoints if service is not None else ()
        self._ask = ask
        self._decided: dict[str, Decision] = {}
        #: During a call: what is locked, and for which checkpoints.
        self._locks: Locks | None = None
        self._guarded: dict[ElementId, list[Checkpoint]] = {}
        #: The checkpoints that the call was meant to pass.
        self._passed: dict[str, Checkpoint] = {}

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
        """Lock what a human has not allowed; ask first about what the call is meant for.

        Raises:
            HumanRejected: it is for something that a human has not allowed.
        """
        if call.tool.reads_only or call.name in _HARMLESS or not self.any_guards:
            return None
        if call.name == "browser_execute":
            raise BlockedByPolicy(
                "several steps at once are not allowed on a service with checkpoints",
                hint="Do them one by one.",
            )
        snapshot = await _newest(call)
        if snapshot is None:
            return None
        await self._unlock()
        self._passed = {}
        nodes = {node.id: node for node in snapshot.nodes if node.id is not None}
        self._guarded = _guarded(self._points, snapshot)
        if not self._guarded:
            return None
        self._locks = await lock(call.page, dict.fromkeys(self._guarded, True))
        for element_id in await _meant(call, snapshot, self._locks):
            for point in self._guarded.get(element_id, ()):
                decision = self._decided.get(point.name)
                if decision is None:
                    decision = await self._decide(point, snapshot, nodes[element_id].name)
                if not decision.approved:
                    await self._unlock()
                    raise rejection(point.name, decision)
                self._passed[point.name] = point
        await self._relock(call)
        return None

    async def _relock(self, call: ToolCall) -> None:
        """Lock what is not approved; what is approved is watched: a yes is for one action."""
        await self._unlock()
        stops = {
            element_id: not all(self._is_approved(point) for point in points)
            for element_id, points in self._guarded.items()
        }
        self._locks = await lock(call.page, stops)
        self._locks.refuse(element_id for element_id, stopped in stops.items() if stopped)

    def _is_approved(self, point: Checkpoint) -> bool:
        decision = self._decided.get(point.name)
        return decision is not None and decision.approved

    async def _unlock(self) -> set[ElementId]:
        locks, self._locks = self._locks, None
        return await locks.release() if locks is not None else set()

    async def after_call(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Take back a yes that was used; say what was stopped."""
        hits = await self._unlock()
        hit = {point.name: point for one in hits for point in self._guarded.get(one, ())}
        hit.update(self._passed)  # also where the page went away with what it had recorded
        self._guarded, self._passed = {}, {}
        for point in hit.values():
            if self._is_approved(point):
                self._decided.pop(point.name)
                continue
            decision = self._decided.get(point.name)
            if decision is None:
                decision = await self._decide(point, None, "", call.page.url)
            error = rejection(point.name, decision) if not decision.approved else _again(point)
            said = f"{error.code}: {error.message}\nhint: {error.hint}"
            return replace(result.with_words_before(said), is_error=True, code=error.code)
        return result

    async def _decide(
        self, point: Checkpoint, snapshot: Snapshot | None, element: str, url: str = ""
    ) -> Decision:
        action = f"use {quoted(element)}" if element else "go on from here"
        where = snapshot.page.url if snapshot is not None else url
        question = Question("checkpoint", point.name, action, point.reason, where)
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


def _again(point: Checkpoint) -> BlockedByPolicy:
    return BlockedByPolicy(
        f"it was stopped before the human agreed to {point.name}",
        hint="The human has agreed now: do it again.",
    )


async def _meant(call: ToolCall, snapshot: Snapshot, locks: Locks) -> set[ElementId]:
    """The locked elements that a call is for, as far as it can be known beforehand."""
    url = getattr(call.args, "url", None)
    if isinstance(url, str):
        wanted = plain_address(url)
        return {
            element_id
            for element_id, (method, sent) in locks.sends.items()
            if method == "GET" and plain_address(sent) == wanted
        }
    key = getattr(call.args, "key", None)
    refs = {str(ref) for field in ("ref", "to") if (ref := getattr(call.args, field, None))}
    if isinstance(key, str) and not refs and snapshot.focused is not None:
        refs = {str(snapshot.focused.id)}
    if isinstance(key, str) and key.rpartition("+")[2].casefold() not in _TRIGGERS:
        return set()
    text = str(getattr(call.args, "text", "") or "")
    enters = (
        isinstance(key, str)
        or bool(getattr(call.args, "enter", False) or getattr(call.args, "commit_enter", False))
        or any(end in text for end in _LINE_ENDS)
    )
    found: set[ElementId] = set()
    for ref in refs:
        found |= await locks.meant_by(ref, enters=enters)
    return found


def _guarded(points: Sequence[Checkpoint], snapshot: Snapshot) -> dict[ElementId, list[Checkpoint]]:
    """The elements of a page that are locked, each with its checkpoints."""
    found: dict[ElementId, list[Checkpoint]] = {}
    for point in points:
        for node in point.guarded_nodes(snapshot):
            if node.id is not None:
                found.setdefault(node.id, []).append(point)
    return found


def _guarded_name(point: Checkpoint, snapshot: Snapshot) -> str:
    return next((node.name for node in point.guarded_nodes(snapshot)), "")
