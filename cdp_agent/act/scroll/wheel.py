"""The wheel: turned over an element or the page, or to scroll a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cdp_agent.act.frame_document import (
    bring_into_sight,
    document_of,
    frame_shown_by,
    hit_inside,
)
from cdp_agent.act.input import inputs
from cdp_agent.act.input.inputs import delivered
from cdp_agent.act.pointer.pointer import leave_other_process
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.scroll.around import BoxesAround
from cdp_agent.act.scroll.distance import is_number, position
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import (
    ActionTimeout,
    ElementNotVisible,
    ElementObscured,
    InvalidParams,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import Point

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters

#: A wheel that has moved nothing within this moves nothing.
FIRST_MOVE_MS = 250
#: Frames in frames: a page that is deeper has no middle.
DEPTH = 8


async def wheel(
    stage: Stage, element_id: ElementId | None, delta_x: float, delta_y: float
) -> Performed:
    """Turn the wheel over an element, or over the middle of the page.

    Raises:
        InvalidParams: a delta is not a number, or both are 0.
        ElementError: the element cannot be pointed at.
        ActionTimeout: nothing in the page received it.
    """
    if not is_number(delta_x) or not is_number(delta_y) or (delta_x == 0 and delta_y == 0):
        raise InvalidParams(f"({delta_x!r}, {delta_y!r}) is not a turn of a wheel")
    live, spot = await _spot(stage, element_id)
    around = BoxesAround(stage)
    try:
        point = await reach_or_show(stage, live, spot, last=False)
        if point is None:
            point = (await stage.reach(live, spot)).own
        await around.begin(live.frame)
        options = {"dx": delta_x, "dy": delta_y, "x": spot["x"], "y": spot["y"]}
        mark = Mark.set(stage.target, live.frame)
        begin = {**options, "lifeMs": stage.left_ms + 3000}
        await live.call("wheelBegin", begin, timeout=stage.reply_timeout)
        log_action("wheel", live, f"{delta_x:g},{delta_y:g} at {point.x:.1f},{point.y:.1f}")
        await turn(stage, live, point, delta_x, delta_y)
        settled, facts = await until_rest(stage, live, mark)
        if not _is_proved(stage, mark, facts):
            raise ActionTimeout(f"no wheel event arrived at {live.id}", element_id=str(live.id))
        facts = await moved_facts(facts, around)
        axis = "x" if abs(delta_x) > abs(delta_y) else "y"
        data = position(facts, axis) if facts is not None else {}
        own = live.id if element_id is not None else None
        receipt = wheel_receipt(facts, own)
        return Performed(own, mark, settled.settled, receipt, live.healed, data)
    finally:
        stop_watching(live)
        live.release()
        await around.end()


async def moved_facts(facts: dict[str, Any] | None, around: BoxesAround) -> dict[str, Any] | None:
    """The facts of the box that has moved: of one around the frame where none in it has."""
    if facts is None or has_moved(facts) or facts["prevented"]:
        return facts
    outer = await around.moved()
    return facts if outer is None else {**outer, "wheels": facts["wheels"]}


async def _spot(stage: Stage, element_id: ElementId | None) -> tuple[LiveElement, dict[str, Any]]:
    """The element for the pointer, in the element's own frame. The caller releases it."""
    if element_id is None:
        return await _middle(stage)
    live = await stage.resolve(element_id)
    position: tuple[float, float] | None = None
    try:
        while True:
            options = {"timeoutMs": stage.left_ms, "enabled": False, "position": position}
            spot = await stage.prepare(live, options)
            if spot.get("why") == "detached":
                live = await stage.heal(live)
            elif spot.get("why") == "frame" and (hit := await hit_inside(stage, live, None)):
                frame, live = live, await stage.resolve(hit.id)
                frame.release()
                position = hit.position
            elif not spot.get("ok"):
                raise await stage.cannot(live, spot, "wheel")
            else:
                return live, spot
    except BaseException:  # also when cancelled: the page's object is let go
        live.release()
        raise


async def _middle(stage: Stage) -> tuple[LiveElement, dict[str, Any]]:
    live = await document_of(stage, stage.target.frames.main)
    try:
        for _ in range(DEPTH):
            spot = await live.call("wheelSpot", timeout=stage.reply_timeout)
            if spot.get("ok"):
                return live, spot
            if spot["why"] != "frame":
                break
            inner = await frame_shown_by(stage, live, "cdpAgent.scrollFrame()")
            live.release()
            live = await document_of(stage, inner)
        raise ElementNotVisible("the page shows nothing to turn the wheel over")
    except BaseException:  # also when cancelled: the page's object is let go
        live.release()
        raise


async def turn(
    stage: Stage, live: LiveElement, point: Point, delta_x: float, delta_y: float
) -> None:
    """Send one turn to the frame of the element, and wait until the page has taken it."""
    leave_other_process(stage.target, live.session)
    replies = inputs.wheel(live.session, point, delta_x, delta_y)
    await delivered(stage.target, replies, stage.input_deadline)


async def reach_or_show(
    stage: Stage, live: LiveElement, begun: dict[str, Any], *, last: bool
) -> Point | None:
    """The point to send to; None where a parent document is in the way.

    Unless it is the `last` try, the parent documents are scrolled then.
    """
    try:
        return (await stage.reach(live, begun)).own
    except (ElementObscured, ElementNotVisible):
        if not last:
            await bring_into_sight(stage, live.frame)
        return None


async def until_rest(
    stage: Stage, live: LiveElement, mark: Mark
) -> tuple[Settled, dict[str, Any] | None]:
    """Wait until what scrolls has come to rest. No facts when the document went away."""
    options = {
        "firstMs": FIRST_MOVE_MS,
        "scrollMs": stage.rest_ms(1800),
    }
    settled = await stage.settle(mark, live.world, "scrollFinish", options)
    facts = settled.report.get("facts") if settled.report is not None else None
    return settled, facts


def stop_watching(live: LiveElement) -> None:
    expression: EvaluateParameters = {
        "expression": "cdpAgent.scrollDisarm()",
        **live.world.for_evaluate,
    }
    live.session.send_only("Runtime.evaluate", expression)


def _is_proved(stage: Stage, mark: Mark, facts: dict[str, Any] | None) -> bool:
    """Returns whether an event or a move shows the turn: a disabled control gets no event."""
    if facts is None:
        return stage.target.dialog is not None or has_navigated(stage.target, mark)
    return bool(facts["wheels"]) or has_moved(facts)


def has_moved(facts: dict[str, Any]) -> bool:
    return bool(facts["moved_x"] or facts["moved_y"])


def wheel_receipt(facts: dict[str, Any] | None, element_id: ElementId | None) -> Receipt | None:
    if facts is None or not facts["wheels"]:
        return None
    return Receipt(True, element_id, True, bool(facts["prevented"]), ("wheel",) * facts["wheels"])
