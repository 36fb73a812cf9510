"""What is known of a page's frames from the last capture, so that less has to be fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax import AxTree
from cdp_agent.snapshot.census import CensusReply, ask_census
from cdp_agent.snapshot.changes import compare, touched_by
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.dom import COMPUTED_STYLES, DomFacts, documents_by_frame
from cdp_agent.snapshot.layout import Layout
from cdp_agent.snapshot.ledger import OPEN, Ledger, Reply, ask, begin, metrics
from cdp_agent.snapshot.lines import Delta
from cdp_agent.snapshot.refresh import Known, refresh
from cdp_agent.snapshot.surveys import Surveys
from cdp_agent.snapshot.unseen import ask_unseen, is_told
from cdp_agent.snapshot.vitals import answered, holds, vitals_of
from cdp_agent.snapshot.whole import LARGE, MOST_FETCHED, whole_tree
from cdp_agent.snapshot.wire import read_capture
from cdp_agent.targets import Frame

Box = asyncio.Future[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Found:
    tree: AxTree
    dom: DomFacts
    delta: Delta
    in_labels: frozenset[int]

    def is_of(self, tree: AxTree, dom: DomFacts | None) -> bool:
        return self.tree is tree and self.dom is dom


#: Documents that share a process share what Chromium counts, so that a change in one has the others
#: doubted: small ones beside others are captured as a whole, which is quicker than to ask in vain.
_WORTH_A_LEDGER = 1500


@dataclass(slots=True)
class Memory:
    """Per page. Only ever what was true of a document that is still there."""

    #: False: every look is at everything, and leaves no trace in the documents.
    keeps_ledgers: bool = True
    #: Of documents with so many elements the tree is made of samples.
    large: int = LARGE
    #: With more than so many nodes, and few of them alike, it is not fetched at all.
    most: int = MOST_FETCHED
    _known: dict[str, Known] = field(default_factory=dict)
    #: Frame → what its renewal found, in this look.
    _found: dict[str, _Found] = field(default_factory=dict)
    _surveys: Surveys = field(default_factory=Surveys)
    #: Frame → the box of its iframe, and the facts of the documents around when it was measured.
    _boxes: dict[str, tuple[Box, list[DomFacts | None]]] = field(default_factory=dict)
    #: Frame → what it was asked at the beginning of this look, which has it rendered.
    _vitals: dict[str, Reply] = field(default_factory=dict)
    #: Frame → what its document says of its size, before anything is known of it.
    _censuses: dict[str, CensusReply] = field(default_factory=dict)

    def layout(self, session: Session, all_frames: list[Frame], seconds: float) -> Layout:
        """Ask for the layout facts. The trees have to be asked for after that, never before:

        a tree that is older than the facts beside it would be taken for new by the next capture.
        """
        alone = len(all_frames) == 1
        frames = [frame for frame in all_frames if frame.session is session]
        known = [(frame, one) for frame in frames if (one := self._asks(frame)) is not None]
        asked = [(f, one.ledger, one.dom) for f, one in known if one.ledger is not None]
        rendering = [reply for f in frames if (reply := self._vitals.pop(f.id, None)) is not None]
        layout = Layout(is_told=len(asked) == len(frames))
        fetching = (
            self._told(session, layout, asked, seconds, alone=alone)
            if layout.is_told
            else self._untold(session, layout, frames, rendering, seconds, alone=alone)
        )
        layout.reply = asyncio.ensure_future(fetching)
        return layout

    def _asks(self, frame: Frame) -> Known | None:
        """What is known of a document that can tell what changed since."""
        known = self._known.get(frame.id)
        if known is None or known.ledger is None or not known.is_of(frame):
            return None
        return known

    async def _told(
        self,
        session: Session,
        layout: Layout,
        asked: list[tuple[Frame, Ledger, DomFacts]],
        seconds: float,
        *,
        alone: bool,
    ) -> dict[str, DomFacts]:
        """What the documents tell; where they cannot, all is captured and they begin anew."""
        found = await ask(session, asked, seconds)
        if found is not None:
            layout.renewals = found
            return {frame_id: renewal.dom for frame_id, (renewal, _) in found.items()}
        frames = [frame for frame, _, _ in asked]
        await self._open_again(session, frames, seconds)
        return await self._captured(session, layout, frames, seconds, alone=alone, counts=True)

    async def _untold(
        self,
        session: Session,
        layout: Layout,
        frames: list[Frame],
        rendering: list[Reply],
        seconds: float,
        *,
        alone: bool,
    ) -> dict[str, DomFacts]:
        """All is captured, once it is rendered; that matters to ledgers alone."""
        counts = self.keeps_ledgers and (alone or any(map(self._may_be_large, frames)))
        if rendering and counts:
            await asyncio.wait(rendering)
        return await self._captured(session, layout, frames, seconds, alone=alone, counts=counts)

    def _may_be_large(self, frame: Frame) -> bool:
        """Whether the document may be worth a ledger beside others."""
        known = self._known.get(frame.id)
        if known is None or not known.is_of(frame):
            return True
        return len(known.dom.document.nodes.backendNodeId) > _WORTH_A_LEDGER

    async def _captured(
        self,
        session: Session,
        layout: Layout,
        frames: list[Frame],
        seconds: float,
        *,
        alone: bool,
        counts: bool,
    ) -> dict[str, DomFacts]:
        # Counted first: what is rendered from then on would not be in the facts.
        counted = metrics(session, seconds) if counts else None
        columns = _columns(session, seconds)
        layout.asked.set()
        reply = await columns
        with collector_paused():
            facts = documents_by_frame(read_capture(reply))
        for frame in frames:
            dom = facts.get(frame.id)
            if dom is None or counted is None:
                continue
            if alone or len(dom.document.nodes.backendNodeId) > _WORTH_A_LEDGER:
                ledger = begin(frame, dom, counted, seconds)
                if ledger is not None:
                    layout.ledgers[frame.id] = ledger
        return facts

    async def begun(self, layouts: Iterable[Layout], seconds: float) -> None:
        """Wait until the documents of a look can compare with it.

        Whatever happens later is then found by comparing. It takes no longer than reading the trees
        took: they were asked before the last of those was sent.
        """
        ledgers = [one for layout in layouts for one in layout.ledgers.values()]
        if ledgers:
            await asyncio.wait([one.after for one in ledgers], timeout=seconds)

    async def _open_again(self, session: Session, frames: list[Frame], seconds: float) -> None:
        """Ledgers begin anew, and everything is rendered.

        Waited for: what is counted next is answered in the midst of whatever runs, and layout that
        was still to be worked out would be taken for a change after the look.
        """
        replies = [
            session.post(
                "Runtime.evaluate",
                {"expression": f"{OPEN}cdpAgent.rendered()", **frame.world.for_evaluate},
                timeout=seconds,
            )
            for frame in frames
            if frame.world is not None
        ]
        # A frame that has gone is found to be so by others.
        await asyncio.gather(*replies, return_exceptions=True)

    def vitals(self, frame: Frame, seconds: float) -> asyncio.Future[dict[str, Any]] | None:
        """Ask for what neither the DOM nor its layout shows. None: the frame runs no scripts."""
        if frame.world is None:
            return None
        is_opened = self.keeps_ledgers and self._asks(frame) is None
        opening, number = (OPEN, self._surveys.number(frame)) if is_opened else ("", 0)
        if frame.id not in self._known:
            # Building its tree works out styles: before the facts, it is taken for no change. And
            # while it waits to be built, scripts that measure can take a hundred times as long.
            of_frame = {"frameId": frame.id}
            frame.require_session().send_only("Accessibility.getRootAXNode", of_frame)
        params = {
            "expression": f"{opening}cdpAgent.vitals({number})",
            "returnByValue": True,
            **frame.world.for_evaluate,
        }
        reply = frame.require_session().post("Runtime.evaluate", params, timeout=seconds)
        self._vitals[frame.id] = reply
        known = self._known.get(frame.id)
        if known is None or not known.is_of(frame):
            census = ask_census(frame, self.large, seconds)
            if census is not None:
                self._censuses[frame.id] = census
        return reply

    def tree(
        self,
        frame: Frame,
        layout: Layout,
        vitals: asyncio.Future[dict[str, Any]] | None,
        seconds: float,
    ) -> asyncio.Future[AxTree]:
        """Begin to fetch a tree, or what changed of it. The caller cancels what it drops."""
        known = self._known.get(frame.id)
        if known is None or vitals is None or not known.is_of(frame):
            census = self._censuses.pop(frame.id, None)
            return asyncio.ensure_future(
                whole_tree(frame, census, layout, seconds, self.large, self.most)
            )
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
        dom, now = facts.get(frame.id), await vitals_of(vitals)
        if dom is not None and now is not None and frame.world is not None:
            renewal, _ = layout.renewals.get(frame.id, (None, None))
            with collector_paused():
                changes = renewal.changes if renewal is not None else compare(known.dom, dom)
            if changes.identical:
                # The same object stands for the same document: nobody has to look again.
                facts[frame.id] = dom = known.dom
            session, world = frame.require_session(), frame.world
            found = await refresh(session, world, known, dom, changes, now, seconds)
            if found is not None:
                delta = Delta(known.tree, known.dom, found.spoken)
                if renewal is not None:
                    delta = replace(delta, touched=renewal.touched, moved=renewal.moved)
                elif not changes.identical:
                    touched = touched_by(changes, known.dom, dom)
                    delta = replace(delta, touched=touched, moved=None)
                ids = dom.document.nodes.backendNodeId
                delta = replace(delta, parents=frozenset(ids[i] for i in changes.parents))
                self._found[frame.id] = _Found(found.tree, dom, delta, found.in_labels)
                return found.tree
        census = ask_census(frame, self.large, seconds, again=True)
        return await whole_tree(frame, census, layout, seconds, self.large, self.most)

    def keep(
        self,
        frame: Frame,
        tree: AxTree,
        dom: DomFacts | None,
        vitals: asyncio.Future[dict[str, Any]] | None,
        layout: Layout,
    ) -> None:
        """Remember what a capture saw."""
        now = answered(vitals) if vitals is not None and vitals.done() else None
        if dom is None or now is None or frame.session is None or not tree.nodes:
            self._known.pop(frame.id, None)
            return
        found = self._found.get(frame.id)
        again = found.in_labels if found is not None and found.is_of(tree, dom) else frozenset()
        _, ledger = layout.renewals.get(frame.id, (None, layout.ledgers.get(frame.id)))
        self._known[frame.id] = Known(
            frame.loader_id, frame.session.id, tree, dom, now, again, ledger
        )

    def delta(self, frame: Frame, tree: AxTree, dom: DomFacts | None) -> Delta | None:
        """How what was captured differs from what was known before it."""
        found = self._found.get(frame.id)
        return found.delta if found is not None and found.is_of(tree, dom) else None

    def keep_only(self, frame_ids: set[str]) -> None:
        for gone in self._known.keys() - frame_ids:
            del self._known[gone]
        self._found.clear()  # how a look differs from the one before is of interest to it alone
        self._surveys.keep_only(frame_ids)
        for gone in self._boxes.keys() - frame_ids:
            del self._boxes[gone]

    # -- what nobody can see ----------------------------------------------------------------------

    def unseen(
        self,
        frame: Frame,
        layout: Layout,
        vitals: Reply | None,
        tree: asyncio.Future[AxTree],
        seconds: float,
    ) -> asyncio.Task[dict[str, Any]]:
        """Ask what of a frame cannot be seen: answered while the trees are being read here.

        A frame that says that its last answer holds is not asked, unless its facts differ.
        """

        async def ask_in_turn() -> dict[str, Any]:
            if not self.keeps_ledgers:
                await layout.in_turn()
                return await _said(ask_unseen(frame, seconds, number=None))
            if vitals is not None and self._surveys.number(frame) and await holds(vitals):
                await asyncio.wait([tree])
                if self._is_same(frame, layout):
                    return await _said(self._surveys.use_last(frame))
            await layout.in_turn()
            return await _said(self._surveys.ask(frame, seconds))

        return asyncio.ensure_future(ask_in_turn())

    def _is_same(self, frame: Frame, layout: Layout) -> bool:
        """Whether the facts of a document are those of the last look, boxes included."""
        known = self._known.get(frame.id)
        return known is not None and layout.is_there and layout.facts.get(frame.id) is known.dom

    async def seen_again(self, frame: Frame, layout: Layout, seconds: float) -> Reply | None:
        """What the frame said together with what changed, or what it said last if nothing was
        worked out since that could be seen. None: it has to be asked.
        """
        renewal, _ = layout.renewals.get(frame.id, (None, None))
        if renewal is None:
            return None
        if await is_told(renewal.unseen, seconds):
            return renewal.unseen
        return self._surveys.last(frame) if renewal.looks_the_same else None

    def keep_unseen(self, frame: Frame, reply: Reply | None, dom: DomFacts | None) -> None:
        self._surveys.keep(frame, reply, dom)

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


def _columns(session: Session, seconds: float) -> asyncio.Future[msgspec.Raw]:
    params = {"computedStyles": list(COMPUTED_STYLES), "includePaintOrder": False}
    return session.post("DOMSnapshot.captureSnapshot", params, into=msgspec.Raw, timeout=seconds)


async def _said(reply: Reply | None) -> dict[str, Any]:
    return await reply if reply is not None else {}
