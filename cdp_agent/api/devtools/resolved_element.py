"""A snapshot's element as the protocol knows it, for the caller's own commands."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from cdp_agent.api.tab import Tab
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.resolve.live import LiveElement


@dataclass(frozen=True, slots=True)
class ResolvedElement:
    """A live node; `object_id` is valid inside the `async with`."""

    #: The id as it is now; another one than was asked for where the element was replaced.
    id: ElementId
    #: The session that owns the element's frame: that of the tab, or of an out-of-process frame.
    session: Session
    frame_index: int
    frame_id: str
    backend_node_id: int
    #: Of the node in a world of ours: the page's own scripts and their variables are not in it.
    object_id: str
    healed: bool = False


@contextlib.asynccontextmanager
async def resolved(
    tab: Tab, element_id: ElementId, seconds: float
) -> AsyncIterator[ResolvedElement]:
    """The live node of an id, released afterwards; see `Page.resolve_element`."""
    tab.require_ready()
    live = await _connected(tab, element_id, time.monotonic() + seconds)
    try:
        yield ResolvedElement(
            live.id,
            live.session,
            live.frame.index,
            live.frame.id,
            live.id.backend_node_id,
            live.object_id,
            live.healed,
        )
    finally:
        live.release()


async def _connected(tab: Tab, element_id: ElementId, deadline: float) -> LiveElement:
    """The node, healed where a script removed it: Chromium still resolves that."""
    live = await tab.resolver.resolve(element_id, deadline=deadline)
    try:
        is_connected = (await live.call("inView"))["connected"]
    except BaseException:  # also when cancelled: the page's object is let go
        live.release()
        raise
    if is_connected:
        return live
    live.release()
    return await tab.resolver.heal(live.ref, deadline)
