"""The document of a frame as something to act on, where no element was named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.act.stage import Stage
from cdp_agent.errors import CdpAgentError, ElementNotFound, FrameDetached
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.refs import Ref
from cdp_agent.resolve.worlds import world_of
from cdp_agent.targets import Frame
from cdp_agent.targets.remote_objects import describe_object

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import ScrollIntoViewIfNeededParameters


async def document_of(stage: Stage, frame: Frame) -> LiveElement:
    """The root element of the document that a frame shows. The caller releases it.

    Raises:
        ElementNotFound: it has none.
        FrameDetached: the frame is gone.
    """
    world = await world_of(stage.target, frame, max(stage.left, 0.2))
    session = frame.require_session()
    reply = await session.post(
        "Runtime.evaluate",
        {"expression": "document.documentElement", **world.for_evaluate},
        timeout=max(stage.left, 0.2),
    )
    object_id = reply["result"].get("objectId")
    if object_id is None:
        raise ElementNotFound(f"frame {frame.index} shows no document")
    element_id = ElementId(frame.index, 0, frame.loader_id)
    ref = Ref(element_id, frame.loader_id, frame.url, "document", "", "html", False, None)
    return LiveElement(stage.target, ref, element_id, frame, session, world, object_id)


async def frame_shown_by(stage: Stage, live: LiveElement, expression: str) -> Frame:
    """The frame whose iframe element an expression gives, in the element's document."""
    session = live.session
    seconds = max(stage.left, 0.2)
    try:
        reply = await session.post(
            "Runtime.evaluate",
            {"expression": expression, **live.world.for_evaluate},
            timeout=seconds,
        )
        node = await describe_object(session, reply["result"]["objectId"], seconds)
    except CdpAgentError as error:
        raise live.explain(error) from None
    frame = stage.target.frames.find(node.get("frameId", ""))
    if frame is None:
        raise FrameDetached("the frame that fills the page shows nothing yet")
    return frame


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
        await session.post("DOM.scrollIntoViewIfNeeded", params, timeout=max(stage.left, 0.2))
