"""A page at one moment, as a value."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cdp_agent.config import DIFF_THRESHOLD
from cdp_agent.errors import ElementNotFound
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot.dom.columns import Box
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.element_search import choose, fitting
from cdp_agent.targets.dialog import DialogInfo
from cdp_agent.targets.page_reports import LostValue

if TYPE_CHECKING:
    from cdp_agent.snapshot.diff import SnapshotDiff
    from cdp_agent.snapshot.text.layout import Line


@dataclass(frozen=True, slots=True)
class FrameInfo:
    """One frame of the page. `origin` is where its content comes from."""

    index: int
    frame_id: str
    parent_index: int | None
    session: str
    loader_id: str
    url: str
    origin: str
    name: str
    is_oopif: bool
    owner_backend_node_id: int | None


#: The state of what has none: one for all, of which there are thousands.
NO_STATE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Node:
    """One line of the snapshot: an element, a text, a frame. `depth` gives the structure."""

    key: str
    depth: int
    role: str
    name: str
    value: str | None = None
    state: Mapping[str, Any] = field(default_factory=lambda: NO_STATE)
    #: Set where one can act; shown in brackets.
    id: ElementId | None = None
    #: For a frame: its index and origin.
    frame: tuple[int, str] | None = None
    #: Stands for so many siblings that were not fetched, from the one with its key on.
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Element:
    """Something one can act on, by its `id`."""

    id: ElementId
    role: str
    name: str
    value: str | None
    state: Mapping[str, Any]
    tag: str
    level: int | None
    #: In CSS pixels of the page's viewport at the time of the snapshot; None without layout.
    bounds: Box | None
    frame_index: int
    backend_node_id: int
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Viewport:
    width: int
    height: int
    scroll_x: int
    scroll_y: int
    content_width: int
    content_height: int


@dataclass(frozen=True, slots=True)
class PageInfo:
    title: str
    url: str
    #: The document had not been read to its end when the snapshot was taken.
    loading: bool = False


@dataclass(frozen=True, slots=True)
class SnapshotSource:
    """The capture behind a snapshot, for what is computed only when asked for."""

    documents: Mapping[int, DomFacts] = field(default_factory=dict)
    #: Lines and elements of the whole capture, also those that the options left out.
    nodes: Sequence[Node] = ()
    elements: Sequence[Element] = ()
    #: Frame → nodes below something shown that were not fetched: the document is too large.
    unfetched: Mapping[int, frozenset[int]] = field(default_factory=dict)


def _new_id() -> str:
    return str(uuid.uuid4())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def ends_of(nodes: Sequence[Node]) -> list[int]:
    """For each node, where its subtree ends in the list."""
    ends = [len(nodes)] * len(nodes)
    open_nodes: list[int] = []
    for index, node in enumerate(nodes):
        while open_nodes and nodes[open_nodes[-1]].depth >= node.depth:
            ends[open_nodes.pop()] = index
        open_nodes.append(index)
    return ends


@dataclass(frozen=True)
class Snapshot:
    """A page as `page.snapshot()` answers it: `text` for a model, `elements` for a program."""

    page: PageInfo
    viewport: Viewport
    frames: tuple[FrameInfo, ...]
    nodes: tuple[Node, ...]
    elements: tuple[Element, ...]
    warnings: tuple[str, ...] = ()
    #: Elements that the options left out.
    omitted: int = 0
    #: What `text` may cost; the rest of it is folded. `elements` are all there, but for those of
    #: large documents that were not fetched.
    max_tokens: int | None = None
    #: The share of the whole text up to which a difference is worth reading.
    diff_threshold: float = field(default=DIFF_THRESHOLD, repr=False, compare=False)
    #: The key of the node from which on a folded part was asked for.
    expanded: str | None = None
    #: Whether `text` tells where each element is.
    with_bounds: bool = False
    #: PNG, when asked for with `screenshot` or `marks`.
    screenshot: bytes | None = field(default=None, repr=False, compare=False)
    #: Dialogs that opened since the last result of the page, or meanwhile, and were answered.
    dialogs: tuple[DialogInfo, ...] = field(default=(), compare=False)
    #: Values that actions gave and that the page has changed since the last result.
    lost_values: tuple[LostValue, ...] = field(default=(), compare=False)
    #: Filled as texts are written: the id in each stub → the key of the first node after what the
    #: stub stands for; empty where nothing comes after it.
    stubs: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: Names this snapshot; the same page a moment later has another.
    snapshot_id: str = field(default_factory=_new_id, repr=False, compare=False)
    #: When it was taken, in UTC: `2026-11-18T09:30:00.123+00:00`.
    timestamp: str = field(default_factory=_now, repr=False, compare=False)
    #: Names the filter that left lines out, for whoever compares two snapshots; empty for none.
    filtered_by: str = ""
    _source: SnapshotSource = field(default=SnapshotSource(), repr=False, compare=False)

    @property
    def is_partial(self) -> bool:
        """Returns whether parts of a page were not fetched; `expand` and `search` do that."""
        return any(self._source.unfetched.values())

    @property
    def unfiltered(self) -> Snapshot:
        """The same capture with all its lines; itself where the options left nothing out."""
        if not self.filtered_by:
            return self
        nodes, elements = tuple(self._source.nodes), tuple(self._source.elements)
        return replace(
            self, nodes=nodes, elements=elements, omitted=0, expanded=None, filtered_by=""
        )

    def document(self, frame_index: int) -> DomFacts | None:
        """Layout facts of a frame's document."""
        return self._source.documents.get(frame_index)

    def unfetched_in(self, frame_index: int) -> frozenset[int]:
        """Nodes of a frame that were not fetched; they stand below something shown."""
        return self._source.unfetched.get(frame_index, frozenset())

    @cached_property
    def text(self) -> str:
        from cdp_agent.snapshot.text.snapshot_text import snapshot_text

        return snapshot_text(self)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of the text, without its header."""
        return list(self.written_lines())

    def written_lines(self, wanted: Sequence[int] | None = None) -> Iterator[Line]:
        """The lines of the snapshot, each written when it is read.

        `wanted`: numbers of nodes in order; lines subtrees that have none of them are left out.
        """
        from cdp_agent.snapshot.text.layout import layout_lines

        return layout_lines(self, self.expanded, wanted)

    @cached_property
    def ends(self) -> list[int]:
        """For each node, where its subtree ends in `nodes`."""
        return ends_of(self.nodes)

    @cached_property
    def _by_id(self) -> dict[str, Element]:
        return {element.id: element for element in self.elements}

    @cached_property
    def readable(self) -> dict[str, Element]:
        """Lines without an id in the text that are elements all the same: headings, list items.

        They can be acted on by the id they have here: dragged, scrolled to, hovered over.
        """
        return {
            node.key: made
            for node in self.nodes
            if node.id is None and (made := self._plain_element(node)) is not None
        }

    def _plain_element(self, node: Node) -> Element | None:
        frame, _, number = node.key.partition("-")
        facts = self.document(int(frame))
        if node.role == "text" or node.folded or facts is None or not number.isdigit():
            return None
        info = self.frame_map[int(frame)]
        return Element(
            id=ElementId(info.index, int(number), LoaderId(info.loader_id)),
            role=node.role,
            name=node.name,
            value=node.value,
            state={name: value for name, value in node.state.items() if name != "level"},
            tag=facts.tag(int(number)),
            level=node.state.get("level"),
            bounds=None,
            frame_index=info.index,
            backend_node_id=int(number),
            hints=(),
        )

    @cached_property
    def focused(self) -> Element | None:
        """The element that has the keyboard, in whichever frame."""
        holders = [element for element in self.elements if element.state.get("focused")]
        return max(holders, key=lambda element: element.frame_index, default=None)

    @cached_property
    def interactive(self) -> tuple[Element, ...]:
        """The elements in document order, without labels of controls and choices of closed lists.

        They are in `elements` and can be acted on; here each control is counted once.
        """
        from cdp_agent.snapshot.interactive import interactive_elements

        return interactive_elements(self)

    @cached_property
    def backend_node_map(self) -> dict[str, int]:
        return {element.id: element.backend_node_id for element in self.elements}

    @cached_property
    def xpath_map(self) -> Mapping[str, str]:
        from cdp_agent.snapshot.xpath_map import XPathMap

        return XPathMap(self._by_id, self.document)

    @cached_property
    def frame_map(self) -> dict[int, FrameInfo]:
        return {frame.index: frame for frame in self.frames}

    def get(self, element_id: str) -> Element:
        """Raises: ElementNotFound."""
        found = self._by_id.get(element_id) or self.readable.get(element_id)
        if found is None:
            raise ElementNotFound(f"{element_id} is not in this snapshot", ref=element_id)
        return found

    def find_by_id(self, element_id: str) -> Element | None:
        """The element with that id, of those one can act on."""
        return self._by_id.get(element_id)

    def find_all(
        self,
        role: str | None = None,
        name: str | None = None,
        *,
        exact: bool = False,
        frame: int | None = None,
    ) -> list[Element]:
        """Elements of that role whose name contains `name`, whatever the case; `exact`: equals.

        Where no element that one can act on fits, those that can only be read are searched.
        """

        return fitting(self.elements, role, name, exact=exact, frame=frame) or fitting(
            self.readable.values(), role, name, exact=exact, frame=frame
        )

    def find(
        self,
        role: str | None = None,
        name: str | None = None,
        *,
        exact: bool = False,
        frame: int | None = None,
        nth: int | None = None,
    ) -> Element:
        """The one element that fits. A name that is equal wins over one that only contains it.

        Raises:
            ElementNotFound: none fits, or several do and `nth` (from 0) was not given.
        """
        found = self.find_all(role, name, exact=exact, frame=frame)
        return choose(found, role, name, exact=exact, nth=nth)

    @cached_property
    def _counts(self) -> Counter[tuple[object, ...]]:
        elements = self._source.elements or self.elements
        counts: Counter[tuple[object, ...]] = Counter((e.role, e.name) for e in elements)
        counts.update((e.frame_index, e.role, e.name, e.tag) for e in elements)
        return counts

    def is_unique(self, element: Element) -> bool:
        """Returns whether its frame has no other element of its role, name and tag.

        False where parts of the document were not fetched: there may be another.
        """
        kind = (element.frame_index, element.role, element.name, element.tag)
        return self._counts[kind] == 1 and not self.unfetched_in(element.frame_index)

    def is_only_one(self, element: Element) -> bool:
        """Returns whether the page has no other element of its role and name, in any frame."""
        return self._counts[element.role, element.name] == 1 and not self.is_partial

    def diff(self, previous: Snapshot) -> SnapshotDiff:
        """The changes since `previous`."""
        from cdp_agent.snapshot.diff import compare

        return compare(previous, self)

    def model_dump(self) -> dict[str, Any]:
        """The snapshot as plain data, as `fixtures/snapshot.schema.json` describes it."""
        from cdp_agent.snapshot.json_form import dump

        return dump(self)
