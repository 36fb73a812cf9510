"""Accessibility trees and layout facts of all frames, made into one list of lines. Pure.

The accessibility tree gives the structure, the roles, names and states; layout adds what it does
not know: the tag, the box, a cursor that says "click me" on something without a role.
"""

from __future__ import annotations

from collections.abc import Mapping

from cdp_agent.config import OWN_UI_ATTRIBUTE
from cdp_agent.snapshot import roles
from cdp_agent.snapshot.ax import FOLDED, AxNode, states_of
from cdp_agent.snapshot.clean import cut, one_line
from cdp_agent.snapshot.kept import MergeCache, Merged, Opened, is_deep
from cdp_agent.snapshot.lines import FrameCapture, Lines, Part, Place, Thing, shown_value
from cdp_agent.snapshot.model import NO_STATE, Node
from cdp_agent.snapshot.unseen import HIDDEN, LONGEST, is_unseen, seen_name
from cdp_agent.snapshot.unspoken import unspoken

_TEXT_LIMIT = 2000


def merge(
    captures: Mapping[int, FrameCapture],
    max_name_length: int = 200,
    cache: MergeCache | None = None,
) -> Merged:
    """All frames from the main one down, each where its iframe stands."""
    lines = Lines(max_name_length)
    cache = cache if cache is not None else MergeCache()
    cache.keep_only(captures)
    children: dict[tuple[int, int], FrameCapture] = {}
    for capture in captures.values():
        info = capture.info
        if info.parent_index is not None and info.owner_backend_node_id is not None:
            children[info.parent_index, info.owner_backend_node_id] = capture
    _FrameWalk(captures[0], children, lines, max_name_length, cache).run(0)
    return Merged(lines.nodes, lines.elements, lines.parts)


class _FrameWalk:
    """Writes the lines of one frame, and of those inside it."""

    def __init__(
        self,
        capture: FrameCapture,
        children: Mapping[tuple[int, int], FrameCapture],
        lines: Lines,
        limit: int,
        cache: MergeCache,
    ) -> None:
        self._cache = cache
        self._capture = capture
        self._dom = capture.dom
        self._frame = capture.info.index
        self._children = children
        self._lines = lines
        self._limit = limit
        self._known: set[int] = set()
        #: Those of them that are listed for their listener alone: things may stand inside.
        self._containers: set[int] = set()
        #: The same in the order in which they were found.
        self._known_log: list[int] = []
        self._containers_log: list[int] = []
        #: What answers the clicks on texts; how many labels and frames there were.
        self._pointed: list[int] = []
        self._labels = 0
        self._frames = 0
        owners = frozenset(owner for frame, owner in children if frame == self._frame)
        self._kept = cache.parts(capture, owners, limit)
        self._unseen = capture.unseen
        self._has_own_ui = capture.dom is not None and capture.dom.has_attribute(OWN_UI_ATTRIBUTE)

    def run(self, depth: int) -> None:
        nodes = self._capture.tree.nodes
        if not nodes:
            return
        first = len(self._lines.nodes)
        by_id = self._capture.tree.by_id
        # An entry is a node to visit, or a line whose children are all visited.
        stack: list[tuple[AxNode, Place] | tuple[Opened | int, None]] = [(nodes[0], Place(depth))]
        while stack:
            entry = stack.pop()
            if entry[1] is None:
                self._close(entry[0])
                continue
            node, place = entry
            if (part := self._kept.find(node, place)) is not None:
                self._reuse(part)
                continue
            began = self._written() if node.childIds else None
            inner, line = self._visit(node, place)
            if line is not None:
                opened = Opened(line, node, place, *began) if began is not None else line
                stack.append((opened, None))
            elif began is not None and self._kept.is_part_without_line(node, inner):
                stack.append((Opened(-1, node, place, *began), None))
            if inner is not None:
                for child_id in reversed(node.childIds):
                    child = by_id.get(child_id)
                    if child is not None:
                        stack.append((child, inner))
        self._add_unspoken(first, depth)

    # -- parts that are kept ----------------------------------------------------------------------

    def _written(self) -> tuple[int, int, int, int, int, int, int, int]:
        """How much there is so far, as in `Opened`."""
        return (
            len(self._lines.nodes),
            len(self._lines.elements),
            len(self._lines.parts),
            len(self._known_log),
            len(self._containers_log),
            len(self._pointed),
            self._labels,
            self._frames,
        )

    def _close(self, opened: Opened | int) -> None:
        """All below a line is written: keep it for later, if it depends on nothing else."""
        if isinstance(opened, int):
            self._lines.close(opened)
            return
        lines, dom, backend = self._lines, self._dom, opened.node.backendDOMNodeId
        if opened.line >= 0:
            lines.close(opened.line)
        if dom is None or self._frames != opened.frames:
            return
        if not self._kept.is_worth_keeping(opened.node, len(lines.nodes) - opened.lines):
            return
        if any(not dom.contains(backend, owner) for owner in self._pointed[opened.pointed :]):
            return  # whether a text is the first to tell of its owner is decided outside
        part = Part(
            opened.node.nodeId,
            opened.place,
            lines.nodes[opened.lines :],
            lines.elements[opened.elements :],
            tuple(self._known_log[opened.known :]),
            tuple(self._containers_log[opened.containers :]),
            tuple([(line - opened.lines, one) for line, one in lines.parts[opened.parts :]]),
            self._kept.control_names if self._labels != opened.labels else None,
            self._kept.boxes,
        )
        if self._kept.keep(opened.node, part):
            lines.parts[opened.parts :] = [(opened.lines, part)]

    def _reuse(self, part: Part) -> None:
        self._lines.part(part)
        self._known.update(part.known)
        self._known_log += part.known
        self._containers.update(part.containers)
        self._containers_log += part.containers
        self._labels += part.controls is not None

    def _know(self, backend: int) -> None:
        self._known.add(backend)
        self._known_log.append(backend)

    def _visit(self, node: AxNode, place: Place) -> tuple[Place | None, int | None]:
        """Write the node's line if it has one. Answers its children's place, None to skip them."""
        ax_role = node.role_name
        if ax_role in roles.LEFT_OUT or self._is_ours(node.backendDOMNodeId):
            return None, None
        if node.ignored or ax_role == "RootWebArea":
            return place, None
        if ax_role == "StaticText":
            self._text(node, place)
            return None, None
        if ax_role == FOLDED:
            self._folded(node, place)
            return None, None
        role = roles.plain(ax_role)
        child = self._children.get((self._frame, node.backendDOMNodeId))
        if child is not None or role == "iframe":
            self._iframe(node, child, place)
            return None, None
        if role == "label":
            return self._label(node, place)
        return self._element_or_structure(node, ax_role, role, place)

    def _element_or_structure(
        self, node: AxNode, ax_role: str, role: str, place: Place
    ) -> tuple[Place | None, int | None]:
        backend = node.backendDOMNodeId
        tag = self._dom.tag(backend) if self._dom is not None else ""
        attributes = self._dom.attributes(backend) if self._dom is not None else {}
        facts = {prop.name: prop.value.value for prop in node.properties}
        edited = facts.get("focusable") and facts.get("editable")
        if edited == "richtext" or (edited == "plaintext" and role not in roles.INTERACTIVE):
            role = "textbox"
        draggable = attributes.get("draggable") == "true"
        name = one_line(node.text, self._limit)
        value = shown_value(node, attributes)
        state = states_of(node)
        if role in ("textbox", "searchbox") and not {"aria-haspopup", "list"} & attributes.keys():
            state.pop("hasPopup", None)  # the browser's own suggestions, which come and go
        if ax_role != "MenuListPopup" and (
            role in roles.INTERACTIVE
            or tag in roles.NATIVE_TAGS
            or bool(facts.get("focusable"))
            or draggable
            or self._answers_clicks(backend, tag)
        ):
            thing = Thing(self._capture, backend, role, name, value, state, draggable)
            return self._thing(node, thing, tag, place)
        shown = role in roles.STRUCTURE
        if role in roles.NAMED_ONLY:
            # The picture in a link is often called what the link is called.
            shown = bool(name) and not (place.in_interactive and name in place.said)
        if shown:
            return self._structure(node, place, Node("", place.depth, role, name, value, state))
        return Place(place.depth, place.said, place.in_interactive, node.nodeId), None

    # -- kinds of lines -----------------------------------------------------------------------

    def _thing(
        self, node: AxNode, thing: Thing, tag: str, place: Place
    ) -> tuple[Place | None, int]:
        line = self._lines.thing(thing, place.depth)
        self._know(thing.backend)
        if thing.role not in roles.INTERACTIVE and tag not in roles.NATIVE_TAGS:
            self._containers.add(thing.backend)
            self._containers_log.append(thing.backend)
        if thing.role in roles.PLAIN_EDITORS and tag in ("input", "textarea"):
            return None, line
        said = place.said
        if thing.role in roles.NAMED_BY_CONTENT or thing.role == "label":
            said = f"{said} {thing.name}"
        elif thing.role == "textbox" and thing.value:
            said = f"{said} {thing.value}"
        return Place(place.depth + 1, said, True, node.nodeId), line

    def _structure(self, node: AxNode, place: Place, line: Node) -> tuple[Place, int]:
        named = line.name and line.role in roles.NAMED_BY_CONTENT
        said = f"{place.said} {line.name}" if named else place.said
        name, state = line.name, line.state
        if self._unseen and node.backendDOMNodeId in self._unseen:
            # Without a name it says nothing that could be believed.
            name, state = cut(name, LONGEST), {**state, **HIDDEN} if name else state
        elif self._unseen and named:
            name = cut(seen_name(node, self._unseen, self._capture.tree.by_id.get), self._limit)
            said = f"{place.said} {name}"
        number = self._lines.plain(
            Node(self._key(node), line.depth, line.role, name, line.value, state or NO_STATE)
        )
        return Place(place.depth + 1, said, place.in_interactive, node.nodeId), number

    def _label(self, node: AxNode, place: Place) -> tuple[Place | None, int | None]:
        """A label's words are its control's name already; it can still be clicked by its id."""
        words = self._dom.text(node.backendDOMNodeId) if self._dom is not None else ""
        name = one_line(words, self._limit)
        self._know(node.backendDOMNodeId)
        self._labels += 1
        thing = Thing(self._capture, node.backendDOMNodeId, "label", name)
        if self._is_control_name(name):
            self._lines.unlisted(thing)
            self._lines.end_text()
            inner = Place(place.depth, f"{place.said} {name}", place.in_interactive, node.nodeId)
            return inner, None
        if self._answers_clicks(node.backendDOMNodeId, "label"):
            return self._thing(node, thing, "label", place)
        self._lines.unlisted(thing)
        return Place(place.depth, place.said, place.in_interactive, node.nodeId), None

    def _is_control_name(self, name: str) -> bool:
        return bool(name) and name in self._kept.control_names

    def _iframe(self, node: AxNode, child: FrameCapture | None, place: Place) -> None:
        self._frames += 1
        name = one_line(node.text, self._limit)
        if child is None:
            self._lines.plain(Node(self._key(node), place.depth, "iframe", name))
            return
        info = child.info
        where = info.origin if info.origin not in ("", "://", "null") else _scheme(info.url)
        state = HIDDEN if node.backendDOMNodeId in self._unseen else NO_STATE
        frame = info.index, where
        self._lines.plain(
            Node(self._key(node), place.depth, "iframe", name, state=state, frame=frame)
        )
        self._inner_frame(child, place.depth + 1)
        self._lines.end_text()

    def _inner_frame(self, child: FrameCapture, depth: int) -> None:
        if any(parent == child.info.index for parent, _ in self._children):
            _FrameWalk(child, self._children, self._lines, self._limit, self._cache).run(depth)
            return
        whole = self._cache.find(child, depth, self._limit)
        if whole is None:
            own = Lines(self._limit)
            _FrameWalk(child, self._children, own, self._limit, self._cache).run(depth)
            whole = self._cache.keep(child, depth, self._limit, own)
        if is_deep(whole):
            start = len(self._lines.nodes)
            self._lines.parts += [(start + line, inner) for line, inner in whole.parts]
            self._lines.nodes += whole.nodes
            self._lines.elements += whole.elements
        elif whole.nodes or whole.elements:
            self._lines.part(whole)

    def _folded(self, node: AxNode, place: Place) -> None:
        """What was not fetched: its number, and its kind where that is worth a line by itself."""
        role = roles.plain(node.text)
        kind = role if role in roles.INTERACTIVE or role in roles.STRUCTURE else "more"
        count = int(node.value.value) if node.value is not None else 1
        self._lines.plain(Node(self._key(node), place.depth, kind, "", folded=count))

    def _text(self, node: AxNode, place: Place) -> None:
        text = one_line(node.text, _TEXT_LIMIT)
        if not text or (place.said and text in place.said):
            return
        hidden = bool(self._unseen) and is_unseen(node, self._unseen, self._capture.tree.by_id.get)
        if hidden:
            text = cut(text, LONGEST)
        owner: Thing | None = None
        backend = 0
        if not place.in_interactive and self._dom is not None:
            backend = self._dom.pointer_owner(node.backendDOMNodeId)
            if backend:
                self._pointed.append(backend)
            if backend and backend not in self._known:
                owner = Thing(self._capture, backend, "generic", cut(text, self._limit))
                self._know(backend)
        where = f"{self._frame}:{place.container}:{place.depth}:{backend}:{hidden}"
        state = HIDDEN if hidden else NO_STATE
        self._lines.text(self._key(node), place.depth, text, where, owner, state)

    # -- what the accessibility tree does not know ----------------------------------------------

    def _add_unspoken(self, first: int, depth: int) -> None:
        capture, known = self._capture, self._known
        for thing, is_listed in unspoken(
            capture, known, self._containers, self._limit, self._is_ours
        ):
            if is_listed:
                self._lines.insert_by_position(thing, first, depth)
            else:
                self._lines.unlisted(thing)

    def _answers_clicks(self, backend: int, tag: str) -> bool:
        """Has a hand cursor where its parent has none, or listens for clicks itself."""
        dom = self._dom
        if dom is None or tag in ("html", "body"):
            return False
        if dom.has_pointer(backend):
            return not dom.parent_has_pointer(backend) or dom.is_clickable(backend)
        return dom.is_clickable(backend) and not dom.fills_viewport(backend)

    def _is_ours(self, backend: int) -> bool:
        return (
            self._has_own_ui
            and self._dom is not None
            and self._dom.stands_in_marked(backend, OWN_UI_ATTRIBUTE)
        )

    def _key(self, node: AxNode) -> str:
        if node.backendDOMNodeId:
            return f"{self._frame}-{node.backendDOMNodeId}"
        # What CSS puts before or after something. Its own number changes as Chromium likes.
        place = ""
        by_id = self._capture.tree.by_id
        parent = by_id.get(node.parentId)
        while parent is not None and not parent.backendDOMNodeId:
            place = f".{parent.childIds.index(node.nodeId)}{place}"
            node, parent = parent, by_id.get(parent.parentId)
        if parent is None:
            return f"{self._frame}-{node.parentId or node.nodeId}{place}:text"
        if place:
            place = f".{parent.childIds.index(node.nodeId)}{place}"
        return f"{self._frame}-{parent.backendDOMNodeId}{place}:text"


def _scheme(url: str) -> str:
    end = "#" if url.startswith("about:") else ":"
    return url.partition(end)[0] + (":" if url and end == ":" else "")
