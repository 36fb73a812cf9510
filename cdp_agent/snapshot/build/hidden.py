"""Text that a person cannot see: how its lines are marked and its names shortened. Pure.

A page can say to a model what nobody who looks at it would read: off the screen, in the colour of
its background, one pixel high. Such text is kept, cut short and marked `hidden`, rather than left
out: some of it is meant for screen readers and useful, and some will be visible after the next
click. An element with an id keeps its name and gets the mark as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cdp_agent.snapshot.ax.tree import AxNode
from cdp_agent.text import one_line

#: Longer than any name.
_UNCUT = 1_000_000
#: Levels between the text of a pseudo-element and the element it belongs to.
_PSEUDO_LEVELS = 3
#: Hidden text is cut at this length.
LONGEST = 80
#: The state of a hidden line or element.
HIDDEN = {"hidden": True}


@dataclass(frozen=True, slots=True)
class HiddenNodes:
    """Backend node ids of one document, or all of it: its frame is hidden."""

    nodes: frozenset[int] = frozenset()
    everything: bool = False
    #: Elements far from the viewport that were not checked: the page is too large.
    unchecked: int = 0

    def __contains__(self, backend_node_id: int) -> bool:
        return self.everything or backend_node_id in self.nodes

    def __bool__(self) -> bool:
        return self.everything or bool(self.nodes)


NOTHING_HIDDEN = HiddenNodes()


def is_hidden(node: AxNode, hidden: HiddenNodes, find: Callable[[str], AxNode | None]) -> bool:
    """Returns whether a text is hidden; one that CSS generates is where its element is."""
    if node.backendDOMNodeId:
        return node.backendDOMNodeId in hidden
    ancestor = find(node.parentId)
    for _ in range(_PSEUDO_LEVELS):
        if ancestor is None or ancestor.backendDOMNodeId in hidden:
            return ancestor is not None
        ancestor = find(ancestor.parentId)
    return False


def visible_name(node: AxNode, hidden: HiddenNodes, find: Callable[[str], AxNode | None]) -> str:
    """The name of an element that is named by its content, uncut, without the hidden words."""
    name = one_line(node.text, _UNCUT)
    waiting = list(node.childIds)
    while waiting:
        child = find(waiting.pop())
        if child is None:
            continue
        if child.role_name != "StaticText":
            waiting.extend(child.childIds)
        elif child.backendDOMNodeId in hidden:
            name = name.replace(one_line(child.text, _UNCUT), " ", 1)
    return one_line(name, _UNCUT)
