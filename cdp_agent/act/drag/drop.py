"""Files dropped onto an element, as from the desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cdp_agent.act.drag.drag_listeners import DragListeners
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage, log_action
from cdp_agent.act.upload.upload_paths import UploadPaths
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
from cdp_agent.resolve.frame_point import Point

if TYPE_CHECKING:
    from cdp_use.cdp.input.commands import DispatchDragEventParameters

_COPY = 1


async def drop_files(
    stage: Stage, element_id: ElementId, wanted: UploadPaths, position: tuple[float, float] | None
) -> Performed:
    """Drag files from outside onto the element and let go, if it takes them.

    Raises:
        ElementError: it cannot be pointed at.
        ConditionFailed: it does not accept files; nothing was dropped.
    """
    live = await stage.resolve(element_id)
    listeners = DragListeners(stage, None, live)
    try:
        live, point = await _aim(stage, live, position)
        listeners = DragListeners(stage, None, live)
        await listeners.begin()
        mark = Mark.set(stage.target, live.frame)
        drag = _DroppedFiles(stage, point, wanted)
        try:
            await _carry(live, listeners, drag)
            await drag.send("drop")
            drag.over = True
        finally:
            drag.give_up()
        await listeners.wait_note({"dropped", "strayed"})
        return await _prove(stage, live, listeners, mark)
    finally:
        listeners.end()
        live.release()


class _DroppedFiles:
    """A drag from outside, cancelled unless dropped: it would swallow later input."""

    def __init__(self, stage: Stage, point: Point, wanted: UploadPaths) -> None:
        self._stage = stage
        self._params: DispatchDragEventParameters = {
            "type": "dragEnter",
            "x": point.x,
            "y": point.y,
            "data": {
                "items": [],
                "files": [str(path) for path in wanted.paths],
                "dragOperationsMask": _COPY,
            },
        }
        self.over = True

    async def send(self, kind: str) -> None:
        self.over = False
        session = self._stage.target.session
        params: DispatchDragEventParameters = {**self._params, "type": kind}
        await session.post("Input.dispatchDragEvent", params, timeout=self._stage.input_timeout)

    def give_up(self) -> None:
        if not self.over:
            self.over = True
            params: DispatchDragEventParameters = {**self._params, "type": "dragCancel"}
            self._stage.target.session.send_only("Input.dispatchDragEvent", params)


async def _aim(
    stage: Stage, live: LiveElement, position: tuple[float, float] | None
) -> tuple[LiveElement, Point]:
    while True:
        options = {
            "timeoutMs": stage.left_ms,
            "enabled": True,
            "position": list(position) if position is not None else None,
        }
        ready = await stage.prepare(live, options)
        if ready.get("why") == "detached":
            live = await stage.heal(live)
            continue
        if not ready.get("ok"):
            raise await stage.cannot(live, ready, "drop files")
        try:
            return live, (await stage.reach(live, ready)).top
        except (ElementObscured, ElementNotVisible):
            if stage.left < 0.1:
                raise
        await live.call("center", timeout=stage.reply_timeout)


async def _carry(live: LiveElement, listeners: DragListeners, drag: _DroppedFiles) -> None:
    """Bring them over the element, and see that it would take them.

    What a page does not accept must not be let go: the browser would show the file instead.
    """
    await drag.send("dragEnter")
    state: dict[str, Any] | None = None
    for _ in range(4):
        await drag.send("dragOver")
        await listeners.try_ask(live.frame, "cdpAgent.nextFrame(50)")
        state = await listeners.try_ask(live.frame, "cdpAgent.carryState()")
        if state and state["over"] not in (None, "other") and state["accepts"]:
            return
    if not state or state["over"] in (None, "other"):
        cover = state["cover"] if state else ""
        raise ElementObscured(f"{live.id} is under {cover}", element_id=str(live.id))
    raise ConditionFailed(
        f"{live.id} ({live.ref.role} {live.ref.name[:60]!r}) does not accept files",
        hint="Drop them on the area that says so, or use upload.",
        target=str(live.id),
        accepted=False,
    )


async def _prove(
    stage: Stage, live: LiveElement, listeners: DragListeners, mark: Mark
) -> Performed:
    log_action("drop_files", live, "Input.dispatchDragEvent")
    settled = await stage.settle(mark, live.world, "rest", {})
    error = _problem(live, listeners.notes())
    if error is not None:
        raise error
    dropped = listeners.notes()["dropped"]
    data = {"files": dropped["files"], "effect": dropped["effect"]}
    receipt = Receipt(True, live.id, True, False, ("dragenter", "dragover", "drop"))
    return Performed(live.id, mark, settled.settled, receipt, live.healed, data)


def _problem(live: LiveElement, notes: dict[str, dict[str, Any]]) -> CdpAgentError | None:
    if "strayed" in notes:
        cover = notes["strayed"].get("cover", "")
        return ElementObscured(f"{live.id} was under {cover}", element_id=str(live.id))
    if "dropped" not in notes:
        return ActionTimeout(f"no drop arrived at {live.id}", element_id=str(live.id))
    return None
