"""Accessibility trees and layout facts of all frames, made into one list of lines. Pure.

The accessibility tree gives the structure, the roles, names and states; layout adds what it does not
know: the tag, the box, a cursor that says "click me" on something without a role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cdp_agent.config import OWN_UI_ATTRIBUTE
from cdp_agent.ids import ElementId, LoaderId
from cdp_agent.snapshot.ax import (
    INTERACTIVE_ROLES,
    LEFT_OUT_ROLES,
    TEXT_ROLES,
    AxNode,
    AxTree,
    plain_role,
    states_of,
)
from cdp_agent.snapshot.clean import MASKED_PASSWORD, one_line
from cdp_agent.snapshot.dom import Box, DomFacts
from cdp_agent.snapshot.hints import hints_for
from cdp_agent.snapshot.model import Element, FrameInfo, Node

#: Roles whose lines give a page its shape. Others are shown only when they have a name.
_STRUCTURE = frozenset(
    """heading list listitem table row columnheader rowheader cell grid treegrid tree menu menubar tablist
    tabpanel toolbar radiogroup dialog alertdialog alert status log banner main navigation contentinfo
    complementary region form search article blockquote progressbar meter term definition tooltip feed
    canvas video audio math iframe object listbox""".split()
)
#: Shown when they have a name, and otherwise not at all.
_NAMED_ONLY = frozenset({"image", "group", "figure", "canvas", "video", "audio", "legend", "figcaption"})
#: Their text is the browser's own editor, and already their value.
_PLAIN_EDITORS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_NATIVE_TAGS = frozenset({"button", "input", "select", "textarea", "summary"})
_NEVER_POINTER = frozenset({"html", "body"})


@dataclass(frozen=True, slots=True)
class FrameCapture:
    """What was fetched of one frame. `offset` maps its viewport onto the page's."""

    info: FrameInfo
    tree: AxTree
    dom: DomFacts | None
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Merged:
    nodes: list[Node]
    elements: list[Element]


def merge(captures: Mapping[int, FrameCapture], max_name_length: int = 200) -> Merged:
    """All frames from the main one down, each where its iframe stands."""
    builder = _Builder(captures, max_name_length)
    builder.add_frame(captures[0], depth=0)
    return Merged(builder.nodes, builder.elements)


@dataclass(slots=True)
class _Place:
    """Where in the tree the walk is: what the lines above already say."""

    depth: int
    said: str = ""  # names above, whose words need no repeating
    in_interactive: bool = False
    container: str = ""


class _Builder:
    def __init__(self, captures: Mapping[int, FrameCapture], max_name_length: int) -> None:
        self._captures = captures
        self._limit = max_name_length
        self._children_at: dict[tuple[int, int], FrameCapture] = {}
        for capture in captures.values():
            info = capture.info
            if info.parent_index is not None and info.owner_backend_node_id is not None:
                self._children_at[info.parent_index, info.owner_backend_node_id] = capture
        self.nodes: list[Node] = []
        self.elements: list[Element] = []
        self._text_container = ""

    # -- one frame ----------------------------------------------------------------------------

    def add_frame(self, capture: FrameCapture, depth: int) -> None:
        if not capture.tree.nodes:
            return
        first = len(self.nodes)
        by_id = {node.nodeId: node for node in capture.tree.nodes}
        root = capture.tree.nodes[0]
        # Entries: an AX node to visit, or the index of a line whose children are all visited.
        stack: list[tuple[AxNode, _Place] | tuple[int, None]] = [(root, _Place(depth))]
        while stack:
            entry = stack.pop()
            if entry[1] is None:
                self._close(entry[0])
                continue
            node, place = entry
            inner, line = self._visit(capture, node, place)
            if line is not None:
                stack.append((line, None))
            if inner is not None:
                for child_id in reversed(node.childIds):
                    child = by_id.get(child_id)
                    if child is not None:
                        stack.append((child, inner))
        self._add_silent_pointers(capture, first, depth)

    def _visit(
        self, capture: FrameCapture, node: AxNode, place: _Place
    ) -> tuple[_Place | None, int | None]:
        """Add the node's line if it has one. Answers the place of its children, None for none."""
        ax_role = node.role_name
        if ax_role in LEFT_OUT_ROLES:
            return None, None
        if node.ignored or ax_role == "RootWebArea":
            return place, None
        if ax_role in TEXT_ROLES:
            self._text(capture, node, place)
            return None, None
        role = plain_role(ax_role)
        dom, backend = capture.dom, node.backendDOMNodeId
        child_frame = self._children_at.get((capture.info.index, backend))
        if child_frame is not None or role == "iframe":
            self._iframe(node, child_frame, place)
            return None, None
        states = states_of(node)
        props = {prop.name: prop.value.value for prop in node.properties}
        tag = dom.tag(backend) if dom is not None else ""
        attributes: dict[str, str] = {}
        if dom is not None and (role not in INTERACTIVE_ROLES or tag in _NATIVE_TAGS):
            attributes = dom.attributes(backend)
        if OWN_UI_ATTRIBUTE in attributes:
            return None, None
        if props.get("editable") == "richtext" and props.get("focusable"):
            role = "textbox"
        pointer = self._answers_clicks(dom, backend, tag, place)
        draggable = attributes.get("draggable") == "true"
        interactive = (
            role in INTERACTIVE_ROLES
            or tag in _NATIVE_TAGS
            or bool(props.get("focusable"))
            or pointer
            or draggable
        ) and ax_role != "MenuListPopup"
        name = one_line(node.text, self._limit)
        value = self._value(node, attributes)
        if interactive:
            return self._interactive(
                capture, node, place, role, name, value, states, tag, attributes, pointer, draggable
            )
        if name and role == "cell":
            return self._structure(node, place, role, name, value, states)
        if (role in _STRUCTURE and ax_role != "MenuListPopup" and (name or role not in _NAMED_ONLY)) or (
            name and role in _NAMED_ONLY
        ):
            return self._structure(node, place, role, name, value, states)
        return replace_place(place, container=node.nodeId), None

    # -- kinds of lines -----------------------------------------------------------------------

    def _structure(
        self,
        node: AxNode,
        place: _Place,
        role: str,
        name: str,
        value: str | None,
        states: dict[str, Any],
    ) -> tuple[_Place, int]:
        key = f"{self._frame_of(place)}{node.backendDOMNodeId or node.nodeId}"
        self.nodes.append(Node(key, place.depth, role, name, value, states))
        self._text_container = ""
        said = f"{place.said} {name}" if name else place.said
        inner = _Place(place.depth + 1, said, place.in_interactive, node.nodeId)
        return inner, len(self.nodes) - 1

    def _frame_of(self, place: _Place) -> str:
        return f"{self._current_frame}-"

    _current_frame = 0

    def _interactive(
        self,
        capture: FrameCapture,
        node: AxNode,
        place: _Place,
        role: str,
        name: str,
        value: str | None,
        states: dict[str, Any],
        tag: str,
        attributes: dict[str, str],
        pointer: bool,
        draggable: bool,
    ) -> tuple[_Place | None, int]:
        element = self._element(
            capture, node.backendDOMNodeId, role, name, value, states, tag, attributes, draggable
        )
        self.nodes.append(
            Node(element.id, place.depth, role, name, value, element.state, id=element.id)
        )
        self._text_container = ""
        line = len(self.nodes) - 1
        if role in _PLAIN_EDITORS and tag in ("input", "textarea"):
            return None, line
        said = " ".join(part for part in (place.said, name, value or "") if part)
        return _Place(place.depth + 1, said, True, node.nodeId), line

    def _element(
        self,
        capture: FrameCapture,
        backend: int,
        role: str,
        name: str,
        value: str | None,
        states: dict[str, Any],
        tag: str,
        attributes: dict[str, str],
        draggable: bool,
    ) -> Element:
        info = capture.info
        element_id = ElementId(info.index, backend, LoaderId(info.loader_id))
        level = states.pop("level", None)
        element = Element(
            id=element_id,
            role=role,
            name=name,
            value=value,
            state=states,
            tag=tag,
            level=level,
            bounds=_visual(capture, backend),
            frame_index=info.index,
            backend_node_id=backend,
            hints=hints_for(role, tag, attributes, states, draggable),
        )
        self.elements.append(element)
        return element

    def _iframe(self, node: AxNode, child: FrameCapture | None, place: _Place) -> None:
        name = one_line(node.text, self._limit)
        self._text_container = ""
        if child is None:
            key = f"{self._current_frame}-{node.backendDOMNodeId or node.nodeId}"
            self.nodes.append(Node(key, place.depth, "iframe", name))
            return
        info = child.info
        key = f"{info.parent_index}-{info.owner_backend_node_id}"
        where = info.origin if info.origin not in ("", "://", "null") else _kind_of_url(info.url)
        self.nodes.append(Node(key, place.depth, "iframe", name, frame=(info.index, where)))
        before, self._current_frame = self._current_frame, info.index
        self.add_frame(child, place.depth + 1)
        self._current_frame = before
        self._text_container = ""

    def _text(self, capture: FrameCapture, node: AxNode, place: _Place) -> None:
        text = one_line(node.text, max(self._limit, 2000))
        if not text or (place.said and text in place.said):
            return
        owner = 0
        if not place.in_interactive and capture.dom is not None:
            owner = capture.dom.pointer_owner(node.backendDOMNodeId)
        container = f"{capture.info.index}:{place.container}:{place.depth}:{owner}"
        if self._text_container == container and self.nodes:
            last = self.nodes[-1]
            self.nodes[-1] = replace(last, name=f"{last.name} {text}")
            if owner:
                self.elements[-1] = replace(self.elements[-1], name=f"{last.name} {text}")
            return
        if owner and capture.dom is not None:
            tag, attributes = capture.dom.tag(owner), capture.dom.attributes(owner)
            name = text if len(text) <= self._limit else text[: self._limit] + "..."
            element = self._element(
                capture, owner, "generic", name, None, {}, tag, attributes, False
            )
            self.nodes.append(Node(element.id, place.depth, "generic", name, id=element.id))
        else:
            key = f"{capture.info.index}-{node.backendDOMNodeId or node.nodeId}"
            self.nodes.append(Node(key, place.depth, "text", text))
        self._text_container = container

    # -- afterwards ---------------------------------------------------------------------------

    def _close(self, line: int) -> None:
        """All children of a line are there: drop an empty wrapper, fold a lone text into it."""
        node = self.nodes[line]
        self._text_container = ""
        if node.id is not None:
            if not node.name and node.role == "generic":
                self._name_from_text(line)
            return
        if line == len(self.nodes) - 1:
            if not node.name and node.value is None and not _speaks(node):
                self.nodes.pop()
        elif line == len(self.nodes) - 2 and not node.name and self.nodes[-1].role == "text":
            self.nodes[line] = replace(node, name=self.nodes.pop().name)

    def _name_from_text(self, line: int) -> None:
        """Something clickable without a name is called by the only text in it."""
        if line == len(self.nodes) - 2 and self.nodes[-1].role == "text":
            text = self.nodes.pop().name
            name = text if len(text) <= self._limit else text[: self._limit] + "..."
            node = self.nodes[line] = replace(self.nodes[line], name=name)
            for index in range(len(self.elements) - 1, -1, -1):
                if self.elements[index].id == node.id:
                    self.elements[index] = replace(self.elements[index], name=name)
                    break

    def _add_silent_pointers(self, capture: FrameCapture, first: int, depth: int) -> None:
        """Things with a hand cursor that say nothing to the accessibility tree: icons, mostly."""
        if capture.dom is None:
            return
        known = {e.backend_node_id for e in self.elements if e.frame_index == capture.info.index}
        for backend in capture.dom.silent_pointers(known):
            tag, attributes = capture.dom.tag(backend), capture.dom.attributes(backend)
            if OWN_UI_ATTRIBUTE in attributes:
                continue
            name = one_line(attributes.get("title", ""), self._limit)
            element = self._element(
                capture, backend, "generic", name, None, {}, tag, attributes, False
            )
            where = self._line_before(capture, backend, first)
            level = self.nodes[where].depth if where >= first else depth
            node = Node(element.id, level, "generic", name, id=element.id)
            self.nodes.insert(where + 1, node)

    def _line_before(self, capture: FrameCapture, backend: int, first: int) -> int:
        assert capture.dom is not None
        order = capture.dom.position(backend)
        prefix = f"{capture.info.index}-"
        for line in range(len(self.nodes) - 1, first - 1, -1):
            frame, _, number = self.nodes[line].key.partition("-")
            if f"{frame}-" == prefix and number.isdigit():
                if capture.dom.position(int(number)) < order:
                    return line
        return first - 1

    def _answers_clicks(
        self, dom: DomFacts | None, backend: int, tag: str, place: _Place
    ) -> bool:
        if dom is None or tag in _NEVER_POINTER:
            return False
        if dom.has_pointer(backend):
            return not dom.parent_has_pointer(backend) or dom.is_clickable(backend)
        return dom.is_clickable(backend) and not dom.fills_viewport(backend)

    def _value(self, node: AxNode, attributes: dict[str, str]) -> str | None:
        if attributes.get("type") == "password":
            filled = node.value is not None and node.value.value not in (None, "")
            return MASKED_PASSWORD if filled else None
        if node.value is None or node.value.value is None or node.value.value == "":
            return None
        raw = node.value.value
        text = f"{raw:g}" if isinstance(raw, float) else str(raw)
        return one_line(text, max(self._limit, 500))


def replace_place(place: _Place, *, container: str) -> _Place:
    return _Place(place.depth, place.said, place.in_interactive, container)


def _speaks(node: Node) -> bool:
    """Whether a line without name and children is still worth a line."""
    return node.role in ("canvas", "video", "audio", "progressbar", "meter", "iframe", "dialog", "alertdialog")


def _visual(capture: FrameCapture, backend: int) -> Box | None:
    """The element's box as the page shows it now, in the page's viewport."""
    box = capture.dom.bounds(backend) if capture.dom is not None else None
    if box is None or capture.dom is None:
        return None
    (left, top), (wide, high) = capture.offset, capture.scale
    scroll_x, scroll_y = capture.dom.scroll
    return Box(
        round(left + (box.x - scroll_x) * wide, 2),
        round(top + (box.y - scroll_y) * high, 2),
        round(box.width * wide, 2),
        round(box.height * high, 2),
    )


def _kind_of_url(url: str) -> str:
    return url if url.startswith("about:") else url.partition(":")[0] + ":" if url else ""
