"""Replaces one piece of the text of a field or editor."""

from __future__ import annotations

from cdp_agent.act.input import inputs
from cdp_agent.act.input.keys import require_key
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.text.editing import Editing
from cdp_agent.act.text.field_value import not_kept, require_text
from cdp_agent.act.text.text_entry import fill
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import ConditionFailed, InvalidParams, NotEditable
from cdp_agent.ids import ElementId


async def replace_piece(stage: Stage, element_id: ElementId, old: str, new: str) -> Performed:
    """Select the piece, enter the other text in its place, and read the whole back.

    Raises:
        ConditionFailed: the piece is not there exactly once; `count` in its data says how often.
        NotEditable: it takes no text, holds something else afterwards, or is an editor whose text
            no script can select.
    """
    require_text(old)
    require_text(new)
    if not old:
        raise InvalidParams("the piece to replace is empty", hint="Use fill for the whole text.")
    async with Editing(stage, element_id, select=False) as editing:
        live = editing.live
        if editing.prepared["how"] == "set" or editing.is_secret:
            raise NotEditable(f"{live.id} has no pieces of text", hint="Use fill for it.")
        place = await live.call("selectPiece", old, timeout=stage.input_timeout)
        if place["count"] is None:
            raise NotEditable(
                f"{live.id} stands for an editor whose text cannot be selected",
                hint="Use fill with the whole text.",
                element_id=str(live.id),
            )
        if place["count"] != 1:
            often = "is not there" if not place["count"] else f"is there {place['count']} times"
            raise ConditionFailed(
                f"{old[:80]!r} {often} in {live.id}; nothing was changed",
                hint="Give a piece that is there exactly once, with more of what is around it.",
                element_id=str(live.id),
                count=place["count"],
            )
        wanted = place["before"] + new + place["after"]
        if place["by"] == "selection":
            mark = Mark.set(stage.target, live.frame)
            log_action("replace", live, "Input.insertText")
            if new:
                replies = [live.session.post("Input.insertText", {"text": new})]
            else:
                replies = inputs.press(live.session, [], require_key("Delete"))
            await inputs.delivered(stage.target, replies, stage.latest)
            settled, receipt, after = await editing.finish(mark)
            if after is not None and "".join(after.split()) != "".join(wanted.split()):
                raise not_kept(live, after, secret=False)
            data = editing.shown(after)
            return Performed(live.id, mark, settled.settled, receipt, live.healed, data)
    return await fill(stage, element_id, wanted)  # a field without a selection: email, number
