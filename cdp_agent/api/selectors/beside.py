"""Controls without a name that have a text beside them for a label. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cdp_agent.snapshot import Node, Snapshot

#: Their label stands behind them.
_BOXES = frozenset({"checkbox", "radio", "switch"})
#: What a form laid out in rows has around each control.
_WRAPPERS = frozenset({"cell", "definition"})


def controls_beside(
    snapshot: Snapshot, texts: Collection[str], controls: Collection[str]
) -> list[Node]:
    """Those of the controls that a person would take one of the texts for the label of.

    Such a control is the only one in the box that the text stands in, or it stands right behind the
    text or first in the cell behind it; a checkbox before it. Texts and controls are given by their
    keys.
    """
    nodes, ends = snapshot.nodes, snapshot.ends
    found: list[Node] = []
    for index, parent in _with_parents(snapshot):
        if nodes[index].key not in texts:
            continue
        box = nodes[parent + 1 : ends[parent]] if parent >= 0 else ()
        inside = [node for node in box if node.key in controls]
        behind = _behind(snapshot, index)
        before = nodes[index - 1] if index else None
        if len(inside) == 1:
            found.append(inside[0])
        elif before is not None and before.key in controls and before.role in _BOXES:
            found.append(before)
        elif behind is not None and behind.key in controls and behind.role not in _BOXES:
            found.append(behind)
    return list({node.key: node for node in found}.values())


def _behind(snapshot: Snapshot, index: int) -> Node | None:
    following = snapshot.nodes[snapshot.ends[index] :][:2]
    if len(following) == 2 and following[0].role in _WRAPPERS:
        return following[1]
    return following[0] if following else None


def _with_parents(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """The index of each node, and that of the node it stands in; -1 for none."""
    above: list[int] = []
    for index in range(len(snapshot.nodes)):
        while above and snapshot.ends[above[-1]] <= index:
            above.pop()
        yield index, above[-1] if above else -1
        above.append(index)
