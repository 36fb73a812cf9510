"""Fill, type and press: text and keys, with the value read back."""

from __future__ import annotations

import asyncio
import math
import re
import time
from typing import Any

from cdp_agent.act import inputs
from cdp_agent.act.editing import Editing, key_receipt
from cdp_agent.act.keys import parse_chord, require_key
from cdp_agent.act.mark import Mark
from cdp_agent.act.outcome import Receipt
from cdp_agent.act.refused import require_effect, said_of
from cdp_agent.act.settle import Settled
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    InvalidParams,
    NotEditable,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.text import MASKED_PASSWORD

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
_MOST_TEXT = 1_000_000
#: The first draws what was typed; what that asks for itself is drawn by the second.
_TWO_FRAMES = "cdpAgent.nextFrame(100).then(() => cdpAgent.nextFrame(100))"
#: From so many lines on, text is not inserted line by line.
_MANY_LINES = 20


async def fill(stage: Stage, element_id: ElementId, value: str) -> Performed:
    """Replace what the element holds, as input events would, and read it back.

    Text fields and rich text get trusted input events; date, time, colour and range fields, whose
    pickers no text reaches, have their value set with `input` and `change` events. An element under
    an overlay is filled all the same: the focus decides, not the pointer.

    Raises:
        NotEditable: it takes no text, or did not keep what it was given.
    """
    _require_text(value)
    async with Editing(stage, element_id, select=True) as editing:
        live, prepared = editing.live, editing.prepared
        _require_fitting(prepared, value, live)
        mark = Mark.set(stage.target, live.frame)
        if prepared["how"] == "set":
            return await _set(stage, editing, mark, value)
        text = value.replace("\r\n", "\n")
        if not (prepared["plain"] and await _insert_lines(stage, live, text)):
            log_action("fill", live, "Input.insertText")
            if value:
                replies = [live.session.post("Input.insertText", {"text": text})]
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

    A field that selects all it holds when the focus comes has that replaced, as under a person's
    hands.

    Where the page moves the focus to another field while typing (one box per digit), the keys
    follow. Where it takes the focus away from text altogether, the rest is stopped and an error
    raised.

    Raises:
        NotEditable: the field holds what it held before: the page refused every key.
    """
    _require_text(text)
    if not isinstance(delay_ms, int | float) or not 0 <= delay_ms < math.inf:
        raise InvalidParams(f"delay_ms must be a number of milliseconds, not {delay_ms!r}")
    async with Editing(stage, element_id, select=False) as editing:
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
                # Counted from the key's arrival: what waits in a busy browser arrives in a bunch.
                if not await inputs.delivered(stage.target, replies, _soon(stage)):
                    break
                await asyncio.sleep(delay_ms / 1000)
            replies += inputs.type_character(live.session, character)
        typing = time.monotonic() + 0.5 + len(text) * 0.02
        taken = await inputs.delivered(stage.target, replies, max(stage.deadline, typing))
        if commit_enter and taken:
            await _next_frame(stage, live)
            replies = inputs.press(live.session, [], require_key("Enter"))
            await inputs.delivered(stage.target, replies, _soon(stage))
        settled, receipt, after = await editing.finish(mark)
        if text and "\n" not in text and not commit_enter:
            _require_a_trace(editing, settled, text, after)
        shown = editing.shown(after)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, shown)


async def _next_frame(stage: Stage, live: LiveElement) -> None:
    """No person types and confirms in one frame, and frameworks that draw once a frame lose it."""
    try:
        await evaluate_in_frame(stage.target, live.frame, _TWO_FRAMES, 2)
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
        settled = await stage.finish(live, mark)
        receipt = await key_receipt(stage, live, token, settled)
        require_effect(stage.target, live, mark, settled)
        data = said_of(settled)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
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


async def _insert_lines(stage: Stage, live: LiveElement, text: str) -> bool:
    """Insert long text into a field of plain text at once. False: it has to go another way.

    `Input.insertText` sends two `input` events a line and takes time by the square of the lines:
    a thousand take seconds. An editing command of the document itself takes it in milliseconds,
    with one trusted `input` event.
    """
    if text.count("\n") < _MANY_LINES or "\r" in text or "\0" in text:
        return False
    log_action("fill", live, "execCommand insertHTML")
    reply = live.post("insertLines", text, timeout=max(stage.left, 0.5))
    await inputs.delivered(stage.target, [reply], _soon(stage) + 1)
    return not inputs.is_answered(reply) or bool(_answer(live, reply))


def _answer(live: LiveElement, reply: asyncio.Future[dict[str, Any]]) -> Any:
    """Raises: StaleRef, FrameDetached: the document went away meanwhile."""
    try:
        return script_value(reply.result())
    except CdpAgentError as error:
        raise live.explain(error) from None


async def _set(stage: Stage, editing: Editing, mark: Mark, value: str) -> Performed:
    live = editing.live
    log_action("fill", live, "value property")
    reply = live.post("setValue", value, timeout=max(stage.left, 0.5), user_gesture=True)
    # A dialog that a handler of the page opens keeps the script from answering; the value is set.
    await inputs.delivered(stage.target, [reply], _soon(stage) + 1)
    answer = _answer(live, reply) if inputs.is_answered(reply) else {"ok": True, "value": value}
    if not answer["ok"]:
        kind = editing.prepared["type"]
        raise InvalidParams(
            f"{value!r} is not a value of a {kind} field",
            hint=_FORMATS.get(kind, ""),
            element_id=str(live.id),
        )
    settled, after = await editing.finish_set(mark)
    if after is not None and after != answer["value"]:
        raise NotEditable(
            f"{live.id} did not keep the value: it holds {after[:80]!r}",
            hint="The page changed it. Look at what the field accepts.",
            element_id=str(live.id),
            value=after,
        )
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
    "range": "Write a number between its minimum and maximum, on one of its steps.",
}


def _require_text(value: Any) -> None:
    if not isinstance(value, str):
        raise InvalidParams(f"the text must be a string, not {type(value).__name__}")
    if any("\ud800" <= one <= "\udfff" for one in value):
        raise InvalidParams("the text holds half a character (a lone surrogate)")
    if len(value) > _MOST_TEXT:
        raise InvalidParams(f"{len(value)} characters are too many; at most {_MOST_TEXT}")


def _require_fitting(prepared: dict[str, Any], value: str, live: LiveElement) -> None:
    """Raises: InvalidParams: the field cannot hold it; nothing was touched."""
    if prepared["type"] == "number" and value and not _NUMBER.match(value.strip()):
        raise InvalidParams(
            f"{value!r} is not a number, and {live.id} takes only numbers",
            hint="Write digits, with a point for decimals: 12.5.",
            element_id=str(live.id),
        )
    most, given = prepared["most"], len(value.replace("\r\n", "\n").encode("utf-16-le")) // 2
    if 0 <= most < given:
        raise InvalidParams(
            f"{live.id} takes at most {most} characters, and {given} were given",
            hint=f"Shorten the text to {most} characters.",
            element_id=str(live.id),
            most=most,
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


def _require_a_trace(editing: Editing, settled: Settled, text: str, after: str | None) -> None:
    """A field that holds what it held before, and not the text: no key had an effect.

    An empty one may have been emptied by a page that took the text, as fields for tags do: then
    something else has changed. An editor's hidden text area is no witness at all.

    Raises:
        NotEditable: the page refused every key.
    """
    report, before, live = settled.report, editing.prepared["value"], editing.live
    if report is None or editing.prepared.get("standIn") or (report["changed"] and not before):
        return
    own = not report["receipt"]["elsewhere"]  # else the page has moved on to another field
    if own and after is not None and after == before and text not in after:
        raise NotEditable(
            f"{live.id} took no text: it holds what it held before",
            hint="The page refuses these keys. Look at what the field accepts.",
            element_id=str(live.id),
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
