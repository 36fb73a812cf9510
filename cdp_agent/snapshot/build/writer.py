"""Writes the lines of a snapshot and the elements among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot.ax.roles import CELLS, LABELLED, MEANINGFUL_EMPTY
from cdp_agent.snapshot.ax.tree import AxNode
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.hidden import HIDDEN
from cdp_agent.snapshot.build.hints import hints_for
from cdp_agent.snapshot.build.naming import is_said_in, is_same_label
from cdp_agent.snapshot.build.states import number_text
from cdp_agent.snapshot.model import NO_STATE, Element, Node
from cdp_agent.text import MASKED_PASSWORD, cut, kept_lines

#: A value is cut at this length.
_VALUE_LIMIT = 500
#: A text right after one of these that only says its name is its label.
_NAMED_BESIDE = frozenset(
    {"button", "generic", "group", "radiogroup", "region", "navigation", "toolbar"}
)


class WalkState(NamedTuple):
    """The position of the walk in the tree, and the text that the lines above already have."""

    depth: int
    text_above: str = ""
    in_interactive: bool = False
    #: The accessibility node whose texts are joined into one line.
    container: str = ""
    #: The editor of formatted text that the walk is in; 0 for none.
    editor: int = 0
    #: In a canvas: cells there describe the drawing, and take no input.
    in_canvas: bool = False


class Actionable(NamedTuple):
    """An element one can act on, before it has a line."""

    capture: FrameCapture
    backend: int
    role: str
    name: str
    value: str | None = None
    state: Mapping[str, Any] = NO_STATE
    draggable: bool = False

    def element(self) -> Element:
        info, dom = self.capture.info, self.capture.dom
        tag = dom.tag(self.backend) if dom is not None else ""
        attributes = dom.attributes(self.backend) if dom is not None else {}
        state = {name: value for name, value in self.state.items() if name != "level"}
        if self.backend in self.capture.hidden:
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


class LineWriter:
    """Appends lines, joins adjacent texts, folds and drops empty wrappers."""

    def __init__(self, max_name_length: int) -> None:
        self.nodes: list[Node] = []
        self.elements: list[Element] = []
        self._limit = max_name_length
        #: The position of the last text, while another may follow it there.
        self._open_text = ""

    def actionable(
        self, item: Actionable, depth: int, name: str | None = None, *, with_value: bool = True
    ) -> int:
        """Append a line with an id; returns its number.

        `name` is what the line says for the element's name. Without its value the line is one of
        an editor whose text has lines of its own.
        """
        element = item.element()
        self.elements.append(element)
        self._drop_label(element)
        state = element.state
        if element.role == "heading" and element.level is not None:
            state = {**state, "level": element.level}
        if not with_value and "value_length" in state:
            state = {key: value for key, value in state.items() if key != "value_length"}
        self.nodes.append(
            Node(
                element.id,
                depth,
                element.role,
                element.name if name is None else name,
                element.value if with_value else None,
                state,
                id=element.id,
            )
        )
        self.end_text()
        return len(self.nodes) - 1

    def section(self, nodes: list[Node], elements: list[Element]) -> None:
        """Append lines as they were written before, each subtree below its first line."""
        if nodes and nodes[0].id is not None:
            self._drop_label(elements[0])
        self.nodes += nodes
        self.elements += elements
        self.end_text()

    def _drop_label(self, element: Element) -> None:
        """Drop the text before a control that only says its name."""
        before = self.nodes[-1] if self.nodes else None
        if before is None or before.role != "text" or before.state or before.id is not None:
            return
        if element.role in LABELLED and is_same_label(before.name, element.name):
            self.nodes.pop()

    def has_said(self, text: str) -> bool:
        """Returns whether the last line is that of a control or a group with this name."""
        last = self.nodes[-1] if self.nodes and not self._open_text else None
        if last is None or not (last.role in _NAMED_BESIDE or last.role in LABELLED):
            return False
        return is_same_label(text, last.name)

    def unlisted(self, item: Actionable) -> None:
        """An element with an id and no line: the line would only repeat others."""
        self.elements.append(item.element())

    def plain(self, node: Node) -> int:
        self.nodes.append(node)
        self.end_text()
        return len(self.nodes) - 1

    def text(
        self,
        key: str,
        depth: int,
        text: str,
        position: str,
        owner: Actionable | None,
        state: Mapping[str, Any],
    ) -> None:
        """Append a text; `owner` is the element that answers a click on it, if any."""
        if self._open_text == position and self.nodes:
            self._rename(len(self.nodes) - 1, f"{self.nodes[-1].name} {text}")
            return
        if owner is not None:
            self.actionable(owner, depth)
        else:
            self.nodes.append(Node(key, depth, "text", text, state=state))
        self._open_text = position

    def end_text(self) -> None:
        self._open_text = ""

    def close(self, line: int) -> None:
        """After the last child of a line: drop an empty wrapper, fold a lone text into it."""
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
        if line == len(self.nodes) - 2 and node.role == "generic":
            text = self.nodes[-1]
            if text.role == "text" and not text.state and is_said_in(text.name, node.name):
                self.nodes.pop()
        if not _is_empty(node):
            return
        if line == len(self.nodes) - 1 and node.role not in MEANINGFUL_EMPTY:
            self.nodes.pop()
        elif node.role == "row" and all(
            inner.role in CELLS and _is_empty(inner) for inner in self.nodes[line + 1 :]
        ):
            del self.nodes[line:]

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

    def insert_by_position(self, item: Actionable, first: int, depth: int) -> None:
        """Insert a line for an element that the tree lacks, at its document position."""
        dom = item.capture.dom
        assert dom is not None
        order, frame = dom.position(item.backend), str(item.capture.info.index)
        before = first - 1
        for line in range(len(self.nodes) - 1, first - 1, -1):
            owner, _, number = self.nodes[line].key.partition("-")
            if owner == frame and number.isdigit() and dom.position(int(number)) < order:
                before, depth = line, self.nodes[line].depth
                if self.nodes[line].role in CELLS and dom.contains(int(number), item.backend):
                    depth += 1  # an icon is all that the cell has
                break
        element = item.element()
        self.elements.append(element)
        node = Node(
            element.id, depth, element.role, element.name, state=element.state, id=element.id
        )
        self.nodes.insert(before + 1, node)
        self.end_text()


def _is_empty(node: Node) -> bool:
    return node.id is None and not node.name and node.value is None


def shown_value(
    node: AxNode, attributes: Mapping[str, str], nodes: Mapping[str, AxNode]
) -> tuple[str | None, Mapping[str, int]]:
    """A control's value with its lines, and its length as a state where it had to be cut."""
    raw: Any = node.value.value if node.value is not None else None
    if raw is None or raw == "":
        return None, NO_STATE
    if attributes.get("type", "").lower() == "password":
        return MASKED_PASSWORD, NO_STATE
    text = _number_as_written(node, raw, nodes) if isinstance(raw, int | float) else str(raw)
    if "contenteditable" in attributes:
        text = text.strip()  # the ends of the blocks, not what somebody typed
    value = kept_lines(text, _VALUE_LIMIT)
    if not value.strip():
        return None, NO_STATE
    return value, {"value_length": len(text)} if len(value) > _VALUE_LIMIT else NO_STATE


def _number_as_written(node: AxNode, number: float, nodes: Mapping[str, AxNode]) -> str:
    """The text of a field for numbers, of which the tree has but the number: 79.00."""
    inner: AxNode | None = node
    while inner is not None and inner.role_name != "StaticText":
        inner = nodes.get(inner.childIds[0]) if inner.childIds else None
    try:
        if inner is not None and number_text(float(inner.text)) == number_text(number):
            return inner.text
    except ValueError:
        pass  # it is written in another way, or not a number at all
    return number_text(number)
