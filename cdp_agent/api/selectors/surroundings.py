"""The part of a page that an element stands in: its row, its list item, its box. Pure.

It tells elements of one name apart: the `Delete` of one order from that of another.
"""

from __future__ import annotations

from collections.abc import Collection

from cdp_agent.snapshot import Node, Snapshot
from cdp_agent.text import one_line

_LONGEST = 50
#: A box with more in it than this is not a part of the page, but most of it.
_MOST_NODES = 80
_ITEMS = frozenset({"row", "listitem", "article", "treeitem", "option", "menuitem"})
#: What holds so much that standing in it together says nothing.
_CONTENT = frozenset({"main", "document", "iframe", "list", "table", "grid", "tree", "rowgroup"})


def nearest_to(snapshot: Snapshot, keys: Collection[str], text: str) -> list[str]:
    """Returns those of the elements that stand in the same part of the page as a text.

    A text in a row, a list item or the like is near to what is in there, and to nothing else. For
    any other text it is the smallest box around it that has one of the elements, short of the whole
    content. A text that is equal, whatever the case, wins over one that only contains it.
    """
    wanted = " ".join(text.split()).casefold()
    numbers = [n for n, node in enumerate(snapshot.nodes) if node.key in keys]
    own = {inner for number in numbers for inner in range(number, snapshot.ends[number])}
    texts = [n for n, node in enumerate(snapshot.nodes) if n not in own and _has(node, wanted)]
    equal = [n for n in texts if _folded(snapshot.nodes[n].name) == wanted]
    for holders in (equal, texts):
        found = {key for holder in holders for key in _beside(snapshot, holder, keys)}
        if found:
            return [key for key in keys if key in found]
    return []


def _beside(snapshot: Snapshot, holder: int, keys: Collection[str]) -> list[str]:
    """The elements in the smallest part around a text that has any of them."""
    nodes = snapshot.nodes
    around = [holder, *_around(snapshot, holder)]
    parts = [n for n in around if nodes[n].role in _ITEMS] or [
        n for n in around if nodes[n].role not in _CONTENT and snapshot.ends[n] - n <= _MOST_NODES
    ]
    for top in parts:
        inside = nodes[top : snapshot.ends[top]]
        if found := [node.key for node in inside if node.key in keys]:
            return found
    return []


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


def _has(node: Node, wanted: str) -> bool:
    return wanted in _folded(node.name) or wanted in _folded(node.value or "")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
