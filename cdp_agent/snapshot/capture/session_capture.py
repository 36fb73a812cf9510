"""Captures the documents of one session: a tab, or an out-of-process frame with its own frames.

The phases, in this order: each document reports its state; its size decides between a whole and a
partial capture; layout facts are captured and compared with the previous ones; the accessibility
tree is fetched, or its affected nodes; hidden text is found meanwhile. Layout facts are sent for
before the tree: a tree older than the facts would pass for new at the next capture.

After an action, documents that report the layout of the previous capture are not captured again:
only their focus, states, field values and listeners may differ. A snapshot that a caller asks for
always captures: a colour under the pointer is not in the report.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.build.frame_capture import NodeChanges
from cdp_agent.snapshot.capture.capture_cache import CaptureCache, FrameResult
from cdp_agent.snapshot.capture.input_targets import TargetSearch
from cdp_agent.snapshot.dom.facts import DomFacts, documents_by_frame
from cdp_agent.snapshot.fetch.ax import enable_ax, full_tree
from cdp_agent.snapshot.fetch.dom_capture import capture_dom
from cdp_agent.snapshot.fetch.hidden_text import ask_hidden, hidden_nodes
from cdp_agent.snapshot.fetch.page_state import (
    DocumentState,
    ask_state,
    document_state,
    measure_layout,
)
from cdp_agent.snapshot.incremental.ax_refresh import PreviousFrame, TreeRefresh
from cdp_agent.snapshot.incremental.dom_diff import DomDiff, diff_documents
from cdp_agent.snapshot.partial.partial import PartChoice
from cdp_agent.targets import Frame, World

#: Documents with more elements than this are captured in part when a budget is set.
LARGE = 3_500
#: With more elements than this, in part even without a budget: the tree takes too long.
TOO_LARGE = 8_000
#: Nested deeper than this, in part: Chromium takes minutes for the whole, and may crash.
TOO_DEEP = 2_500
#: A changed document with no more accessibility nodes than this has its whole tree fetched: some
#: 50 µs a node, where a single one that is asked for takes 1 ms.
SMALL_TREE = 400
#: With more characters than this in scripts and style sheets, nodes are chosen by a script.
MUCH_CODE = 1_000_000
#: The part of a document that is too large to be captured whole.
_OF_TOO_LARGE = PartChoice(everything=True, most_nodes=1_500)
_OF_TOO_DEEP = PartChoice(2_000)
_EVERYTHING = PartChoice(everything=True, most_nodes=1_000_000)


class SessionCapture:
    """One capture of the frames of one session. `results` fill while it runs."""

    def __init__(
        self,
        session: Session,
        frames: Sequence[Frame],
        cache: CaptureCache,
        choice: PartChoice | None,
        seconds: float,
        *,
        after_action: bool = False,
    ) -> None:
        self._after_action = after_action
        self._session = session
        self._cache = cache
        self._choice = choice
        self._seconds = seconds
        self.results = [FrameResult(frame, session, frame.loader_id) for frame in frames]
        self._targets = TargetSearch(session, cache.targets, seconds, after_action=after_action)
        #: Set when documents are too large to be captured whole: their number of elements.
        self.too_large = 0
        #: Set when documents nest too deep for that: their number of levels.
        self.too_deep = 0

    @property
    def size_warning(self) -> str:
        """Says that documents are shown in part, and why; empty where they are not."""
        if self.too_deep:
            reason = f"nests {self.too_deep} levels deep, too deep to show at once"
        elif self.too_large:
            reason = f"has {self.too_large} elements, too many to show at once"
        else:
            return ""
        how = "use search, or expand with the id in a stub"
        return f"the page {reason}: it is shown in parts; {how}"

    async def run(self) -> None:
        """Raises: what commands raise for the session as a whole; a frame has its own error."""
        if self._session.id not in self._cache.enabled:
            self._cache.enabled.add(self._session.id)
            enable_ax(self._session)
        await self._states()
        if self._after_action and all(map(self._has_same_layout, self.results)):
            await self._each(self._restated)
            return
        choice = self._part_choice()
        if choice is not None:
            await self._each(lambda result: self._partial(result, choice))
        else:
            await self._whole()
        for result in self.results:
            self._measure(result)  # while the caller builds the snapshot

    # -- phase 1: states, and what follows from them ----------------------------------------------

    async def _states(self) -> None:
        replies = [
            ask_state(result.frame, self._seconds, self._mutations_before(result))
            for result in self.results
        ]
        self._targets.begin()
        for result, reply in zip(self.results, replies, strict=True):
            result.state = await document_state(reply)
        await self._targets.compare([result.state for result in self.results])

    def _mutations_before(self, result: FrameResult) -> int | None:
        """The mutations of the document up to the previous capture; None: there is none."""
        previous = self._cache.whole.get(result.frame.id)
        comparable = previous is not None and previous.is_of(result.frame)
        return previous.state.mutations if previous is not None and comparable else None

    def _part_choice(self) -> PartChoice | None:
        """The part of the documents to choose; None: they are captured whole."""
        states = [result.state for result in self.results if result.state is not None]
        if len(states) < len(self.results):
            return None  # one of them has no world of ours to choose in
        elements = max(state.elements for state in states)
        depth = max(state.depth for state in states)
        if depth > TOO_DEEP:
            self.too_deep = depth
            return self._choice or _OF_TOO_DEEP
        if self._choice is not None and elements > LARGE:
            return self._choice
        if elements > TOO_LARGE:
            self.too_large = elements
            return _OF_TOO_LARGE
        if sum(state.code for state in states) > MUCH_CODE:
            return _EVERYTHING
        return None

    # -- phase 2: layout as before ----------------------------------------------------------------

    def _has_same_layout(self, result: FrameResult) -> bool:
        previous = self._previous(result)
        if previous is None or result.state is None or result.frame.world is None:
            return False
        is_open = not previous.dom.has_closed_roots  # what is in a closed root is not reported
        return is_open and previous.has_layout_of(result.state)

    async def _restated(self, result: FrameResult) -> None:
        """Take over the previous capture, with the states and values of now."""
        previous, state, world = self._previous(result), result.state, result.frame.world
        if previous is None or state is None or world is None:
            return  # `_has_same_layout` has found all three
        result.dom, result.hidden = previous.dom, previous.hidden
        result.measured = previous.measured
        await self._listening(result)
        await self._listening_inside(result)
        unchanged = DomDiff(identical=True)
        await self._refresh(result, previous, world, unchanged, state)

    # -- phase 2: partial -------------------------------------------------------------------------

    async def _partial(self, result: FrameResult, choice: PartChoice) -> None:
        part = await self._cache.partial.capture(result.frame, choice, self._seconds)
        result.hidden = await hidden_nodes(part.hidden)
        result.tree, result.dom, result.unfetched = part.tree, part.dom, part.unfetched
        result.listening, result.warning = part.listening, part.warning

    # -- phase 2: whole ---------------------------------------------------------------------------

    async def _whole(self) -> None:
        capturing = capture_dom(self._session, self._seconds)
        trees: dict[str, asyncio.Future[AxTree]] = {
            result.frame.id: full_tree(self._session, result.frame.id, self._seconds)
            for result in self.results
            if self._takes_whole_tree(result)
        }
        for result in self.results:
            result.asked_hidden = ask_hidden(result.frame, self._seconds)
        listening = asyncio.ensure_future(self._each(self._listening))
        try:
            documents = documents_by_frame(await capturing)
            await self._each(lambda result: self._tree(result, documents, trees))
            await self._each(self._renew)
            await self._each(self._hidden)
            await listening
            await self._each(self._listening_inside)
        finally:
            listening.cancel()
            capturing.cancel()
            for tree in trees.values():
                tree.cancel()

    def _has_changed(self, result: FrameResult) -> bool:
        """Returns whether the document is new, mutated or is laid out otherwise."""
        previous = self._previous(result)
        return previous is None or result.state is None or not previous.has_layout_of(result.state)

    def _takes_whole_tree(self, result: FrameResult) -> bool:
        """Returns whether to fetch the whole tree: a small one costs less than comparing."""
        previous = self._previous(result)
        if previous is None:
            return True
        return self._has_changed(result) and len(previous.tree.nodes) <= SMALL_TREE

    def _measure(self, result: FrameResult) -> None:
        """Measure the layout, where the document mutated and its state was reported without it."""
        if result.error is None and result.state is not None and not result.state.layout:
            result.measured = measure_layout(result.frame, result.state, self._seconds)

    async def _listening(self, result: FrameResult) -> None:
        previous = self._previous(result)
        result.listening = await self._targets.nodes(result.frame, result.state, previous)

    async def _listening_inside(self, result: FrameResult) -> None:
        if result.dom is not None:
            result.listening |= await self._targets.nodes_inside(
                result.frame, result.state, self._previous(result), result.dom
            )

    def _previous(self, result: FrameResult) -> PreviousFrame | None:
        """The previous capture of the document, where the two can be compared."""
        previous = self._cache.whole.get(result.frame.id)
        if previous is None or result.state is None or not previous.is_of(result.frame):
            return None
        return previous

    async def _tree(
        self,
        result: FrameResult,
        documents: dict[str, DomFacts],
        trees: dict[str, asyncio.Future[AxTree]],
    ) -> None:
        frame = result.frame
        result.dom = dom = documents.get(frame.id)
        if frame.id in trees:
            result.tree = await trees[frame.id]
            return
        previous = self._previous(result)
        if previous is not None and dom is not None and frame.world and result.state is not None:
            diff = diff_documents(previous.dom, dom)
            if diff.identical:
                # The same object stands for the same document: lines can be used again.
                result.dom = previous.dom
            else:
                result.changes = NodeChanges(previous.dom, diff.nodes(dom))
            await self._refresh(result, previous, frame.world, diff, result.state)
        else:
            result.tree = await full_tree(self._session, frame.id, self._seconds)

    async def _renew(self, result: FrameResult) -> None:
        """Fetch the tree again where the accessibility cache has missed texts that are drawn."""
        if result.tree is None or result.dom is None:
            return
        renewed = await self._cache.stale_texts.renewed(
            self._session, result.frame.id, result.tree, result.dom, self._seconds
        )
        if renewed is not None:
            result.tree, result.changes = renewed, None

    async def _refresh(
        self,
        result: FrameResult,
        previous: PreviousFrame,
        world: World,
        diff: DomDiff,
        state: DocumentState,
    ) -> None:
        """Fetch the affected nodes of the tree, or all of it."""
        dom = result.dom if result.dom is not None else previous.dom
        refresh = TreeRefresh(self._session, world, previous, dom, diff, state, self._seconds)
        refreshed = await refresh.tree()
        if refreshed is not None:
            result.tree, result.in_labels = refreshed
        else:
            result.tree = await full_tree(self._session, result.frame.id, self._seconds)

    async def _hidden(self, result: FrameResult) -> None:
        """The hidden text that was asked for, in new closed shadow roots too."""
        if result.asked_hidden is not None:
            result.hidden = await hidden_nodes(result.asked_hidden)
        dom, roots = result.dom, self._cache.closed_roots
        if dom is None or not dom.has_closed_roots:
            return
        if await roots.give(result.frame, dom.closed_hosts, self._seconds):
            result.hidden = await hidden_nodes(ask_hidden(result.frame, self._seconds))

    async def _each(self, fetch: Callable[[FrameResult], Awaitable[None]]) -> None:
        """Run a phase for all frames at once; an error is kept with its frame."""

        async def guarded(result: FrameResult) -> None:
            if result.error is None:
                try:
                    await fetch(result)
                except CdpAgentError as error:
                    result.error = error

        await asyncio.gather(*(guarded(result) for result in self.results))
