"""The interactive elements of a page, each once and in document order. Pure.

Left out are labels whose words a control has as its name, and the options of closed lists: both
have ids and can be acted on, and both belong to a control that is in the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cdp_agent.snapshot.model import Element, Node, Snapshot
from cdp_agent.snapshot.text.choices import is_closed_list


def closed_choices(nodes: Iterable[Node]) -> dict[str, str]:
    """The keys of options behind a closed list, each with the key of its list."""
    found: dict[str, str] = {}
    owner: Node | None = None
    for node in nodes:
        if owner is not None and node.depth <= owner.depth:
            owner = None
        if owner is not None and node.role == "option":
            found[node.key] = owner.key
        elif is_closed_list(node):
            owner = node
    return found


def first_elements(wanted: Sequence[Element], nodes: Sequence[Node], most: int) -> list[Element]:
    """The first `most` elements that have lines, with the options of closed lists among them."""
    choices = closed_choices(nodes)
    order = {node.key: number for number, node in enumerate(nodes) if node.id is not None}
    counted = [e for e in wanted if e.id in order and e.id not in choices]
    kept = {str(e.id) for e in sorted(counted, key=lambda e: order[e.id])[:most]}
    return [e for e in wanted if e.id in kept or choices.get(e.id) in kept]


def interactive_elements(snapshot: Snapshot) -> tuple[Element, ...]:
    """The elements that one can act on, in document order; frames where their elements are."""
    choices = closed_choices(snapshot.nodes)
    lines = {node.key for node in snapshot.nodes if node.id is not None}
    offered = [
        element
        for element in snapshot.elements
        if (element.id in lines or element.role != "label") and element.id not in choices
    ]
    paths: dict[int, tuple[int, ...]] = {}

    def path(index: int) -> tuple[int, ...]:
        """The positions of the elements that a frame stands in, from the main frame down."""
        if index not in paths:
            frame = snapshot.frame_map[index]
            parent, owner = frame.parent_index, frame.owner_backend_node_id
            above = () if parent is None or parent not in snapshot.frame_map else path(parent)
            paths[index] = (*above, position(parent, owner)) if parent is not None else above
        return paths[index]

    def position(frame: int, backend_node_id: int | None) -> int:
        facts = snapshot.document(frame)
        return facts.position(backend_node_id or 0) if facts is not None else -1

    def order(element: Element) -> tuple[int, ...]:
        where = position(element.frame_index, element.backend_node_id)
        return (*path(element.frame_index), where)

    return tuple(sorted(offered, key=order))
