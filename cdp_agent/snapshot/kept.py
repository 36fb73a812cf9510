"""Lines of a frame that are written once and used again for as long as what they tell of stays.

A part is what one node of the accessibility tree and all below it were written as. Parts stand in
parts: where a row of a list is another, the list is put together anew from its other rows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cdp_agent.snapshot import roles
from cdp_agent.snapshot.ax import AxNode, AxTree
from cdp_agent.snapshot.clean import one_line
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.lines import FrameCapture, Lines, Part, Place
from cdp_agent.snapshot.model import Element, Node

#: A part of fewer lines than this is written as fast as it is looked up.
_FEWEST_LINES = 3
#: Of so many siblings each is kept, however short: none has to be written again for another.
_MANY = 100
#: Parts in parts: their texts are put together by functions that call themselves.
_DEEPEST = 40
#: Boxes that moved, beyond which it is quicker to measure all anew than to ask which.
_MANY_MOVED = 400


class Opened(NamedTuple):
    """A line whose children are being written, and how much there was when it began."""

    line: int
    node: AxNode
    place: Place
    lines: int
    elements: int
    parts: int
    known: int
    containers: int
    pointed: int
    labels: int
    frames: int


@dataclass(slots=True)
class KeptParts:
    """The parts of one frame, by the backend node id of what they begin with."""

    _parts: dict[int, Part] = field(default_factory=dict)
    #: Names of controls, by the id of their accessibility node.
    _controls: dict[str, str] = field(default_factory=dict)
    control_names: str = ""
    _capture: FrameCapture | None = None
    _owners: frozenset[int] = frozenset()
    _limit: int = 0
    #: Grows whenever boxes may be others; a part remembers with which its boxes agree.
    boxes: int = 0

    def renew(self, capture: FrameCapture, owners: frozenset[int], limit: int) -> None:
        """A newer capture of the frame: forget what it says differently.

        `owners` are the elements that hold other frames, `limit` is the longest name.
        """
        # How it differs is of interest now only, and would keep the capture before it alive.
        last, self._capture = self._capture, replace(capture, delta=None)
        same = last is not None and (owners, limit) == (self._owners, self._limit)
        self._owners, self._limit = owners, limit
        if last is None or not same or not self._follows(last, capture):
            self._parts.clear()
            self._note_controls(capture.tree.nodes)
            return
        if len(self._parts) > 2 * len(capture.tree.nodes):
            self._parts.clear()  # most of them are of nodes that are gone
        delta = capture.delta
        if delta is not None and (capture.tree is not last.tree or capture.dom is not last.dom):
            self._forget_spoken(delta.spoken, last.tree, capture.tree)
            self._forget_touched(delta.touched, last.dom, capture.dom)
            self._forget_around(delta.parents, last.dom, capture.dom)
            self._forget_boxes(delta.moved, capture.dom)
        if capture.placement != last.placement:
            self.boxes += 1
        if capture.unseen.everything != last.unseen.everything:
            self._parts.clear()
        changed = capture.unseen.nodes ^ last.unseen.nodes
        if changed:
            self._forget_touched(changed, last.dom, capture.dom)

    def _follows(self, last: FrameCapture, capture: FrameCapture) -> bool:
        """Whether it is known how the two captures differ."""
        if capture.info != last.info or capture.dom is None:
            return False
        if capture.tree is last.tree and capture.dom is last.dom:
            return True
        delta = capture.delta
        return delta is not None and delta.tree is last.tree and delta.dom is last.dom

    # -- finding and keeping --------------------------------------------------------------------

    def find(self, node: AxNode, place: Place) -> Part | None:
        part = self._parts.get(node.backendDOMNodeId)
        if part is None or part.top != node.nodeId or part.place != place:
            return None
        if part.controls is not None and part.controls != self.control_names:
            return None
        if part.boxes != self.boxes:
            assert self._capture is not None
            part.put_boxes(self._capture)
            part.boxes = self.boxes
        return part

    def is_part_without_line(self, node: AxNode, inner: Place | None) -> bool:
        """A paragraph of a long text, say: what is in it stands by itself."""
        return inner is not None and inner.container == node.nodeId and self._is_one_of_many(node)

    def _is_one_of_many(self, node: AxNode) -> bool:
        parent = self._capture.tree.by_id.get(node.parentId) if self._capture is not None else None
        return parent is not None and len(parent.childIds) > _MANY

    def is_worth_keeping(self, node: AxNode, lines: int) -> bool:
        """Whether so many lines of a node are."""
        if not node.backendDOMNodeId or not lines:
            return False
        return lines >= _FEWEST_LINES or self._is_one_of_many(node)

    def keep(self, node: AxNode, part: Part) -> bool:
        """Whether that is possible."""
        part.level = _level(part)
        if is_deep(part):
            return False
        self._parts[node.backendDOMNodeId] = part
        return True

    # -- forgetting -----------------------------------------------------------------------------

    def _forget_spoken(self, spoken: Iterable[str], old: AxTree, new: AxTree) -> None:
        self._note_controls_again(spoken, new)
        for tree in (old, new):
            seen: set[str] = set()
            for key in spoken:
                node = tree.by_id.get(key)
                while node is not None and node.nodeId not in seen:
                    seen.add(node.nodeId)
                    self._parts.pop(node.backendDOMNodeId, None)
                    node = tree.by_id.get(node.parentId)

    def _forget_touched(
        self, touched: Iterable[int], old: DomFacts | None, new: DomFacts | None
    ) -> None:
        self._forget_around(touched, old, new)
        for dom in (old, new):
            if dom is not None:
                for backend in touched:
                    for below in dom.elements_below(backend):
                        self._parts.pop(below, None)

    def _forget_around(self, nodes: Iterable[int], *documents: DomFacts | None) -> None:
        for dom in documents:
            if dom is not None:
                for backend in _around(dom, nodes):
                    self._parts.pop(backend, None)

    def _forget_boxes(self, moved: frozenset[int] | None, dom: DomFacts | None) -> None:
        if moved is None or len(moved) > _MANY_MOVED or dom is None:
            self.boxes += 1
            return
        for backend in _around(dom, moved):
            part = self._parts.get(backend)
            if part is not None:
                part.boxes = -1

    # -- names that labels repeat ---------------------------------------------------------------

    def _note_controls(self, nodes: Iterable[AxNode]) -> None:
        self._controls = {node.nodeId: name for node in nodes if (name := self._label_of(node))}
        self._join_controls()

    def _note_controls_again(self, spoken: Iterable[str], tree: AxTree) -> None:
        before = dict(self._controls)
        for key in spoken:
            node = tree.by_id.get(key)
            name = self._label_of(node) if node is not None else ""
            if name:
                self._controls[key] = name
            else:
                self._controls.pop(key, None)
        if self._controls != before:
            self._join_controls()

    def _join_controls(self) -> None:
        # One string to search in; a name has no line breaks.
        self.control_names = "\n".join(self._controls.values())

    def _label_of(self, node: AxNode) -> str:
        if roles.plain(node.role_name) not in roles.LABELLED:
            return ""
        return one_line(node.text, self._limit)


@dataclass(frozen=True, slots=True)
class Merged:
    nodes: list[Node]
    elements: list[Element]
    #: Runs of lines that may have been written for an earlier capture, and where they begin.
    parts: list[tuple[int, Part]] = field(default_factory=list)


@dataclass(slots=True)
class MergeCache:
    """What was written for earlier captures, good for as long as they say the same."""

    #: Frames that hold no other frame: all of one is a part.
    _frames: dict[int, tuple[FrameCapture, int, int, Part]] = field(default_factory=dict)
    _parts: dict[int, KeptParts] = field(default_factory=dict)

    def find(self, capture: FrameCapture, depth: int, limit: int) -> Part | None:
        entry = self._frames.get(capture.info.index)
        if entry is None or entry[1:3] != (depth, limit) or not capture.is_same(entry[0]):
            return None
        return entry[3]

    def keep(self, capture: FrameCapture, depth: int, limit: int, lines: Lines) -> Part:
        top = capture.tree.nodes[0].nodeId if capture.tree.nodes else ""
        inner = tuple(lines.parts)
        part = Part(top, Place(depth), lines.nodes, lines.elements, (), (), inner, None, 0)
        part.level = _level(part)
        self._frames[capture.info.index] = replace(capture, delta=None), depth, limit, part
        return part

    def parts(self, capture: FrameCapture, owners: frozenset[int], limit: int) -> KeptParts:
        """What is left of a frame's lines now that it was captured again."""
        kept = self._parts.setdefault(capture.info.index, KeptParts())
        kept.renew(capture, owners, limit)
        return kept

    def keep_only(self, frames: Container[int]) -> None:
        self._frames = {index: e for index, e in self._frames.items() if index in frames}
        self._parts = {index: e for index, e in self._parts.items() if index in frames}


def _level(part: Part) -> int:
    return 1 + max((inner.level for _, inner in part.parts), default=0)


def is_deep(part: Part) -> bool:
    """Whether it nests too many parts to be one of another."""
    return part.level > _DEEPEST


def _around(dom: DomFacts, backends: Iterable[int]) -> Iterator[int]:
    """These nodes and all that they stand in, each once."""
    seen: set[int] = set()
    for backend in backends:
        while backend and backend not in seen:
            seen.add(backend)
            yield backend
            backend = dom.parent(backend)
