"""The part of a page that an element stands in: its row, its list item, its box. Pure.

It tells elements of one name apart: the `Delete` of one order from that of another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cdp_agent.snapshot import Node, Snapshot
from cdp_agent.text import one_line

_LONGEST = 50


def nearest_to(snapshot: Snapshot, keys: Sequence[str], text: str) -> list[str]:
    """Returns those of the elements whose smallest part of the page with that text is smallest.

    The text is compared without regard to case. An element that is in no part with it is left out.
    """
    wanted = " ".join(text.split()).casefold()
    holders = [i for i, node in enumerate(snapshot.nodes) if wanted in _folded(node)]
    numbers = {node.key: number for number, node in enumerate(snapshot.nodes)}
    sizes: dict[str, int] = {}
    for key in keys:
        for top in _around(snapshot, numbers.get(key)):
            end = snapshot.ends[top]
            if any(top <= holder < end for holder in holders):
                sizes[key] = end - top
                break
    least = min(sizes.values(), default=0)
    return [key for key in keys if sizes.get(key) == least]


def context_of(snapshot: Snapshot, key: str, equals: Collection[str]) -> str:
    """The first words of the part of the page that has this one of several equal elements alone."""
    nodes, found = snapshot.nodes, ""
    numbers = {node.key: number for number, node in enumerate(nodes)}
    own = numbers.get(key)
    others = {number for other, number in numbers.items() if other in equals and other != key}
    for top in _around(snapshot, own):
        inside = range(top, snapshot.ends[top])
        if not others.isdisjoint(inside):
            break
        name = nodes[own].name if own is not None else ""
        words = (nodes[number] for number in inside if number != own)
        found = next((node.name for node in words if node.name and node.name != name), "")
        if found:
            break
    return one_line(found, _LONGEST)


def _around(snapshot: Snapshot, number: int | None) -> list[int]:
    """The numbers of the nodes around one, from the inside out."""
    if number is None:
        return []
    nodes, found = snapshot.nodes, []
    depth = nodes[number].depth
    for index in range(number - 1, -1, -1):
        if nodes[index].depth < depth:
            depth = nodes[index].depth
            found.append(index)
    return found


def _folded(node: Node) -> str:
    return " ".join(f"{node.name} {node.value or ''}".split()).casefold()
