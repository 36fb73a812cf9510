"""The event listeners of a document: one command, by an object that stands for the document.

The object is fetched with the first capture; nothing is done to the page. It is the page's own
`document`: asked of the one in our world, renderers crashed later, on pages where elements with an
`onclick` attribute changed. A guess: that attribute is compiled for who asks first.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError
from cdp_agent.targets import Frame, World

#: Listeners that make an element something to act on, beside those that layout facts have.
TARGET_TYPES = frozenset({"drop", "dblclick", "contextmenu", "pointerdown", "auxclick"})
#: Those that layout facts have.
CLICK_TYPES = frozenset({"click", "mousedown", "mouseup", "DOMActivate"})


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

    async def nodes(
        self, frame: Frame, types: Container[str], seconds: float, *, pierce: bool = False
    ) -> frozenset[int]:
        """Backend ids of the elements that listen for one of these types.

        `pierce`: those in shadow roots as well.

        Raises:
            CdpAgentError: the document cannot answer.
        """
        world, session = frame.main_world, frame.require_session()
        if world is None:
            raise BrowserError(f"frame {frame.index} runs no scripts")
        try:
            object_id = await self._document(frame, world, seconds)
            params = {"objectId": object_id, "depth": _MOST_LEVELS, "pierce": pierce}
            reply = await session.post(
                "DOMDebugger.getEventListeners", params, into=_Reply, timeout=seconds
            )
        except CdpAgentError:
            self._documents.pop(frame.id, None)
            raise
        return frozenset(one.backendNodeId for one in reply.listeners if one.type in types)

    async def _document(self, frame: Frame, world: World, seconds: float) -> str:
        known, object_id = self._documents.get(frame.id, (None, ""))
        if known != world:
            # Without a group of objects: with one, each listener would come as an object too.
            params = {"expression": "document", **world.for_evaluate}
            session = frame.require_session()
            reply = await session.post("Runtime.evaluate", params, timeout=seconds)
            object_id = str(reply.get("result", {}).get("objectId", ""))
            if not object_id:
                raise BrowserError(f"frame {frame.index} has no document of its own")
            self._documents[frame.id] = world, object_id
        return object_id

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self._documents.keys() - frame_ids:
            del self._documents[gone]
