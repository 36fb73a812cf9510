"""Bringing things into sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cdp_agent.act.frame_document import document_of, frame_shown_by
from cdp_agent.act.scroll.around import BoxesAround
from cdp_agent.act.scroll.distance import ScrollDistance, chunks, position
from cdp_agent.act.scroll.wheel import (
    DEPTH,
    has_moved,
    moved_facts,
    reach_or_show,
    stop_watching,
    turn,
    until_rest,
    wheel_receipt,
)
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.wait.mark import Mark
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import CdpAgentError, ConditionFailed, ElementNotVisible
from cdp_agent.ids import ElementId
from cdp_agent.protocol.chrome_errors import has_no_layout
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets.remote_objects import release_object

if TYPE_CHECKING:
    from cdp_use.cdp.domdebugger.commands import GetEventListenersParameters
    from cdp_use.cdp.runtime.commands import EvaluateParameters

_WHEEL_TYPES = frozenset({"wheel", "mousewheel"})


async def scroll_into_view(stage: Stage, element_id: ElementId) -> Performed:
    """Scroll until the element is in the viewport, parent documents too.

    Raises:
        ElementNotVisible: it has no box, or no scrolling brings it into view.
    """
    live = await stage.resolve(element_id)
    try:
        if not (await live.call("inView", timeout=stage.reply_timeout))["connected"]:
            live = await stage.heal(live)
        mark = Mark.set(stage.target, live.frame)
        log_action("scroll_into_view", live, "DOM.scrollIntoViewIfNeeded")
        try:
            await live.session.post(
                "DOM.scrollIntoViewIfNeeded",
                {"objectId": live.object_id},
                timeout=stage.reply_timeout,
            )
        except CdpAgentError as error:
            if has_no_layout(error):
                raise ElementNotVisible(
                    f"{live.id} is not shown", element_id=str(live.id)
                ) from None
            raise live.explain(error) from None
        # A page that undoes it does so when it hears of it, in the next frame.
        await evaluate_in_frame(
            stage.target, live.frame, "cdpAgent.nextFrame(50)", stage.reply_timeout
        )
        seen = await live.call("inView", timeout=stage.reply_timeout)
        if not seen["inView"]:
            raise ElementNotVisible(
                f"{live.id} cannot be scrolled into the viewport", element_id=str(live.id)
            )
        data = {"scroll_x": seen["scrollX"], "scroll_y": seen["scrollY"]}
        return Performed(live.id, mark, True, None, live.healed, data)
    finally:
        live.release()


async def scroll(stage: Stage, element_id: ElementId | None, travel: ScrollDistance) -> Performed:
    """Scroll the page, or the box that an element is or is in, and wait for rest.

    A real wheel over a point of that box; by script where the way is a place (top, bottom, a
    percentage) or where no point of the box can take a wheel. `data["by"]` says which.

    Raises:
        ElementNotVisible: the element is not shown.
        StaleRef, FrameDetached: it went away.
        ConditionFailed: it had room that way and has not moved: locked, or put back by the page.
    """
    live = await (
        stage.resolve(element_id)
        if element_id is not None
        else document_of(stage, stage.target.frames.main)
    )
    around = BoxesAround(stage)
    try:
        # First as a person would; then with its frame brought into sight; then by script.
        for attempt in range(3):
            mark = Mark.set(stage.target, live.frame)
            live, begun = await begin(stage, live, travel, script=attempt == 2)
            if mark.frame is not live.frame:
                mark = Mark.set(stage.target, live.frame)
            if not begun.get("done") and (not begun["spent"] or await _hears_wheel(stage, live)):
                point = await reach_or_show(stage, live, begun, last=attempt > 0)
                if point is None:
                    continue
                if begun["spent"]:
                    await around.begin(live.frame)
                log_action("scroll", live, f"wheel {begun['dx']:g},{begun['dy']:g} at {point}")
                await turn(stage, live, point, begun["dx"], begun["dy"])
            settled, facts = await until_rest(stage, live, mark)
            facts = await moved_facts(facts, around)
            if _is_stuck(settled, facts):
                if begun["locked"]:
                    raise _locked(live, element_id)
                if begun["expected"] and attempt < 2 and not begun.get("done"):
                    continue  # it had room, and something else took the wheel
                if begun["expected"]:
                    raise _put_back(live, element_id)
            data = {**position(facts, travel.axis), **chunks(facts)} if facts is not None else {}
            own = live.id if element_id is not None else None
            receipt = wheel_receipt(facts, own)
            return Performed(own, mark, settled.settled, receipt, live.healed, data)
        raise ElementNotVisible(f"{live.id} cannot be scrolled")
    finally:
        stop_watching(live)
        live.release()
        await around.end()


async def scroll_to_position(stage: Stage, travels: Sequence[ScrollDistance]) -> Performed:
    """Scroll the page along each way in turn, and say where it rests.

    Raises:
        ConditionFailed: it has not moved: locked, or put back by the page.
    """
    first, *others = [await scroll(stage, None, travel) for travel in travels]
    for last in others:
        if last.data.get("box") != first.data.get("box"):  # what scrolls along x is another box
            along = {name: first.data[name] for name in first.data if name.endswith("x")}
            last.data.update(along)
        else:
            last.data["moved_x"] = first.data["moved_x"]
        first = last
    return first


async def _hears_wheel(stage: Stage, live: LiveElement) -> bool:
    """Returns whether the element's document listens for wheel events."""
    world, post, seconds = live.frame.main_world, live.session.post, stage.reply_timeout
    if world is None:
        return True
    found = False
    try:
        for expression, depth in (("window", 1), ("document", -1)):
            call: EvaluateParameters = {"expression": expression, **world.for_evaluate}
            object_id = (await post("Runtime.evaluate", call, timeout=seconds))["result"][
                "objectId"
            ]
            ask: GetEventListenersParameters = {"objectId": object_id, "depth": depth}
            reply = await post("DOMDebugger.getEventListeners", ask, timeout=seconds)
            release_object(live.session, object_id)
            found = found or any(one["type"] in _WHEEL_TYPES for one in reply["listeners"])
    except CdpAgentError as error:
        raise live.explain(error) from None
    return found


def _is_stuck(settled: Settled, facts: dict[str, Any] | None) -> bool:
    """Returns whether nothing moved and no script answered the wheel otherwise."""
    if facts is None or has_moved(facts) or facts["prevented"]:
        return False
    return not (facts["wheels"] and settled.report is not None and settled.report["mutated"])


def _locked(live: LiveElement, element_id: ElementId | None) -> ConditionFailed:
    what = f"what {live.id} stands in" if element_id is not None else "the page"
    return ConditionFailed(
        f"{what} is locked: it has more content, but its style forbids scrolling",
        hint="A dialog or menu may be open; close it first. Clicks still scroll to their elements.",
    )


def _put_back(live: LiveElement, element_id: ElementId | None) -> ConditionFailed:
    what = f"what {live.id} stands in" if element_id is not None else "the page"
    return ConditionFailed(
        f"{what} has more content that way, but did not scroll",
        hint="The page has put it back. Take a snapshot to see what it shows.",
    )


async def begin(
    stage: Stage, live: LiveElement, travel: ScrollDistance, *, script: bool
) -> tuple[LiveElement, dict[str, Any]]:
    """Choose the box. Returns the element of its document: a frame may fill the page."""
    options = {**travel.options, "script": script, "lifeMs": stage.left_ms + 3000}
    for _ in range(DEPTH):
        begun = await live.call("scrollBegin", options, timeout=stage.reply_timeout)
        if begun.get("ok"):
            return live, begun
        if begun["why"] == "detached":
            live = await stage.heal(live)
        elif begun["why"] == "frame":
            inner = await frame_shown_by(stage, live, "cdpAgent.scrollFrame()")
            outer, live = live, await document_of(stage, inner)
            outer.release()
        else:
            raise await stage.cannot(live, begun, "scroll")
    raise ElementNotVisible(f"{live.id} is too deep in frames to scroll")
