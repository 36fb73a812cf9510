"""Texts that Chromium's accessibility cache calls invisible, though they are drawn.

The cache misses a text whose slot stands inside a part of a web component when the component
becomes visible, as it does once it is ready. A cache made anew is right; what it still calls
invisible is so for another reason, such as a hidden part around the slot, and is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.fetch.ax import full_tree, renew_ax


@dataclass(slots=True)
class StaleTexts:
    #: Of each frame: the texts that are invisible in a cache made anew, too.
    _invisible: dict[str, frozenset[int]] = field(default_factory=dict)

    async def renewed(
        self, session: Session, frame_id: str, tree: AxTree, dom: DomFacts, seconds: float
    ) -> AxTree | None:
        """The tree of a cache made anew, where texts of this one are stale; else None."""
        stale = _invisible_though_drawn(tree, dom)
        if stale <= self._invisible.get(frame_id, frozenset()):
            return None
        renew_ax(session)
        renewed = await full_tree(session, frame_id, seconds)
        self._invisible[frame_id] = _invisible_though_drawn(renewed, dom)
        return renewed

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self._invisible.keys() - frame_ids:
            del self._invisible[gone]


def _invisible_though_drawn(tree: AxTree, dom: DomFacts) -> frozenset[int]:
    return frozenset(
        node.backendDOMNodeId
        for node in tree.nodes
        for reason in node.ignoredReasons
        if reason.name == "notVisible" and dom.draws_text(node.backendDOMNodeId)
    )
