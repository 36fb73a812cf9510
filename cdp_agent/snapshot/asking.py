"""The accessibility tree of some nodes of a document, asked for one by one.

Chosen nodes are asked about all at once, then what the tree names besides, until nothing of them is
missing. Children of nodes that are shown in part are left out and folded, run by run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from cdp_agent.errors import BrowserError, CdpAgentError
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.snapshot.ax import FOLDED, AxNode, AxTree, AxValue
from cdp_agent.snapshot.part_facts import DeepNode, Measured
from cdp_agent.snapshot.part_memory import AskedPart

#: More are not asked for, whatever the tree names.
MOST_NODES = 4_000
#: How often what the tree names is asked for, before the rest is left out.
_ROUNDS = 12
#: Their inner nodes are the browser's own editor.
_EDITORS = frozenset({"input", "textarea"})


def ask_node(session: Session, backend: int, seconds: float) -> asyncio.Future[AxTree]:
    params = {"backendNodeId": backend, "fetchRelatives": False}
    return session.post("Accessibility.getPartialAXTree", params, into=AxTree, timeout=seconds)


class Asking:
    """Asks the accessibility tree about chosen nodes, then about what it names besides."""

    def __init__(
        self,
        session: Session,
        nodes: list[DeepNode],
        measured: Measured,
        seconds: float,
        known: AskedPart | None = None,
    ) -> None:
        """`known`: what was answered before and holds."""
        self._session = session
        self._seconds = seconds
        self._nodes = nodes
        self._by_key = {str(node.backendNodeId): node for node in nodes}
        self._plain = {str(nodes[index].backendNodeId) for index in measured.plain}
        self._partial = {str(nodes[index].backendNodeId) for index in measured.partial}
        self._marker = {str(nodes[index].backendNodeId) for index in measured.marker}
        later = set(measured.later) | set(measured.plain)
        self._first = [node.backendNodeId for index, node in enumerate(nodes) if index not in later]
        self._above = measured.parent
        self.asked = known if known is not None else AskedPart()
        self._ax = self.asked.ax
        #: What is still missing of nodes whose children were asked for is not to be had.
        self._opened = self.asked.opened
        #: Answers that are on their way already.
        self.early: dict[int, asyncio.Future[AxTree]] = {}

    async def tree(self) -> tuple[AxTree, frozenset[int]]:
        new = [b for b in self._first if b not in self.asked.absent and str(b) not in self._ax]
        await self._ask_nodes(new)
        self.asked.absent.update(one for one in new if str(one) not in self._ax)
        self._hand_up()
        top = str(self._nodes[0].backendNodeId)
        if top not in self._ax:
            raise BrowserError("the document is not in its accessibility tree")
        for _ in range(_ROUNDS):
            wanted, parents = self._missing(top)
            if not wanted and not parents:
                break
            await asyncio.gather(self._ask_nodes(wanted), self._ask_children(parents))
        return await self._assembled(top)

    def _hand_up(self) -> None:
        """What has no place in the accessibility tree has its children counted to its parent."""
        for index in range(len(self._nodes) - 1, -1, -1):
            key = str(self._nodes[index].backendNodeId)
            above = self._above[index]
            if key in self._partial and key not in self._ax and above >= 0:
                self._partial.add(str(self._nodes[above].backendNodeId))

    # -- what is missing --------------------------------------------------------------------------

    def _missing(self, top: str) -> tuple[list[int], list[str]]:
        """Nodes to ask for by themselves, and nodes whose children have to be asked for."""
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
            for place, child in enumerate(self._telling(node)):
                if child in self._ax:
                    waiting.append(child)
                elif child in self._plain:
                    self._ax[child] = self._text(child, key)
                elif child in self._by_key:
                    wanted.append(int(child))
                elif not (place == 0 and key in self._marker):
                    unknown = True
            if unknown and key not in self._opened:
                self._opened.add(key)
                parents.append(key)
        return wanted, parents

    def _telling(self, node: AxNode) -> list[str]:
        """Its children; of those that are folded, which can be thousands, the ones chosen."""
        if not self._is_folded(node.nodeId):
            return node.childIds
        return [one for one in node.childIds if one in self._ax or one in self._by_key]

    def _is_open(self, node: AxNode) -> bool:
        """Whether what is inside it is of interest."""
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

    # -- asking -----------------------------------------------------------------------------------

    async def _ask_nodes(self, backends: Iterable[int]) -> None:
        early = self.early
        await self._take(
            early.pop(one) if one in early else ask_node(self._session, one, self._seconds)
            for one in backends
        )

    async def _ask_children(self, keys: Iterable[str]) -> None:
        """Nodes with what is directly in them.

        `getChildAXNodes` would do, but from then on Chromium tells of every change to what it
        answered, which nobody here listens to.
        """
        await self._take(
            self._session.post(
                "Accessibility.getPartialAXTree",
                {"backendNodeId": int(key), "fetchRelatives": True},
                into=AxTree,
                timeout=self._seconds,
            )
            for key in keys
            if key.isdigit()
        )

    async def _take(self, asked: Iterable[asyncio.Future[AxTree]]) -> None:
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
        """Nodes in order. Runs of children that were not fetched become one node each."""
        runs: dict[str, list[str]] = {}
        found: list[AxNode] = []
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
                found.append(msgspec.structs.replace(node, childIds=[]))
                continue
            children: list[str] = []
            fetched = [place for place, child in enumerate(node.childIds) if child in self._ax]
            start = 0
            is_folded = self._is_folded(key)
            for place in (*fetched, len(node.childIds)):
                if is_folded and place > start:
                    run = [child for child in node.childIds[start:place] if child.isdigit()]
                    unfetched.update(map(int, run))
                    if run:
                        children.append(self._run(runs, run))
                children.extend(node.childIds[place : place + 1])
                start = place + 1
            found.append(msgspec.structs.replace(node, childIds=children))
            waiting.extend(child for child in reversed(children) if child in self._ax)
        self.asked.folded = [int(run[0]) for run in runs.values()]
        await self._ask_nodes(self.asked.folded)
        found += [self._fold(key, run) for key, run in runs.items()]
        return AxTree(found), frozenset(unfetched)

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
