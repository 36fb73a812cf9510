"""Layout facts of one document, by backend node id: the questions that a snapshot asks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from cdp_agent.snapshot.dom.columns import COMPUTED_STYLES, DomCapture
from cdp_agent.snapshot.dom.node_table import DomTable

#: Elements that are controls by themselves, and the role each has.
CONTROL_ROLES = {
    "a": "link",
    "button": "button",
    "input": "textbox",
    "select": "combobox",
    "textarea": "textbox",
    "summary": "button",
}
_CONTROLS = frozenset(CONTROL_ROLES)

_DISPLAY = COMPUTED_STYLES.index("display")
_POINTER_EVENTS = COMPUTED_STYLES.index("pointer-events")

_ELEMENT, _TEXT = 1, 3
#: Stands for a space among indices of nodes.
_SPACE = -1


class DomFacts(DomTable):
    """One document's layout facts."""

    # -- shadow roots and labels ------------------------------------------------------------------

    @cached_property
    def closed_hosts(self) -> dict[int, bool]:
        """Parents of nodes in closed shadow roots.

        True: it is certainly the host. False: it is in such a root itself, and may be one too.
        """
        rows = self._nodes.shadowRootType
        closed = {kind for kind in set(rows.value) if self.strings[kind] == "closed"}
        inside = {i for i, kind in zip(rows.index, rows.value, strict=True) if kind in closed}
        parents = {self._nodes.parentIndex[index] for index in inside}
        return {self._nodes.backendNodeId[i]: i not in inside for i in parents if i >= 0}

    @property
    def has_closed_roots(self) -> bool:
        """Returns whether nodes are in shadow roots that no script of ours finds by itself."""
        return bool(self.closed_hosts)

    def in_labels(self, backends: Iterable[int]) -> Iterator[int]:
        """Those of these nodes that stand in a label."""
        for backend in backends:
            ancestor = backend
            while ancestor and self.tag(ancestor) != "label":
                ancestor = self.parent(ancestor)
            if ancestor:
                yield backend

    # -- styles -----------------------------------------------------------------------------------

    def _style(self, index: int, which: int) -> str:
        row = self.layout_rows[index]
        styles = self.document.layout.styles[row] if row >= 0 else ()
        return self.strings[styles[which]] if len(styles) > which and styles[which] >= 0 else ""

    def _cursor(self, index: int) -> str:
        return self._style(index, 0)

    def _is_visible(self, index: int) -> bool:
        return self._style(index, 3) in ("", "visible")

    def draws_text(self, backend_node_id: int) -> bool:
        """Returns whether it is a text with a box, in a visible element."""
        index = self._index.get(backend_node_id, -1)
        if index < 0 or self._nodes.nodeType[index] != _TEXT:
            return False
        box, parent = self.bounds(backend_node_id), self._nodes.parentIndex[index]
        while parent >= 0 and not self._style(parent, 3):
            parent = self._nodes.parentIndex[parent]  # no box of its own
        return box is not None and min(box[2:]) > 0 and self._is_visible(parent)

    def is_scrollable(self, backend_node_id: int) -> bool:
        """Returns whether it scrolls, and has more content below than it shows."""
        index = self._index.get(backend_node_id, -1)
        if index < 0 or self._style(index, 1) not in ("auto", "scroll"):
            return False
        box = self.bounds(backend_node_id)
        below = (self.bounds(self._nodes.backendNodeId[child]) for child in self.children_at(index))
        return box is not None and any(b and b.y + b.height > box.y + box.height for b in below)

    def fills_viewport(self, backend_node_id: int) -> bool:
        """Returns whether it is as large as the page: a listener there serves what is inside."""
        box = self.bounds(backend_node_id)
        width, height = self.content_size
        return box is not None and box.width >= 0.9 * width and box.height >= 0.6 * height

    # -- what answers clicks ----------------------------------------------------------------------

    def is_clickable(self, backend_node_id: int) -> bool:
        """Returns whether it has a listener for clicks, or is a link."""
        return self._index.get(backend_node_id) in self._clickable

    def has_pointer(self, backend_node_id: int) -> bool:
        """Returns whether the cursor over it is a hand."""
        return self.cursor(backend_node_id) == "pointer"

    def cursor(self, backend_node_id: int) -> str:
        """The cursor over an element; empty for one without a box."""
        index = self._index.get(backend_node_id)
        return self._cursor(index) or "" if index is not None else ""

    def parent_has_pointer(self, backend_node_id: int) -> bool:
        index = self._index.get(backend_node_id)
        if index is None:
            return False
        parent = self._nodes.parentIndex[index]
        while parent >= 0:
            cursor = self._cursor(parent)
            if cursor:
                return cursor == "pointer"
            parent = self._nodes.parentIndex[parent]  # no box of its own
        return False

    def pointer_owner(self, backend_node_id: int) -> int:
        """The outermost element with a hand cursor around a node, or 0."""
        if not self.attribute_index.pointers:
            return 0
        index = self._index.get(backend_node_id, -1)
        owner = 0
        while index >= 0:
            if self._nodes.nodeType[index] == _ELEMENT:
                cursor = self._cursor(index)
                if cursor and cursor != "pointer":
                    break
                if cursor and self.tag_at(index) not in ("html", "body"):
                    owner = self._nodes.backendNodeId[index]
            index = self._nodes.parentIndex[index]
        return owner

    def clickables_except(self, listed: set[int]) -> list[int]:
        """Rendered elements that listen for clicks and are not `listed`, in document order."""
        clickables = []
        for index in self._nodes.isClickable.index:
            backend = self._nodes.backendNodeId[index]
            if backend in listed or self.layout_rows[index] < 0 or not self._is_visible(index):
                continue
            if self._nodes.nodeType[index] == _ELEMENT and not self._is_hidden_from_users(index):
                clickables.append(backend)
        return clickables

    def targets_among(self, listening: frozenset[int]) -> set[int]:
        """Canvases, and those of these elements, that a person can see and point at.

        Neither has a role or a listener for clicks: nothing else says that one can act on it.
        """
        canvases = self._indices_by_tag("canvas")
        indices = canvases | {self._index[node] for node in listening if node in self._index}
        return {self._nodes.backendNodeId[index] for index in indices if self._is_target(index)}

    def _is_target(self, index: int) -> bool:
        backend = self._nodes.backendNodeId[index]
        box = self.bounds(backend)
        if self._nodes.nodeType[index] != _ELEMENT or box is None or min(box[2:]) < 2:
            return False
        tag = self.tag_at(index)
        if tag in ("html", "body") or (tag != "canvas" and self.fills_viewport(backend)):
            return False
        takes_pointer = self._style(index, _POINTER_EVENTS) != "none"
        return takes_pointer and self._is_visible(index) and not self._is_hidden_from_users(index)

    def _indices_by_tag(self, tag: str) -> set[int]:
        """Indices of the elements with a tag; most pages lack its name altogether."""
        names = {number for number, text in enumerate(self.strings) if text.lower() == tag}
        if not names:
            return set()
        return {index for index, name in enumerate(self._nodes.nodeName) if name in names}

    def has_content_outside(self, backend_node_id: int, known: Container[int]) -> bool:
        """Returns whether text or controls are rendered below a node, and none of them is known."""
        found = False
        for index in self.subtree(self._index[backend_node_id]):
            if self._nodes.backendNodeId[index] in known:
                return False
            is_text = self._nodes.nodeType[index] == _TEXT
            if self.layout_rows[index] >= 0 and (is_text or self.tag_at(index) in _CONTROLS):
                found = True
        return found

    def pointers_except(self, listed: set[int], containers: set[int]) -> list[int]:
        """Outermost elements with a hand cursor and a box, not in, around or inside `listed`.

        `containers` of those may hold more: a bar that listens for the clicks on its icons.
        """
        unlisted = self.attribute_index.pointers - listed
        candidates = [backend for backend in unlisted if self._is_outermost_pointer(backend)]
        if not candidates:
            return []
        ancestors: set[int] = set()
        for backend in listed:
            index = self._index.get(backend, -1)
            while index >= 0 and index not in ancestors:
                ancestors.add(index)
                index = self._nodes.parentIndex[index]
        closed = {self._index[backend] for backend in listed - containers if backend in self._index}
        return [
            backend
            for backend in sorted(candidates, key=self.position)
            if self._index[backend] not in ancestors
            and not self.is_inside(self._index[backend], closed)
        ]

    def _is_outermost_pointer(self, backend: int) -> bool:
        """Returns whether it is visible, meant for people, and its parent has no hand cursor."""
        if self.parent_has_pointer(backend):
            return False
        box = self.bounds(backend)
        if box is None or box.width < 2 or box.height < 2:
            return False
        index = self._index[backend]
        return self._is_visible(index) and not self._is_hidden_from_users(index)

    def clickable_boxes(self) -> Iterator[int]:
        """Elements that listen for clicks and are not controls: regions, or things to click."""
        for index in self._nodes.isClickable.index:
            if self.tag_at(index) not in _CONTROLS:
                yield self._nodes.backendNodeId[index]

    def deferred_controls(self) -> list[int]:
        """Controls that `content-visibility: auto` keeps out of layout until they come near.

        The accessibility tree does not have them; a person who scrolls will meet them.
        """
        deferred = [self._index[backend] for backend in self.attribute_index.deferred]
        controls = []
        waiting = [child for index in deferred for child in self.children_at(index)]
        while waiting:
            index = waiting.pop()
            if self._has_box(index):
                continue  # near enough to be laid out
            waiting.extend(self.children_at(index))
            if self.tag_at(index) in _CONTROLS and not self._is_hidden_from_users(index):
                controls.append(self._nodes.backendNodeId[index])
        return sorted(controls, key=self.position)

    def _has_box(self, index: int) -> bool:
        """Returns whether it is laid out; reading its style in a script leaves an empty box."""
        row = self.layout_rows[index]
        return row >= 0 and any(self.document.layout.bounds[row])

    def has_area(self, backend_node_id: int) -> bool:
        """Returns whether an element, or anything in it, covers a pixel of the page."""
        rows, bounds = self.layout_rows, self.document.layout.bounds
        return any(
            rows[index] >= 0 and min(bounds[rows[index]][2:]) >= 1
            for index in self.subtree(self._index[backend_node_id])
        )

    # -- what is hidden ---------------------------------------------------------------------------

    def _is_hidden_from_users(self, index: int) -> bool:
        """Returns whether it is aria-hidden, inert, in closed details or in skipped content."""
        below = -1
        while index >= 0:
            attributes = self.attributes_at(index)
            if attributes.get("aria-hidden") == "true" or "inert" in attributes:
                return True
            if below >= 0 and self._puts_away(index, below, attributes):
                return True
            index, below = self._nodes.parentIndex[index], index
        return False

    def _puts_away(self, index: int, below: int, attributes: dict[str, str]) -> bool:
        """Returns whether an element keeps its child `below` out of sight, boxes or no boxes."""
        if self._style(index, 2) == "hidden":
            return True
        if self.tag_at(index) != "details" or "open" in attributes:
            return False
        children = self.children_at(index)
        return below != next((c for c in children if self.tag_at(c) == "summary"), -1)

    def is_inside_any(self, backend_node_id: int, tops: Container[int]) -> bool:
        """Returns whether it is, or stands below, one of these nodes."""
        index = self._index.get(backend_node_id, -1)
        while index >= 0:
            if self._nodes.backendNodeId[index] in tops:
                return True
            index = self._nodes.parentIndex[index]
        return False

    def is_inside_attribute(self, backend_node_id: int, attribute: str) -> bool:
        """Returns whether it is, or stands below, an element with this attribute."""
        tops = self._having(attribute)
        return bool(tops) and self.is_inside(self._index.get(backend_node_id, -1), tops)

    def has_attribute(self, attribute: str) -> bool:
        """Returns whether any element has it."""
        return bool(self._having(attribute))

    def _having(self, attribute: str) -> set[int]:
        """Indices of the elements that have an attribute; most pages lack the name altogether."""
        indices = self._indices_by_attribute.get(attribute)
        if indices is None:
            indices = set()
            if attribute in self.strings:
                name = self.strings.index(attribute)
                rows = enumerate(self._nodes.attributes)
                indices = {index for index, flat in rows if name in flat[0::2]}
            self._indices_by_attribute[attribute] = indices
        return indices

    # -- text -------------------------------------------------------------------------------------

    def text(self, backend_node_id: int, limit: int = 1000) -> str:
        """The text below a node in document order, without what is hidden from screen readers.

        Below a node that is rendered, what is not (scripts, say) is left out. Boxes stand apart;
        what a line marks or draws bold inside a word does not.
        """
        top, having = self._index.get(backend_node_id, -1), self._having("aria-hidden")
        is_shown = top >= 0 and self.layout_rows[top] >= 0 and self._is_visible(top)
        words: list[str] = []
        waiting = [top] if top >= 0 else []
        while waiting and limit > 0:
            index = waiting.pop()
            if index == _SPACE:
                words.append(" ")
                continue
            value = self._nodes.nodeValue[index] if self._nodes.nodeType[index] == _TEXT else -1
            if value >= 0:
                words.append(self.strings[value])
                limit -= len(words[-1])
                continue
            is_left_out = index in having and self.attributes_at(index)["aria-hidden"] == "true"
            is_left_out = is_left_out or (is_shown and not self._is_rendered(index))
            is_box = self._style(index, _DISPLAY) != "inline"
            inside = self.children_at(index) if index == top or not is_left_out else []
            around = [_SPACE] if is_box else []
            waiting += [*around, *reversed(inside), *around]
        return " ".join("".join(words).split())

    def _is_rendered(self, index: int) -> bool:
        """Returns whether it or, where it has no box of its own, anything in it is laid out."""
        if self.layout_rows[index] >= 0:
            return self._is_visible(index)
        return any(self.layout_rows[inner] >= 0 for inner in self.subtree(index))


def documents_by_frame(capture: DomCapture) -> dict[str, DomFacts]:
    """Facts of every document in a capture, by frame id."""
    return {
        capture.strings[document.frameId]: DomFacts(document, capture.strings)
        for document in capture.documents
        if document.frameId >= 0
    }
