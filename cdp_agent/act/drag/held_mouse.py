"""The held mouse of a drag: its position, its session, and its release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.drag.drag_listeners import DragListeners
from cdp_agent.act.input import inputs
from cdp_agent.act.input.inputs import delivered
from cdp_agent.act.input.keys import parse_chord
from cdp_agent.act.stage import Stage
from cdp_agent.errors import DialogOpen
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.frame_point import Point, PointPair

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchDragEventParameters, DispatchMouseEventParameters


class HeldMouse:
    """Holds the left button over a page, from the press to the release.

    `start` is where it was pressed and `at` where it is. `listeners` and `source` change when the
    press has to be tried again.
    """

    def __init__(self, stage: Stage, source: LiveElement, listeners: DragListeners) -> None:
        self._stage = stage
        self.source = source
        self.listeners = listeners
        self._session = stage.target.session
        self.at = self.start = PointPair(Point(0, 0), Point(0, 0))
        self.is_holding = False

    async def press(self, place: PointPair) -> None:
        """Raises: DialogOpen: the page asked something because of it."""
        self._session = self._stage.target.session
        self.start = self.at = place
        self.is_holding = True
        replies = inputs.move(self._session, place.top)
        await self.sent(replies + inputs.drag_event(self._session, "mousePressed", place.top))

    async def move(self, place: PointPair) -> None:
        # Each is waited for: moves that are under way together reach the page as one.
        await self.sent(inputs.drag_event(self._session, "mouseMoved", self._here(place)))
        self.at = place

    async def release(self) -> None:
        """Let go where the mouse is. A dialog that the page opens then belongs to the drop."""
        here = self._here(self.at)
        replies = inputs.drag_event(self._session, "mouseReleased", here, held=False)
        await delivered(self._stage.target, replies, self._stage.input_deadline)
        self.is_holding = False

    def let_go(self) -> None:
        """Release the button without a drop, after a failure or a cancellation."""
        if not self.is_holding:
            return
        self.is_holding = False
        session = self._session
        if "started" in self.listeners.notes():
            session.send_only("Input.cancelDragging")
            # Only the process under the pointer is told by that.
            cancel: DispatchDragEventParameters = {
                "type": "dragCancel",
                "x": self.start.own.x,
                "y": self.start.own.y,
                "data": {"items": [], "dragOperationsMask": 1},
            }
            self.source.session.send_only("Input.dispatchDragEvent", cancel)
        else:
            self.listeners.tell(self.source.frame, "cdpAgent.carryAbort()")
            self.at = self.start
            here = self._here(self.at)
            session.send_only(
                "Input.dispatchMouseEvent",
                {"type": "mouseMoved", "button": "left", "buttons": 1, "x": here.x, "y": here.y},
            )
        here = self._here(self.at)
        up: DispatchMouseEventParameters = {
            "type": "mouseReleased",
            "x": here.x,
            "y": here.y,
            "button": "left",
            "buttons": 0,
            "clickCount": 1,
        }
        session.send_only("Input.dispatchMouseEvent", up)

    async def press_key(self, chord: str) -> None:
        held, key = parse_chord(chord)
        await self.sent(inputs.press(self._session, held, key))

    async def cancel_dragging(self) -> None:
        """End the browser's own drag-and-drop, as Escape does where a system sees it."""
        seconds = self._stage.input_timeout
        await self._session.post("Input.cancelDragging", timeout=seconds)

    def stay_with_source(self) -> None:
        """The mouse belongs to the document it was pressed in: what follows goes there."""
        self._session = self._stage.target.pointer_session = self.source.session

    def from_start(self, x: float, y: float) -> PointPair:
        return PointPair(moved(self.start.own, x, y), moved(self.start.top, x, y))

    def _here(self, place: PointPair) -> Point:
        """The point in the coordinates of the session that input is sent to."""
        return place.top if self._session is self._stage.target.session else place.own

    async def sent(self, replies: inputs.Replies) -> None:
        """Raises: DialogOpen."""
        deadline = self._stage.input_deadline
        await delivered(self._stage.target, replies, deadline)
        self.require_no_dialog()

    def require_no_dialog(self) -> None:
        dialog = self._stage.target.dialog
        if dialog is not None:
            message = f"a {dialog.type} opened in the middle of the drag: {dialog.message[:200]!r}"
            raise DialogOpen(message, type=dialog.type, text=dialog.message)


def moved(point: Point, x: float, y: float) -> Point:
    return Point(point.x + x, point.y + y)


def between(start: PointPair, end: PointPair, share: float) -> PointPair:
    return PointPair(
        moved(start.own, (end.own.x - start.own.x) * share, (end.own.y - start.own.y) * share),
        moved(start.top, (end.top.x - start.top.x) * share, (end.top.y - start.top.y) * share),
    )
