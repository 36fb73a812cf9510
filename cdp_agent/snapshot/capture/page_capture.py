"""Captures a page: all sessions at once, one object for each.

A child frame may vanish or hang at any moment: it is then left out and named in the warnings.
The main frame's failure is the caller's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_agent.deadline import seconds_until
from cdp_agent.errors import (
    CdpAgentError,
    CommandTimeout,
    ConnectionLost,
    NavigationFailed,
    StaleRef,
    TargetCrashed,
)
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.geometry import frame_info, placement, viewport
from cdp_agent.snapshot.build.hidden import NOTHING_HIDDEN
from cdp_agent.snapshot.capture.capture_cache import CaptureCache, FrameResult
from cdp_agent.snapshot.capture.empty_frames import empty_reason
from cdp_agent.snapshot.capture.session_capture import SessionCapture
from cdp_agent.snapshot.fetch.hidden_text import hidden_in_frame
from cdp_agent.snapshot.fetch.script_nodes import retrieve_exception
from cdp_agent.snapshot.model import PageInfo, Viewport
from cdp_agent.snapshot.partial.partial import PartChoice
from cdp_agent.targets import Frame, PageTarget

if TYPE_CHECKING:
    from cdp_use.cdp.dom.commands import (
        GetBoxModelParameters,
        GetBoxModelReturns,
        GetFrameOwnerParameters,
        GetFrameOwnerReturns,
    )
    from cdp_use.cdp.page.commands import GetLayoutMetricsReturns

    #: Replies by frame id.
    _Boxes = dict[str, asyncio.Future[GetBoxModelReturns]]
    _Owners = dict[str, asyncio.Future[GetFrameOwnerReturns]]

#: Seconds that child frames may take once the main frame has answered.
CHILD_GRACE = 2.5
#: A page whose main frame navigates during each of these does not stop navigating.
_TRIES = 4

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PageCapture:
    page: PageInfo
    viewport: Viewport
    frames: dict[int, FrameCapture]
    warnings: tuple[str, ...]
    #: Frame index → nodes below something shown that were not fetched.
    unfetched: dict[int, frozenset[int]]


@dataclass(slots=True)
class PageCapturer:
    """Captures one page again and again, comparing with the previous capture."""

    target: PageTarget
    _cache: CaptureCache = field(default_factory=CaptureCache)
    #: Frames that the last capture asked about or left out.
    _asked: set[str] = field(default_factory=set)

    async def capture(
        self, seconds: float, choice: PartChoice | None = None, *, after_action: bool = False
    ) -> PageCapture:
        """All of the page; with a `choice`, of large documents that part.

        `after_action`: documents that report an unchanged layout are not captured again.

        Raises:
            CommandTimeout, TargetClosed, TargetCrashed, NavigationFailed: nothing was captured.
            StaleRef: the node that the part begins with is gone.
        """
        deadline = time.monotonic() + seconds
        await self.target.wait_ready(min(seconds, 5))
        for number in range(_TRIES):
            captured = await self._once(deadline, choice, after_action=after_action)
            if captured is None:
                continue
            # A frame may have been attached after the others were asked: capture once more.
            if number or all(frame.id in self._asked for frame in self.target.frames):
                return captured
        raise NavigationFailed(f"the page {self.target.url} does not stop navigating")

    async def _once(
        self, deadline: float, choice: PartChoice | None, *, after_action: bool
    ) -> PageCapture | None:
        """One capture; None: the main frame navigated meanwhile."""
        target = self.target
        target.require_alive()
        left = seconds_until(deadline, 0.1)
        main = target.frames.main
        if main.session is None:
            await target.until(lambda: main.session is not None, left)
            return None
        loader = main.loader_id
        await self._crash_owners(left)
        metrics = target.session.post("Page.getLayoutMetrics", timeout=left)
        sessions = self._sessions(choice, left, after_action=after_action)
        owners = _ask_owners(sessions, left)
        tasks = [asyncio.ensure_future(session.run()) for session in sessions]
        try:
            try:
                view = await self._main_frame(sessions[0], tasks[0], metrics, left)
            except (CommandTimeout, ConnectionLost, TargetCrashed):
                raise
            except CdpAgentError:
                target.require_alive()
                if main.loader_id != loader:
                    return None
                raise
            under_way: list[asyncio.Future[Any]] = [*tasks, *owners.values()]
            await asyncio.wait(under_way, timeout=_grace(deadline))
            results = [result for session in sessions for result in session.results]
            problems = self._problems(results, owners)
            boxes = await self._boxes(results, problems, deadline)
            if main.loader_id != loader:
                return None
            too_large = [warning for session in sessions if (warning := session.size_warning)]
            return self._assemble(results, problems, boxes, view, too_large)
        finally:
            pending: list[asyncio.Future[Any]] = [*tasks, *owners.values(), metrics]
            for one in pending:
                one.cancel()
            await asyncio.wait(tasks)

    def _sessions(
        self, choice: PartChoice | None, seconds: float, *, after_action: bool
    ) -> list[SessionCapture]:
        """One object for each session, that of the main frame first."""
        by_session: dict[Session, list[Frame]] = {}
        for frame in self.target.frames:
            if frame.session is not None and frame.session.ended is None:
                by_session.setdefault(frame.session, []).append(frame)
        return [
            SessionCapture(session, group, self._cache, choice, seconds, after_action=after_action)
            for session, group in by_session.items()
        ]

    async def _main_frame(
        self,
        session: SessionCapture,
        task: asyncio.Future[None],
        metrics: asyncio.Future[GetLayoutMetricsReturns],
        seconds: float,
    ) -> GetLayoutMetricsReturns:
        """Wait for the main frame's process, and return the layout metrics.

        Raises:
            CommandTimeout: it did not answer in time.
            TargetCrashed, TargetClosed: it went away meanwhile.
        """
        everything = asyncio.gather(task, metrics)
        everything.add_done_callback(lambda _: self.target.pulse())
        try:
            if not await self.target.until(everything.done, seconds):
                raise CommandTimeout(f"the page was not captured within {seconds:.3g} s")
            error = session.results[0].error
            if error is not None:
                raise error
            return (await everything)[1]
        finally:
            everything.cancel()
            retrieve_exception(everything)

    def _problems(self, results: list[FrameResult], owners: _Owners) -> dict[str, str]:
        """Why child frames cannot be shown, by frame id."""
        problems: dict[str, str] = {}
        for result in results:
            frame = result.frame
            owner = owners.get(frame.id)
            if owner is not None and _answer(owner) is not None:
                frame.owner_node = int(owner.result()["backendNodeId"])
            name = f"frame {frame.index} ({frame.url or 'empty'})"
            if isinstance(result.error, StaleRef):
                raise result.error
            if frame.loader_id != result.loader_id or frame.session not in (None, result.session):
                problems[frame.id] = f"{name} navigated while the snapshot was taken"
            elif self.target.frames.find(frame.id) is not frame or frame.session is None:
                problems[frame.id] = f"{name} was removed while the snapshot was taken"
            elif result.tree is None:
                problems[frame.id] = f"{name} did not answer"
        return problems

    async def _boxes(
        self, results: list[FrameResult], problems: dict[str, str], deadline: float
    ) -> _Boxes:
        """Box models of the iframe elements, by frame id."""
        boxes: _Boxes = {}
        for result in results:
            frame, parent = result.frame, result.frame.parent
            if frame.id in problems or frame.owner_node is None or parent is None:
                continue
            if parent.session is not None and parent.session.ended is None:
                params: GetBoxModelParameters = {"backendNodeId": frame.owner_node}
                boxes[frame.id] = parent.session.post(
                    "DOM.getBoxModel", params, timeout=CHILD_GRACE
                )
        if boxes:
            await asyncio.wait(boxes.values(), timeout=_grace(deadline))
        return boxes

    def _assemble(
        self,
        results: list[FrameResult],
        problems: dict[str, str],
        boxes: _Boxes,
        view: GetLayoutMetricsReturns,
        too_large: list[str],
    ) -> PageCapture:
        frames: dict[int, FrameCapture] = {}
        warnings: list[str] = []
        unfetched: dict[int, frozenset[int]] = {}
        self._asked = {result.frame.id for result in results}
        for result in sorted(results, key=lambda one: len(list(one.frame.ancestors()))):
            frame = result.frame
            if frame.id in problems or result.tree is None:
                if not any(empty_reason(outer) for outer in frame.ancestors()):
                    warnings.append(problems.get(frame.id, ""))
                continue
            parent = frames.get(frame.parent.index) if frame.parent is not None else None
            if parent is None and frame.parent is not None:
                continue  # its parent is not shown either
            root = frames.get(frame.parent.local_root.index) if frame.parent is not None else None
            box = _answer(boxes.get(frame.id))
            offset, scale = placement(root, box["model"] if box is not None else None)
            around = parent.hidden if parent is not None else NOTHING_HIDDEN
            hidden = hidden_in_frame(result.hidden, around, frame.owner_node)
            frames[frame.index] = FrameCapture(
                frame_info(frame),
                result.tree,
                result.dom,
                offset,
                scale,
                hidden,
                result.listening,
                empty_reason(frame) if frame.parent is not None else "",
                result.changes,
            )
            if result.unfetched:
                unfetched[frame.index] = result.unfetched
            if result.warning:
                warnings.append(result.warning)
            self._cache.store(result)
        self._add_crashed(frames)
        warnings += too_large[:1] + _warnings(frames.values())
        self._cache.retain(self._asked)
        main_nodes = frames[0].tree.nodes
        title = main_nodes[0].text if main_nodes else ""
        main = self.target.frames.main
        page = PageInfo(title or self.target.title, self.target.url, loading=not main.dom_ready)
        in_order = dict(sorted(frames.items()))
        return PageCapture(page, viewport(view), in_order, tuple(filter(None, warnings)), unfetched)

    def _add_crashed(self, frames: dict[int, FrameCapture]) -> None:
        """Crashed frames have nothing to capture; the line of their iframe says why."""
        for frame in self.target.frames.crashed.values():
            info, reason = frame_info(frame), empty_reason(frame)
            frames.setdefault(frame.index, FrameCapture(info, AxTree([]), None, problem=reason))

    async def _crash_owners(self, seconds: float) -> None:
        """Ask for the iframe elements of crashed frames that were never captured."""
        for frame in list(self.target.frames.crashed.values()):
            parent = frame.parent
            if frame.owner_node is None and parent is not None and parent.session is not None:
                params: GetFrameOwnerParameters = {"frameId": frame.id}
                try:
                    reply = await parent.session.post("DOM.getFrameOwner", params, timeout=seconds)
                    frame.owner_node = int(reply["backendNodeId"])
                except CdpAgentError:
                    continue  # its iframe has gone


def _ask_owners(sessions: list[SessionCapture], seconds: float) -> _Owners:
    """The iframe elements of frames that are new, by frame id."""
    owners: _Owners = {}
    for session in sessions:
        for result in session.results:
            frame, parent = result.frame, result.frame.parent
            if parent is None or parent.session is None or frame.owner_node is not None:
                continue
            params: GetFrameOwnerParameters = {"frameId": frame.id}
            owners[frame.id] = parent.session.post("DOM.getFrameOwner", params, timeout=seconds)
    return owners


def _warnings(frames: Iterable[FrameCapture]) -> list[str]:
    warnings = []
    if unchecked := sum(frame.hidden.unchecked for frame in frames):
        parts = "1 part far off was" if unchecked == 1 else f"{unchecked} parts far off were"
        warnings.append(f"{parts} not checked for hidden text")
    return warnings


def _answer(reply: asyncio.Future[_T] | None) -> _T | None:
    """The reply, if it has come and is not an error."""
    if reply is None or not reply.done() or reply.cancelled() or reply.exception() is not None:
        return None
    return reply.result()


def _grace(deadline: float) -> float:
    """Seconds to wait for data that a capture can do without."""
    return min(CHILD_GRACE, seconds_until(deadline, 0.4))
