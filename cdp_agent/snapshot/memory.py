"""What is known of a page's frames from the last capture, so that less has to be fetched."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.protocol.codec import decode
from cdp_agent.snapshot.ax import AxTree
from cdp_agent.snapshot.changes import compare, touched_by
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.dom import COMPUTED_STYLES, DomCapture, DomFacts, documents_by_frame
from cdp_agent.snapshot.lines import Delta
from cdp_agent.snapshot.refresh import Known, refresh
from cdp_agent.targets import Frame

Box = asyncio.Future[dict[str, Any]]


@dataclass(slots=True)
class Layout:
    """The layout facts of one session, on their way or there."""

    reply: asyncio.Future[msgspec.Raw]
    _facts: dict[str, DomFacts] | None = None

    async def wait(self) -> dict[str, DomFacts]:
        """By frame id. Raises what the command raised."""
        await asyncio.wait([self.reply])  # many wait for it: none may cancel it
        return self.facts

    @property
    def facts(self) -> dict[str, DomFacts]:
        if self._facts is None:
            self._facts = documents_by_frame(decode(self.reply.result(), DomCapture))
        return self._facts

    @property
    def is_there(self) -> bool:
        return self.reply.done() and not self.reply.cancelled() and self.reply.exception() is None


@dataclass(frozen=True, slots=True)
class _Found:
    tree: AxTree
    dom: DomFacts
    delta: Delta
    in_labels: frozenset[int]

    def is_of(self, tree: AxTree, dom: DomFacts | None) -> bool:
        return self.tree is tree and self.dom is dom


@dataclass(slots=True)
class Memory:
    """Per page. Only ever what was true of a document that is still there."""

    _known: dict[str, Known] = field(default_factory=dict)
    #: Frame → what its last renewal found.
    _found: dict[str, _Found] = field(default_factory=dict)
    #: Frame → the box of its iframe, and the facts of the documents around when it was measured.
    _boxes: dict[str, tuple[Box, list[DomFacts | None]]] = field(default_factory=dict)

    def layout(self, session: Session, seconds: float) -> Layout:
        """Ask for the layout facts. The trees have to be asked for after that, never before:

        a tree that is older than the facts beside it would be taken for new by the next capture.
        """
        params = {"computedStyles": list(COMPUTED_STYLES), "includePaintOrder": False}
        return Layout(
            session.post("DOMSnapshot.captureSnapshot", params, into=msgspec.Raw, timeout=seconds)
        )

    def vitals(self, frame: Frame, seconds: float) -> asyncio.Future[dict[str, Any]] | None:
        """Ask for what neither the DOM nor its layout shows. None: the frame runs no scripts."""
        if frame.world is None:
            return None
        params = {
            "expression": "cdpAgent.vitals()",
            "returnByValue": True,
            **frame.world.for_evaluate,
        }
        return frame.require_session().post("Runtime.evaluate", params, timeout=seconds)

    def tree(
        self,
        frame: Frame,
        layout: Layout,
        vitals: asyncio.Future[dict[str, Any]] | None,
        seconds: float,
    ) -> asyncio.Future[AxTree]:
        """Begin to fetch a tree, or what changed of it. The caller cancels what it drops."""
        known = self._known.get(frame.id)
        session = frame.require_session()
        if (
            known is None
            or vitals is None
            or known.loader_id != frame.loader_id
            or known.session_id != session.id
        ):
            return _whole(frame, seconds)
        return asyncio.ensure_future(self._renewed(frame, known, layout, vitals, seconds))

    async def _renewed(
        self,
        frame: Frame,
        known: Known,
        layout: Layout,
        vitals: asyncio.Future[dict[str, Any]],
        seconds: float,
    ) -> AxTree:
        facts = await layout.wait()
        dom, now = facts.get(frame.id), await _value(vitals)
        if dom is not None and now is not None and frame.world is not None:
            with collector_paused():
                changes = compare(known.dom, dom)
            if changes.identical:
                # The same object stands for the same document: nobody has to look again.
                facts[frame.id] = dom = known.dom
            session, world = frame.require_session(), frame.world
            found = await refresh(session, world, known, dom, changes, now, seconds)
            if found is not None:
                if changes.identical:
                    delta = Delta(known.tree, known.dom, found.spoken)
                else:
                    touched = touched_by(changes, known.dom, dom)
                    delta = Delta(known.tree, known.dom, found.spoken, touched, moved=None)
                self._found[frame.id] = _Found(found.tree, dom, delta, found.in_labels)
                return found.tree
        return await _whole(frame, seconds)

    def keep(
        self,
        frame: Frame,
        tree: AxTree,
        dom: DomFacts | None,
        vitals: asyncio.Future[dict[str, Any]] | None,
    ) -> None:
        """Remember what a capture saw."""
        now = _answer(vitals) if vitals is not None and vitals.done() else None
        if dom is None or now is None or frame.session is None or not tree.nodes:
            self._known.pop(frame.id, None)
            return
        found = self._found.get(frame.id)
        again = found.in_labels if found is not None and found.is_of(tree, dom) else frozenset()
        self._known[frame.id] = Known(frame.loader_id, frame.session.id, tree, dom, now, again)

    def delta(self, frame: Frame, tree: AxTree, dom: DomFacts | None) -> Delta | None:
        """How what was captured differs from what was known before it."""
        found = self._found.get(frame.id)
        return found.delta if found is not None and found.is_of(tree, dom) else None

    def keep_only(self, frame_ids: set[str]) -> None:
        for gone in self._known.keys() - frame_ids:
            del self._known[gone]
        for gone in self._found.keys() - frame_ids:
            del self._found[gone]
        for gone in self._boxes.keys() - frame_ids:
            del self._boxes[gone]

    # -- where frames stand -----------------------------------------------------------------------

    def box(self, frame: Frame, facts: dict[str, DomFacts]) -> Box | None:
        """The box that was measured last, if nothing around the frame has changed since."""
        known = self._boxes.get(frame.id)
        if known is None:
            return None
        around = _around(frame, facts)
        same = len(around) == len(known[1]) and all(
            one is other and one is not None for one, other in zip(around, known[1], strict=True)
        )
        return known[0] if same else None

    def keep_box(self, frame: Frame, box: Box | None, facts: dict[str, DomFacts]) -> None:
        if box is not None and box.done() and not box.cancelled() and box.exception() is None:
            self._boxes[frame.id] = box, _around(frame, facts)


def _around(frame: Frame, facts: dict[str, DomFacts]) -> list[DomFacts | None]:
    """The documents that decide where a frame's iframe stands: up to its parent's local root."""
    found: list[DomFacts | None] = []
    parent = frame.parent
    while parent is not None:
        found.append(facts.get(parent.id))
        if parent.parent is None or parent.parent.session is not parent.session:
            break
        parent = parent.parent
    return found


def _whole(frame: Frame, seconds: float) -> asyncio.Future[AxTree]:
    return frame.require_session().post(
        "Accessibility.getFullAXTree", {"frameId": frame.id}, into=AxTree, timeout=seconds
    )


async def _value(reply: asyncio.Future[dict[str, Any]]) -> str | None:
    await asyncio.wait([reply])
    return _answer(reply)


def _answer(reply: asyncio.Future[dict[str, Any]]) -> str | None:
    try:
        value = reply.result().get("result", {}).get("value")
    except (CdpAgentError, asyncio.CancelledError):
        return None
    return value if isinstance(value, str) else None
