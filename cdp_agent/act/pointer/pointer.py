"""Pointing at an element: where a person would, and nowhere else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cdp_agent.act.frame_document import hit_inside
from cdp_agent.act.input.inputs import delivered
from cdp_agent.act.pointer.effect_check import invalid_fields, require_effect
from cdp_agent.act.pointer.frame_guard import FrameGuard
from cdp_agent.act.pointer.gesture import Gesture
from cdp_agent.act.pointer.proof import judge
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, is_logged, log_action, receipt_of
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    CommandTimeout,
    ElementNotVisible,
    ElementObscured,
    ElementUnstable,
)
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import has_no_layout
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import Point
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchMouseEventParameters


async def point_and(stage: Stage, element_id: ElementId, gesture: Gesture) -> Performed:
    """Make the element ready, send the gesture, and return with proof of its arrival.

    Raises:
        ElementError: it cannot be pointed at; nothing was sent, or what was sent was stopped.
        FrameDetached, TargetError: it went away meanwhile.
        ActionTimeout: the page did not take the input in time.
    """
    live = await stage.resolve(element_id)
    problem: CdpAgentError | None = None
    avoid = tries = 0
    try:
        while True:
            if stage.left <= 0:
                raise problem or ActionTimeout(f"no time left to {gesture.verb} {live.id}")
            token = stage.new_token()
            others = FrameGuard(stage, token, None)
            try:
                with _rather(problem):
                    prepared = await _prepare(stage, live, gesture, token, avoid)
                if prepared.get("why") == "detached":
                    live = await stage.heal(live)
                    continue
                if prepared.get("why") == "frame":
                    return await _point_inside(stage, live, gesture)
                if not prepared.get("ok"):
                    known = problem if stage.left < 0.2 else None
                    raise known or await stage.cannot(live, prepared, gesture.verb)
                try:
                    with _rather(problem):
                        others = FrameGuard(stage, token, gesture.guards, gives=gesture.answers)
                        others.armed = live.world
                        await others.ready()
                        point = (await stage.reach(live, prepared)).own
                except (ElementObscured, ElementNotVisible) as error:
                    problem = error
                    stage.disarm(live)
                    with _rather(problem):
                        await _give_way(stage, live, tries)
                    tries += 1
                    if isinstance(error, ElementObscured):
                        avoid += 1  # another alignment may free it
                    continue
                if gesture.is_trial:
                    stage.disarm(live)
                    mark = Mark.set(stage.target, live.frame)
                    return Performed(live.id, mark, True, None, live.healed, {"trial": True})
                performed = await _perform(stage, live, gesture, token, prepared, point)
                if isinstance(performed, Performed):
                    return performed
                problem = performed
                avoid += 1
            finally:
                others.end()
                stage.drop_token(token)
    finally:
        live.release()


async def _point_inside(stage: Stage, frame: LiveElement, gesture: Gesture) -> Performed:
    """The gesture on a frame itself: the element of its document that is there takes it.

    `data["inside"]` describes that element, and the receipt names it.
    """
    hit = await hit_inside(stage, frame, gesture.position)
    if hit is None:
        raise await stage.cannot(frame, {"why": "outside"}, gesture.verb)
    done = await point_and(stage, hit.id, replace(gesture, position=hit.position))
    done.data["inside"] = hit.words
    return done


@contextlib.contextmanager
def _rather(problem: CdpAgentError | None) -> Iterator[None]:
    """Raises the known obstacle in place of the timeout that followed it."""
    try:
        yield
    except CommandTimeout:
        if problem is None:
            raise
        raise problem from None


async def _prepare(
    stage: Stage, live: LiveElement, gesture: Gesture, token: int, avoid: int
) -> dict[str, Any]:
    box = live.ref.box
    options = {
        "timeoutMs": stage.left_ms,
        "enabled": gesture.needs_enabled,
        "position": list(gesture.position) if gesture.position is not None else None,
        "seen": list(box) if box is not None else None,
        "guard": {
            "kind": "pointer",
            "token": token,
            "id": str(live.id),
            "gives": gesture.answers or not gesture.presses,
            "presses": gesture.presses,
            "count": gesture.count,
            "lifeMs": stage.left_ms + 1000,
        },
        "avoid": avoid,
        "tell": is_logged(),
    }
    return await stage.prepare(live, options)


async def _give_way(stage: Stage, live: LiveElement, tries: int) -> None:
    """Scroll the frame into sight where a parent document is in the way.

    Each parent lives in a process of its own and scrolls when it hears of it.
    """
    if tries == 0:
        try:
            await live.session.post(
                "DOM.scrollIntoViewIfNeeded",
                {"objectId": live.object_id},
                timeout=stage.reply_timeout,
            )
        except CdpAgentError as error:
            if not has_no_layout(error):  # else its frame is not rendered, as the next try will say
                raise live.explain(error) from None
    elif tries % 4 == 1:
        # An edge of it may be in sight already, which is enough for the other way.
        await live.call("center", timeout=stage.reply_timeout)
    for frame in live.frame.ancestors():
        await evaluate_in_frame(stage.target, frame, "cdpAgent.nextFrame(50)", stage.reply_timeout)


async def _perform(
    stage: Stage,
    live: LiveElement,
    gesture: Gesture,
    token: int,
    prepared: dict[str, Any],
    point: Point,
) -> Performed | CdpAgentError:
    """Send it. Answers the error to retry on when it was stopped or did not arrive."""
    target = stage.target
    mark = Mark.set(target, live.frame)
    where = f"{point.x:.1f},{point.y:.1f}, quads {prepared.get('quads')}"
    log_action(gesture.verb, live, f"Input.dispatchMouseEvent at {where}")
    leave_other_process(target, live.session)
    replies = gesture.send(live, point)
    await delivered(target, replies, stage.input_deadline)
    settled = await stage.finish(live, mark, answers=gesture.answers)
    verdict = await judge(stage, live, gesture, token, settled)
    if isinstance(verdict, Receipt):
        await require_effect(target, live, mark, settled)
        data = invalid_fields(settled)
        if not gesture.presses:
            data |= await _cover_now(stage, live, prepared, settled)
        return Performed(live.id, mark, settled.settled, verdict, live.healed, data)
    if isinstance(verdict, ElementUnstable):
        raise verdict  # the press was taken: trying again would act twice
    return verdict


async def _cover_now(
    stage: Stage, live: LiveElement, prepared: dict[str, Any], settled: Settled
) -> dict[str, str]:
    """The cover that the page put over the element after the pointer came.

    No error: the element has had the pointer, and a picture that shows its buttons, or a lens in
    the place of a picture, does just that.
    """
    seen = receipt_of(settled)
    if seen is None or stage.target.dialog is not None:
        return {}
    if seen["covered"]:
        return {"covered": seen["covered"]}
    if live.frame.parent is not None:
        try:
            await stage.reach(live, prepared)
        except ElementObscured as error:
            return {"covered": error.message}
        except CdpAgentError:
            return {}  # its frame has gone or is out of sight by now
    return {}


def leave_other_process(target: PageTarget, session: Session) -> None:
    """Tell the process that had the pointer that it has left: Chromium does not."""
    before, target.pointer_session = target.pointer_session, session
    if before is not None and before is not session and before.ended is None:
        away: DispatchMouseEventParameters = {
            "type": "mouseMoved",
            "x": -1,
            "y": -1,
            "button": "none",
        }
        before.send_only("Input.dispatchMouseEvent", away)
