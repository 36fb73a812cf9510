"""Finds the elements of one session's documents that answer to other input than clicks.

Chromium describes every listener of a document for it: 35 ms on JupyterLab. So after an action it
is asked only where the process has more or fewer listeners than at the previous capture, those of
our own scripts not counted; and where a document has thousands of them, only about its new nodes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.fetch.listeners import (
    LEVELS,
    MOST_NODES,
    TARGET_TYPES,
    Listener,
    ListenerCount,
    Listeners,
    count_listeners,
    new_nodes,
    nodes_at_levels,
    nodes_with,
)
from cdp_agent.snapshot.fetch.page_state import DocumentState
from cdp_agent.snapshot.fetch.script_nodes import retrieve_exception
from cdp_agent.snapshot.incremental.ax_refresh import PreviousFrame
from cdp_agent.targets import Frame


@dataclass(slots=True)
class TargetCache:
    """Per page: handles on its documents, and the numbers of listeners of its processes."""

    listeners: Listeners = field(default_factory=Listeners)
    #: Session → listeners of its process at the previous capture, ours not counted.
    counts: dict[str, int] = field(default_factory=dict)


class TargetSearch:
    """One capture's search. `begin` it once the documents were asked for their states."""

    def __init__(
        self, session: Session, cache: TargetCache, seconds: float, *, after_action: bool
    ) -> None:
        self._session = session
        self._cache = cache
        self._seconds = seconds
        self._after_action = after_action
        self._counting: asyncio.Future[ListenerCount] | None = None
        #: Whether scripts of the page may have added listeners since the previous capture.
        self._has_new = True

    def begin(self) -> None:
        self._counting = count_listeners(self._session, self._seconds)
        retrieve_exception(self._counting)

    async def compare(self, states: Iterable[DocumentState | None]) -> None:
        """Compare the number of listeners with that of the previous capture."""
        if self._counting is None:
            return
        try:
            of_page = (await self._counting).jsEventListeners
        except CdpAgentError:
            self._forget()
            return
        of_page -= sum(state.listeners for state in states if state is not None)
        self._has_new = self._cache.counts.get(self._session.id) != of_page
        self._cache.counts[self._session.id] = of_page

    async def nodes(
        self, frame: Frame, state: DocumentState | None, previous: PreviousFrame | None
    ) -> frozenset[int]:
        """Returns the elements of a document that Chromium lists at once, or those of before."""
        if state is not None and not state.scripted:
            return frozenset()
        lists_all = self._has_new and not self._cache.listeners.are_many(frame)
        if self._after_action and previous is not None and not lists_all:
            return previous.listening
        return await self._found(self._cache.listeners.of_document(frame, self._seconds))

    async def nodes_inside(
        self,
        frame: Frame,
        state: DocumentState | None,
        previous: PreviousFrame | None,
        dom: DomFacts,
    ) -> frozenset[int]:
        """Returns the elements that layout facts lead to: those deep inside, and new ones."""
        listeners, columns = self._cache.listeners, dom.document.nodes
        deep = state is not None and state.depth >= LEVELS
        nodes = nodes_at_levels(columns.parentIndex, columns.backendNodeId) if deep else []
        if self._after_action and previous is not None:
            if not self._has_new:
                return frozenset()
            if listeners.are_many(frame):
                known = set(previous.dom.document.nodes.backendNodeId)
                nodes = new_nodes(columns.parentIndex, columns.backendNodeId, known)
                if len(nodes) > MOST_NODES:
                    return await self._found(listeners.of_document(frame, self._seconds))
        return await self._found(listeners.inside(frame, nodes, self._seconds))

    async def _found(self, asked: Awaitable[list[Listener]]) -> frozenset[int]:
        """Returns the elements of a reply; none where the document cannot answer."""
        try:
            return nodes_with(await asked, TARGET_TYPES)
        except CdpAgentError:
            self._forget()
            return frozenset()

    def _forget(self) -> None:
        """The next capture asks again."""
        self._cache.counts.pop(self._session.id, None)
