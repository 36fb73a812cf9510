"""The lines of a snapshot while they are being written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot.ax import AxNode, AxTree
from cdp_agent.snapshot.clean import MASKED_PASSWORD, cut, one_line
from cdp_agent.snapshot.dom import Box, DomFacts
from cdp_agent.snapshot.hints import hints_for
from cdp_agent.snapshot.model import NO_STATE, Element, FrameInfo, Node
from cdp_agent.snapshot.roles import SPEAKS_ALONE
from cdp_agent.snapshot.unseen import HIDDEN, NOTHING_UNSEEN, Unseen

_VALUE_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Delta:
    """How a capture differs from an earlier one, of which these are the tree and the facts."""

    tree: AxTree
    dom: DomFacts
    #: Accessibility nodes that came, went or say something else.
    spoken: frozenset[str] = frozenset()
    #: DOM nodes (backend ids) that came or whose text, attributes, styles or listeners differ.
    touched: frozenset[int] = frozenset()
    #: Those of which only the box is another; None: nobody has looked which.
    moved: frozenset[int] | None = frozenset()
    #: Those whose children are others.
    parents: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class FrameCapture:
    """What was fetched of one frame. `offset` and `scale` map its viewport onto the page's."""

    info: FrameInfo
    tree: AxTree
    dom: DomFacts | None
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    #: How it differs from the capture before it, where that is known.
    delta: Delta | None = None
    unseen: Unseen = NOTHING_UNSEEN

    @property
    def placement(self) -> tuple[object, ...]:
        """What decides, besides its own box, where an element is in the page's viewport."""
        return self.offset, self.scale, self.dom.scroll if self.dom is not None else None

    def is_same(self, other: FrameCapture) -> bool:
        """Whether it is the same tree, with the same facts, in the same place."""
        return (
            self.tree is other.tree
            and self.dom is other.dom
            and self.offset == other.offset
            and self.scale == other.scale
            and self.unseen == other.unseen
            and self.info == other.info
        )

    def visual_box(self, backend: int) -> Box | None:
        """An element's box as the page shows it now, in the page's viewport."""
        box = self.dom.bounds(backend) if self.dom is not None else None
        if box is None or self.dom is None:
            return None
        (left, top), (wide, high) = self.offset, self.scale
        scroll_x, scroll_y = self.dom.scroll
        return Box(
            round(left + (box.x - scroll_x) * wide, 2),
            round(top + (box.y - scroll_y) * high, 2),
            round(box.width * wide, 2),
            round(box.height * high, 2),
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the tree the walk is, and what the lines above already say."""

    depth: int
    said: str = ""
    in_interactive: bool = False
    container: str = ""


@dataclass(slots=True)
class Part:
    """What a node of the accessibility tree and all below it were written as."""

    #: The id of that node.
    top: str
    place: Place
    nodes: list[Node]
    elements: list[Element]
    #: Elements that it lists, and those of them that other things may stand in.
    known: tuple[int, ...]
    containers: tuple[int, ...]
    #: The parts it is made of, by the number of the line they begin with.
    parts: tuple[tuple[int, Part], ...]
    #: The names that its labels were compared with, if it has any.
    controls: str | None
    boxes: int
    level: int = 0
    #: How it was written last, and by how many steps it was moved to the left; -1: not yet.
    text: str = ""
    raised: int = -1

    def put_boxes(self, capture: FrameCapture) -> None:
        """Have the elements stand where they do now."""
        self.elements = [
            e if (box := capture.visual_box(e.backend_node_id)) == e.bounds else e.at(box)
            for e in self.elements
        ]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something one can act on, before it has a line."""

    capture: FrameCapture
    backend: int
    role: str
    name: str
    value: str | None = None
    state: Mapping[str, Any] = field(default_factory=lambda: NO_STATE)
    draggable: bool = False

    def element(self) -> Element:
        info, dom = self.capture.info, self.capture.dom
        tag = dom.tag(self.backend) if dom is not None else ""
        attributes = dom.attributes(self.backend) if dom is not None else {}
        state = {name: value for name, value in self.state.items() if name != "level"}
        if self.backend in self.capture.unseen:
            state |= HIDDEN
        return Element(
            id=ElementId(info.index, self.backend, LoaderId(info.loader_id)),
            role=self.role,
            name=self.name,
            value=self.value,
            state=state or NO_STATE,
            tag=tag,
            level=self.state.get("level"),
            bounds=self.capture.visual_box(self.backend),
            frame_index=info.index,
            backend_node_id=self.backend,
            hints=hints_for(
                self.role,
                tag,
                attributes,
                state,
                draggable=self.draggable,
                scrollable=dom is not None and dom.is_scrollable(self.backend),
            ),
        )


class Lines:
    """Appends lines, joins texts that stand together, folds and drops what says nothing."""

    def __init__(self, max_name_length: int) -> None:
        self.nodes: list[Node] = []
        self.elements: list[Element] = []
        self._limit = max_name_length
        self.parts: list[tuple[int, Part]] = []
        self._open_text = ""  # where the last text stands, while another may follow it there

    def thing(self, thing: Thing, depth: int) -> int:
        """A line with an id. Answers its number."""
        element = thing.element()
        self.elements.append(element)
        self.nodes.append(
            Node(
                element.id,
                depth,
                element.role,
                element.name,
                element.value,
                element.state,
                id=element.id,
            )
        )
        self.end_text()
        return len(self.nodes) - 1

    def part(self, part: Part) -> None:
        """Lines that were written before."""
        self.parts.append((len(self.nodes), part))
        self.nodes += part.nodes
        self.elements += part.elements
        self.end_text()

    def unlisted(self, thing: Thing) -> None:
        """One can act on it by its id, but a line would only repeat what others say."""
        self.elements.append(thing.element())

    def plain(self, node: Node) -> int:
        self.nodes.append(node)
        self.end_text()
        return len(self.nodes) - 1

    def text(
        self,
        key: str,
        depth: int,
        text: str,
        place: str,
        owner: Thing | None,
        state: Mapping[str, Any],
    ) -> None:
        """A text; `owner` is what answers a click on it, where something does."""
        if self._open_text == place and self.nodes:
            self._rename(len(self.nodes) - 1, f"{self.nodes[-1].name} {text}")
            return
        if owner is not None:
            self.thing(owner, depth)
        else:
            self.nodes.append(Node(key, depth, "text", text, state=state))
        self._open_text = place

    def end_text(self) -> None:
        self._open_text = ""

    def close(self, line: int) -> None:
        """All children of a line are there: drop an empty wrapper, fold a lone text into it."""
        node = self.nodes[line]
        self.end_text()
        lone_text = line == len(self.nodes) - 2 and self.nodes[-1].role == "text" and not node.name
        if lone_text and (node.id is None or node.role in ("generic", "label", "group")):
            text = self.nodes[-1]
            if text.state and node.id is None:
                self.nodes[line] = node = replace(node, state={**node.state, **text.state})
            if node.id is None or not text.state:
                self._rename(line, self.nodes.pop().name)
            return
        says_nothing = node.id is None and not node.name and node.value is None
        if says_nothing and line == len(self.nodes) - 1 and node.role not in SPEAKS_ALONE:
            self.nodes.pop()

    def _rename(self, line: int, name: str) -> None:
        node = self.nodes[line]
        if node.id is None:
            self.nodes[line] = replace(node, name=name)
            return
        name = cut(name, self._limit)
        self.nodes[line] = replace(node, name=name)
        for index in range(len(self.elements) - 1, -1, -1):
            if self.elements[index].id == node.id:
                self.elements[index] = replace(self.elements[index], name=name)
                break

    def insert_by_position(self, thing: Thing, first: int, depth: int) -> None:
        """A line for what the accessibility tree left out, after what stands before it."""
        dom = thing.capture.dom
        assert dom is not None
        order, frame = dom.position(thing.backend), str(thing.capture.info.index)
        where = first - 1
        for line in range(len(self.nodes) - 1, first - 1, -1):
            owner, _, number = self.nodes[line].key.partition("-")
            if owner == frame and number.isdigit() and dom.position(int(number)) < order:
                where, depth = line, self.nodes[line].depth
                break
        element = thing.element()
        self.elements.append(element)
        node = Node(
            element.id, depth, element.role, element.name, state=element.state, id=element.id
        )
        self.nodes.insert(where + 1, node)
        self.parts = list(_parts_around(self.parts, where + 1, node.depth))
        self.end_text()


def _parts_around(
    parts: list[tuple[int, Part]], line: int, depth: int
) -> Iterator[tuple[int, Part]]:
    """Where parts begin once a line was put between the others; what it broke up, in pieces."""
    waiting = parts[::-1]
    while waiting:
        start, part = waiting.pop()
        end = start + len(part.nodes)
        if start >= line:
            yield start + 1, part
        elif end < line or (end == line and depth <= part.nodes[0].depth):
            yield start, part
        else:
            waiting.extend((start + inner, one) for inner, one in reversed(part.parts))


def shown_value(node: AxNode, attributes: Mapping[str, str]) -> str | None:
    raw: Any = node.value.value if node.value is not None else None
    if raw is None or raw == "":
        return None
    if attributes.get("type", "").lower() == "password":
        return MASKED_PASSWORD
    return one_line(f"{raw:g}" if isinstance(raw, float) else str(raw), _VALUE_LIMIT) or None
