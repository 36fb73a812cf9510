"""Fill, type and press: text and keys, with the value read back."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

from cdp_agent.act import inputs
from cdp_agent.act.keys import parse_chord, require_key
from cdp_agent.act.outcome import Receipt
from cdp_agent.act.settle import Mark, Settled
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    CommandTimeout,
    InvalidParams,
    NotEditable,
    StaleRef,
)
from cdp_agent.ids import ElementId
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.snapshot.clean import MASKED_PASSWORD

#: Fields that answer with suggestions are given time to; others are not kept waiting.
_SUGGESTING_ROLES = frozenset({"combobox", "searchbox"})
_SUGGESTION_MS = 400
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
_MOST_TEXT = 1_000_000


async def fill(stage: Stage, element_id: ElementId, value: str) -> Performed:
    """Replace what the element holds, as input events would, and read it back.

    Text fields and rich text get trusted input events; date, time, colour and range fields, whose
    pickers no text reaches, have their value set with `input` and `change` events. An element under
    an overlay is filled all the same: the focus decides, not the pointer.

    Raises:
        NotEditable: it takes no text, or did not keep what it was given.
    """
    _require_text(value)
    async with _Editing(stage, element_id, select=True) as editing:
        live, prepared = editing.live, editing.prepared
        _require_fitting(prepared["type"], value, live)
        mark = Mark.set(stage.target, live.frame)
        if prepared["how"] == "set":
            return await _set(stage, editing, mark, value)
        log_action("fill", live, "Input.insertText")
        if value:
            replies = [live.session.post("Input.insertText", {"text": value.replace("\r\n", "\n")})]
        else:
            replies = inputs.press(live.session, [], require_key("Delete"))
        await inputs.delivered(stage.target, replies, _soon(stage))
        settled, receipt, after = await editing.finish(mark)
        data = editing.shown(after)
        if after is not None:
            data["exact"] = _require_kept(live, value, after, secret=editing.is_secret)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)


async def type_text(
    stage: Stage,
    element_id: ElementId,
    text: str,
    *,
    delay_ms: float = 0,
    commit_enter: bool = False,
) -> Performed:
    """Type key by key: at the caret of a focused element, else at the end of what it holds.

    Where the page moves the focus to another field while typing (one box per digit), the keys
    follow. Where it takes the focus away from text altogether, the rest is stopped and an error
    raised.
    """
    _require_text(text)
    async with _Editing(stage, element_id, select=False) as editing:
        live = editing.live
        if editing.prepared["how"] == "set":
            raise NotEditable(
                f"{live.id} is a {editing.prepared['type']} field", hint="Use fill for it."
            )
        mark = Mark.set(stage.target, live.frame)
        log_action("type", live, f"Input.dispatchKeyEvent ({len(text)} characters)")
        replies: inputs.Replies = []
        text = text.replace("\r\n", "\n")
        for number, character in enumerate(text):
            if delay_ms and number:
                await asyncio.sleep(delay_ms / 1000)
            replies += inputs.type_character(live.session, character)
        typing = time.monotonic() + 0.5 + len(text) * 0.02
        taken = await inputs.delivered(stage.target, replies, max(stage.deadline, typing))
        if commit_enter and taken:
            await _next_frame(stage, live)
            replies = inputs.press(live.session, [], require_key("Enter"))
            await inputs.delivered(stage.target, replies, _soon(stage))
        settled, receipt, after = await editing.finish(mark)
        shown = editing.shown(after)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, shown)


async def _next_frame(stage: Stage, live: LiveElement) -> None:
    """No person types and confirms in one frame, and frameworks that draw once a frame lose it."""
    try:
        await evaluate_in_frame(stage.target, live.frame, "cdpAgent.nextFrame(50)", 2)
    except CommandTimeout:
        return  # busy: Enter waits in its queue


async def press(stage: Stage, chord: str, element_id: ElementId | None) -> Performed:
    """Press a key or chord, on an element or wherever the focus is."""
    held, key = parse_chord(chord)
    if element_id is None:
        return await _press_anywhere(stage, chord)
    live = await stage.resolve(element_id)
    token = stage.new_token()
    try:
        guard = {"kind": "key", "token": token, "lifeMs": stage.left_ms + 1000}
        prepared = await live.call("prepareKeys", {"timeoutMs": stage.left_ms, "guard": guard})
        if prepared.get("why") == "detached":
            live = await stage.heal(live)
            prepared = await live.call("prepareKeys", {"timeoutMs": stage.left_ms, "guard": guard})
        if not prepared.get("ok"):
            raise await stage.cannot(live, prepared, "press a key")
        mark = Mark.set(stage.target, live.frame)
        log_action(f"press {chord}", live, "Input.dispatchKeyEvent")
        await inputs.delivered(stage.target, inputs.press(live.session, held, key), _soon(stage))
        settled, snapshot = await stage.finish(live, mark, prepared["since"])
        receipt = await _key_receipt(stage, live, token, settled)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, {}, snapshot)
    finally:
        stage.drop_token(token)
        live.release()


async def _press_anywhere(stage: Stage, chord: str) -> Performed:
    """Keys go to whatever has the focus, in whichever frame: all are asked who received them."""
    from cdp_agent.act.broadcast import Broadcast

    held, key = parse_chord(chord)
    target = stage.target
    token = stage.new_token()
    try:
        async with Broadcast(target, token, stage.left_ms) as everywhere:
            mark = Mark.set(target, target.frames.main)
            log_action(f"press {chord}", None, "Input.dispatchKeyEvent")
            replies = inputs.press(target.session, held, key)
            await inputs.delivered(target, replies, _soon(stage))
            settled, receipt = await everywhere.finish(mark, stage)
        return Performed(None, mark, settled.settled, receipt)
    finally:
        stage.drop_token(token)


class _Editing:
    """An element that was made ready to take text, from focus to read-back."""

    def __init__(self, stage: Stage, element_id: ElementId, *, select: bool) -> None:
        self._stage = stage
        self._element_id = element_id
        self._select = select
        self.token = stage.new_token()
        self.live: LiveElement
        self.prepared: dict[str, Any] = {}

    async def __aenter__(self) -> _Editing:
        stage = self._stage
        try:
            self.live = await stage.resolve(self._element_id)
            self.prepared = await self._prepare()
            if self.prepared.get("why") == "detached":
                self.live = await stage.heal(self.live)
                self.prepared = await self._prepare()
            if not self.prepared.get("ok"):
                self.live.release()
                raise await stage.cannot(self.live, self.prepared, "take text")
        except BaseException:
            stage.drop_token(self.token)
            raise
        return self

    async def _prepare(self) -> dict[str, Any]:
        stage = self._stage
        options = {
            "timeoutMs": stage.left_ms,
            "select": self._select,
            "role": self.live.ref.role,
            "guard": {
                "kind": "key",
                "text": True,
                "token": self.token,
                "lifeMs": stage.left_ms + 1000,
            },
        }
        answer = await self.live.call("prepareEdit", options, timeout=max(stage.left, 0.1))
        return answer if isinstance(answer, dict) else {"why": "hidden"}

    async def __aexit__(self, *_: object) -> None:
        self._stage.disarm(self.live)
        self._stage.drop_token(self.token)
        self.live.release()

    async def finish(self, mark: Mark) -> tuple[Settled, Receipt, str | None]:
        """Rest, receipt, and the value now (None when the element is gone)."""
        stage, live = self._stage, self.live
        suggests = live.ref.role in _SUGGESTING_ROLES
        settled, _ = await stage.finish(
            live,
            mark,
            self.prepared["since"],
            first_change_ms=_SUGGESTION_MS if suggests else 0,
            keep=True,
        )
        receipt = await _key_receipt(stage, live, self.token, settled)
        return settled, receipt, await self._value(settled)

    async def _value(self, settled: Settled) -> str | None:
        if self._stage.target.dialog is not None:
            return None
        try:
            if settled.report is not None:
                now = settled.report["receipt"]["value"]
            else:
                now = await self.live.call("readValue", timeout=2)
        except CdpAgentError as error:
            if (
                is_context_gone(error)
                or isinstance(error, StaleRef)
                or error.code == "frame_detached"
            ):
                return None  # the page went on because of what was typed
            raise
        if now["connected"]:
            value = now["value"]
            return str(value) if value is not None else None
        return await self._value_of_heir()

    async def _value_of_heir(self) -> str | None:
        """The page replaced the field while it was written to: what its heir holds counts.

        Raises:
            StaleRef: none is certain to be it, so nothing proves that the text was kept.
        """
        heir = await self._stage.resolver.heal(self.live.ref, time.monotonic() + 2)
        try:
            value = (await heir.call("readValue", timeout=2))["value"]
        finally:
            heir.release()
        return str(value) if value is not None else None

    @property
    def is_secret(self) -> bool:
        return bool(self.prepared.get("type") == "password")

    def shown(self, value: str | None) -> dict[str, Any]:
        """What an outcome may tell of the value."""
        return {"value": MASKED_PASSWORD if self.is_secret and value else value}


async def _key_receipt(stage: Stage, live: LiveElement, token: int, settled: Settled) -> Receipt:
    """Raises: StaleRef, ActionTimeout: there is no evidence that the keys arrived."""
    seen = settled.report.get("receipt") if settled.report is not None else None
    if seen is not None and (seen["lost"] or "lost" in stage.notes(token)):
        raise StaleRef(
            f"the page took the focus away from {live.id} while typing; the rest was stopped",
            ref=str(live.id),
        )
    if seen is not None and seen["events"]:
        events = tuple(seen["events"])
        where = live.id if seen["own"] or not seen["elsewhere"] else None
        return Receipt(True, where, bool(seen["trusted"]), bool(seen["prevented"]), events)
    if seen is None:
        await stage.target.until(lambda: bool(stage.notes(token)), 0.3, alive=False)
        if stage.notes(token):
            return Receipt(True, live.id, True, False, ())
        stage.target.require_alive()
    raise ActionTimeout(f"no key event arrived at {live.id}", element_id=str(live.id))


async def _set(stage: Stage, editing: _Editing, mark: Mark, value: str) -> Performed:
    live = editing.live
    log_action("fill", live, "value property")
    answer = await live.call("setValue", value)
    if not answer["ok"]:
        kind = editing.prepared["type"]
        raise InvalidParams(
            f"{value!r} is not a value of a {kind} field",
            hint=_FORMATS.get(kind, ""),
            element_id=str(live.id),
        )
    settled, _ = await stage.finish(live, mark, editing.prepared["since"], first_change_ms=0)
    receipt = Receipt(True, live.id, False, False, ("input", "change"))
    data = {"value": answer["value"]}
    return Performed(live.id, mark, settled.settled, receipt, live.healed, data)


_FORMATS = {
    "date": "Write it as 2027-03-17.",
    "time": "Write it as 14:30.",
    "datetime-local": "Write it as 2027-03-17T14:30.",
    "month": "Write it as 2027-03.",
    "week": "Write it as 2027-W11.",
    "color": "Write it as #aabbcc.",
    "range": "Write a number between its minimum and maximum.",
}


def _require_text(value: Any) -> None:
    if not isinstance(value, str):
        raise InvalidParams(f"the text must be a string, not {type(value).__name__}")
    if len(value) > _MOST_TEXT:
        raise InvalidParams(f"{len(value)} characters are too many; at most {_MOST_TEXT}")


def _require_fitting(kind: str, value: str, live: LiveElement) -> None:
    if kind == "number" and value and not _NUMBER.match(value.strip()):
        raise InvalidParams(
            f"{value!r} is not a number, and {live.id} takes only numbers", element_id=str(live.id)
        )


def _require_kept(live: LiveElement, wanted: str, after: str, *, secret: bool) -> bool:
    """Whether the field holds just what it was given; it may be formatted (1,234,567 or $5.00).

    Raises:
        NotEditable: it holds something else.
    """
    if after.strip() == wanted.replace("\r\n", "\n").strip():
        return True
    if _is_formatted(wanted, after) or _is_same_number(after, wanted):
        return False
    holds = "something else" if secret else repr(after[:80])
    raise NotEditable(
        f"{live.id} did not keep the text: it holds {holds}",
        hint="Look at what the field accepts; it may be limited or changed by the page.",
        element_id=str(live.id),
        value=MASKED_PASSWORD if secret else after,
    )


def _is_formatted(wanted: str, after: str) -> bool:
    """All letters and digits that were given are there, in that order."""
    characters = iter(after.casefold())
    given = [c for c in wanted.casefold() if c.isalnum()]
    return bool(given) and all(c in characters for c in given)


def _is_same_number(after: str, wanted: str) -> bool:
    try:
        return float(after) == float(wanted)
    except ValueError:
        return False


def _soon(stage: Stage) -> float:
    return max(stage.deadline, time.monotonic() + 0.5)
