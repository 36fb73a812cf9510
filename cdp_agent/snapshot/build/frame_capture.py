"""The fetched data of one frame: the input of the builder. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.build.hidden import NOTHING_HIDDEN, HiddenNodes
from cdp_agent.snapshot.dom.columns import Box
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.model import FrameInfo


@dataclass(frozen=True, slots=True)
class NodeChanges:
    """Backend ids of the nodes of a document whose layout facts differ from earlier ones."""

    earlier: DomFacts
    nodes: frozenset[int]


@dataclass(frozen=True, slots=True)
class FrameCapture:
    """`offset` and `scale` map the frame's viewport onto the page's."""

    info: FrameInfo
    tree: AxTree
    dom: DomFacts | None
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    hidden: HiddenNodes = NOTHING_HIDDEN
    #: Elements that listen for drops, double clicks, context menus or pressed pointers.
    listening: frozenset[int] = frozenset()
    #: Why it has no content; what the browser shows instead is left out.
    problem: str = ""
    #: Differences from the previous capture of the document; None where they are not known.
    changes: NodeChanges | None = None

    def changed_since(self, earlier: FrameCapture) -> frozenset[int] | None:
        """Nodes with other layout facts than in an earlier capture; None: any may have."""
        if self.dom is earlier.dom:
            return frozenset()
        if self.changes is None or self.changes.earlier is not earlier.dom:
            return None
        return self.changes.nodes

    def equals(self, other: FrameCapture) -> bool:
        """Returns whether it is the same tree, with the same facts, at the same position."""
        return (
            self.tree is other.tree
            and self.dom is other.dom
            and self.offset == other.offset
            and self.scale == other.scale
            and self.hidden == other.hidden
            and self.listening == other.listening
            and self.problem == other.problem
            and self.info == other.info
        )

    def visual_box(self, backend: int) -> Box | None:
        """An element's box in the page's viewport, as the page shows it now."""
        sides = self.dom.sides(backend) if self.dom is not None else None
        if sides is None or self.dom is None:
            return None
        (left, top), (wide, high) = self.offset, self.scale
        scroll_x, scroll_y = self.dom.scroll
        x, y, width, height = sides
        return Box(
            round(left + (x - scroll_x) * wide, 2),
            round(top + (y - scroll_y) * high, 2),
            round(width * wide, 2),
            round(height * high, 2),
        )
