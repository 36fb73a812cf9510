"""Dragging: press on one element, carry, let go on another.

The same mouse events serve both kinds of drag. A page that listens to the mouse sees them; where
they begin a drag-and-drop of the browser, Chromium turns them into its events by itself. That works
through the page's own session alone, where it also goes from frame to frame. A mouse that only the
page sees belongs to the document it was pressed in until it is let go, wherever it moves: there
the rest goes to that document's session, since Chromium would give it to what is at the point.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from cdp_agent.act.drag.drag_listeners import DragListeners
from cdp_agent.act.drag.drag_path import Route
from cdp_agent.act.drag.held_mouse import HeldMouse, between, moved
from cdp_agent.act.pointer.pointer import leave_other_process
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ConditionFailed,
    ElementNotVisible,
    ElementObscured,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import PointPair
from cdp_agent.targets import Frame

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchDragEventParameters

#: Moves that get a drag going: below and above what Chromium and libraries take for a click.
_FIRST_MOVES = (2.0, 9.0)
#: A person rests before letting go; a list that has just made room is deaf for 30 ms.
_HOVER_FRAMES = 3
#: How often a target that moved from under the pointer is aimed at again.
_AIMS = 4


async def drag(stage: Stage, source_id: ElementId, route: Route) -> Performed:
    """Carry the element there and let go, or as the route says press Escape.

    Raises:
        ElementError: one of the two cannot be pointed at; nothing was dropped.
        ConditionFailed: the target did not accept it.
        DialogOpen: the page asked something in the middle; the drag was given up.
    """
    source = await stage.resolve(source_id)
    try:
        target = await stage.resolve(route.target) if route.target is not None else None
    except BaseException:  # also when cancelled: the source's object is let go
        source.release()
        raise
    drag = _Drag(stage, route, source, target)
    try:
        return await drag.perform()
    finally:
        drag.source.release()
        if drag.target is not None:
            drag.target.release()


class _Drag:
    def __init__(
        self, stage: Stage, route: Route, source: LiveElement, target: LiveElement | None
    ) -> None:
        self.stage = stage
        self.route = route
        self.source = source
        self.target = target
        self.listeners = DragListeners(stage, source, target)
        self.mouse = HeldMouse(stage, source, self.listeners)
        self.healed = False

    async def perform(self) -> Performed:
        try:
            guess = await self._aim() if self.target is not None else None
            await self._press_source()
            mark = Mark.set(self.stage.target, self._goal_frame)
            await self._carry(guess)
            if self.route.cancel:
                await self._escape()
            else:
                await self._drop()
            return await self._prove(mark)
        finally:
            self.mouse.let_go()
            self.listeners.end()

    @property
    def _goal_frame(self) -> Frame:
        return (self.target or self.source).frame

    # -- aiming -------------------------------------------------------------------------------

    async def _ready(self, live: LiveElement, position: Any, *, enabled: bool) -> dict[str, Any]:
        options = {
            "timeoutMs": self.stage.left_ms,
            "enabled": enabled,
            "position": list(position) if position is not None else None,
        }
        ready = await self.stage.prepare(live, options)
        if not ready.get("ok") and ready.get("why") != "detached":
            raise await self.stage.cannot(live, ready, "drag")
        return dict(ready)

    async def _point(self, live: LiveElement, position: Any, *, enabled: bool) -> PointPair | None:
        """The point of the element, scrolled into view; None when it was replaced."""
        tries = 0
        while True:
            ready = await self._ready(live, position, enabled=enabled)
            if not ready.get("ok"):
                return None
            try:
                return await self.stage.reach(live, ready)
            except (ElementObscured, ElementNotVisible):
                tries += 1
                if self.stage.left < 0.1 or tries > 20:
                    raise
            # Its frame is out of sight: have every document around it scrolled.
            await live.call("center", timeout=self.stage.reply_timeout)
            for frame in live.frame.ancestors():
                await self.listeners.try_ask(frame, "cdpAgent.nextFrame(50)")

    async def _aim(self) -> PointPair:
        """The point of the target now."""
        assert self.target is not None
        point = await self._point(self.target, self.route.target_position, enabled=False)
        if point is None:
            self.target = await self.stage.heal(self.target)
            self.healed = True
            if self.mouse.is_holding:
                await self.target.call("carryRetarget", timeout=self.stage.reply_timeout)
            return await self._aim()
        if self.target.session is self.source.session:
            return point
        # As the source's document would count it; exact unless its frame is scaled.
        x, y = point.top.x - self.mouse.start.top.x, point.top.y - self.mouse.start.top.y
        return PointPair(moved(self.mouse.start.own, x, y), point.top)

    # -- taking hold --------------------------------------------------------------------------

    async def _press_source(self) -> None:
        """Press on the source. A press that would land elsewhere is stopped and retried."""
        problem: CdpAgentError | None = None
        while problem is None or self.stage.left > 0.1:
            position = self.route.source_position
            point = await self._point(self.source, position, enabled=True)
            if point is None:
                self.source = await self.stage.heal(self.source)
                self.healed = True
                continue
            self.listeners.end()
            self.listeners = DragListeners(self.stage, self.source, self.target)
            self.mouse.listeners, self.mouse.source = self.listeners, self.source
            await self.listeners.begin(anywhere=self.target is None)
            leave_other_process(self.stage.target, self.stage.target.session)
            x, y = point.top
            log_action("drag", self.source, f"mousePressed at {x:.1f},{y:.1f}")
            await self.mouse.press(point)
            await self.listeners.wait_note({"landed", "missed"})
            self.mouse.require_no_dialog()
            notes = self.listeners.notes()
            if "landed" in notes:
                return
            self.mouse.let_go()
            problem = (
                ElementObscured(
                    f"{self.source.id} is under {notes['missed'].get('cover', '')}",
                    element_id=str(self.source.id),
                )
                if "missed" in notes
                else ActionTimeout(
                    f"no press arrived at {self.source.id}", element_id=str(self.source.id)
                )
            )
        raise problem

    # -- on the way ---------------------------------------------------------------------------

    async def _carry(self, guess: PointPair | None) -> None:
        if self.route.path is not None:
            left, top = self.route.path[0]
            for number, (x, y) in enumerate(self.route.path):
                await self.mouse.move(self.mouse.from_start(x - left, y - top))
                if number == 2 and not await self._native_drag_begun():
                    self.mouse.stay_with_source()
            return
        end = guess or self.mouse.from_start(*(self.route.by or (0.0, 0.0)))
        length = math.hypot(end.top.x - self.mouse.start.top.x, end.top.y - self.mouse.start.top.y)
        for distance in _FIRST_MOVES:
            await self.mouse.move(between(self.mouse.start, end, min(distance / max(length, 1), 1)))
        if not await self._native_drag_begun():
            self.mouse.stay_with_source()
        over: str | None = None
        for _ in range(_AIMS):
            # Only now: a list makes room when the drag begins, and a page may have scrolled.
            end = await self._aim() if self.target is not None else end
            await self._move_to(end)
            over = await self._over()
            if over is None:
                return
        assert self.target is not None
        raise ElementObscured(
            f"{self.target.id} is under {over} when something is dragged onto it",
            element_id=str(self.target.id),
        )

    async def _move_to(self, end: PointPair) -> None:
        start = self.mouse.at
        for number in range(1, self.route.steps + 1):
            await self.mouse.move(between(start, end, number / self.route.steps))
        await self.mouse.move(end)  # what was entered by the last move is told that it is over it
        for _ in range(_HOVER_FRAMES):
            await self.listeners.try_ask(self._goal_frame, "cdpAgent.nextFrame(50)")
        await self.mouse.move(end)

    async def _native_drag_begun(self) -> bool:
        """Returns whether the browser's own drag-and-drop is under way, once it is known."""
        state = await self.listeners.try_ask(self.source.frame, "cdpAgent.carryState()")
        if not state or not state["started"]:
            return False
        await self.listeners.wait_note({"entered"})
        return True

    async def _over(self) -> str | None:
        """The element under the pointer instead of the target."""
        if self.target is None:
            return None
        is_native = await self._native_drag_begun()
        # The mouse belongs to the frame it was pressed in, until it is let go.
        frame = self.target.frame if is_native else self.source.frame
        if frame is not self.target.frame:
            return None
        state = await self.listeners.try_ask(frame, "cdpAgent.carryState()")
        if not state or state["over"] == "other":
            return state["cover"] if state else "nothing"
        return None

    # -- letting go ---------------------------------------------------------------------------

    async def _drop(self) -> None:
        is_native = await self._native_drag_begun()
        await self.mouse.release()
        if not is_native:
            await self.listeners.wait_note({"up", "ended"})
            return
        crosses = self.target is not None and self.target.session is not self.source.session
        await self.listeners.wait_note({"dropped", "strayed"} if crosses else {"ended"})
        if "ended" not in self.listeners.notes():
            await self._tell_source()

    async def _tell_source(self) -> None:
        """A drag that left its process ends there too, with what became of it."""
        dropped = self.listeners.notes().get("dropped")
        root = self.source.frame.local_root
        effect = dropped["effect"] if dropped is not None else "none"
        place = None
        for frame in dict.fromkeys([self.source.frame, root]):
            place = await self.listeners.try_ask(
                frame, f"cdpAgent.carryClose({json.dumps(effect)})"
            )
        if place is None or root.session is None:
            return  # the source left with its document
        kinds = ("dragEnter", "dragOver", "drop") if effect != "none" else ("dragCancel",)
        for kind in kinds:
            params: DispatchDragEventParameters = {
                "type": kind,
                "x": place["x"],
                "y": place["y"],
                "data": {"items": [], "dragOperationsMask": 1 | 2 | 16},
            }
            await root.session.post("Input.dispatchDragEvent", params, timeout=2)
        await self.listeners.wait_note({"ended"})

    async def _escape(self) -> None:
        """Give the drag up. Chromium leaves Escape to the system's drag-and-drop."""
        if await self._native_drag_begun():
            await self.mouse.cancel_dragging()
            await self.listeners.wait_note({"ended"}, 0.2)
            if "ended" not in self.listeners.notes():
                await self._tell_source()
        else:
            await self.mouse.press_key("Escape")
        await self.mouse.release()

    # -- evidence -----------------------------------------------------------------------------

    async def _prove(self, mark: Mark) -> Performed:
        stage = self.stage
        settled = await stage.settle(mark, (self.target or self.source).world, "rest", {})
        notes = self.listeners.notes()
        is_native = "started" in notes and ("ended" in notes or "dropped" in notes)
        kind = "html5" if is_native else "mouse"
        data: dict[str, Any] = {"kind": kind}
        if not is_native and settled.report is not None:
            data["changed"] = bool(settled.report["changed"]) and await self._has_effect()
        if is_native:
            data["dropped"] = not self.route.cancel
            if around := notes["started"].get("around"):
                data["carried"] = around
        if is_native and not self.route.cancel:
            data["effect"] = self._require_dropped(notes)["effect"]
        if not is_native and not self.route.cancel and "up" not in notes:
            raise ActionTimeout(
                f"no release arrived after {self.source.id} was dragged",
                element_id=str(self.source.id),
            )
        is_mouse = notes.get("up", {}).get("type") != "pointerup"
        press, release = ("mousedown", "mouseup") if is_mouse else ("pointerdown", "pointerup")
        order = {"landed": press, "started": "dragstart", "dropped": "drop"}
        order |= {"ended": "dragend", "up": release}
        events = tuple(event for note, event in order.items() if note in notes)
        receipt = Receipt(True, (self.target or self.source).id, True, False, events)
        healed = self.healed or self.source.healed
        return Performed(self.source.id, mark, settled.settled, receipt, healed, data)

    async def _has_effect(self) -> bool:
        """Returns whether what changed has not been put back as it was."""
        changed = await self.listeners.try_ask(self._goal_frame, "cdpAgent.carryChanged()")
        return changed is not False

    def _require_dropped(self, notes: dict[str, dict[str, Any]]) -> dict[str, Any]:
        what = str(self.source.id)
        where = str(self.target.id) if self.target is not None else "what is there"
        if "strayed" in notes:
            raise ElementObscured(
                f"{where} was under {notes['strayed'].get('cover', '')} when {what} was dropped",
                element_id=where,
            )
        if "dropped" not in notes and (around := notes["started"].get("around")):
            raise ConditionFailed(
                f"{around} was dragged in place of the text in {what}, and nothing took it",
                hint="No mouse selects text there. Press Control+A or Shift+ArrowRight on it.",
                source=what,
                carried=around,
                accepted=False,
            )
        if "dropped" not in notes:
            raise ConditionFailed(
                f"{where} did not accept {what}: there was no drop",
                hint="Choose a target that takes it. The page may have changed all the same: "
                "take a new snapshot.",
                source=what,
                target=where,
                accepted=False,
            )
        return notes["dropped"]
