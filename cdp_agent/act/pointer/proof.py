"""The proof that a gesture arrived: the receipt of the element's document, or its reports."""

from __future__ import annotations

from typing import Any

from cdp_agent.act.pointer.gesture import Gesture
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Stage, receipt_of
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ElementObscured,
    ElementUnstable,
    FrameDetached,
)
from cdp_agent.resolve import LiveElement
from cdp_agent.targets.remote_objects import node_object

_AFTER_PRESS = frozenset({"click", "auxclick", "mouseup", "pointerup", "dblclick"})
_ASKS_HINT = (
    "Chromium asks a person whether to open {} with another program, and takes no input here until"
    " the tab shows another site: page.goto one, then come back."
)


async def judge(
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
    # An element that goes as the pointer comes has not been hovered: no move has reached it.
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
