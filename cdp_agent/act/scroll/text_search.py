"""Scrolling until a text is there, in lists that load more as they are scrolled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cdp_agent.act.frame_document import document_of
from cdp_agent.act.scroll.distance import ScrollDistance
from cdp_agent.act.scroll.scroll import begin, scroll, scroll_into_view
from cdp_agent.act.scroll.wheel import stop_watching
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.act.wait.mark import Mark
from cdp_agent.errors import (
    CdpAgentError,
    ConditionFailed,
    ElementNotVisible,
    InvalidParams,
    StaleRef,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.worlds import evaluate_in_frame

#: So many times it is scrolled at most.
MOST_STEPS = 500
#: At the end of what there is, more is given so long to come.
_MORE_MS = 800
_TRIES = 3
#: What a step asks its server for is waited for so long.
_LOAD_SECONDS = 2.0
_TWO_FRAMES = "cdpAgent.nextFrame(100).then(() => cdpAgent.nextFrame(100))"

#: The line that has the text, and the id of its element.
TextPlace = tuple[str, ElementId]


async def scroll_until(
    stage: Stage, element_id: ElementId | None, travel: ScrollDistance, text: str
) -> Performed:
    """Scroll until a text is shown, and bring it into view.

    An element stands for itself, or for the box that scrolls it. Without one it is the largest box
    in view that has more than the page, and then the page. `data["found"]` is the line of the text
    and `data["found_id"]` the id of the element that has it.

    Raises:
        ConditionFailed: the end was reached, or the time is over, without it.
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidParams(f"{text!r} is not a text to scroll to")
    mark = Mark.set(stage.target, stage.target.frames.main)
    search = _TextSearch(stage, travel, text)
    box = await _box(stage, element_id, travel)
    boxes = [box] if box is None or element_id is not None else [box, None]
    place = await _find(stage, element_id, text, 0) if element_id != box else None
    for box in boxes:
        place = place or await search.through(box)
        if place is not None:
            line, found = await _show(stage, box, text, place)
            facts = {"found": line, "found_id": str(found), "steps": search.steps}
            return Performed(found, mark, True, None, False, {**search.data, **facts})
    at = f"the end was reached after {search.steps} steps"
    if not search.at_end:
        at = f"it is not there after {search.steps} steps, and there is more"
    raise ConditionFailed(
        f"no text {text[:200]!r}: {at}",
        hint="Scroll the other way, name the box to scroll, or search another part of the text.",
        steps=search.steps,
        at_end=search.at_end,
    )


@dataclass(slots=True)
class _TextSearch:
    """Scrolls one box after the other to its end, in search of a text."""

    stage: Stage
    travel: ScrollDistance
    text: str
    steps: int = 0
    at_end: bool = False
    #: The facts of the last scroll by a wheel.
    data: dict[str, Any] = field(default_factory=dict)

    async def through(self, box: ElementId | None) -> TextPlace | None:
        """The text once the box (None: the page) shows it."""
        stage, travel = self.stage, self.travel
        stuck = 0
        self.at_end = False
        while True:
            place = await _find(stage, box, self.text, _MORE_MS if stuck else 0)
            self.at_end = stuck > 1
            if place or self.at_end or self.steps >= MOST_STEPS or stage.left < 0.2:
                return place
            if stuck:
                # Some load more when they hear of a wheel; and it says why a box does not move.
                self.data = (await scroll(stage, box, travel)).data
                moved = bool(self.data.get("moved_x") or self.data.get("moved_y"))
            else:
                moved = await _step(stage, travel, box)
            self.steps += moved
            stuck = 0 if moved else stuck + 1


async def _box(
    stage: Stage, element_id: ElementId | None, travel: ScrollDistance
) -> ElementId | None:
    """The box to scroll and search: its rows may go away meanwhile. None for the page."""
    main = stage.target.frames.main
    live = await (stage.resolve(element_id) if element_id is not None else document_of(stage, main))
    try:
        for _ in range(2):
            chosen = await live.call("chooseSearched", travel.axis, timeout=stage.reply_timeout)
            if chosen.get("why") != "detached":
                break
            live = await stage.heal(live)
        if not chosen.get("ok"):
            return None
        return await stage.resolver.adopt(live, "cdpAgent.searched()", "", "")
    finally:
        live.release()


async def _step(stage: Stage, travel: ScrollDistance, element_id: ElementId | None) -> bool:
    """Scroll by script and wait for the content that loads. Returns False at the end."""
    target = stage.target
    live = await (
        stage.resolve(element_id)
        if element_id is not None
        else document_of(stage, target.frames.main)
    )
    before = target.requests.last_number
    try:
        live, begun = await begin(stage, live, travel, script=True)
        moved = bool(begun["expected"]) and not begun["locked"]
        if moved:
            await evaluate_in_frame(target, live.frame, _TWO_FRAMES, stage.reply_timeout)
            seconds = min(_LOAD_SECONDS, stage.reply_timeout)
            await target.until(lambda: not target.requests.open_since(before), seconds)
        return moved
    finally:
        stop_watching(live)
        live.release()


async def _show(
    stage: Stage, element_id: ElementId | None, text: str, place: TextPlace
) -> TextPlace:
    """Bring the text into view. A list may draw its lines anew because of that."""
    for tries_left in reversed(range(_TRIES)):
        try:
            await scroll_into_view(stage, place[1])
            return place
        except (StaleRef, ElementNotVisible):
            again = await _find(stage, element_id, text, _MORE_MS)
            if again is None or tries_left == 0:
                raise
            place = again
    return place


async def _find(
    stage: Stage, element_id: ElementId | None, text: str, wait_ms: int
) -> TextPlace | None:
    """The line that has the text, and the id of its element, in whichever frame."""
    if element_id is not None:
        live = await stage.resolve(element_id)
        return await _find_in(stage, live, text, wait_ms)
    for frame in list(stage.target.frames):
        try:
            live = await document_of(stage, frame)
            place = await _find_in(stage, live, text, wait_ms if frame.parent is None else 0)
        except CdpAgentError:
            if frame.parent is None:
                raise
            continue  # it went away meanwhile
        if place is not None:
            return place
    return None


async def _find_in(stage: Stage, live: LiveElement, text: str, wait_ms: int) -> TextPlace | None:
    try:
        options = {"text": text, "waitMs": min(wait_ms, stage.left_ms)}
        answer = await live.call("awaitTextPlace", options, timeout=stage.reply_timeout + 1)
        if not answer["connected"]:
            raise StaleRef(f"{live.id} went away while it was scrolled", ref=str(live.id))
        if answer["line"] is None:
            return None
        name = str(answer["line"])
        found = await stage.resolver.adopt(live, "cdpAgent.textPlace()", "text", name)
        return (name, found) if found is not None else None
    finally:
        live.release()
