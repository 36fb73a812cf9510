"""Pointing at an element: where a person would, and nowhere else."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from cdp_agent.act.frame_document import hit_inside
from cdp_agent.act.input.inputs import Replies, delivered
from cdp_agent.act.pointer.effect_check import invalid_fields, require_effect
from cdp_agent.act.pointer.frame_guard import FrameGuard
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
    FrameDetached,
)
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import has_no_layout
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.reach import Point
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import PageTarget
from cdp_agent.targets.remote_objects import node_object

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchMouseEventParameters

#: Events that prove a gesture, by verb and button.
PROOF = {
    "left": frozenset({"click"}),
    "middle": frozenset({"auxclick"}),
    "right": frozenset({"contextmenu", "auxclick"}),
    "hover": frozenset({"pointermove", "mousemove"}),
}
_AFTER_PRESS = frozenset({"click", "auxclick", "mouseup", "pointerup", "dblclick"})
_ASKS_HINT = (
    "Chromium asks a person whether to open {} with another program, and takes no input here until"
    " the tab shows another site: page.goto one, then come back."
)


@dataclass(slots=True)
class Gesture:
    """The input to send at a point, and the events that prove its arrival."""

    verb: str
    send: Callable[[LiveElement, Point], Replies]
    proof: frozenset[str]
    needs_enabled: bool = True
    position: tuple[float, float] | None = None
    #: A gesture that presses a button is stopped when it would land elsewhere.
    presses: bool = True
    #: How many presses it has; each must arrive.
    count: int = 1
    #: What the element holds afterwards is asked for.
    answers: bool = False
    #: Nothing is sent once the element is ready.
    is_trial: bool = False

    @property
    def guards(self) -> Literal["press"] | None:
        """The input that other frames must not get."""
        return "press" if self.presses else None


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
    answer = await live.call("prepare", options, timeout=max(stage.left, 0.1))
    return answer if isinstance(answer, dict) else {"why": "hidden"}


async def _give_way(stage: Stage, live: LiveElement, tries: int) -> None:
    """Scroll the frame into sight where a parent document is in the way.

    Each parent lives in a process of its own and scrolls when it hears of it.
    """
    if tries == 0:
        try:
            await live.session.post(
                "DOM.scrollIntoViewIfNeeded",
                {"objectId": live.object_id},
                timeout=max(stage.left, 0.2),
            )
        except CdpAgentError as error:
            if not has_no_layout(error):  # else its frame is not rendered, as the next try will say
                raise live.explain(error) from None
    elif tries % 4 == 1:
        # An edge of it may be in sight already, which is enough for the other way.
        await live.call("center", timeout=max(stage.left, 0.2))
    for frame in live.frame.ancestors():
        await evaluate_in_frame(stage.target, frame, "cdpAgent.nextFrame(50)", max(stage.left, 0.2))


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
    await delivered(target, replies, max(stage.deadline, time.monotonic() + 0.5))
    settled = await stage.finish(live, mark, answers=gesture.answers)
    verdict = await _judge(stage, live, gesture, token, settled)
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
    """A process is not told by another's input that the pointer has left it."""
    before, target.pointer_session = target.pointer_session, session
    if before is not None and before is not session and before.ended is None:
        away: DispatchMouseEventParameters = {
            "type": "mouseMoved",
            "x": -1,
            "y": -1,
            "button": "none",
        }
        before.send_only("Input.dispatchMouseEvent", away)


async def _judge(
    stage: Stage, live: LiveElement, gesture: Gesture, token: int, settled: Settled
) -> Receipt | CdpAgentError:
    seen = receipt_of(settled)
    if seen is None:
        return await _judge_by_notes(stage, live, gesture, token)
    events = tuple(seen["events"])
    what = f"{live.id} ({live.ref.role} {live.ref.name[:60]!r})"
    notes = stage.notes(token)
    if await _is_proved(live, gesture, seen, missed="missed" in notes):
        prevented, stopped = bool(seen["prevented"]), bool(seen["stopped"])
        trusted, release = bool(seen["trusted"]), str(seen["release"])
        return Receipt(True, live.id, trusted, prevented, events, stopped, release)
    if seen["state"] == "waiting" and "missed" in notes:  # a frame has slid under the pointer
        cover = notes["missed"].get("cover", "")
        return ElementObscured(f"{what} is under {cover}", element_id=str(live.id))
    if seen["state"] == "missed":
        return await stage.cannot(
            live,
            {"why": "covered", "cover": notes.get("missed", {}).get("cover", "")},
            gesture.verb,
        )
    if seen["state"] in ("landed", "strayed"):
        message = f"{what} took the press, but not the release: {seen['release'] or 'none came'}"
        if not seen["release"] and "mouseup" in events:
            message = f"{what} took the press and the release, and no {gesture.verb} came of them"
        if gesture.count > 1 and set(events) & gesture.proof:
            cover = notes.get("strayed", {}).get("cover", "")
            message = (
                f"{what} took the first of {gesture.count} clicks; then it was replaced, disabled"
                f" or covered{f' by {cover}' if cover else ''}, and the rest did not reach it"
            )
        return ElementUnstable(
            message,
            element_id=str(live.id),
            hint="Take a new snapshot: the press may have had an effect.",
        )
    asked = stage.target.asks_person
    silence = ActionTimeout(
        f"no event of the {gesture.verb} arrived at {what}",
        element_id=str(live.id),
        hint=_ASKS_HINT.format(asked[:200]) if asked else None,
    )
    if gesture.presses and events:
        raise silence  # the browser took the press after the move: it may have acted unheard
    return silence


async def _is_proved(
    live: LiveElement, gesture: Gesture, seen: dict[str, Any], *, missed: bool
) -> bool:
    events = set(seen["events"])
    # The controls of audio and video keep the press: it went where the move before it arrived.
    if seen["kept"] and seen["state"] == "waiting" and events and not missed:
        return True
    if gesture.count > 1:
        return any(seen["finals"].get(one, 0) >= gesture.count for one in gesture.proof)
    gone = not seen["connected"] and {"pointerdown", "pointerup"} <= events
    if gesture.proof & events or gone:
        return True
    if not gesture.presses or seen["state"] != "landed":
        return False
    return bool(seen["taken"] or (seen["reacted"] and not await _listens_for_release(live)))


async def _listens_for_release(live: LiveElement) -> bool:
    """Returns whether the element listens for events after the press."""
    post = live.session.post
    try:
        node = (await post("DOM.describeNode", {"objectId": live.object_id}, timeout=1))["node"]
        # Chromium lists the listeners of the world that the object is of: the page's own.
        async with node_object(live.session, node["backendNodeId"], None, 1) as own:
            reply = await post("DOMDebugger.getEventListeners", {"objectId": own}, timeout=1)
    except CdpAgentError:
        return True  # it cannot be told
    return any(listener["type"] in _AFTER_PRESS for listener in reply["listeners"])


async def _judge_by_notes(
    stage: Stage, live: LiveElement, gesture: Gesture, token: int
) -> Receipt | CdpAgentError:
    """The receipt by notes of a document that is gone or blocked by a dialog."""
    await stage.target.until(lambda: bool(stage.notes(token)), 0.3, alive=False)
    notes = stage.notes(token)
    if "missed" in notes:
        return ElementObscured(
            f"{live.id} is under {notes['missed'].get('cover', '')}", element_id=str(live.id)
        )
    if notes:
        events = tuple(n["type"] for n in stage.target.receipts.get(token, ()) if "type" in n)
        return Receipt(True, live.id, True, False, events)
    stage.target.require_alive()
    if live.frame.session is None:
        return FrameDetached(f"frame {live.frame.index} of {live.id} was removed")
    return ActionTimeout(
        f"there is no proof that the {gesture.verb} arrived at {live.id}", element_id=str(live.id)
    )
