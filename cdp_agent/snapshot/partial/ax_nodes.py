"""The accessibility tree of chosen nodes of a document, fetched node by node.

The chosen nodes are asked for all at once, then further nodes that the tree names, until nothing is
missing. Of nodes that are shown in part, children that were not chosen are folded, run by run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.snapshot.ax.tree import FOLDED, AxNode, AxTree, AxValue
from cdp_agent.snapshot.fetch.ax import node_with_relatives, single_node
from cdp_agent.snapshot.partial.partial_facts import DeepNode, Measurements
from cdp_agent.snapshot.partial.reuse import FetchedNodes

#: More are not fetched, whatever the tree names.
MOST_NODES = 4_000
#: Rounds of fetching nodes that the tree names, before the rest is left out.
_ROUNDS = 12
#: Their inner nodes are the browser's own editor.
_EDITORS = frozenset({"input", "textarea"})


class AxNodeFetch:
    """Fetches the accessibility nodes of chosen DOM nodes, and further ones that they name."""

    def __init__(
        self,
        session: Session,
        nodes: list[DeepNode],
        measured: Measurements,
        seconds: float,
        valid: FetchedNodes | None = None,
    ) -> None:
        """`valid`: nodes that need not be fetched again."""
        self._session = session
        self._seconds = seconds
        self._nodes = nodes
        self._by_key = {str(node.backendNodeId): node for node in nodes}
        self._plain = {str(nodes[index].backendNodeId) for index in measured.plain}
        self._partial = {str(nodes[index].backendNodeId) for index in measured.partial}
        self._marker = {str(nodes[index].backendNodeId) for index in measured.marker}
        later = set(measured.later) | set(measured.plain)
        self._first = [node.backendNodeId for index, node in enumerate(nodes) if index not in later]
        self._parents = measured.parent
        self.fetched = valid if valid is not None else FetchedNodes()
        self._ax = self.fetched.ax
        #: Children of these that are still missing cannot be fetched.
        self._opened = self.fetched.opened
        #: Replies that are on their way already.
        self.early: dict[int, asyncio.Future[AxTree]] = {}

    async def tree(self) -> tuple[AxTree, frozenset[int]]:
        """The tree, and the backend ids of children that were not fetched."""
        absent = self.fetched.absent
        new = [b for b in self._first if b not in absent and str(b) not in self._ax]
        await self._fetch_nodes(new)
        self.fetched.absent.update(b for b in new if str(b) not in self._ax)
        self._fold_in_parents()
        top = str(self._nodes[0].backendNodeId)
        if top not in self._ax:
            raise BrowserError("the document is not in its accessibility tree")
        for _ in range(_ROUNDS):
            wanted, parents = self._missing(top)
            if not wanted and not parents:
                break
            await asyncio.gather(self._fetch_nodes(wanted), self._fetch_children(parents))
        return await self._assembled(top)

    def _fold_in_parents(self) -> None:
        """A node that is not in the tree has its children counted to its parent."""
        for index in range(len(self._nodes) - 1, -1, -1):
            key = str(self._nodes[index].backendNodeId)
            above = self._parents[index]
            if key in self._partial and key not in self._ax and above >= 0:
                self._partial.add(str(self._nodes[above].backendNodeId))

    # -- missing nodes -----------------------------------------------------------------------------

    def _missing(self, top: str) -> tuple[list[int], list[str]]:
        """Nodes to fetch by themselves, and nodes to fetch with their children."""
        wanted: list[int] = []
        parents: list[str] = []
        waiting = [top]
        seen: set[str] = set()
        while waiting:
            key = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            node = self._ax[key]
            if not self._is_open(node):
                continue
            unknown = False
            for position, child in enumerate(self._chosen_children(node)):
                if child in self._ax:
                    waiting.append(child)
                elif child in self._plain:
                    self._ax[child] = self._text(child, key)
                elif child in self._by_key:
                    wanted.append(int(child))
                elif not (position == 0 and key in self._marker):
                    unknown = True
            if unknown and key not in self._opened:
                self._opened.add(key)
                parents.append(key)
        return wanted, parents

    def _chosen_children(self, node: AxNode) -> list[str]:
        """Its children; of a folded node, which may have thousands, the chosen ones."""
        if not self._is_folded(node.nodeId):
            return node.childIds
        return [child for child in node.childIds if child in self._ax or child in self._by_key]

    def _is_open(self, node: AxNode) -> bool:
        """Returns whether its children are used."""
        if node.role_name in ("StaticText", "ListMarker"):
            return False
        shown = self._by_key.get(node.nodeId)
        return shown is None or shown.localName not in _EDITORS

    def _is_folded(self, key: str) -> bool:
        return key in self._partial or len(self._ax) > MOST_NODES

    def _text(self, key: str, parent: str) -> AxNode:
        words = AxValue(self._by_key[key].nodeValue)
        return AxNode(
            key, parent, role=AxValue("StaticText"), name=words, backendDOMNodeId=int(key)
        )

    # -- commands ---------------------------------------------------------------------------------

    async def _fetch_nodes(self, backends: Iterable[int]) -> None:
        session, early, seconds = self._session, self.early, self._seconds
        await self._add(
            early.pop(b) if b in early else single_node(session, b, seconds) for b in backends
        )

    async def _fetch_children(self, keys: Iterable[str]) -> None:
        session, seconds = self._session, self._seconds
        await self._add(
            node_with_relatives(session, int(key), seconds) for key in keys if key.isdigit()
        )

    async def _add(self, asked: Iterable[asyncio.Future[AxTree]]) -> None:
        replies = list(asked)
        if not replies:
            return
        await asyncio.wait(replies)
        for reply in replies:
            try:
                nodes = reply.result().nodes
            except CdpAgentError as error:
                if is_node_gone(error):
                    continue
                raise
            self._ax.update((node.nodeId, node) for node in nodes)

    # -- the tree ---------------------------------------------------------------------------------

    async def _assembled(self, top: str) -> tuple[AxTree, frozenset[int]]:
        """The nodes in order. Runs of children that were not fetched become one node each."""
        runs: dict[str, list[str]] = {}
        nodes: list[AxNode] = []
        unfetched: set[int] = set()
        seen: set[str] = set()
        waiting = [top]
        while waiting:
            key = waiting.pop()
            node = self._ax[key]
            if key in seen:
                continue
            seen.add(key)
            if not self._is_open(node):
                nodes.append(msgspec.structs.replace(node, childIds=[]))
                continue
            children: list[str] = []
            present = [i for i, child in enumerate(node.childIds) if child in self._ax]
            start = 0
            is_folded = self._is_folded(key)
            for end in (*present, len(node.childIds)):
                if is_folded and end > start:
                    run = [child for child in node.childIds[start:end] if child.isdigit()]
                    unfetched.update(map(int, run))
                    if run:
                        children.append(self._run(runs, run))
                children.extend(node.childIds[end : end + 1])
                start = end + 1
            # Chromium names a child twice where it nests very deep.
            children = list(dict.fromkeys(children))
            nodes.append(msgspec.structs.replace(node, childIds=children))
            waiting.extend(child for child in reversed(children) if child in self._ax)
        self.fetched.folded = [int(run[0]) for run in runs.values()]
        await self._fetch_nodes(self.fetched.folded)
        nodes += [self._fold(key, run) for key, run in runs.items()]
        return AxTree(nodes), frozenset(unfetched)

    def _run(self, runs: dict[str, list[str]], run: list[str]) -> str:
        key = f"folded:{run[0]}"
        runs[key] = run
        return key

    def _fold(self, key: str, run: list[str]) -> AxNode:
        first = self._ax.get(run[0])
        role = first.role_name if first is not None and not first.ignored else ""
        return AxNode(
            key,
            role=AxValue(FOLDED),
            name=AxValue(role),
            value=AxValue(len(run)),
            backendDOMNodeId=int(run[0]),
        )
