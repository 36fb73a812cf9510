"""Finds the node that an id names, or says that it is gone. Never another one.

The id's document must be the one its frame shows now. Where the node was replaced, or the same
address was loaded again, it is looked up once more in that frame alone: at the stored path there
must stand an element of the same role, name and tag, and the only such one both then and now.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from cdp_agent.deadline import seconds_until
from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ElementNotFound,
    FrameDetached,
    InvalidParams,
    StaleRef,
)
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.protocol.chrome_errors import is_context_gone, is_node_gone
from cdp_agent.resolve.healing import find_equal
from cdp_agent.resolve.live import LiveElement
from cdp_agent.resolve.refs import Ref, RefBook
from cdp_agent.resolve.worlds import ShownDocument, shown_document
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.targets.remote_objects import describe_object, resolve_node

_SECONDS = 5.0


class Resolver:
    """Resolves the ids of one page."""

    def __init__(self, target: PageTarget, book: RefBook) -> None:
        self._target = target
        self._book = book

    def frame(self, frame_index: int) -> Frame:
        """The frame of that number.

        Raises:
            FrameDetached: it was there and is gone.
            InvalidParams: no frame has ever had that number.
        """
        frame = self._target.frames.find_index(frame_index)
        if frame is not None:
            return frame
        if self._target.frames.was_issued(frame_index):
            raise FrameDetached(f"frame {frame_index} is gone")
        numbers = ", ".join(str(f.index) for f in self._target.frames)
        raise InvalidParams(f"there is no frame {frame_index}", hint=f"Frames now: {numbers}.")

    async def resolve(self, element_id: ElementId, *, deadline: float) -> LiveElement:
        """The live node. The caller releases it.

        Raises:
            RefInvalid: the id was never handed out.
            StaleRef: what it named is gone.
        """
        ref = self._book.require(element_id)
        frame = self._target.frames.find_index(element_id.frame_index)
        if frame is None or frame.session is None:
            raise StaleRef(f"the frame of {element_id} is gone", ref=str(element_id))
        _require_its_address(ref, frame.loader_id, frame.url)
        try:
            seconds = seconds_until(deadline, 0.1)
            document = await shown_document(self._target, frame, seconds)
            live = None
            if document.loader_id == ref.loader_id:
                live = await self._try_node(ref, frame, document, deadline)
            return live if live is not None else await self.heal(ref, deadline)
        except FrameDetached:
            raise StaleRef(f"the frame of {element_id} is gone", ref=str(element_id)) from None

    async def _try_node(
        self, ref: Ref, frame: Frame, document: ShownDocument, deadline: float
    ) -> LiveElement | None:
        """The node, or None when it is not in its document any more."""
        seconds = seconds_until(deadline, 0.1)
        session, world = document.session, document.world
        try:
            object_id = await resolve_node(session, ref.id.backend_node_id, world, seconds)
        except CdpAgentError as error:
            if is_node_gone(error):
                return None
            if is_context_gone(error):
                raise StaleRef(f"the document of {ref.id} was replaced", ref=str(ref.id)) from None
            raise
        return LiveElement(self._target, ref, ref.id, frame, session, world, object_id)

    async def locate(self, element_id: ElementId, *, deadline: float) -> ElementId:
        """The id of the same element now: its own, or after a replacement the new one.

        Raises:
            RefInvalid, StaleRef: as `resolve`.
        """
        live = await self.resolve(element_id, deadline=deadline)
        try:
            if (await live.call("inView"))["connected"]:
                return live.id
        finally:
            live.release()
        healed = await self.heal(live.ref, deadline)
        healed.release()
        return healed.id

    async def heal(self, ref: Ref, deadline: float) -> LiveElement:
        """Find again what was replaced.

        Raises:
            StaleRef: its frame shows another address, or nothing there is certain to be it.
        """
        frame = self.frame(ref.id.frame_index)
        seconds = seconds_until(deadline, 0.1)
        document = await shown_document(self._target, frame, seconds)
        # The frame may have gone to another document since the action began.
        _require_its_address(ref, document.loader_id, document.url)
        gone = StaleRef(f"{ref.id} ({ref.role} {ref.name[:60]!r}) is gone", ref=str(ref.id))
        if not ref.unique or not ref.xpath:
            raise gone
        try:
            backend = await find_equal(document.session, document.world, ref, seconds)
        except CommandTimeout:
            raise gone from None
        loader_id = document.loader_id
        if backend is None or (backend, loader_id) == (ref.id.backend_node_id, ref.loader_id):
            raise gone
        element_id = ElementId(frame.index, backend, loader_id)
        equal = replace(ref, id=element_id, loader_id=loader_id, url=document.url, dom=None)
        self._book.add(equal)
        live = await self._try_node(equal, frame, document, deadline)
        if live is None:
            raise gone
        live.healed = True
        return live

    async def adopt(self, live: LiveElement, script: str, role: str, name: str) -> ElementId | None:
        """An id for the element that a script of ours answers, in the document of `live`.

        It is good for as long as the node lives, and never healed.
        """
        session = live.session
        try:
            reply = await session.post(
                "Runtime.evaluate", {"expression": script, **live.world.for_evaluate}
            )
            object_id = reply["result"].get("objectId")
            if object_id is None:
                return None
            node = await describe_object(session, object_id, _SECONDS)
        except CdpAgentError as error:
            raise live.explain(error) from None
        number, loader = int(node["backendNodeId"]), live.ref.loader_id
        element_id = ElementId(live.frame.index, number, loader)
        tag = str(node["localName"])
        self._book.adopt(Ref(element_id, loader, live.frame.url, role, name, tag, False, None, ""))
        return element_id

    async def query(self, frame_index: int, selector: str, seconds: float = _SECONDS) -> int:
        """The backend node id of what a CSS selector or XPath finds first in one frame.

        Raises:
            ElementNotFound: it finds nothing.
            InvalidParams: it is not a selector.
        """
        frame = self.frame(frame_index)
        session, world, _, _ = await shown_document(self._target, frame, seconds)
        reply = await session.post(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": _QUERY,
                **world.for_call,
                "arguments": [{"value": selector}, {"value": _is_xpath(selector)}],
            },
            timeout=seconds,
        )
        if "exceptionDetails" in reply:
            raise InvalidParams(f"{selector!r} is neither a CSS selector nor an XPath")
        object_id = reply["result"].get("objectId")
        if object_id is None:
            raise ElementNotFound(f"nothing in frame {frame_index} fits {selector!r}")
        return (await describe_object(session, object_id, seconds))["backendNodeId"]

    async def describe(self, element_id: ElementId) -> dict[str, Any]:
        """Tag, attributes, quads, box and frame of an element now."""
        live = await self.resolve(element_id, deadline=time.monotonic() + _SECONDS)
        try:
            node_reply = live.session.post("DOM.describeNode", {"objectId": live.object_id})
            quads_reply = live.session.post("DOM.getContentQuads", {"objectId": live.object_id})
            node = (await node_reply)["node"]
            try:
                quads = (await quads_reply)["quads"]
            except CdpAgentError:
                quads = []  # not rendered
        finally:
            live.release()
        flat = node.get("attributes", [])
        return {
            "id": str(live.id),
            "tag": node["localName"],
            "attributes": dict(zip(flat[0::2], flat[1::2], strict=True)),
            "quads": quads,
            "box": _around(quads),
            "frame_index": live.frame.index,
            "frame_id": live.frame.id,
            "session": live.session.id,
            "backend_node_id": int(node["backendNodeId"]),
            "healed": live.healed,
        }


def _require_its_address(ref: Ref, loader_id: LoaderId, url: str) -> None:
    """Raises: StaleRef: a document is neither the one of the ref nor that address again."""
    if loader_id != ref.loader_id and _address(url) != _address(ref.url):
        index = ref.id.frame_index
        where = "the page" if index == 0 else f"frame {index}"
        message = f"{ref.id} is of an earlier document; {where} now shows {url[:200]}"
        raise StaleRef(message, ref=str(ref.id))


def _address(url: str) -> str:
    return url.partition("#")[0]


def _is_xpath(selector: str) -> bool:
    return selector.startswith(("/", "(", "./", "xpath="))


def _around(quads: list[list[float]]) -> list[float] | None:
    if not quads:
        return None
    xs = [x for quad in quads for x in quad[0::2]]
    ys = [y for quad in quads for y in quad[1::2]]
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]


_QUERY = """function(selector, isXPath) {
  if (!isXPath) return document.querySelector(selector.replace(/^css=/, ""));
  const path = selector.replace(/^xpath=/, "");
  const first = XPathResult.FIRST_ORDERED_NODE_TYPE;
  return document.evaluate(path, document, null, first, null).singleNodeValue;
}"""
