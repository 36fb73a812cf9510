"""Fetches a page, all frames at once.

A child frame may vanish or hang at any moment: it is then left out and named in the warnings.
The main frame's failure is the caller's.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from typing import Any

from cdp_agent import log
from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ConnectionLost,
    NavigationFailed,
    TargetCrashed,
)
from cdp_agent.protocol import Session
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.fetches import Fetch, drop, main_frame, tree_of, wait_all
from cdp_agent.snapshot.kept import MergeCache
from cdp_agent.snapshot.layout import Layout
from cdp_agent.snapshot.lines import FrameCapture
from cdp_agent.snapshot.memory import Memory
from cdp_agent.snapshot.model import PageInfo, Viewport
from cdp_agent.snapshot.parts import Parts, Wanted
from cdp_agent.snapshot.placing import frame_info, is_answered, placed, viewport
from cdp_agent.snapshot.unseen import NOTHING_UNSEEN, HandedRoots, ask_unseen, unseen_in
from cdp_agent.snapshot.whole import TooLarge, stopped_early
from cdp_agent.targets import Frame, PageTarget

_log = log.get("snapshot")

#: How long child frames may take once the main frame has answered.
CHILD_GRACE = 2.5
#: How long documents may take beyond that until they can compare with this look.
_WALK_GRACE = 0.3
#: A main frame that navigates during every one of these is not going to hold still.
_TRIES = 4


#: What is fetched of a document that is too large to be fetched whole.
_AS_MUCH = Wanted(max_tokens=20_000)


@dataclass(frozen=True, slots=True)
class Captured:
    page: PageInfo
    viewport: Viewport
    frames: dict[int, FrameCapture]
    warnings: tuple[str, ...]
    #: Frame index → nodes that stand below something shown and were not fetched.
    unfetched: dict[int, frozenset[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Capturer:
    """Remembers per page what need not be asked twice."""

    target: PageTarget
    _enabled: set[str] = field(default_factory=set)
    _left_out: set[str] = field(default_factory=set)
    _memory: Memory = field(default_factory=Memory)
    _roots: HandedRoots = field(default_factory=HandedRoots)
    _parts: Parts = field(default_factory=Parts)
    #: The document that is too large to be fetched whole, and its number of elements.
    _too_large: dict[str, int] = field(default_factory=dict)
    #: Lines of frames that have not changed since they were written.
    merged: MergeCache = field(default_factory=MergeCache)

    async def capture(self, seconds: float, wanted: Wanted | None = None) -> Captured:
        """All of the page; with `wanted`, of large documents that part.

        Raises:
            CommandTimeout, TargetClosed, TargetCrashed, NavigationFailed: nothing to be had.
            StaleRef: the node that the part begins with is gone.
        """
        deadline = time.monotonic() + seconds
        await self.target.wait_ready(min(seconds, 5))
        for number in range(_TRIES):
            count = self._too_large.get(self.target.frames.main.loader_id, 0)
            part = _AS_MUCH if wanted is None and count else wanted
            try:
                captured = await self._once(deadline, part)
            except TooLarge as error:
                self._too_large = {self.target.frames.main.loader_id: error.count}
                continue
            if captured is None:
                continue
            if part is not wanted:
                captured = replace(captured, warnings=(*captured.warnings, stopped_early(count)))
            # A frame may have been told of after the trees were asked for: look once more.
            known = {capture.info.frame_id for capture in captured.frames.values()}
            known |= self._left_out
            if number or all(frame.id in known for frame in self.target.frames):
                return captured
        raise NavigationFailed(f"the page {self.target.url} does not stop navigating")

    async def _once(self, deadline: float, wanted: Wanted | None) -> Captured | None:
        target = self.target
        target.require_alive()
        left = max(deadline - time.monotonic(), 0.1)
        main = target.frames.main
        loader = main.loader_id
        metrics = target.session.post("Page.getLayoutMetrics", timeout=left)
        big: set[str] = set()
        if wanted is not None:
            big = await self._parts.big_sessions(self._shown_frames(), left, CHILD_GRACE)
            left = max(deadline - time.monotonic(), 0.1)
        frames = self._shown_frames()  # some may have gone while they were counted
        sessions = {f.session.id: f.session for f in frames if f.session is not None}
        for session in sessions.values():
            self._enable(session)
        fetches, layouts = self._begin_all(frames, sessions, left, wanted, big)
        try:
            if main.session is None or not fetches:
                await target.until(lambda: main.session is not None, left)
                return None
            try:
                facts, view = await main_frame(fetches[0], metrics, left)
            except (CommandTimeout, ConnectionLost, TargetCrashed):
                raise
            except CdpAgentError as error:
                target.require_alive()
                if main.loader_id != loader:
                    return None  # it navigated meanwhile: look at the new document
                raise error
            if main.loader_id != loader:
                return None
            await self._children(fetches[1:], layouts, facts, _grace(deadline))
            await self._see(fetches, facts, _grace(deadline))
            await self._memory.begun(layouts.values(), min(_WALK_GRACE, _grace(deadline)))
            if main.loader_id != loader:
                return None
            return self._assemble(fetches, facts, view)
        finally:
            drop(fetches, layouts.values())

    def _shown_frames(self) -> list[Frame]:
        """Frames that somebody can be asked about."""
        return [f for f in self.target.frames if f.session is not None and f.session.ended is None]

    def _begin_all(
        self,
        frames: list[Frame],
        sessions: dict[str, Session],
        seconds: float,
        wanted: Wanted | None,
        big: set[str],
    ) -> tuple[list[Fetch], dict[str, Layout]]:
        """Send everything that can be sent at once, in each session the trees last."""
        memory = self._memory
        rest = [frame for frame in frames if frame.require_session().id not in big]
        vitals = {frame.id: memory.vitals(frame, seconds) for frame in rest}
        layouts = {
            key: memory.layout(session, frames, seconds)
            for key, session in sessions.items()
            if key not in big
        }
        fetches = []
        for frame in frames:
            if wanted is not None and frame.id not in vitals:
                part = asyncio.ensure_future(self._parts.fetch(frame, wanted, seconds))
                whole = asyncio.ensure_future(tree_of(part))
                session = frame.require_session()
                fetch = Fetch(frame, session, frame.loader_id, whole, part=part)
            else:
                session, asked = frame.require_session(), vitals[frame.id]
                layout = layouts[session.id]
                tree = memory.tree(frame, layout, asked, seconds)
                fetch = Fetch(frame, session, frame.loader_id, tree, layout, asked)
            parent = frame.parent.session if frame.parent is not None else None
            if parent is not None and frame.owner_node is None:
                params = {"frameId": frame.id}
                fetch.owner = parent.post("DOM.getFrameOwner", params, timeout=seconds)
            fetches.append(fetch)
        for fetch in fetches:
            if fetch.layout is not None and not fetch.layout.is_told:
                fetch.unseen = memory.unseen(
                    fetch.frame, fetch.layout, fetch.vitals, fetch.tree, seconds
                )
        return fetches, layouts

    def _enable(self, session: Session) -> None:
        """Keep Chromium's accessibility cache between captures: it is a third of their cost."""
        if session.id not in self._enabled:
            self._enabled.add(session.id)
            session.send_only("Accessibility.enable")
            session.send_only("DOM.enable")
            if self._memory.keeps_ledgers:
                session.send_only("Performance.enable")

    async def _children(
        self,
        fetches: list[Fetch],
        layouts: dict[str, Layout],
        facts: dict[str, DomFacts],
        seconds: float,
    ) -> None:
        if not fetches:
            return
        waiting: list[Awaitable[Any]] = [f.tree for f in fetches]
        waiting += [f.owner for f in fetches if f.owner is not None]
        waiting += [layout.reply for layout in layouts.values()]
        deadline = time.monotonic() + seconds
        await wait_all(waiting, seconds)
        for layout in layouts.values():
            if layout.is_there:
                facts.update(layout.facts)
        for fetch in fetches:
            self._check(fetch)
        for fetch in fetches:
            parent = fetch.frame.parent
            if fetch.problem or fetch.frame.owner_node is None or parent is None:
                continue
            fetch.box = self._memory.box(fetch.frame, facts)
            if fetch.box is None and parent.session is not None:
                fetch.box = _box(parent.session, fetch.frame.owner_node, CHILD_GRACE)
        boxes = [fetch.box for fetch in fetches if fetch.box is not None and not fetch.box.done()]
        await wait_all(boxes, max(deadline - time.monotonic(), 0.5))

    async def _see(self, fetches: list[Fetch], facts: dict[str, DomFacts], seconds: float) -> None:
        """Have every frame say what of it cannot be seen, what is in closed roots included."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ask_unseen(fetches, facts, seconds)
        for fetch in fetches[1:]:
            if not fetch.problem:
                self._check(fetch)  # it may have gone meanwhile

    async def _ask_unseen(
        self, fetches: list[Fetch], facts: dict[str, DomFacts], seconds: float
    ) -> None:
        for fetch in fetches:
            if fetch.part is not None and is_answered(fetch.part):
                fetch.unseen = fetch.part.result().unseen
            elif fetch.unseen is None and fetch.layout is not None and not fetch.problem:
                told = await self._memory.seen_again(fetch.frame, fetch.layout, seconds)
                fetch.unseen = told if told is not None else ask_unseen(fetch.frame, seconds)
        shown = [fetch for fetch in fetches if fetch.unseen is not None and not fetch.problem]
        for fetch in shown:
            dom = facts.get(fetch.frame.id)
            if dom is None or not dom.has_closed_roots:
                continue
            if await self._roots.hand(fetch.frame, dom.closed_hosts, seconds):
                fetch.unseen = ask_unseen(fetch.frame, seconds)
        await wait_all([f.unseen for f in shown if f.unseen is not None], seconds)

    def _check(self, fetch: Fetch) -> None:
        """Note why a child frame cannot be shown, if it cannot."""
        frame, tree = fetch.frame, fetch.tree
        where = f"frame {frame.index} ({frame.url or 'empty'})"
        if frame.loader_id != fetch.loader_id or frame.session not in (None, fetch.session):
            fetch.problem = f"{where} navigated while the snapshot was taken"
        elif self.target.frames.find(frame.id) is not frame or frame.session is None:
            fetch.problem = f"{where} was removed while the snapshot was taken"
        elif not is_answered(tree):
            fetch.problem = f"{where} did not answer"
        if fetch.owner is not None and is_answered(fetch.owner):
            frame.owner_node = int(fetch.owner.result()["backendNodeId"])

    def _assemble(
        self,
        fetches: list[Fetch],
        facts: dict[str, DomFacts],
        view: dict[str, Any],
    ) -> Captured:
        frames: dict[int, FrameCapture] = {}
        warnings: list[str] = []
        unfetched: dict[int, frozenset[int]] = {}
        self._left_out = {fetch.frame.id for fetch in fetches}
        for fetch in fetches:
            if fetch.problem:
                warnings.append(fetch.problem)
                continue
            frame = fetch.frame
            parent = frames.get(frame.parent.index) if frame.parent is not None else None
            root = self._root_of(frame, frames)
            offset, scale = placed(root, fetch.box)
            if parent is None and frame.parent is not None:
                continue  # its parent is not shown either
            around = parent.unseen if parent is not None else NOTHING_UNSEEN
            unseen = unseen_in(fetch.unseen, around, frame.owner_node)
            if fetch.part is not None:
                part = fetch.part.result()
                frames[frame.index] = FrameCapture(
                    frame_info(frame), part.tree, part.dom, offset, scale, None, unseen
                )
                unfetched[frame.index] = part.unfetched
                if part.warning:
                    warnings.append(part.warning)
                continue
            tree, dom = fetch.tree.result(), facts.get(frame.id)
            delta = self._memory.delta(frame, tree, dom)
            frames[frame.index] = FrameCapture(
                frame_info(frame), tree, dom, offset, scale, delta, unseen
            )
            if fetch.layout is not None:
                self._memory.keep(frame, tree, dom, fetch.vitals, fetch.layout)
            self._memory.keep_unseen(frame, fetch.unseen, dom)
            self._memory.keep_box(frame, fetch.box, facts)
        if passed_over := sum(one.unseen.passed_over for one in frames.values()):
            parts = (
                "1 part far off was" if passed_over == 1 else f"{passed_over} parts far off were"
            )
            warnings.append(f"{parts} not checked for hidden text")
        self._memory.keep_only(self._left_out)
        self._roots.keep_only(self._left_out)
        self._parts.keep_only(self._left_out)
        main = self.target.frames.main
        title = fetches[0].tree.result().nodes[0].text if fetches[0].tree.result().nodes else ""
        page = PageInfo(title or self.target.title, self.target.url, loading=not main.dom_ready)
        return Captured(page, viewport(view), frames, tuple(warnings), unfetched)

    def _root_of(self, frame: Frame, done: dict[int, FrameCapture]) -> FrameCapture | None:
        """The frame in whose viewport the box of this frame's iframe was measured."""
        if frame.parent is None:
            return None
        return done.get(frame.parent.local_root.index)


def _grace(deadline: float) -> float:
    """How long to wait for what a look can do without."""
    return min(CHILD_GRACE, max(deadline - time.monotonic(), 0.4))


def _box(session: Session, owner: int | None, seconds: float) -> asyncio.Future[dict[str, Any]]:
    return session.post("DOM.getBoxModel", {"backendNodeId": owner}, timeout=seconds)
