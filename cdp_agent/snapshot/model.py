"""A page at one moment, as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cdp_agent.errors import ElementNotFound
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot.dom import Box, DomFacts

if TYPE_CHECKING:
    from cdp_agent.snapshot.diff import SnapshotDiff
    from cdp_agent.snapshot.lines import Part


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

    def at(self, bounds: Box | None) -> Element:
        """The same, elsewhere. Spelled out: there are thousands of them on a page that scrolls."""
        return Element(
            self.id,
            self.role,
            self.name,
            self.value,
            self.state,
            self.tag,
            self.level,
            bounds,
            self.frame_index,
            self.backend_node_id,
            self.hints,
        )


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


@dataclass(frozen=True)
class Snapshot:
    """What `page.snapshot()` answers. `text` is for a model, `elements` for a program."""

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
    #: The key of the node from which on a folded part was asked for.
    expanded: str | None = None
    #: Whether `text` tells where each element is.
    with_bounds: bool = False
    #: PNG, when asked for with `screenshot` or `marks`.
    screenshot: bytes | None = field(default=None, repr=False, compare=False)
    dom: Mapping[int, DomFacts] = field(default_factory=dict, repr=False, compare=False)
    #: How many of each kind the whole page has, also where options left some out.
    kinds: Mapping[tuple[int, str, str, str], int] = field(
        default_factory=dict, repr=False, compare=False
    )
    #: Runs of lines that other snapshots of the page may have as well, and where they begin.
    parts: tuple[tuple[int, Part], ...] = field(default=(), repr=False, compare=False)

    #: Frame → nodes that stand in something shown, and were not fetched with what is in them.
    unfetched: Mapping[int, frozenset[int]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def in_parts(self) -> bool:
        """Whether parts of a large document were left out; `expand` and `search` fetch them."""
        return any(self.unfetched.values())

    @cached_property
    def text(self) -> str:
        from cdp_agent.snapshot.format import snapshot_text

        return snapshot_text(self)

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
        facts = self.dom.get(int(frame))
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
    def backend_node_map(self) -> dict[str, int]:
        return {element.id: element.backend_node_id for element in self.elements}

    @cached_property
    def xpath_map(self) -> XPathMap:
        return XPathMap(self)

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

        Where nothing that one can act on fits, what can only be read is looked through.
        """

        def fitting(elements: Iterable[Element]) -> list[Element]:
            return [one for one in elements if _fits(one, role, name, exact=exact, frame=frame)]

        return fitting(self.elements) or fitting(self.readable.values())

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
        what = f"{role or 'element'}{f' {name!r}' if name is not None else ''}"
        if nth is None and len(found) > 1 and name is not None and not exact:
            precise = [element for element in found if element.name == name]
            found = precise or found
        if nth is None and role is None and len(found) > 1:
            # A label only stands for its control.
            found = [element for element in found if element.role != "label"] or found
        if nth is not None:
            if not -len(found) <= nth < len(found):
                raise ElementNotFound(f"there is no {what} number {nth}, only {len(found)}")
            return found[nth]
        if len(found) == 1:
            return found[0]
        if not found:
            raise ElementNotFound(f"there is no {what} in the snapshot", role=role, name=name)
        shown = ", ".join(f"{e.id} {e.role} {e.name[:40]!r}" for e in found[:8])
        more = f" and {len(found) - 8} more" if len(found) > 8 else ""
        raise ElementNotFound(
            f"{len(found)} elements fit {what}: {shown}{more}",
            hint="Give nth, a frame, or a name that only one has.",
            matches=[str(e.id) for e in found],
        )

    def diff(self, previous: Snapshot) -> SnapshotDiff:
        """What changed since `previous`."""
        from cdp_agent.snapshot.diff import compare

        return compare(previous, self)

    def model_dump(self) -> dict[str, Any]:
        """The snapshot as plain data, as `fixtures/snapshot.schema.json` describes it."""
        return {
            "page": _plain(self.page),
            "viewport": _plain(self.viewport),
            "frames": [_plain(frame) for frame in self.frames],
            "elements": [_dump_element(element) for element in self.elements],
            "text": self.text,
            "warnings": list(self.warnings),
            "omitted": self.omitted,
        }


def _fits(
    element: Element, role: str | None, name: str | None, *, exact: bool, frame: int | None
) -> bool:
    if role is not None and element.role != role:
        return False
    if frame is not None and element.frame_index != frame:
        return False
    if name is None:
        return True
    return element.name == name if exact else name.casefold() in element.name.casefold()


class Kinds(Mapping[tuple[int, str, str, str], int]):
    """How many elements there are of each frame, role, name and tag; counted when first asked.

    In the frames of `unfetched` there may be more where nobody looked: none is the only one.
    """

    def __init__(self, elements: Iterable[Element], unfetched: Container[int] = ()) -> None:
        self._elements = elements
        self._unfetched = unfetched

    @cached_property
    def _counted(self) -> Counter[tuple[int, str, str, str]]:
        counted = Counter((e.frame_index, e.role, e.name, e.tag) for e in self._elements)
        counted.update({kind: 1 for kind in counted if kind[0] in self._unfetched})
        return counted

    def __getitem__(self, kind: tuple[int, str, str, str]) -> int:
        return self._counted[kind]

    def __iter__(self) -> Iterator[tuple[int, str, str, str]]:
        return iter(self._counted)

    def __len__(self) -> int:
        return len(self._counted)


class XPathMap(Mapping[str, str]):
    """Paths inside each element's own document, worked out when first asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, str] = {}

    def __getitem__(self, element_id: str) -> str:
        path = self._known.get(element_id)
        if path is None:
            element = self._snapshot._by_id[element_id]
            facts = self._snapshot.dom.get(element.frame_index)
            path = facts.xpath(element.backend_node_id) if facts is not None else ""
            self._known[element_id] = path
        return path

    def __iter__(self) -> Iterator[str]:
        return iter(self._snapshot._by_id)

    def __len__(self) -> int:
        return len(self._snapshot.elements)


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def _dump_element(element: Element) -> dict[str, Any]:
    plain = _plain(element)
    plain["id"] = str(element.id)
    plain["state"] = dict(element.state)
    plain["hints"] = list(element.hints)
    if element.bounds is not None:
        plain["bounds"] = list(element.bounds)
    return plain
