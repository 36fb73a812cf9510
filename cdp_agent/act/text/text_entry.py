"""Fill, type and press: text and keys, with the value read back."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from cdp_agent.act.frame_document import focus_inside
from cdp_agent.act.input import inputs
from cdp_agent.act.input.keys import parse_chord, require_key
from cdp_agent.act.pointer.effect_check import invalid_fields, require_effect
from cdp_agent.act.pointer.frame_guard import FrameGuard
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action, receipt_of
from cdp_agent.act.text.editing import Editing, key_receipt
from cdp_agent.act.text.field_value import (
    FORMATS,
    KEYED_TYPES,
    is_kept,
    is_kept_by_editor,
    is_same_number,
    not_kept,
    require_a_trace,
    require_fitting,
    require_keys,
    require_text,
)
from cdp_agent.act.text.popup import popup_receipt, popup_state
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import Settled
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

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import CallFunctionOnReturns

#: The first draws what was typed; what that asks for itself is drawn by the second.
_TWO_FRAMES = "cdpAgent.nextFrame(100).then(() => cdpAgent.nextFrame(100))"
#: From so many lines on, text is not inserted line by line.
_MANY_LINES = 20
#: A slider is moved by so many keys at most, and looked at so often.
_MOST_STEPS = 500
_TRIES = 3


async def fill(stage: Stage, element_id: ElementId, value: str) -> Performed:
    """Replace what the element holds, as input events would, and read it back.

    Text fields and rich text get trusted input events; date, time, colour and range fields, whose
    pickers no text reaches, have their value set with `input` and `change` events. An element under
    an overlay is filled all the same: the focus decides, not the pointer.

    Raises:
        NotEditable: it takes no text, or did not keep what it was given.
    """
    require_text(value)
    async with Editing(stage, element_id, select=True) as editing:
        live, prepared = editing.live, editing.prepared
        require_fitting(prepared, value, live)
        mark = Mark.set(stage.target, live.frame)
        if prepared["type"] == "range":
            return await _slide(stage, editing, mark, value)
        if prepared["how"] == "set":
            return await _set(stage, editing, mark, value)
        text = value.replace("\r\n", "\n")
        if prepared["standIn"]:
            # The text that one sees is the editor's own: its own key selects all of it.
            held, key = parse_chord("Meta+A" if prepared["mac"] else "Control+A")
            replies = inputs.press(live.session, held, key)
            await inputs.delivered(stage.target, replies, stage.input_deadline)
        is_plain = prepared["plain"] and not prepared["standIn"]
        if not (is_plain and await _insert_lines(stage, live, text)):
            log_action("fill", live, "Input.insertText")
            if value:
                replies = [live.session.post("Input.insertText", {"text": text})]
                if editing.prepared["type"] != "contenteditable":
                    replies += inputs.release(live.session, text[-1])
            else:
                replies = inputs.press(live.session, [], require_key("Delete"))
            await inputs.delivered(stage.target, replies, stage.input_deadline)
        settled, receipt, after = await editing.finish(mark)
        data = editing.shown(after)
        if after is not None:
            data["exact"] = _require_kept(editing, text, after)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)


async def type_text(
    stage: Stage,
    element_id: ElementId,
    text: str,
    *,
    delay_ms: float = 0,
    commit_enter: bool = False,
) -> Performed:
    """Type key by key: at the caret of a focused element, else at the end.

    A field that selects all it holds when the focus comes has that replaced, as under a person's
    hands.

    Where a full box of a few characters passes the focus to the next (one box per digit), the keys
    follow. Where anything else takes the focus, in this frame or another, not one more key is let
    through.

    Raises:
        StaleRef: the focus was taken away; `typed` in its data says how much had arrived.
        NotEditable: the field holds what it held before: the page refused every key.
    """
    require_keys(text, delay_ms)
    gives = not commit_enter and "\n" not in text
    async with Editing(stage, element_id, select=False, gives=gives) as editing:
        live = editing.live
        if editing.prepared["how"] == "set" and editing.prepared["type"] not in KEYED_TYPES:
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
                if not await inputs.delivered(stage.target, replies, stage.input_deadline):
                    break
                if editing.is_lost:
                    break
                await asyncio.sleep(delay_ms / 1000)
            replies += inputs.type_character(live.session, character)
        typing = time.monotonic() + 0.5 + len(text) * 0.02
        taken = await inputs.delivered(stage.target, replies, max(stage.deadline, typing))
        if commit_enter and taken and not editing.is_lost:
            await _next_frame(stage, live)
            replies = inputs.press(live.session, [], require_key("Enter"))
            await inputs.delivered(stage.target, replies, stage.input_deadline)
        settled, receipt, after = await editing.finish(mark, len(text), may_go=commit_enter)
        if text and "\n" not in text and not commit_enter:
            require_a_trace(editing, settled, text, after)
        shown = editing.shown(after)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, shown)


async def _next_frame(stage: Stage, live: LiveElement) -> None:
    """Wait two frames: frameworks that draw once a frame lose an Enter before that."""
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
    others = FrameGuard(stage, token, "key")
    try:
        guard = {"kind": "key", "token": token, "lifeMs": stage.left_ms + 1000}
        prepared = await live.call("prepareKeys", {"timeoutMs": stage.left_ms, "guard": guard})
        if prepared.get("why") == "detached":
            live = await stage.heal(live)
            prepared = await live.call("prepareKeys", {"timeoutMs": stage.left_ms, "guard": guard})
        if prepared.get("why") == "frame":
            inner = await focus_inside(stage, live)
            if inner is not None:
                others.end()
                return await press(stage, chord, inner)
        if not prepared.get("ok"):
            raise await stage.cannot(live, prepared, "press a key")
        others.armed = live.world
        await others.ready()
        mark = Mark.set(stage.target, live.frame)
        log_action(f"press {chord}", live, "Input.dispatchKeyEvent")
        await inputs.delivered(
            stage.target, inputs.press(live.session, held, key), stage.input_deadline
        )
        settled = await stage.finish(live, mark)
        data = invalid_fields(settled)
        if prepared["popup"]:
            receipt = popup_receipt(live.id, settled)
            data |= await popup_state(live.session, live.object_id)
        else:
            receipt = await key_receipt(stage, live, token, settled, total=1)
            if prepared["text"] and key.text and not held:
                data |= _entered(settled, secret=prepared["secret"])
        await require_effect(stage.target, live, mark, settled)
        return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    finally:
        others.end()
        stage.drop_token(token)
        live.release()


def _entered(settled: Settled, *, secret: bool) -> dict[str, Any]:
    """The value of a field after a character, and whether the key was refused."""
    seen = receipt_of(settled)
    if seen is None or not seen["value"]["connected"]:
        return {}
    value = seen["value"]["value"]
    shown = MASKED_PASSWORD if secret and value else value
    return {"value": shown, "refused": True} if seen["refused"] else {"value": shown}


async def _press_anywhere(stage: Stage, chord: str) -> Performed:
    """Press where the focus is: all frames are asked which one received the keys."""
    from cdp_agent.act.text.focused_keys import KeyBroadcast

    held, key = parse_chord(chord)
    target = stage.target
    token = stage.new_token()
    try:
        async with KeyBroadcast(target, token, stage.left_ms) as everywhere:
            mark = Mark.set(target, target.frames.main)
            log_action(f"press {chord}", None, "Input.dispatchKeyEvent")
            replies = inputs.press(target.session, held, key)
            await inputs.delivered(target, replies, stage.input_deadline)
            settled, receipt = await everywhere.finish(mark, stage)
        return Performed(None, mark, settled.settled, receipt, data=everywhere.data)
    finally:
        stage.drop_token(token)


async def _insert_lines(stage: Stage, live: LiveElement, text: str) -> bool:
    """Insert long text into a plain field at once. False: it has to go another way.

    `Input.insertText` sends two `input` events a line and takes time by the square of the lines:
    a thousand take seconds. An editing command of the document itself takes it in milliseconds,
    with one trusted `input` event.
    """
    if text.count("\n") < _MANY_LINES or "\r" in text or "\0" in text:
        return False
    log_action("fill", live, "execCommand insertHTML")
    reply = live.post("insertLines", text, timeout=stage.input_timeout)
    await inputs.delivered(stage.target, [reply], stage.input_deadline + 1)
    return not inputs.is_answered(reply) or bool(_answer(live, reply))


def _answer(live: LiveElement, reply: asyncio.Future[CallFunctionOnReturns]) -> Any:
    """Raises: StaleRef, FrameDetached: the document went away meanwhile."""
    try:
        return script_value(reply.result())
    except CdpAgentError as error:
        raise live.explain(error) from None


async def _slide(stage: Stage, editing: Editing, mark: Mark, value: str) -> Performed:
    """Move a slider by keys, with the events of a person who lets go of it.

    One key is enough where the page lets the browser have it; else it goes step by step. Where keys
    do nothing, the value is set.
    """
    live = editing.live
    aim = await live.call("aimSlider", value, timeout=stage.reply_timeout)
    if aim is None:
        return await _set(stage, editing, mark, value)
    log_action("fill", live, f"Input.dispatchKeyEvent ({aim['key']})")
    await _press_times(stage, live, aim["key"], 1)
    for _ in range(_TRIES):
        settled, receipt, after = await editing.finish(mark)
        if after is None or is_same_number(after, value):
            data = {"value": after, "exact": True}
            return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
        steps = (float(value) - float(after)) / aim["step"]
        if after == editing.prepared["value"] or abs(steps) > _MOST_STEPS:
            break
        await _press_times(
            stage, live, "ArrowUp" if steps > 0 else "ArrowDown", max(round(abs(steps)), 1)
        )
    return await _set(stage, editing, mark, value)


async def _press_times(stage: Stage, live: LiveElement, key: str, times: int) -> None:
    replies: inputs.Replies = []
    for _ in range(times):
        replies += inputs.press(live.session, [], require_key(key))
    await inputs.delivered(stage.target, replies, stage.input_deadline)


def _require_kept(editing: Editing, wanted: str, after: str) -> bool:
    """Returns whether the field holds just what it was given.

    Raises:
        NotEditable: it holds something else.
    """
    if editing.prepared["standIn"]:
        exact = is_kept_by_editor(wanted, after)
    else:
        exact = is_kept(wanted, after, editing.prepared["value"] or "")
    if exact is None:
        raise not_kept(editing.live, after, secret=editing.is_secret)
    return exact


async def _set(stage: Stage, editing: Editing, mark: Mark, value: str) -> Performed:
    live = editing.live
    log_action("fill", live, "value property")
    reply = live.post("setValue", value, timeout=stage.input_timeout, user_gesture=True)
    # A dialog that a handler of the page opens keeps the script from answering; the value is set.
    await inputs.delivered(stage.target, [reply], stage.input_deadline + 1)
    answer = _answer(live, reply) if inputs.is_answered(reply) else {"ok": True, "value": value}
    if not answer["ok"]:
        kind = editing.prepared["type"]
        raise InvalidParams(
            f"{value!r} is not a value of a {kind} field",
            hint=FORMATS.get(kind, ""),
            element_id=str(live.id),
        )
    settled, after = await editing.finish_set(mark)
    if after is not None and after != answer["value"]:
        raise not_kept(live, after, secret=False)
    receipt = Receipt(True, live.id, False, False, ("input", "change"))
    data = {"value": answer["value"]}
    return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
