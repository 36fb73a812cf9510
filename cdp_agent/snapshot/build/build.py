"""Accessibility trees and layout facts of all frames, made into one list of lines. Pure.

The accessibility tree gives the structure, the roles, names and states; layout adds what the tree
lacks: the tag, the box, a cursor that says "click me" on an element without a role.
"""

from __future__ import annotations

from collections.abc import Mapping

from cdp_agent.config import OWN_UI_ATTRIBUTE
from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.tree import FOLDED, AxNode, states_of
from cdp_agent.snapshot.build.clickables import (
    clickables_without_line,
    openers,
    targets_within_reach,
)
from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.hidden import HIDDEN, LONGEST, is_hidden, visible_name
from cdp_agent.snapshot.build.line_cache import (
    BuildInput,
    BuiltPage,
    FrameLineCache,
    OpenSection,
    Section,
)
from cdp_agent.snapshot.build.naming import key_of, name_in_line, properties_of, shown_role, unsaid
from cdp_agent.snapshot.build.rich_text import is_formatted, marked
from cdp_agent.snapshot.build.states import states_in_attributes
from cdp_agent.snapshot.build.writer import Actionable, LineWriter, WalkState, shown_value
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.model import NO_STATE, Node
from cdp_agent.text import cut, one_line

_TEXT_LIMIT = 2000
_UNCUT = 1_000_000
#: An item of a menu is so many elements above its text.
_NEAR = 3
_LABELLED = roles.in_chromium(roles.LABELLED)
#: Attributes of a text field that opens a list of the page's own.
_SUGGESTING = frozenset({"aria-haspopup", "list"})


def build(
    captures: Mapping[int, FrameCapture],
    max_name_length: int = 200,
    cache: FrameLineCache | None = None,
) -> BuiltPage:
    """Lines of all frames from the main one down, each below its iframe."""
    writer = LineWriter(max_name_length)
    cache = cache if cache is not None else FrameLineCache()
    cache.retain(captures)
    inner_frames: dict[tuple[int, int], FrameCapture] = {}
    for capture in captures.values():
        info = capture.info
        if info.parent_index is not None and info.owner_backend_node_id is not None:
            inner_frames[info.parent_index, info.owner_backend_node_id] = capture
    _FrameBuilder(captures[0], inner_frames, writer, max_name_length, cache).run(0)
    return BuiltPage(writer.nodes, writer.elements)


class _FrameBuilder:
    """Writes the lines of one frame, and of the frames inside it."""

    def __init__(
        self,
        capture: FrameCapture,
        inner_frames: Mapping[tuple[int, int], FrameCapture],
        writer: LineWriter,
        limit: int,
        cache: FrameLineCache,
    ) -> None:
        self._cache = cache
        self._capture = capture
        self._dom = capture.dom
        self._frame = capture.info.index
        self._inner_frames = inner_frames
        self._writer = writer
        self._limit = limit
        #: Backend ids of elements that are listed, and of those that may hold others.
        self._listed: set[int] = set()
        self._containers: list[int] = []
        self._hidden = capture.hidden
        #: Canvases, and elements that listen for drops, double clicks and the like.
        self._targets = targets_within_reach(capture)
        self._openers = openers(capture.dom)
        self._draggable = _draggable(capture.dom)
        self._has_own_ui = capture.dom is not None and capture.dom.has_attribute(OWN_UI_ATTRIBUTE)
        # One string to search in; a name has no line breaks.
        self._control_names = "\n".join(
            one_line(node.text, limit)
            for node in capture.tree.nodes
            if node.role is not None and node.role.value in _LABELLED
        )
        self._sections = cache.sections(self._frame)
        self._sections.begin(
            BuildInput(capture, limit, self._control_names, frozenset(self._targets))
        )

    def run(self, depth: int) -> None:
        nodes = self._capture.tree.nodes
        if not nodes:
            return
        first = len(self._writer.nodes)
        by_id = self._capture.tree.by_id
        # An entry is a node to visit, or a line whose children have all been visited.
        stack: list[tuple[AxNode, WalkState] | int] = [(nodes[0], WalkState(depth))]
        while stack:
            entry = stack.pop()
            if isinstance(entry, int):
                self._writer.close(entry)
                self._sections.close(self._writer, self._containers)
                continue
            node, state = entry
            section = self._sections.find(node.nodeId, state)
            if section is not None:
                self._reuse(section)
                continue
            counts = len(self._writer.elements), len(self._containers)
            inner, line = self._visit(node, state)
            if line is not None:
                stack.append(line)
                self._sections.open(
                    OpenSection(node.nodeId, state, line, *counts, self._position(node))
                )
            if inner is not None:
                for child_id in reversed(node.childIds):
                    child = by_id.get(child_id)
                    if child is not None:
                        stack.append((child, inner))
        self._add_clickables(first, depth)

    def _position(self, node: AxNode) -> int:
        return self._dom.position(node.backendDOMNodeId) if self._dom is not None else -1

    def _reuse(self, section: Section) -> None:
        self._writer.section(section.nodes, section.elements)
        self._listed.update(element.backend_node_id for element in section.elements)
        self._containers += section.containers

    def _visit(self, node: AxNode, at: WalkState) -> tuple[WalkState | None, int | None]:
        """Write the node's line if it has one.

        Returns the state for its children (None to skip them) and the number of the line.
        """
        ax_role = node.role_name
        if ax_role in roles.LEFT_OUT or self._is_own_ui(node.backendDOMNodeId):
            return None, None
        if node.ignored and node.backendDOMNodeId in self._targets:
            if self._dom is not None and self._dom.tag(node.backendDOMNodeId) == "label":
                return self._label(node, at)
            return self._element_or_structure(node, "generic", at)
        if node.ignored or ax_role == "RootWebArea":
            return at, None
        if ax_role == "StaticText":
            self._text(node, at)
            return None, None
        if ax_role == FOLDED:
            self._folded(node, at)
            return None, None
        role = roles.plain(ax_role)
        inner_frame = self._inner_frames.get((self._frame, node.backendDOMNodeId))
        if inner_frame is not None or role == "iframe":
            self._iframe(node, inner_frame, at)
            return None, None
        if role == "label":
            return self._label(node, at)
        return self._element_or_structure(node, ax_role, at)

    def _element_or_structure(
        self, node: AxNode, ax_role: str, at: WalkState
    ) -> tuple[WalkState | None, int | None]:
        backend, dom = node.backendDOMNodeId, self._dom
        tag = dom.tag(backend) if dom is not None else ""
        facts = properties_of(node)
        role = shown_role(ax_role, facts)
        inner = at if ax_role in roles.INSIDE_TEXT else at._replace(container=node.nodeId)
        if tag == "canvas":
            inner = inner._replace(in_canvas=True)
        is_actionable = ax_role != "MenuListPopup" and self._is_actionable(
            backend, role, tag, at, focusable=bool(facts.get("focusable"))
        )
        if not is_actionable and role not in roles.STRUCTURE and role not in roles.NAMED_ONLY:
            return inner, None
        name = one_line(node.text, self._limit)
        # The picture in a link often has the name of the link.
        is_repeated = at.in_interactive and name.lower() in at.text_above
        if not is_actionable and role in roles.NAMED_ONLY and (not name or is_repeated):
            return inner, None
        attributes = dom.attributes(backend) if dom is not None else {}
        value, length = shown_value(node, attributes, self._capture.tree.by_id)
        state = states_of(node)
        state |= length
        state |= states_in_attributes(role, attributes, facts, dom, backend)
        draggable = backend in self._draggable
        if at.in_canvas and is_actionable and role in roles.CELLS:
            item = Actionable(self._capture, backend, role, name, value, state, draggable)
            self._writer.unlisted(item)
            is_actionable = False
        if not is_actionable:
            return self._structure(node, at, Node("", at.depth, role, name, value, state))
        if role in ("textbox", "searchbox") and not _SUGGESTING & attributes.keys():
            state.pop("hasPopup", None)  # the browser's own suggestions, which come and go
        role = "canvas" if tag == "canvas" and role == "generic" else role
        item = Actionable(self._capture, backend, role, name, value, state, draggable)
        return self._actionable(node, item, tag, at)

    def _is_actionable(
        self, backend: int, role: str, tag: str, at: WalkState, *, focusable: bool
    ) -> bool:
        if role in roles.INTERACTIVE or tag in roles.NATIVE_TAGS or backend in self._draggable:
            return True
        # In an editor every element takes the caret, and counts as one that answers clicks.
        return not at.editor and (
            focusable or backend in self._targets or self._answers_clicks(backend, tag)
        )

    # -- kinds of lines -----------------------------------------------------------------------

    def _actionable(
        self, node: AxNode, item: Actionable, tag: str, at: WalkState
    ) -> tuple[WalkState | None, int]:
        is_editor = item.role == "textbox" and tag not in ("input", "textarea")
        is_rich = is_editor and self._dom is not None and is_formatted(self._dom, item.backend)
        name = name_in_line(item.name, self._dom, item.backend)
        line = self._writer.actionable(item, at.depth, name, with_value=not is_rich)
        self._listed.add(item.backend)
        if item.role not in roles.INTERACTIVE and tag not in roles.NATIVE_TAGS:
            self._containers.append(item.backend)
        if item.role in roles.PLAIN_EDITORS and tag in ("input", "textarea"):
            return None, line
        text_above = at.text_above
        if item.role in roles.NAMED_BY_CONTENT or item.role == "label":
            text_above = f"{text_above} {item.name.lower()}"
        elif item.role in ("textbox", "combobox") and node.value is not None and not is_rich:
            text_above = f"{text_above} {one_line(str(node.value.value), _UNCUT).lower()}"
        editor = item.backend if is_editor else at.editor
        in_canvas = at.in_canvas or tag == "canvas"
        return WalkState(at.depth + 1, text_above, True, node.nodeId, editor, in_canvas), line

    def _structure(self, node: AxNode, at: WalkState, line: Node) -> tuple[WalkState, int]:
        named = line.name and line.role in roles.NAMED_BY_CONTENT
        text_above = f"{at.text_above} {line.name.lower()}" if named else at.text_above
        name, state = line.name, line.state
        if self._hidden and node.backendDOMNodeId in self._hidden:
            # Without a name it has no text that a reader could take for the page's.
            name, state = cut(name, LONGEST), {**state, **HIDDEN} if name else state
        elif self._hidden and named:
            name = cut(visible_name(node, self._hidden, self._capture.tree.by_id.get), self._limit)
            text_above = f"{at.text_above} {name.lower()}"
        number = self._writer.plain(
            Node(self._key(node), line.depth, line.role, name, line.value, state or NO_STATE)
        )
        inside = at.in_interactive, node.nodeId, at.editor, at.in_canvas
        return WalkState(at.depth + 1, text_above, *inside), number

    def _label(self, node: AxNode, at: WalkState) -> tuple[WalkState | None, int | None]:
        """A label's words are its control's name already; it can still be clicked by its id."""
        words = self._dom.text(node.backendDOMNodeId) if self._dom is not None else ""
        name = one_line(words, self._limit)
        self._listed.add(node.backendDOMNodeId)
        item = Actionable(self._capture, node.backendDOMNodeId, "label", name)
        if name and name in self._control_names:
            self._writer.unlisted(item)
            self._writer.end_text()
            text_above = f"{at.text_above} {name.lower()}"
            return at._replace(text_above=text_above, container=node.nodeId), None
        backend = node.backendDOMNodeId
        if backend in self._targets or self._answers_clicks(backend, "label"):
            return self._actionable(node, item, "label", at)
        self._writer.unlisted(item)
        return at._replace(container=node.nodeId), None

    def _iframe(self, node: AxNode, inner: FrameCapture | None, at: WalkState) -> None:
        name = one_line(node.text, self._limit)
        self._sections.depend_on(-1)
        if inner is None:
            self._writer.plain(Node(self._key(node), at.depth, "iframe", name))
            return
        info = inner.info
        origin = info.origin if info.origin not in ("", "://", "null") else _scheme(info.url)
        state = HIDDEN if node.backendDOMNodeId in self._hidden else NO_STATE
        if inner.problem:
            state = {**state, "empty": inner.problem}
        frame = info.index, origin
        self._writer.plain(
            Node(self._key(node), at.depth, "iframe", name, state=state, frame=frame)
        )
        if not inner.problem:
            self._inner_frame(inner, at.depth + 1)
        self._writer.end_text()

    def _inner_frame(self, inner: FrameCapture, depth: int) -> None:
        frames, limit = self._inner_frames, self._limit
        if any(parent == inner.info.index for parent, _ in frames):
            _FrameBuilder(inner, frames, self._writer, limit, self._cache).run(depth)
            return
        built = self._cache.find(inner, depth, limit)
        if built is None:
            writer = LineWriter(limit)
            _FrameBuilder(inner, frames, writer, limit, self._cache).run(depth)
            built = BuiltPage(writer.nodes, writer.elements)
            self._cache.add(inner, depth, limit, built)
        self._writer.nodes += built.nodes
        self._writer.elements += built.elements

    def _folded(self, node: AxNode, at: WalkState) -> None:
        """A stub for nodes that were not fetched: their number, and their role if it matters."""
        role = roles.plain(node.text)
        kind = role if role in roles.INTERACTIVE or role in roles.STRUCTURE else "more"
        count = int(node.value.value) if node.value is not None else 1
        self._writer.plain(Node(self._key(node), at.depth, kind, "", folded=count))

    def _text(self, node: AxNode, at: WalkState) -> None:
        text = unsaid(one_line(node.text, _TEXT_LIMIT), at.text_above)
        if not text or self._writer.has_said(text):
            return
        if at.editor and self._dom is not None:
            text = marked(self._dom, node.backendDOMNodeId, at.editor, text)
        by_id = self._capture.tree.by_id
        hidden = bool(self._hidden) and is_hidden(node, self._hidden, by_id.get)
        if hidden:
            text = cut(text, LONGEST)
        owner: Actionable | None = None
        backend = self._owner_of(node, at)
        if backend and self._dom is not None:
            self._sections.depend_on(self._dom.position(backend))
            if backend not in self._listed:
                owner = Actionable(self._capture, backend, "generic", cut(text, self._limit))
                self._listed.add(backend)
        position = f"{self._frame}:{at.container}:{at.depth}:{backend}:{hidden}"
        state = HIDDEN if hidden else NO_STATE
        self._writer.text(self._key(node), at.depth, text, position, owner, state)

    def _owner_of(self, text: AxNode, at: WalkState) -> int:
        """The backend id of the element without a line that a press on a text acts on; or 0."""
        if self._dom is None:
            return 0
        backend = text.backendDOMNodeId
        if not at.in_interactive and (owner := self._dom.pointer_owner(backend)):
            return owner
        for _ in range(_NEAR if self._openers else 0):
            backend = self._dom.parent(backend)
            if backend in self._openers:
                return backend
        return 0

    # -- what the accessibility tree lacks ------------------------------------------------------

    def _add_clickables(self, first: int, depth: int) -> None:
        for item, has_line in clickables_without_line(
            self._capture,
            self._listed,
            set(self._containers),
            self._limit,
            self._is_own_ui,
            self._targets,
        ):
            if has_line:
                self._writer.insert_by_position(item, first, depth)
            else:
                self._writer.unlisted(item)

    def _answers_clicks(self, backend: int, tag: str) -> bool:
        """Returns whether it has a hand cursor where its parent has none, or listens for clicks."""
        dom = self._dom
        if dom is None or tag in ("html", "body"):
            return False
        if dom.has_pointer(backend):
            return not dom.parent_has_pointer(backend) or dom.is_clickable(backend)
        return (
            dom.is_clickable(backend) and not dom.fills_viewport(backend) and dom.has_area(backend)
        )

    def _is_own_ui(self, backend: int) -> bool:
        return (
            self._has_own_ui
            and self._dom is not None
            and self._dom.is_inside_attribute(backend, OWN_UI_ATTRIBUTE)
        )

    def _key(self, node: AxNode) -> str:
        return key_of(node, self._frame, self._capture.tree.by_id)


def _scheme(url: str) -> str:
    end = "#" if url.startswith("about:") else ":"
    return url.partition(end)[0] + (":" if url and end == ":" else "")


def _draggable(dom: DomFacts | None) -> frozenset[int]:
    """Backend ids of elements with `draggable=true`."""
    if dom is None:
        return frozenset()
    values = dom.attribute_index.having("draggable")
    return frozenset(backend for backend, value in values.items() if value == "true")
