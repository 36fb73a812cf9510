"""The interactive elements of a page, each once and in document order. Pure.

Left out are the labels of controls and the options of closed lists: both have ids and can be acted
on, and both belong to a control that is in the list. Left out as well is what scripts alone can
focus (`tabindex=-1`) and nothing else can be done with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cdp_agent.snapshot.ax.roles import INTERACTIVE, NATIVE_TAGS
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.model import Element, Node, Snapshot
from cdp_agent.snapshot.text.choices import is_closed_list

_LABELABLE = frozenset({"input", "select", "textarea", "button", "meter", "output", "progress"})
#: The hint of all that can be pressed: it says nothing of what a press would do.
_PRESSED = frozenset({"clickable"})


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
        if element.id not in choices and _is_offered(snapshot, element, element.id in lines)
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


def _is_offered(snapshot: Snapshot, element: Element, has_line: bool) -> bool:
    facts = snapshot.document(element.frame_index)
    if element.role == "label" and not has_line:
        return False
    if facts is None:
        return True
    if element.role == "label":
        control = _control_of(facts, element.backend_node_id)
        return snapshot.find_by_id(f"{element.frame_index}-{control}") is None
    return not _is_only_focusable(facts, element)


def _control_of(facts: DomFacts, label: int) -> int:
    """The control that a label names; 0 where it names none."""
    target = facts.attributes(label).get("for")
    if target is not None:
        ids = facts.attribute_index.having("id")
        return next((backend for backend, name in ids.items() if name == target), 0)
    inside = (i for i in facts.subtree(facts.position(label)) if facts.tag_at(i) in _LABELABLE)
    index = min(inside, default=-1)
    return facts.document.nodes.backendNodeId[index] if index >= 0 else 0


def _is_only_focusable(facts: DomFacts, element: Element) -> bool:
    """Returns whether only scripts reach it: no control, no listener, and a tab index below 0."""
    backend = element.backend_node_id
    if element.role in INTERACTIVE or element.tag in NATIVE_TAGS or set(element.hints) - _PRESSED:
        return False
    if not facts.attributes(backend).get("tabindex", "").strip().startswith("-"):
        return False
    return not facts.has_pointer(backend) and not facts.is_clickable(backend)
