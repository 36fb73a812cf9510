"""Keys where the focus is: text without a target, and one key several times."""

from __future__ import annotations

import asyncio

from cdp_agent.act.input import inputs
from cdp_agent.act.input.keys import require_key
from cdp_agent.act.pointer.focus import focus_holder
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.text import text_entry
from cdp_agent.act.text.field_value import require_keys
from cdp_agent.act.text.focused_keys import KeyBroadcast
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.action_table.limits import MOST_TIMES
from cdp_agent.errors import CdpAgentError, InvalidParams, NotEditable
from cdp_agent.ids import ElementId


async def type_keys(
    stage: Stage, element_id: ElementId | None, value: str, *, delay_ms: float, commit_enter: bool
) -> Performed:
    """Type key by key into an element, or into what has the focus."""
    if element_id is None:
        return await type_at_focus(stage, value, delay_ms=delay_ms, commit_enter=commit_enter)
    return await text_entry.type_text(
        stage, element_id, value, delay_ms=delay_ms, commit_enter=commit_enter
    )


async def type_at_focus(
    stage: Stage, value: str, *, delay_ms: float = 0, commit_enter: bool = False
) -> Performed:
    """Type key by key into what has the focus; `focus` in the data describes it.

    A grid that begins to edit with the first key, a canvas and a list get the keys without being a
    field; then the receipt alone is the evidence, and `typed` counts them.

    Raises:
        InvalidParams: nothing has the focus.
        NotEditable: what has it takes no text, so that characters would be commands of the page.
    """
    require_keys(value, delay_ms)
    holder = await focus_holder(stage)
    if holder.takes_text:
        done = await text_entry.type_text(
            stage, holder.id, value, delay_ms=delay_ms, commit_enter=commit_enter
        )
    elif not holder.takes_characters:
        raise NotEditable(
            f"{holder.id} {holder.words}, which has the focus, takes no text",
            hint="Click into a field first or name one; `press` is for keys that are commands.",
            element_id=str(holder.id),
        )
    else:
        done = await _type_keys(stage, value, delay_ms, commit_enter)
        done.element_id = done.element_id or holder.id
    done.data |= {"focus": holder.words, "id": str(holder.id)}
    return done


async def _type_keys(stage: Stage, value: str, delay_ms: float, commit_enter: bool) -> Performed:
    """Type in whichever frame has the focus; the first key may move it."""
    target = stage.target
    token = stage.new_token()
    try:
        async with KeyBroadcast(target, token, stage.left_ms) as everywhere:
            mark = Mark.set(target, target.frames.main)
            log_action("type", None, f"Input.dispatchKeyEvent ({len(value)} characters)")
            for number, character in enumerate(value.replace("\r\n", "\n")):
                if delay_ms and number:
                    await asyncio.sleep(delay_ms / 1000)
                replies = inputs.type_character(target.session, character)
                if not await inputs.delivered(target, replies, stage.latest):
                    break
            if commit_enter and target.dialog is None:
                replies = inputs.press(target.session, [], require_key("Enter"))
                await inputs.delivered(target, replies, stage.latest)
            settled, receipt = await everywhere.finish(mark, stage)
        data = {**everywhere.data, "typed": len(value)}
        return Performed(None, mark, settled.settled, receipt, data=data)
    finally:
        stage.drop_token(token)


async def press_times(
    stage: Stage, element_id: ElementId | None, chord: str, times: int
) -> Performed:
    """Press a key several times, each after what the one before it began is over.

    A dialog or another document ends it; `pressed` in the data, or of an error, says how often the
    key was pressed.

    Raises:
        InvalidParams: `times` is not from 1 to 100.
    """
    if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= MOST_TIMES:
        raise InvalidParams(f"times must be from 1 to {MOST_TIMES}, not {times!r}")
    marks: list[Mark] = []
    for number in range(1, times + 1):
        try:
            done = await text_entry.press(stage, chord, element_id)
        except CdpAgentError as error:
            if times > 1:
                error.message = f"press {number} of {times}: {error.message}"
                error.data["pressed"] = number - 1
            raise
        marks.append(done.mark)
        if stage.target.dialog is not None or has_navigated(stage.target, marks[0]):
            break
    if times > 1:
        done.mark = marks[0]
        done.data["pressed"] = number
    return done
