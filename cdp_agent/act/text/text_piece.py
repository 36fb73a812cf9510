"""Replaces one piece of the text of a field or editor."""

from __future__ import annotations

from typing import Any

from cdp_agent.act.frame_document import hit_at
from cdp_agent.act.input import inputs
from cdp_agent.act.input.keys import require_key
from cdp_agent.act.pointer.click import click
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.text.editing import Editing
from cdp_agent.act.text.field_value import not_kept, require_text
from cdp_agent.act.text.text_entry import fill
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import ConditionFailed, InvalidParams, NotEditable
from cdp_agent.ids import ElementId

#: So much around the piece is compared afterwards, where an editor draws but a part of its text.
_AROUND = 20


async def replace_piece(stage: Stage, element_id: ElementId, old: str, new: str) -> Performed:
    """Select the piece, enter the other text in its place, and read the whole back.

    In an editor that draws its text itself the piece is selected by the pointer, as by a person;
    what it has scrolled out of its sight is not known.

    Raises:
        ConditionFailed: the piece is not there exactly once; `count` in its data says how often.
        NotEditable: it takes no text, or holds something else afterwards.
    """
    require_text(old)
    require_text(new)
    if not old:
        raise InvalidParams("the piece to replace is empty", hint="Use fill for the whole text.")
    drawn = await _select_drawn(stage, element_id, old)
    async with Editing(stage, element_id, select=False) as editing:
        live = editing.live
        if editing.prepared["how"] == "set" or editing.is_secret:
            raise NotEditable(f"{live.id} has no pieces of text", hint="Use fill for it.")
        place = drawn or await live.call("selectPiece", old, timeout=stage.input_timeout)
        _require_one(place, old, element_id)
        wanted = place["before"] + new + place["after"]
        if place.get("by") != "whole":
            mark = Mark.set(stage.target, live.frame)
            log_action("replace", live, "Input.insertText")
            if new:
                replies = [live.session.post("Input.insertText", {"text": new})]
            else:
                replies = inputs.press(live.session, [], require_key("Delete"))
            await inputs.delivered(stage.target, replies, stage.latest)
            settled, receipt, after = await editing.finish(mark)
            was_kept = (
                _is_replaced(place, old, new, after or "")
                if drawn is not None
                else _bare(after or "") == _bare(wanted)
            )
            if after is not None and not was_kept:
                raise not_kept(live, after, secret=False)
            data = editing.shown(after)
            return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    return await fill(stage, element_id, wanted)  # a field without a selection: email, number


async def _select_drawn(stage: Stage, element_id: ElementId, old: str) -> dict[str, Any] | None:
    """Select a piece that an editor has drawn: press where it begins, then, with Shift, at its end.

    Returns the texts around it; None where the element is a field of its own.
    """
    place = None
    for is_last in (False, True):
        live = await stage.resolve(element_id)
        try:
            place = await live.call("drawnEnd", old, is_last, timeout=stage.reply_timeout)
        finally:
            live.release()
        if place is None:
            return None
        _require_one(place, old, element_id)
        hit = await hit_at(stage, live.frame, place["x"], place["y"])
        if hit is None:
            raise NotEditable(
                f"{old[:80]!r} in {element_id} cannot be brought into sight",
                hint="Use fill with the whole text.",
                element_id=str(element_id),
            )
        modifiers = ("Shift",) if is_last else ()
        await click(stage, hit.id, position=hit.position, modifiers=modifiers)
    return place


def _require_one(place: dict[str, Any], old: str, element_id: ElementId) -> None:
    count = place["count"]
    if count != 1:
        often = "is not there" if not count else f"is there {count} times"
        raise ConditionFailed(
            f"{old[:80]!r} {often} in {element_id}; nothing was changed",
            hint="Give a piece that is there exactly once, with more of what is around it.",
            element_id=str(element_id),
            count=count,
        )


def _is_replaced(place: dict[str, Any], old: str, new: str, text: str) -> bool:
    """Returns whether a text has the new piece where it had the old one."""
    before, after = place["before"][-_AROUND:], place["after"][:_AROUND]
    has_new, has_old = (_bare(before + piece + after) in _bare(text) for piece in (new, old))
    return has_new and (_bare(old) == _bare(new) or not has_old)


def _bare(text: str) -> str:
    """Without white space, which editors keep in their own ways."""
    return "".join(text.split())
