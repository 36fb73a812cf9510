"""Click and hover."""

from __future__ import annotations

from collections.abc import Sequence

from cdp_agent.act.input import inputs
from cdp_agent.act.input.inputs import Replies
from cdp_agent.act.pointer.gesture import PROOF, Gesture
from cdp_agent.act.pointer.pointer import point_and
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.action_table.entry import Button
from cdp_agent.action_table.limits import MOST_CLICKS
from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import Point


async def click(
    stage: Stage,
    element_id: ElementId,
    *,
    button: Button = "left",
    count: int = 1,
    modifiers: Sequence[str] = (),
    position: tuple[float, float] | None = None,
    answers: bool = False,
    trial: bool = False,
) -> Performed:
    """Click where a person would: in view, on the element itself, at its middle.

    Of several clicks each must arrive: one that would hit what the first has brought is stopped.
    With `trial` the element is made ready, and nothing is sent.
    """
    if button not in ("left", "middle", "right"):
        raise InvalidParams(f"{button!r} is not a mouse button", hint="left, right or middle.")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_CLICKS:
        raise InvalidParams(f"count must be from 1 to {MOST_CLICKS}, not {count!r}")
    bits = inputs.modifier_bits(modifiers)
    inputs.require_position(position)

    def send(live: LiveElement, point: Point) -> Replies:
        return inputs.click(live.session, point, button, count, bits)

    gesture = Gesture("click", send, PROOF[button], position=position, count=count, answers=answers)
    gesture.is_trial = trial
    return await point_and(stage, element_id, gesture)


async def hover(
    stage: Stage,
    element_id: ElementId,
    *,
    modifiers: Sequence[str] = (),
    position: tuple[float, float] | None = None,
) -> Performed:
    """Put the pointer on the element."""
    bits = inputs.modifier_bits(modifiers)
    inputs.require_position(position)
    tries = 0

    def send(live: LiveElement, point: Point) -> Replies:
        nonlocal tries
        tries += 1
        if tries == 1:
            return inputs.move(live.session, point, bits)
        # A pointer that rests there already causes no event: come from a pixel away.
        aside = Point(point.x + 1, point.y + 1)
        return inputs.move(live.session, aside, bits) + inputs.move(live.session, point, bits)

    gesture = Gesture(
        "hover", send, PROOF["hover"], needs_enabled=False, position=position, presses=False
    )
    return await point_and(stage, element_id, gesture)
