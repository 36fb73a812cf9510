"""The accessibility tree of a document that was captured before: only what changed is fetched.

Chromium's full tree costs up to five times as much as its layout facts. So those are captured each
time, compared with the previous ones, and the tree is asked only about nodes that a difference may
affect. Where that cannot be decided, the whole tree is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxNode, AxTree, children_of, equal_in_snapshot
from cdp_agent.snapshot.build.hidden import NOTHING_HIDDEN, HiddenNodes
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.fetch.ax import all_trees, node_with_relatives, single_node
from cdp_agent.snapshot.fetch.page_state import DocumentState, MeasuredLayout, numbered_nodes
from cdp_agent.snapshot.incremental.affected import (
    AffectedNodes,
    is_value_its_own,
    moved_scrollers,
    silent_changers,
)
from cdp_agent.snapshot.incremental.dom_diff import DomDiff
from cdp_agent.targets import Frame, World

#: A node fetched with its relatives costs as much as this many in the whole tree; without, half.
_COST_OF_ONE = 30
_FEW, _MANY = 4, 120
#: A node with more children than this is fetched without them.
_MANY_CHILDREN = 60
#: New nodes may hold new nodes: the text of a field is in a box of Chromium's own.
_GENERATIONS = 3


@dataclass(frozen=True, slots=True)
class PreviousFrame:
    """The last whole capture of one document. The tree is never older than the facts."""

    loader_id: str
    session_id: str
    tree: AxTree
    dom: DomFacts
    state: DocumentState
    hidden: HiddenNodes = NOTHING_HIDDEN
    #: Nodes in labels that changed: Chromium updates whether their text is separate from the
    #: control's name only at the next change.
    in_labels: frozenset[int] = frozenset()
    #: Elements that answer to other input than clicks.
    listening: frozenset[int] = frozenset()
    #: Its layout, where the state was reported without it.
    measured: MeasuredLayout | None = None

    def has_layout_of(self, state: DocumentState) -> bool:
        """Returns whether the layout is as it was, so that only values and states differ."""
        measured = self.measured.number if self.measured is not None else 0
        return state.layout != 0 and state.layout == (self.state.layout or measured)

    def is_of(self, frame: Frame) -> bool:
        """Returns whether it is the document that the frame shows now."""
        session = frame.session.id if frame.session is not None else ""
        return (self.loader_id, self.session_id) == (frame.loader_id, session)


@dataclass(slots=True)
class TreeRefresh:
    """One refresh of the tree of a document that was captured before."""

    session: Session
    world: World
    previous: PreviousFrame
    dom: DomFacts
    diff: DomDiff
    state: DocumentState
    seconds: float

    async def tree(self) -> tuple[AxTree, frozenset[int]] | None:
        """The tree as it is now, and its nodes `in_labels`. None: it has to be fetched whole."""
        previous, dom, diff = self.previous, self.dom, self.diff
        if self.state.states != previous.state.states or dom.has_closed_roots:
            return None  # the states of controls in a closed root are not in `DocumentState`
        reported = await self._reported_changes()
        if reported is None:
            return None
        fields, extra = reported
        alone = {f for f in fields if is_value_its_own(dom, previous.tree.by_id, f)}
        extra |= alone
        diff.touched |= {dom.position(field) for field in fields - alone}
        if fields - alone or not diff.identical:
            extra |= moved_scrollers(dom, diff) | previous.in_labels
        silent = silent_changers(dom, previous.tree.by_id)
        limit = min(max(len(previous.tree.nodes) // _COST_OF_ONE, _FEW), _MANY)
        affected = AffectedNodes(dom, diff, tree=previous.tree.by_id)
        if len(extra | silent) > 2 * limit or affected.are_too_many(limit):
            return None
        try:
            return await self._patched(extra, silent, alone, limit)
        except CdpAgentError:
            return None  # a node or the frame is gone: the whole tree will show it

    async def _patched(
        self, extra: set[int], silent: set[int], alone: set[int], limit: int
    ) -> tuple[AxTree, frozenset[int]] | None:
        """The previous tree with the nodes that differ, at most `limit` of them.

        Of the fields in `alone` only the value differs.
        """
        session, previous, dom = self.session, self.previous, self.dom
        differing = await _differing(session, previous.tree, extra | silent, self.seconds)
        for field in alone & differing.keys():
            differing[field] = _with_former_children(previous.tree, differing[field])
        # A node whose states alone differ needs no further fetch.
        restated = {
            backend: node
            for backend, node in differing.items()
            if backend not in silent and _has_same_relatives(previous.tree, node)
        }
        extra, silent = extra & differing.keys() - restated.keys(), silent & differing.keys()
        nodes = AffectedNodes(dom, self.diff, extra, silent, previous.tree.by_id)
        affected = nodes.backends(limit)
        if affected is None:
            return None
        if not affected and not restated:
            return previous.tree, previous.in_labels
        changed = await _fetch_changed(session, previous.tree, affected, self.seconds)
        if changed is None:
            return None
        tree = patched(previous.tree, [*(node for node in restated.values() if node), *changed])
        return (tree, frozenset(dom.in_labels(affected))) if tree is not None else None

    async def _reported_changes(self) -> tuple[set[int], set[int]] | None:
        """Fields with another value, where no capture shows it, and nodes that lost or got focus.

        None: they cannot be found, or the focus selects something.
        """
        previous, state, dom = self.previous, self.state, self.dom
        focus = [state.focus_number] if state.focus != previous.state.focus else []
        fields = state.changed_fields(previous.state) if self.diff.identical else []
        if not focus and not fields:
            return set(), set()
        numbers = {*focus, *fields}
        nodes = await numbered_nodes(self.session, self.world, numbers, self.seconds)
        if nodes is None or any(node not in dom for node in nodes.values()):
            return None
        holders = {nodes[focus[0]], *_focused(previous.tree)} if focus else set()
        if dom.attribute_index.selects_by_focus(holders):
            return None
        return {nodes[number] for number in fields}, holders


async def _differing(
    session: Session, tree: AxTree, backends: set[int], seconds: float
) -> dict[int, AxNode | None]:
    """Those of these nodes that are not as in the tree, as they are now; None: gone."""
    asked = sorted(backends)
    answers = await all_trees(single_node(session, backend, seconds) for backend in asked)
    differing: dict[int, AxNode | None] = {}
    for backend, answer in zip(asked, answers, strict=True):
        before, now = tree.by_id.get(str(backend)), answer.nodes[0] if answer.nodes else None
        if before is None or now is None:
            is_equal = before is None and (now is None or now.ignored)
        else:
            is_equal = equal_in_snapshot(before, now)
        if not is_equal:
            differing[backend] = now
    return differing


def _with_former_children(tree: AxTree, node: AxNode | None) -> AxNode | None:
    """A field without the boxes of its text, which no snapshot shows."""
    before = tree.by_id.get(node.nodeId) if node is not None else None
    if node is None or before is None:
        return node
    return msgspec.structs.replace(node, childIds=before.childIds)


def _has_same_relatives(tree: AxTree, node: AxNode | None) -> bool:
    before = tree.by_id.get(node.nodeId) if node is not None else None
    return (
        before is not None
        and node is not None
        and (before.parentId, before.ignored) == (node.parentId, node.ignored)
        and children_of(before) == children_of(node)
    )


def _focused(tree: AxTree) -> set[int]:
    return {
        node.backendDOMNodeId
        for node in tree.nodes
        for prop in node.properties
        if prop.name == "focused"
    }


async def _fetch_changed(
    session: Session, tree: AxTree, backends: Iterable[int], seconds: float
) -> list[AxNode] | None:
    """These nodes as they are now, with all descendants that the tree does not have yet."""
    before = tree.by_id
    changed: dict[str, AxNode] = {}
    for _ in range(_GENERATIONS):
        nodes = await _fetch(session, tree, backends, seconds)
        if nodes is None:
            return None
        changed.update((node.nodeId, node) for node in nodes)
        missing: set[int] = set()
        for node in changed.values():
            new = [key for key in children_of(node) if key not in before and key not in changed]
            if not new:
                continue
            if _has_many_children(before.get(node.nodeId)) and all(key.isdigit() for key in new):
                missing.update(map(int, new))
            else:
                missing.add(node.backendDOMNodeId)
        if not missing or 0 in missing:
            break
        backends = missing
    return list(changed.values())


def _has_many_children(node: AxNode | None) -> bool:
    """Returns whether it is fetched without its children: new ones are fetched by themselves."""
    return node is not None and not node.ignored and len(node.childIds) > _MANY_CHILDREN


async def _fetch(
    session: Session, tree: AxTree, backends: Iterable[int], seconds: float
) -> list[AxNode] | None:
    """These nodes, their children and their ancestors, as they are now."""
    certain: dict[str, AxNode] = {}
    uncertain: dict[str, AxNode] = {}
    parents: dict[str, int] = {}
    large = {b for b in backends if _has_many_children(tree.by_id.get(str(b)))}
    alone = {b for top in large for b in _with_ancestors(tree, top)}
    replies = [single_node(session, b, seconds) for b in alone]
    replies += [node_with_relatives(session, b, seconds) for b in backends if b not in large]
    for answer in await all_trees(replies):
        _sort_answer(answer, certain, uncertain, parents)
    unsure = {key: backend for key, backend in parents.items() if key not in certain}
    if unsure:
        if not all(unsure.values()):
            return None
        again = [node_with_relatives(session, b, seconds) for b in unsure.values()]
        for answer in await all_trees(again):
            _sort_answer(answer, certain, uncertain, {})
            certain.setdefault(answer.nodes[0].nodeId, answer.nodes[0])
    return [*uncertain.values(), *certain.values()]


def _sort_answer(
    answer: AxTree,
    certain: dict[str, AxNode],
    uncertain: dict[str, AxNode],
    parents: dict[str, int],
) -> None:
    """Sort the nodes of one answer.

    An ignored node is listed among its parent's children only because it was asked for: that
    parent has to be fetched again.
    """
    if not answer.nodes:
        return
    first = answer.nodes[0]
    if not first.ignored:
        certain.update((node.nodeId, node) for node in answer.nodes)
        return
    for node in answer.nodes:
        if node.nodeId == first.parentId:
            parents[node.nodeId] = node.backendDOMNodeId
        else:
            uncertain.setdefault(node.nodeId, node)


def _with_ancestors(tree: AxTree, backend: int) -> Iterator[int]:
    """A node and its ancestors, as far as they have a DOM node."""
    node = tree.by_id.get(str(backend))
    while node is not None:
        if node.backendDOMNodeId and not node.ignored:
            yield node.backendDOMNodeId
        node = tree.by_id.get(node.parentId)


def patched(tree: AxTree, newer: Iterable[AxNode]) -> AxTree | None:
    """The tree with newer nodes in it, and without detached ones.

    None where a node is missing or has two parents: the nodes do not fit the tree.
    """
    before, by_id = tree.by_id, dict(tree.by_id)
    latest = {node.nodeId: node for node in newer}
    changed = {
        key: node
        for key, node in latest.items()
        if (old := before.get(key)) is None or not equal_in_snapshot(old, node)
    }
    for key in _unattached(changed, before):
        del changed[key]
    by_id.update(changed)
    detached: list[str] = []
    for key, node in changed.items():
        children = children_of(node)
        if any(child not in by_id or by_id[child].parentId != key for child in children):
            return None
        old = before.get(key)
        if old is None:
            continue
        detached.extend(set(children_of(old)).difference(children))
        former = by_id.get(old.parentId)
        if old.parentId != node.parentId and former is not None and key in children_of(former):
            return None
    while detached:
        key = detached.pop()
        left = by_id.get(key)
        if left is None:
            continue
        parent = by_id.get(left.parentId)
        if parent is not None and key in children_of(parent):
            continue  # it has another parent now
        del by_id[key]
        detached.extend(children_of(before.get(key) or left))
    result = AxTree(list(by_id.values()))
    result.by_id = by_id
    return result


def _unattached(changed: dict[str, AxNode], before: Mapping[str, AxNode]) -> set[str]:
    """New nodes without a parent: an ignored one is answered because it was asked for."""
    waiting = [node for key, node in changed.items() if key in before]
    new = changed.keys() - before.keys()
    while waiting:
        for child in children_of(waiting.pop()):
            if child in new:
                new.remove(child)
                waiting.append(changed[child])
    return new
