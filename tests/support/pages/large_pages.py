"""Pages too large to be fetched whole for a budget, and what a look at a part of one must show."""

from __future__ import annotations

from cdp_agent import Snapshot

#: More than is fetched whole for a budget, out of view.
ROWS = 920
REST = "<ul style='margin-top:2500px'>{}</ul>".format(
    "".join(
        f"<li id=r{n}><a href=#r{n}>Row {n}</a> <span>{n} pieces</span> <button>Drop {n}</button>"
        for n in range(ROWS)
    )
)


def require_part(part: Snapshot, whole: Snapshot, said: object = "") -> None:
    """Everything in the part stands in the whole, the same in every field and in that order."""
    assert part.is_partial, said
    elements = {element.id: element for element in whole.elements}
    for element in part.elements:
        assert element == elements.get(element.id), said
        assert part.xpath_map[element.id] == whole.xpath_map[element.id]
    nodes = {node.key: node for node in whole.nodes}
    shown = [node for node in part.nodes if not node.folded]
    for node in shown:
        assert node == nodes.get(node.key), said
    keys = {node.key for node in shown}
    assert [node.key for node in shown] == [n.key for n in whole.nodes if n.key in keys], said
    view = whole.viewport
    listed = {element.id for element in part.elements}
    for element in whole.elements:
        box = element.bounds
        if box is not None and box.y >= 0 and box.y + box.height <= view.height and box.width:
            assert element.id in listed, f"{element} is in view, {said}"
