"""The document of a frame as something to act on, where no element of it was named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cdp_agent.act.stage import Stage
from cdp_agent.errors import CdpAgentError, ElementNotFound, FrameDetached
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.refs import Ref
from cdp_agent.resolve.worlds import shown_document
from cdp_agent.targets import Frame
from cdp_agent.targets.remote_objects import describe_object

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import ScrollIntoViewIfNeededParameters


#: Frames in frames deeper than this are not followed.
_DEPTH = 20


class Hit(NamedTuple):
    """The element at a point, and where the point is from inside the element's border."""

    id: ElementId
    position: tuple[float, float]
    words: str


async def document_of(stage: Stage, frame: Frame) -> LiveElement:
    """The root element of the document that a frame shows. The caller releases it.

    Raises:
        ElementNotFound: it has none.
        FrameDetached: the frame is gone.
    """
    document = await shown_document(stage.target, frame, stage.reply_timeout)
    session, world, loader_id, url = document
    reply = await session.post(
        "Runtime.evaluate",
        {"expression": "document.documentElement", **world.for_evaluate},
        timeout=stage.reply_timeout,
    )
    object_id = reply["result"].get("objectId")
    if object_id is None:
        raise ElementNotFound(f"frame {frame.index} shows no document")
    element_id = ElementId(frame.index, 0, loader_id)
    ref = Ref(element_id, loader_id, url, "document", "", "html", False, None)
    return LiveElement(stage.target, ref, element_id, frame, session, world, object_id)


async def frame_shown_by(stage: Stage, live: LiveElement, expression: str) -> Frame:
    """The frame whose iframe element an expression gives, in the element's document."""
    try:
        reply = await live.session.post(
            "Runtime.evaluate",
            {"expression": expression, **live.world.for_evaluate},
            timeout=stage.reply_timeout,
        )
    except CdpAgentError as error:
        raise live.explain(error) from None
    return await _frame_of(stage, live, reply["result"]["objectId"])


async def _frame_of(stage: Stage, live: LiveElement, object_id: str) -> Frame:
    try:
        node = await describe_object(live.session, object_id, stage.reply_timeout)
    except CdpAgentError as error:
        raise live.explain(error) from None
    frame = stage.target.frames.find(node.get("frameId", ""))
    if frame is None or frame.session is None:
        raise FrameDetached("the frame at that place shows nothing yet")
    return frame


async def hit_inside(
    stage: Stage, frame_element: LiveElement, position: tuple[float, float] | None
) -> Hit | None:
    """The element that a pointer meets in a frame's document; None: nothing is there.

    At a position from inside the frame's border, or without one in its middle.
    """
    spot = await frame_element.call("frameSpot", position, timeout=stage.reply_timeout)
    inner = await _frame_of(stage, frame_element, frame_element.object_id)
    return await hit_at(stage, inner, spot[0], spot[1])


async def focus_inside(stage: Stage, frame_element: LiveElement) -> ElementId | None:
    """The element that keys go to once a frame has the focus; None: its document is gone."""
    inner = await _frame_of(stage, frame_element, frame_element.object_id)
    live = await document_of(stage, inner)
    try:
        script = "document.activeElement || document.documentElement"
        return await stage.resolver.adopt(live, script, "", "")
    finally:
        live.release()


async def hit_at(stage: Stage, frame: Frame, x: float, y: float) -> Hit | None:
    """The element at a point of a frame's viewport, in frames inside it as well.

    None: the point is outside the viewport, or what was there went away.
    """
    live = await document_of(stage, frame)
    try:
        for _ in range(_DEPTH):
            hit = await live.call("hitAt", x, y, timeout=stage.reply_timeout)
            if hit is None:
                return None
            x, y = hit["x"], hit["y"]
            if not hit["frame"]:
                break
            inner = await frame_shown_by(stage, live, "cdpAgent.hit()")
            outer, live = live, await document_of(stage, inner)
            outer.release()
        words = str(hit["sketch"])
        element = await stage.resolver.adopt(live, "cdpAgent.hit()", "", words)
        return Hit(element, (x, y), words) if element is not None else None
    finally:
        live.release()


async def bring_into_sight(stage: Stage, frame: Frame) -> None:
    """Scroll the documents around a frame, outermost first, until it is in view."""
    way: list[tuple[Frame, Frame]] = []
    child = frame
    for parent in frame.ancestors():
        way.append((child, parent))
        child = parent
    for inner, outer in reversed(way):
        if inner.owner_node is None:
            continue  # nobody has aimed into it, so nothing was in the way
        params: ScrollIntoViewIfNeededParameters = {"backendNodeId": inner.owner_node}
        session = outer.require_session()
        await session.post("DOM.scrollIntoViewIfNeeded", params, timeout=stage.reply_timeout)
