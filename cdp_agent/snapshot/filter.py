"""A snapshot cut down to what its options ask for. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cdp_agent.errors import StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.line_cache import BuiltPage
from cdp_agent.snapshot.fetch.in_view import NodesInView
from cdp_agent.snapshot.interactive import closed_choices, first_elements
from cdp_agent.snapshot.model import Element, Node
from cdp_agent.snapshot.options import SnapshotOptions
from cdp_agent.snapshot.search import searched
from cdp_agent.snapshot.text.choices import is_closed_list
from cdp_agent.snapshot.text.fallback_name import hint_in


def apply_options(
    built: BuiltPage,
    options: SnapshotOptions,
    frames: dict[int, FrameCapture],
    top: tuple[int, int] | None,
    in_view: NodesInView | None = None,
) -> tuple[list[Node], list[Element], int]:
    """Nodes and elements that stay, and how many elements were left out.

    `top` is the subtree wanted; with `in_view` only nodes in view stay.
    """
    nodes, elements = built.nodes, built.elements
    if options.keeps_all and top is None:
        return nodes, elements, 0
    inside = _inside(frames, top or (0, 0))
    if top is not None:
        nodes = [node for node in nodes if inside(node.key)]
        shift = min((node.depth for node in nodes), default=0)
        nodes = [_raised(node, shift) for node in nodes]
    if options.expand is not None:
        nodes = _folded_at(nodes, options.expand, options.expand_end)
    if options.search:
        documents = {index: capture.dom for index, capture in frames.items()}
        nodes = searched(nodes, options.search, lambda node: hint_in(documents, node))
    listed = {node.key for node in built.nodes if node.id is not None}
    counted = listed - closed_choices(built.nodes).keys()
    keep = {node.key for node in nodes if node.id is not None}
    # Elements without a line of their own (labels, say) stay with their subtree.
    part = options.expand is not None or bool(options.search)
    if not options.interactive_only and not part:
        unlisted = (e.id for e in elements if e.id not in listed)
        keep |= {str(e) for e in unlisted if top is None or inside(e)}
    wanted = [e for e in elements if e.id in keep and _fits(e, options, in_view)]
    if options.max_elements is not None:
        wanted = first_elements(wanted, built.nodes, options.max_elements)
    if options.max_depth is not None:
        nodes = [node for node in nodes if node.depth < options.max_depth]
        shown = {node.key for node in nodes}
        wanted = [e for e in wanted if e.id in shown or e.id not in listed]
    omitted = len(keep & counted) - sum(e.id in counted for e in wanted)
    only = options.interactive_only or bool(options.roles) or in_view is not None
    if (omitted and not part) or only:
        lines = {str(e.id) for e in wanted}
        if only and not options.interactive_only:
            lines |= _read_only(nodes, options, in_view)
        nodes = _with_ancestors(nodes, lines, only_these=only)
    return nodes, wanted, omitted


def _fits(element: Element, options: SnapshotOptions, in_view: NodesInView | None) -> bool:
    if options.roles and element.role not in options.roles:
        return False
    return in_view is None or in_view(element.frame_index, element.backend_node_id)


def _read_only(
    nodes: list[Node], options: SnapshotOptions, in_view: NodesInView | None
) -> set[str]:
    """Keys of lines without an id that stay: in view, and of the roles, if any are named.

    Lines below a line of such a role (the cells of a row) belong to it.
    """
    kept: set[str] = set()
    inside = -1
    for node in nodes:
        if node.depth <= inside:
            inside = -1
        fits = not options.roles or inside >= 0
        if options.roles and node.id is None and node.role in options.roles:
            fits = True
            inside = node.depth if inside < 0 else inside
        if node.id is not None or not fits or (in_view is not None and not in_view.holds(node.key)):
            continue
        if options.roles or node.name or node.value is not None:
            kept.add(node.key)
    return kept


def _with_ancestors(nodes: list[Node], ids: set[str], *, only_these: bool) -> list[Node]:
    """Lines of the wanted elements and of what they stand in."""
    kept: list[Node] = []
    needed_depth = -1
    for node in reversed(nodes):
        wanted = node.key in ids or (node.id is None and not only_these)
        if wanted or node.depth < needed_depth:
            kept.append(node)
            needed_depth = node.depth
        elif node.depth <= needed_depth:
            needed_depth = node.depth
    kept.reverse()
    return kept


def _folded_at(nodes: list[Node], expand: ElementId, stop: str) -> list[Node]:
    """A node and the siblings after it, with what they stand in: what a stub has folded.

    They end before the node with the key `stop`, if that is among them.

    Raises:
        StaleRef: the page has no such node any more.
    """
    start = next((i for i, node in enumerate(nodes) if node.key == expand), None)
    if start is None:
        raise StaleRef(f"{expand} is not on the page any more", ref=str(expand))
    depth = nodes[start].depth
    if is_closed_list(nodes[start]):
        depth += 1  # the stub stands for its choices, not for what comes after it
    after = range(start + 1, len(nodes))
    end = next((i for i in after if nodes[i].depth < depth or nodes[i].key == stop), len(nodes))
    return [*_ancestors(nodes, start), *nodes[start:end]]


def _ancestors(nodes: list[Node], index: int) -> list[Node]:
    found: list[Node] = []
    depth = nodes[index].depth
    for node in reversed(nodes[:index]):
        if node.depth < depth:
            found.append(node)
            depth = node.depth
    found.reverse()
    return found


def _raised(node: Node, levels: int) -> Node:
    return replace(node, depth=node.depth - levels) if levels else node


def _inside(frames: dict[int, FrameCapture], top: tuple[int, int]) -> Callable[[str], bool]:
    """Returns whether a node is below `top` (frame index, backend node id), through iframes too."""
    top_frame, top_node = top

    def inside(key: str) -> bool:
        frame, _, number = key.partition("-")
        index, backend = int(frame), int(number) if number.isdigit() else 0
        while index != top_frame:
            capture = frames.get(index)
            if capture is None or capture.info.parent_index is None:
                return False
            backend = capture.info.owner_backend_node_id or 0
            index = capture.info.parent_index
        capture = frames.get(index)
        return (
            capture is not None
            and capture.dom is not None
            and capture.dom.contains(top_node, backend)
        )

    return inside
