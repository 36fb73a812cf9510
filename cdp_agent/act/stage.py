"""The ground of every verb: resolving, guarding, finishing, and failures in words."""

from __future__ import annotations

import itertools
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import CEILING, Settled, neighbours, settle
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ElementDisabled,
    ElementNotVisible,
    ElementObscured,
    ElementUnstable,
    NotEditable,
    StaleRef,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement, Resolver, reach
from cdp_agent.resolve.frame_point import Point, PointPair
from cdp_agent.targets import PageTarget, World
from cdp_agent.targets.remote_objects import describe_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters

_log = log.get("act")
_tokens = itertools.count(1)

#: Kept back from an action's time for the answer to travel.
_MARGIN = 0.05
#: An action that was begun in time may settle for this long after it, however short it was.
_AFTER_DEADLINE = 0.6
_FOCUS_HINT = "Press the key without an id: it goes to where the focus is."
_KEYS_HINT = "Press ArrowUp, ArrowDown, Home or End on it, or drag it."
_READONLY_HINT = "Where it opens a picker, click it and choose there."
_OPTION_HINT = "Its list is closed. Choose it with select on the id of the list."


@dataclass(slots=True)
class Performed:
    """One action that has been carried out."""

    element_id: ElementId | None
    mark: Mark
    settled: bool
    receipt: Receipt | None
    healed: bool = False
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Stage:
    """One action under way on a page. `deadline` is for all before the settling."""

    target: PageTarget
    resolver: Resolver
    deadline: float

    @property
    def left(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def reply_timeout(self) -> float:
        """Seconds for a command that asks: the rest of the time, or a little for the last reply."""
        return max(self.left, 0.2)

    @property
    def input_timeout(self) -> float:
        """Seconds for a command that changes the page: its reply says whether it did."""
        return max(self.left, 0.5)

    @property
    def input_deadline(self) -> float:
        return max(self.deadline, time.monotonic() + 0.5)

    @property
    def latest(self) -> float:
        """The time at which a document that does not answer is given up."""
        return self.deadline + _AFTER_DEADLINE

    def rest_ms(self, most: int) -> int:
        """The milliseconds that a document may take to come to rest."""
        left = self.latest - time.monotonic() - 3 * _MARGIN
        return min(most, max(int(left * 1000), 100))

    @property
    def left_ms(self) -> int:
        return max(int((self.left - _MARGIN) * 1000), 0)

    async def resolve(self, element_id: ElementId) -> LiveElement:
        live = await self.resolver.resolve(element_id, deadline=self.deadline)
        for _, world in neighbours(self.target, live.frame):
            expression: EvaluateParameters = {
                "expression": "cdpAgent.beginCauses(null)",
                **world.for_evaluate,
            }
            live.session.send_only("Runtime.evaluate", expression)
        return live

    async def heal(self, live: LiveElement) -> LiveElement:
        """The element was replaced in its document: find it again, once."""
        live.release()
        if live.healed:
            raise StaleRef(f"{live.id} was replaced again and again", ref=str(live.id))
        return await self.resolver.heal(live.ref, self.deadline)

    def new_token(self) -> int:
        token = next(_tokens)
        self.target.receipts[token] = []
        return token

    def drop_token(self, token: int) -> None:
        self.target.receipts.pop(token, None)

    def notes(self, token: int) -> dict[str, dict[str, Any]]:
        """The reports that the document sent at once, by kind; the last of each kind."""
        return {note["kind"]: note for note in self.target.receipts.get(token, ())}

    async def prepare(self, live: LiveElement, options: Mapping[str, Any]) -> dict[str, Any]:
        """Make an element ready for a pointer. `why` says what hinders it, where it is not `ok`."""
        answer = await live.call("prepare", options, timeout=self.reply_timeout)
        if isinstance(answer, dict) and answer.get("why") == "embed":
            if await self._shows_document(live):
                return {"why": "frame"}
            plain = {**options, "plain": True}
            answer = await live.call("prepare", plain, timeout=self.reply_timeout)
        return answer if isinstance(answer, dict) else {"why": "hidden"}

    async def _shows_document(self, live: LiveElement) -> bool:
        """Returns whether an embed element shows a document: a picture or nothing is none."""
        try:
            ask = live.session.post("DOM.describeNode", {"objectId": live.object_id}, timeout=2)
            return self.target.frames.find((await ask)["node"].get("frameId", "")) is not None
        except CdpAgentError as error:
            raise live.explain(error) from None

    async def reach(self, live: LiveElement, spot: Mapping[str, Any]) -> PointPair:
        """The point for input of a script's answer: `x`, `y`, `width` and `height`.

        Raises:
            ElementObscured, ElementNotVisible: a parent document is in the way.
        """
        point, size = Point(spot["x"], spot["y"]), (spot["width"], spot["height"])
        return await reach(self.target, live, point, size, self.reply_timeout)

    async def finish(
        self,
        live: LiveElement,
        mark: Mark,
        *,
        keep: bool = False,
        answers: bool = False,
    ) -> Settled:
        """Wait until what the action began is over, and read the receipt.

        `keep`: the document goes on guarding. `answers`: what the element holds then is the
        evidence, so that a page which checks it a moment later is given that moment.
        """
        options = {"keep": keep, "answers": answers}
        return await self.settle(mark, live.world, "finish", options)

    async def settle(
        self, mark: Mark, world: World, function: str, options: dict[str, Any]
    ) -> Settled:
        """As `finish`, with another `function` of our world that waits in the document."""
        options = {"ceilingMs": self.rest_ms(int(CEILING * 500)), **options}
        call = f"cdpAgent.{function}({json.dumps(options)})"
        return await settle(self.target, mark, world, call, self.input_deadline, latest=self.latest)

    def disarm(self, live: LiveElement) -> None:
        """Stop guarding; nothing will be sent."""
        live.session.send_only(
            "Runtime.evaluate",
            {"expression": "cdpAgent.disarm()", **live.world.for_evaluate},
        )

    async def cannot(self, live: LiveElement, why: dict[str, Any], verb: str) -> CdpAgentError:
        """The error for the obstacle that a script reported."""
        what = f"{live.id} ({live.ref.role} {live.ref.name[:60]!r})"
        facts: dict[str, Any] = {"element_id": str(live.id)}
        reason = why.get("why", "")
        if reason == "covered":
            cover = await self._cover_id(live)
            message = f"{what} is under {cover or ''} {why.get('cover', '')}"
            return ElementObscured(" ".join(message.split()), cover=cover, **facts)
        if reason == "frame":
            return ElementObscured(
                f"{live.id} is a frame: the document in it takes what the pointer does",
                hint="Take an element inside it: a snapshot lists them below its line.",
                **facts,
            )
        if reason == "locked":
            return ElementObscured(
                f"{what} gets no pointer: the page has locked the pointer to {why['holder']}",
                hint="Act on that one or by keys, or have the page end the lock.",
                **facts,
            )
        if reason == "inert":
            return ElementObscured(
                f"{what} stands in {why.get('inert', '')}, which is inert",
                hint="The page takes no input there now: close what is open, or wait.",
                **facts,
            )
        errors: dict[str, tuple[type[CdpAgentError], str]] = {
            "hidden": (ElementNotVisible, f"{what} is not shown"),
            "empty": (ElementNotVisible, f"{what} has no size"),
            "outside": (ElementNotVisible, f"{what} cannot be scrolled into the viewport"),
            "disabled": (ElementDisabled, f"{what} is disabled"),
            "moving": (ElementUnstable, f"{what} does not stop moving"),
            "readonly": (NotEditable, f"{what} is read-only"),
            "focus": (NotEditable, f"{what} does not take the focus"),
            "not_editable": (NotEditable, f"{what} takes no text"),
        }
        if reason in errors:
            kind, message = errors[reason]
            hint = _OPTION_HINT if live.ref.tag == "option" and reason == "hidden" else None
            hint = _FOCUS_HINT if reason == "focus" and verb == "press a key" else hint
            hint = _READONLY_HINT if reason == "readonly" else hint
            if reason == "not_editable" and live.ref.role in ("slider", "spinbutton"):
                hint = _KEYS_HINT
            return kind(message, hint=hint, **facts)
        return ActionTimeout(f"{what} was not ready to {verb} in time", **facts)

    async def _cover_id(self, live: LiveElement) -> str | None:
        try:
            reply = await live.session.post(
                "Runtime.evaluate",
                {"expression": "cdpAgent.cover()", **live.world.for_evaluate},
                timeout=2,
            )
            object_id = reply["result"].get("objectId")
            if object_id is None:
                return None
            node = await describe_object(live.session, object_id, 2)
        except CdpAgentError:
            return None  # the page went on; the message still names it
        return str(ElementId(live.frame.index, node["backendNodeId"]))


def receipt_of(settled: Settled) -> dict[str, Any] | None:
    """The receipt in the report of an action's document; None when that went away."""
    return settled.report.get("receipt") if settled.report is not None else None


def is_logged() -> bool:
    """Returns whether anybody reads what `log_action` writes."""
    return _log.isEnabledFor(logging.DEBUG)


def log_action(verb: str, live: LiveElement | None, how: str) -> None:
    if live is None:
        _log.debug("[CDPAction] %s → %s", verb, how)
        return
    _log.debug(
        "[CDPAction] %s %s → %s (frame %s, node %d, session %s)",
        verb,
        live.id,
        how,
        live.frame.id[:8],
        live.id.backend_node_id,
        live.session.id[:8],
    )
