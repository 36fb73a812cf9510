"""The whole accessibility tree of a document, by whichever way is quickest.

`Accessibility.getFullAXTree` takes half a second for 1,000 rows and a quarter of a minute for
10,000. Rows are alike, though: of a large document the nodes that are unlike any other are asked
for one by one, of those that are alike a few, and the rest is made after them from what the
document says. Whatever does not fit has the whole tree fetched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TypeVar

from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol.chrome_errors import is_node_gone
from cdp_agent.snapshot.alike import Likeness, displaces, likeness
from cdp_agent.snapshot.asking import ask_node
from cdp_agent.snapshot.ax import AxNode, AxTree, AxValue
from cdp_agent.snapshot.census import CensusReply, counted, end_census, testify
from cdp_agent.snapshot.collector import collector_paused
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.layout import Layout
from cdp_agent.snapshot.template import Sample, Template, template_of
from cdp_agent.targets import Frame

#: Documents with fewer elements are fetched as they are.
LARGE = 1_500
#: Of more nodes than these, Chromium's own tree takes ten seconds and longer, and nothing else is
#: answered until then.
MOST_FETCHED = 60_000
#: So many have to be alike for some of them to stand for all.
_ALIKE = 4
#: A subtree unlike any other is asked for at once if it has no more nodes than this, and is no
#: larger part of the document than that; of so many that are alike, samples of any size will do.
_AT_ONCE, _SMALL_PART = 400, 1 / 12
_MANY_ALIKE = 12
#: Beyond this share of the document the whole tree is cheaper.
_MOST_ASKED = 0.25
_LEAST_ASKED = 1_000
#: A question costs as much as so many nodes of the whole tree.
_CALL = 12
#: How deep a document may be nested.
_LEVELS = 64
#: The tree of their document is another.
_HOLD_DOCUMENTS = frozenset({"iframe", "frame", "object", "embed", "fencedframe", "portal"})

_T = TypeVar("_T")
_ELEMENT = 1


class TooLarge(Exception):
    """A document has so many nodes, few of them alike, that fetching its tree takes too long."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} nodes")
        self.count = count


def stopped_early(count: int) -> str:
    """The warning beside what is shown instead."""
    return (
        f"stopped early: the page has {count:,} nodes, few of them alike; what is in view, in"
        " focus and on top is shown, the rest is folded: expand or search"
    )


class _Unlike(Exception):
    """The document is not what the samples say, or too little of it is alike."""


async def whole_tree(
    frame: Frame,
    census: CensusReply | None,
    layout: Layout,
    seconds: float,
    large: int = LARGE,
    most: int = MOST_FETCHED,
) -> AxTree:
    """The census is older than the facts, the tree is younger.

    Raises:
        TooLarge: the document has more than `most` nodes, and is not made of a few kinds.
    """
    told, marked = await counted(frame.require_session(), census)
    if told is not None and told.count >= large:
        dom = (await layout.wait()).get(frame.id)
        if dom is not None and told.marks is not None and not told.stirred and not displaces(dom):
            marks = dict(zip((n.backendNodeId for n in marked), told.marks, strict=True))
            try:
                return await _Making(frame, dom, marks, told.names, seconds).tree()
            except _Unlike:
                pass
        end_census(frame)
        if dom is not None and (nodes := len(dom.document.nodes.nodeType)) > most:
            raise TooLarge(nodes)
    await layout.in_turn()
    return await _full_tree(frame, seconds)


def _full_tree(frame: Frame, seconds: float) -> asyncio.Future[AxTree]:
    return frame.require_session().post(
        "Accessibility.getFullAXTree", {"frameId": frame.id}, into=AxTree, timeout=seconds
    )


class _Making:
    """Makes the tree level by level, beginning with the document."""

    def __init__(
        self, frame: Frame, dom: DomFacts, marks: dict[int, str], names: bool, seconds: float
    ) -> None:
        self._frame, self._session, self._seconds = frame, frame.require_session(), seconds
        self._dom = dom
        self._ids = dom.document.nodes.backendNodeId
        with collector_paused():
            self._like: Likeness = likeness(dom, marks)
        self._can_name = names
        self._nodes: list[AxNode] = []
        self._left = max(len(self._ids) * _MOST_ASKED, _LEAST_ASKED)
        self._at_once = min(_AT_ONCE, len(self._ids) * _SMALL_PART)
        #: Kind → the places where it stands and what each stands in.
        self._units: dict[tuple[int, int], list[tuple[int, str]]] = {}
        self._samples: list[int] = []
        #: Index of a node of a sample → its name, where Chromium has to compute those.
        self._heard: dict[int, str] = {}
        self._templates: dict[tuple[int, int], Template] = {}

    async def tree(self) -> AxTree:
        """Raises: _Unlike: fetch it as it is; and what commands raise."""
        await self._spine()
        await self._sampled()
        names = await self._testified()
        with collector_paused():
            for kind, places in self._units.items():
                template = self._templates[kind]
                for index, parent in places:
                    template.fill(self._dom, index, parent, names, self._nodes)
        return AxTree(self._nodes)

    def _stands_for_others(self, alike: int, size: int) -> bool:
        return alike >= _MANY_ALIKE or (alike >= _ALIKE and size <= self._at_once)

    # -- what is unlike anything else -------------------------------------------------------------

    async def _spine(self) -> None:
        """Nodes that are unlike any other, from the document down; what is alike is put aside."""
        listed = [(self._ids[0], "")]
        for _ in range(_LEVELS):
            if not listed:
                return
            whole, single = self._sorted(listed)
            asked = await self._ask_nodes(single)
            for sample, parent in zip(
                await self._query(whole, AxTree), whole.values(), strict=True
            ):
                self._take_whole(sample, parent)
            listed = []
            for node, parent in zip(asked, single.values(), strict=True):
                if node.parentId != parent:
                    raise _Unlike
                self._nodes.append(_as_in_full(node))
                if not self._holds_document(node):
                    listed += [(_backend(child), node.nodeId) for child in node.childIds]
        raise _Unlike

    def _sorted(self, listed: list[tuple[int, str]]) -> tuple[dict[int, str], dict[int, str]]:
        """Nodes to ask for with all that is in them, and by themselves; what is alike is kept."""
        kinds: dict[tuple[int, int], list[tuple[int, str]]] = {}
        whole: dict[int, str] = {}
        single: dict[int, str] = {}
        for backend, parent in listed:
            index = self._dom.position(backend)
            if index < 0:  # the browser's own, right in something large
                if not backend:
                    raise _Unlike
                whole[backend] = parent
                self._left -= _CALL
                continue
            kind = self._like.inside[index], self._like.around[index]
            kinds.setdefault(kind, []).append((index, parent))
        for kind, places in kinds.items():
            size = self._like.sizes[places[0][0]]
            if self._stands_for_others(len(places), size):
                self._units.setdefault(kind, []).extend(places)
                continue
            if size <= self._at_once:
                whole.update((self._ids[index], parent) for index, parent in places)
                self._left -= (size + _CALL) * len(places)
            else:
                single.update((self._ids[index], parent) for index, parent in places)
                self._left -= _CALL * len(places)
        if self._left < 0:
            raise _Unlike
        return whole, single

    def _holds_document(self, node: AxNode) -> bool:
        return self._dom.tag(node.backendDOMNodeId) in _HOLD_DOCUMENTS

    def _take_whole(self, sample: AxTree, parent: str) -> None:
        if not sample.nodes or sample.nodes[0].parentId != parent:
            raise _Unlike
        self._nodes += [
            _as_in_full(node) for node in sample.nodes if node.role_name != "InlineTextBox"
        ]

    # -- what is alike ----------------------------------------------------------------------------

    async def _sampled(self) -> None:
        """A pattern for each kind, of samples from its beginning, middle and end."""
        wanted: dict[int, tuple[int, int]] = {}
        for kind, places in self._units.items():
            for at in {0, len(places) // 2, len(places) - 1}:
                wanted[places[at][0]] = kind
        self._left -= sum(self._like.sizes[index] + _CALL for index in wanted)
        if self._left < 0:
            raise _Unlike
        self._samples = list(wanted)
        samples = await self._query([self._ids[index] for index in wanted], Sample)
        for (index, kind), sample in zip(wanted.items(), samples, strict=True):
            template = template_of(sample, self._dom, index, self._like.sizes[index])
            if template is None or self._templates.setdefault(kind, template) != template:
                raise _Unlike
            self._heard.update(template.heard)
            if template.computed and not self._can_name:
                raise _Unlike

    async def _testified(self) -> dict[int, str]:
        """Names that only Chromium computes, if no sample changed meanwhile."""
        indices = [
            index + offset
            for kind, places in self._units.items()
            for index, _ in places
            for offset in self._templates[kind].computed
        ]
        numbers, count = self._numbers(indices)
        told, changed = await testify(self._frame, numbers, self._seconds)
        if told is None:
            raise _Unlike
        touched = zip(changed, told.deep, strict=True)
        if not told.all or any(self._touches_sample(n.backendNodeId, deep) for n, deep in touched):
            raise _Unlike
        if indices and (told.count != count or changed):
            raise _Unlike
        names = dict(zip(indices, told.names, strict=True))
        if any(names[index] != name for index, name in self._heard.items()):
            raise _Unlike  # it is called otherwise in the tree
        return names

    def _numbers(self, indices: list[int]) -> tuple[list[int], int]:
        """The number of each element in the document, and of all; shadow roots are none of it.

        What is shown in a slot stands there in the columns, and elsewhere in the document.
        """
        if not indices:
            return [], 0
        nodes = self._dom.document.nodes
        in_shadow = frozenset(nodes.shadowRootType.index)
        hosts = {nodes.parentIndex[index] for index in in_shadow}
        numbers: dict[int, int] = {}
        count = 0
        for index, kind in enumerate(nodes.nodeType):
            if kind != _ELEMENT or index in in_shadow:
                continue
            if nodes.parentIndex[index] in hosts:
                hosts.add(index)
            if not self._dom.name_at(index).startswith("::"):
                if index not in hosts:
                    numbers[index] = count
                count += 1
        try:
            return [numbers[index] for index in indices], count
        except KeyError:
            raise _Unlike from None

    def _touches_sample(self, backend: int, deep: bool) -> bool:
        """Whether a node stands in a sample, or a sample in what changed all through."""
        index = self._dom.position(backend)
        sizes = self._like.sizes
        return index >= 0 and any(
            sample <= index < sample + sizes[sample]
            or (deep and index <= sample < index + sizes[index])
            for sample in self._samples
        )

    # -- asking -----------------------------------------------------------------------------------

    async def _ask_nodes(self, backends: Iterable[int]) -> list[AxNode]:
        """Nodes by themselves."""
        trees = await _all(ask_node(self._session, one, self._seconds) for one in backends)
        return [tree.nodes[0] for tree in trees]

    async def _query(self, backends: Iterable[int], into: type[_T]) -> list[_T]:
        """Nodes with all that is in them."""
        return await _all(
            self._session.post(
                "Accessibility.queryAXTree",
                {"backendNodeId": backend},
                into=into,
                timeout=self._seconds,
            )
            for backend in backends
        )


async def _all(asked: Iterable[asyncio.Future[_T]]) -> list[_T]:
    replies = list(asked)
    if not replies:
        return []
    await asyncio.wait(replies)
    try:
        return [reply.result() for reply in replies]
    except CdpAgentError as error:
        if is_node_gone(error):
            raise _Unlike from error
        raise


def _backend(node_id: str) -> int:
    """Nodes of the document have their backend id for an id; others have none."""
    return int(node_id) if node_id.isdigit() else 0


def _as_in_full(node: AxNode) -> AxNode:
    """What is ignored says nothing in the whole tree."""
    if node.ignored:
        node.role, node.name, node.value, node.properties = AxValue("none"), None, None, []
    return node
