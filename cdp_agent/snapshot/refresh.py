"""The accessibility tree of a document that was captured before: only what changed is fetched.

Chromium's full tree of a form costs five times its layout facts. So those are taken afresh with
every capture, compared with the former ones, and accessibility nodes are asked for again only
where a difference can reach. Whatever cannot be told for sure is answered by fetching all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax import AxNode, AxTree, children_of, says_the_same
from cdp_agent.snapshot.changes import Changes
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.ledger import Ledger
from cdp_agent.snapshot.reach import Reach
from cdp_agent.targets import Frame, World

#: A node costs about this many times as much by itself as in the whole tree.
_DEARER = 12
_FEW, _MANY = 4, 120
#: A node with more children than this is asked for without them.
_CROWD = 60
#: What is new may hold what is new: the words of a field stand in a box of Chromium's own.
_GENERATIONS = 3


@dataclass(slots=True)
class Known:
    """What the last capture saw of one document. The tree is never older than the facts."""

    loader_id: str
    session_id: str
    tree: AxTree
    dom: DomFacts
    #: See `vitals.js`: the focus, then what else only the accessibility tree shows.
    vitals: str
    #: Nodes in labels that changed: whether their words are told apart from the control's name,
    #: Chromium decides only when something changes the next time.
    in_labels: frozenset[int] = frozenset()
    #: How to ask the document what changed since then.
    ledger: Ledger | None = None

    def is_of(self, frame: Frame) -> bool:
        """Whether it is the document that the frame shows now."""
        session = frame.session.id if frame.session is not None else ""
        return (self.loader_id, self.session_id) == (frame.loader_id, session)


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A tree, which of its nodes came, went or are others, and what has to be looked at again."""

    tree: AxTree
    spoken: frozenset[str]
    in_labels: frozenset[int]


async def refresh(
    session: Session,
    world: World,
    known: Known,
    dom: DomFacts,
    changes: Changes,
    vitals: str,
    seconds: float,
) -> Refreshed | None:
    """The tree as it is now. None: it has to be fetched as a whole."""
    focus, _, unseen = vitals.partition("|")
    old_focus, _, old_unseen = known.vitals.partition("|")
    if unseen != old_unseen or dom.has_closed_roots:
        return None  # what a closed root holds may be half checked, and nobody could tell
    extra = set() if changes.identical else {*dom.registers.scrollers, *known.in_labels}
    if focus != old_focus:
        holders = await _focus_holders(session, world, known, seconds)
        if holders is None:
            return None
        extra |= holders
    limit = min(max(len(known.tree.nodes) // _DEARER, _FEW), _MANY)
    wanted = Reach(dom, changes, extra).backends(limit)
    if wanted is None:
        return None
    if not wanted:
        return Refreshed(known.tree, frozenset(), known.in_labels)
    try:
        news = await _news(session, known.tree, wanted, seconds)
    except CdpAgentError:
        return None  # a node went away meanwhile, or the frame: the whole tree will tell
    if news is None:
        return None
    with collector_paused():
        fitted = patched(known.tree, news)
    if fitted is None:
        return None
    return Refreshed(*fitted, frozenset(dom.in_labels(wanted)))


async def _focus_holders(
    session: Session, world: World, known: Known, seconds: float
) -> set[int] | None:
    """Nodes that had and have the focus; None where it may concern others too."""
    holders: set[int] = set()
    if known.dom.registers.follow_focus:
        return None
    for node in known.tree.nodes:
        for prop in node.properties:
            if prop.name == "focused":
                holders.add(node.backendDOMNodeId)
    params: dict[str, Any] = {
        "expression": "cdpAgent.focusHolder()",
        "serializationOptions": {
            "serialization": "deep",
            "maxDepth": 0,
            "additionalParameters": {"maxNodeDepth": 0},
        },
        **world.for_evaluate,
    }
    try:
        reply = await session.post("Runtime.evaluate", params, timeout=seconds)
    except CdpAgentError:
        return None
    result = reply["result"]
    if "objectId" in result:
        session.send_only("Runtime.releaseObject", {"objectId": result["objectId"]})
    node = result.get("deepSerializedValue", {}).get("value")
    if not isinstance(node, dict) or "backendNodeId" not in node:
        return None
    holders.add(int(node["backendNodeId"]))
    return holders


async def _news(
    session: Session, tree: AxTree, wanted: Iterable[int], seconds: float
) -> list[AxNode] | None:
    """These nodes as they are now, with everything in them that the tree does not know yet."""
    known = tree.by_id
    news: dict[str, AxNode] = {}
    for _ in range(_GENERATIONS):
        found = await _ask(session, tree, wanted, seconds)
        if found is None:
            return None
        news.update((node.nodeId, node) for node in found)
        wanted = set()
        for node in news.values():
            unknown = [one for one in children_of(node) if one not in known and one not in news]
            if not unknown:
                continue
            if _is_crowded(known.get(node.nodeId)) and all(one.isdigit() for one in unknown):
                wanted.update(map(int, unknown))
            else:
                wanted.add(node.backendDOMNodeId)
        if not wanted or 0 in wanted:
            break
    return list(news.values())


def _is_crowded(node: AxNode | None) -> bool:
    """Whether it holds so much that only itself is asked for: what came is asked about anyway."""
    return node is not None and not node.ignored and len(node.childIds) > _CROWD


async def _ask(
    session: Session, known: AxTree, backends: Iterable[int], seconds: float
) -> list[AxNode] | None:
    """These nodes, what is directly in them and all that they stand in, as they are now."""
    trusted: dict[str, AxNode] = {}
    hearsay: dict[str, AxNode] = {}
    parents: dict[str, int] = {}
    crowded = {one for one in backends if _is_crowded(known.by_id.get(str(one)))}
    alone = {one for top in crowded for one in _around(known, top)}
    near = [one for one in backends if one not in crowded]
    for tree in await _partial(session, near, seconds, alone):
        _take(tree, trusted, hearsay, parents)
    unsure = {key: backend for key, backend in parents.items() if key not in trusted}
    if unsure:
        if not all(unsure.values()):
            return None
        for tree in await _partial(session, unsure.values(), seconds):
            _take(tree, trusted, hearsay, {})
            trusted.setdefault(tree.nodes[0].nodeId, tree.nodes[0])
    return [*hearsay.values(), *trusted.values()]


def _take(
    tree: AxTree,
    trusted: dict[str, AxNode],
    hearsay: dict[str, AxNode],
    parents: dict[str, int],
) -> None:
    """One answer. A node that is ignored is counted among its parent's children just because it
    was asked for: what is said of that parent has to be asked again.
    """
    if not tree.nodes:
        return
    first = tree.nodes[0]
    if not first.ignored:
        trusted.update((node.nodeId, node) for node in tree.nodes)
        return
    for node in tree.nodes:
        if node.nodeId == first.parentId:
            parents[node.nodeId] = node.backendDOMNodeId
        else:
            hearsay.setdefault(node.nodeId, node)


def _around(tree: AxTree, backend: int) -> Iterator[int]:
    """A node and all that it stands in, as far as it can be asked about."""
    node = tree.by_id.get(str(backend))
    while node is not None:
        if node.backendDOMNodeId and not node.ignored:
            yield node.backendDOMNodeId
        node = tree.by_id.get(node.parentId)


async def _partial(
    session: Session, near: Iterable[int], seconds: float, alone: Iterable[int] = ()
) -> list[AxTree]:
    """These nodes, first those that are asked for without what is around them."""
    asked = [*((one, False) for one in alone), *((one, True) for one in near)]
    replies = [
        session.post(
            "Accessibility.getPartialAXTree",
            {"backendNodeId": backend, "fetchRelatives": relatives},
            into=AxTree,
            timeout=seconds,
        )
        for backend, relatives in asked
    ]
    if replies:
        await asyncio.wait(replies)
    return [reply.result() for reply in replies]


def patched(tree: AxTree, news: Iterable[AxNode]) -> tuple[AxTree, frozenset[str]] | None:
    """The tree with newer nodes in it and without what no longer hangs on it, and which those are.

    None where a node is missing or stands in two places: the news do not fit the tree.
    """
    before, by_id = tree.by_id, dict(tree.by_id)
    latest = {node.nodeId: node for node in news}
    changed = {
        key: node
        for key, node in latest.items()
        if (old := before.get(key)) is None or not says_the_same(old, node)
    }
    for key in _unlisted(changed, before):
        del changed[key]  # asked about, and no part of the tree
    by_id.update(changed)
    gone: list[str] = []
    for key, node in changed.items():
        old = before.get(key)
        children = children_of(node)
        if any(child not in by_id or by_id[child].parentId != key for child in children):
            return None
        if old is None:
            continue
        gone.extend(set(children_of(old)).difference(children))
        former = by_id.get(old.parentId)
        if old.parentId != node.parentId and former is not None and key in children_of(former):
            return None
    while gone:
        key = gone.pop()
        left = by_id.get(key)
        if left is None:
            continue
        parent = by_id.get(left.parentId)
        if parent is not None and key in children_of(parent):
            continue  # it stands elsewhere now
        del by_id[key]
        changed[key] = left
        gone.extend(children_of(before.get(key) or left))
    made = AxTree(list(by_id.values()))
    made.by_id = by_id
    return made, frozenset(changed)


def _unlisted(changed: dict[str, AxNode], before: Mapping[str, AxNode]) -> set[str]:
    """New nodes that stand in nothing: an ignored one is answered because it was asked for."""
    waiting = [node for key, node in changed.items() if key in before]
    new = changed.keys() - before.keys()
    while waiting:
        for child in children_of(waiting.pop()):
            if child in new:
                new.remove(child)
                waiting.append(changed[child])
    return new
