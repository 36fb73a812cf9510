"""The isolated world of a frame: ours since before the page's first script."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from cdp_agent.config import WORLD_NAME
from cdp_agent.errors import CdpAgentError, FrameDetached
from cdp_agent.ids import LoaderId
from cdp_agent.js import agent_source
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve.live import script_value
from cdp_agent.targets import Frame, PageTarget, World

if TYPE_CHECKING:
    from cdp_use.cdp.page.commands import CreateIsolatedWorldParameters
    from cdp_use.cdp.runtime.commands import EvaluateReturns


class ShownDocument(NamedTuple):
    """The document of a frame at one moment; its parts belong together."""

    session: Session
    world: World
    #: Ids of nodes that are found in it are bound to this one, whatever the frame shows later.
    loader_id: LoaderId
    url: str


async def shown_document(target: PageTarget, frame: Frame, seconds: float) -> ShownDocument:
    """Returns the document that the frame shows now.

    Raises:
        FrameDetached: the frame is gone.
    """
    world = await world_of(target, frame, seconds)
    return ShownDocument(frame.require_session(), world, frame.loader_id, frame.url)


async def world_of(target: PageTarget, frame: Frame, seconds: float) -> World:
    """The frame's world; made anew where the browser did not make it by itself.

    Raises:
        FrameDetached: the frame is gone.
    """
    if frame.world is not None:
        return frame.world
    session = frame.require_session()
    params: CreateIsolatedWorldParameters = {"frameId": frame.id, "worldName": WORLD_NAME}
    try:
        made = await session.post("Page.createIsolatedWorld", params, timeout=seconds)
        if not await target.until(lambda: frame.world is not None, min(seconds, 1.0)):
            frame.world = World(int(made["executionContextId"]), "")
        await session.post(
            "Runtime.evaluate",
            {"expression": agent_source(), "contextId": made["executionContextId"]},
            timeout=seconds,
        )
    except CdpAgentError as error:
        if is_context_gone(error) or frame.session is None:
            raise FrameDetached(f"frame {frame.index} is gone") from None
        raise
    if frame.world is None:
        raise FrameDetached(f"frame {frame.index} navigated")
    return frame.world


def post_in_frame(
    frame: Frame, world: World, expression: str, seconds: float
) -> asyncio.Future[EvaluateReturns]:
    """Evaluate in the frame's isolated world; the raw reply."""
    return frame.require_session().post(
        "Runtime.evaluate",
        {
            "expression": expression,
            "awaitPromise": True,
            "returnByValue": True,
            **world.for_evaluate,
        },
        timeout=seconds,
    )


async def evaluate_in_frame(
    target: PageTarget, frame: Frame, expression: str, seconds: float = 5.0
) -> Any:
    world = await world_of(target, frame, seconds)
    return script_value(await post_in_frame(frame, world, expression, seconds))
