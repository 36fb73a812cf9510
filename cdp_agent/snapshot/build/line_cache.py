"""Lines that the next snapshot uses again: those of subtrees in which nothing changed. Pure.

To write a line costs more than everything else that the client does for a step, and a step changes
few of them. So the lines of each subtree are kept as they were written, until something that they
were made from differs: a node of the tree, or a layout fact of one of its elements.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from cdp_agent.snapshot.build.frame_capture import FrameCapture
from cdp_agent.snapshot.build.writer import LineWriter, WalkState
from cdp_agent.snapshot.model import Element, Node

#: Sections are kept down to this depth: each repeats the lines of those inside it.
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class BuiltPage:
    """Lines and elements of all frames."""

    nodes: list[Node]
    elements: list[Element]


@dataclass(frozen=True, slots=True)
class Section:
    """The lines of an accessibility node and of all below it, and their elements."""

    state: WalkState
    nodes: list[Node]
    elements: list[Element]
    #: Backend ids of elements that may hold others without a line.
    containers: list[int]


@dataclass(slots=True)
class OpenSection:
    """A section that is being written: where it begins in the lists of its frame."""

    node_id: str
    state: WalkState
    line: int
    element: int
    container: int
    #: The position of its element in the document; -1 for none.
    position: int
    #: False where a line depends on something outside of the section.
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class BuildInput:
    """Everything that the lines of a frame are made from."""

    capture: FrameCapture
    max_name_length: int
    #: The names of all controls, which decide about labels anywhere.
    control_names: str
    targets: frozenset[int]


@dataclass(slots=True)
class FrameSections:
    """The sections of one frame, from one build to the next."""

    _input: BuildInput | None = None
    _sections: dict[str, Section] = field(default_factory=dict)
    _open: list[OpenSection] = field(default_factory=list)

    def begin(self, new: BuildInput) -> None:
        """Drop the sections that may differ now."""
        self._open.clear()
        stale = _stale_nodes(self._input, new) if self._input is not None else None
        present = new.capture.tree.by_id if stale is not None else {}
        self._sections = {
            key: section
            for key, section in self._sections.items()
            if key in present and stale is not None and key not in stale
        }
        self._input = new

    def find(self, node_id: str, state: WalkState) -> Section | None:
        section = self._sections.get(node_id)
        return section if section is not None and section.state == state else None

    def open(self, section: OpenSection) -> None:
        self._open.append(section)

    def close(self, writer: LineWriter, containers: list[int]) -> None:
        """Keep what was written since the innermost section was opened, if it can be used again."""
        section = self._open.pop()
        state = section.state
        if not section.is_closed or state.editor or state.depth > _DEEPEST:
            self._sections.pop(section.node_id, None)
            return
        self._sections[section.node_id] = Section(
            state,
            writer.nodes[section.line :],
            writer.elements[section.element :],
            containers[section.container :],
        )

    def depend_on(self, position: int) -> None:
        """Note that a line depends on the element at this position; -1 for all of the frame."""
        for section in reversed(self._open):
            if 0 <= section.position <= position:
                break  # the element is the section's own, or inside it
            section.is_closed = False


@dataclass(slots=True)
class FrameLineCache:
    """Lines of frames without inner frames, valid while their captures are equal.

    Of other frames it has the sections in which nothing changed.
    """

    _entries: dict[int, tuple[FrameCapture, int, int, BuiltPage]] = field(default_factory=dict)
    _sections: dict[int, FrameSections] = field(default_factory=dict)

    def sections(self, frame: int) -> FrameSections:
        return self._sections.setdefault(frame, FrameSections())

    def find(self, capture: FrameCapture, depth: int, limit: int) -> BuiltPage | None:
        entry = self._entries.get(capture.info.index)
        if entry is None or entry[1:3] != (depth, limit) or not capture.equals(entry[0]):
            return None
        return entry[3]

    def add(self, capture: FrameCapture, depth: int, limit: int, built: BuiltPage) -> None:
        self._entries[capture.info.index] = capture, depth, limit, built

    def retain(self, frames: Container[int]) -> None:
        self._entries = {index: e for index, e in self._entries.items() if index in frames}
        self._sections = {index: s for index, s in self._sections.items() if index in frames}


def _stale_nodes(old: BuildInput, new: BuildInput) -> set[str] | None:
    """Ids of the nodes of the tree whose sections may differ; None: any may."""
    before, after = old.capture, new.capture
    if before.dom is None or after.dom is None:
        return None
    if (before.info, before.offset, before.scale) != (after.info, after.offset, after.scale):
        return None
    if before.dom.scroll != after.dom.scroll or before.hidden.everything != after.hidden.everything:
        return None
    if (old.max_name_length, old.control_names) != (new.max_name_length, new.control_names):
        return None
    changed = after.changed_since(before)
    if changed is None:
        return None
    former, now = before.tree.by_id, after.tree.by_id
    stale = {key for key, node in now.items() if former.get(key) is not node}
    elements = {*changed, *(old.targets ^ new.targets)}
    if before.dom.content_size != after.dom.content_size:
        elements.update(after.dom.clickable_boxes())  # a box that fills the page is not a target
    stale.update(_tree_nodes(after, elements))
    # Text that CSS generates is hidden where its element is.
    hidden = _tree_nodes(after, before.hidden.nodes ^ after.hidden.nodes)
    stale.update(_with_descendants(after, hidden))
    return _with_ancestors(after, stale)


def _tree_nodes(capture: FrameCapture, elements: Iterable[int]) -> Iterator[str]:
    """The nodes of the tree for these elements, or for what they stand in."""
    dom, by_id = capture.dom, capture.tree.by_id
    for backend in elements if dom is not None else ():
        element = backend
        while dom is not None and element and str(element) not in by_id:
            element = dom.parent(element)
        yield str(element)


def _with_ancestors(capture: FrameCapture, nodes: set[str]) -> set[str]:
    by_id, found = capture.tree.by_id, set[str]()
    for key in nodes:
        while key and key not in found:
            found.add(key)
            node = by_id.get(key)
            key = node.parentId if node is not None else ""
    return found


def _with_descendants(capture: FrameCapture, nodes: Iterable[str]) -> set[str]:
    by_id, found, waiting = capture.tree.by_id, set[str](), list(nodes)
    while waiting:
        key = waiting.pop()
        node = by_id.get(key)
        if key not in found and node is not None:
            waiting.extend(node.childIds)
        found.add(key)
    return found
