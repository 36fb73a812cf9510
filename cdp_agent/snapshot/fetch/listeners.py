"""Elements that listen for drops, double clicks, context menus or pressed pointers.

Layout facts have only those that listen for clicks. One command for each document, by an object
that stands for it and is fetched with its first capture; nothing is done to the page. Elements in
shadow roots are not among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.targets import Frame, World

#: Listeners that make an element something to act on.
_TYPES = frozenset({"drop", "dblclick", "contextmenu", "pointerdown", "auxclick"})

#: Chromium collects nested elements by recursion: without a bound, 2,000 levels crash the page.
_MOST_LEVELS = 300


class _Listener(msgspec.Struct):
    type: str
    backendNodeId: int = 0


class _Reply(msgspec.Struct):
    listeners: list[_Listener] = []


@dataclass(slots=True)
class Listeners:
    """The objects that stand for the documents of a page's frames."""

    _documents: dict[str, tuple[World, str]] = field(default_factory=dict)

    async def nodes(self, frame: Frame, seconds: float) -> frozenset[int]:
        """Backend ids of the elements that listen; none where the document cannot answer."""
        world, session = frame.main_world, frame.session
        if world is None or session is None:
            return frozenset()
        try:
            object_id = await self._document(frame, world, seconds)
            if not object_id:
                return frozenset()
            # The page's own world: listeners of other worlds come only with `pierce`, which makes
            # Chromium 156 crash now and then.
            params = {"objectId": object_id, "depth": _MOST_LEVELS, "pierce": False}
            reply = await session.post(
                "DOMDebugger.getEventListeners", params, into=_Reply, timeout=seconds
            )
        except CdpAgentError:
            self._documents.pop(frame.id, None)
            return frozenset()
        return frozenset(one.backendNodeId for one in reply.listeners if one.type in _TYPES)

    async def _document(self, frame: Frame, world: World, seconds: float) -> str:
        known, object_id = self._documents.get(frame.id, (None, ""))
        if known != world:
            # Without a group of objects: with one, each listener would come as an object too.
            params = {"expression": "document", **world.for_evaluate}
            session = frame.require_session()
            reply = await session.post("Runtime.evaluate", params, timeout=seconds)
            object_id = str(reply.get("result", {}).get("objectId", ""))
            self._documents[frame.id] = world, object_id
        return object_id

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self._documents.keys() - frame_ids:
            del self._documents[gone]
