"""The accessibility nodes of one subtree as a pattern, and the same for a subtree like it. Pure.

A sample shows what Chromium makes of a subtree. Roles, states and structure are the same for all
that are alike; of names and values the sample says where they come from: the words of one text, an
attribute, what a field holds. What none of these explains is Chromium's to compute.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import msgspec

from cdp_agent.snapshot.ax import AxNode, AxProperty, AxValue, is_told
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.roles import LEFT_OUT, PLAIN_EDITORS, plain

_TEXT = 3
#: They have an editor of the browser's own in them.
_FIELDS = frozenset({"input", "textarea"})
#: Nodes of the browser's own making that may stand in a pattern; others may hold anything.
_ANONYMOUS = frozenset({"none", "generic", "StaticText", "MenuListPopup"})
#: Their value is made of what `alike` compares.
_COMPARED_VALUE = frozenset({"select", "progress", "meter", "input", "option"})
_VALUE_ATTRIBUTES = ("aria-valuenow", "aria-valuetext")
#: What is inside them says nothing, and has other numbers each time.
_CLOSED = frozenset({"StaticText", *LEFT_OUT})


#: One list for all that have none. Nobody changes the children of a node in place.
_NO_CHILDREN: list[str] = []


class Origin(Enum):
    """Where a name or a value comes from."""

    NOWHERE = 0
    SAME = 1
    TEXT = 2
    ATTRIBUTE = 3
    HELD = 4
    COMPUTED = 5


class Rule(NamedTuple):
    origin: Origin
    #: The words for `SAME`, the attribute for `ATTRIBUTE`.
    said: Any = None
    #: The node it is taken from, counted from the top of the subtree.
    offset: int = -1


NOTHING = Rule(Origin.NOWHERE)


class Row(NamedTuple):
    """A node of the pattern; `offset` counts DOM nodes from the top, -1: none of the document's."""

    offset: int
    parent: int
    role: str
    ignored: bool
    name: Rule
    value: Rule
    states: tuple[tuple[str, Any], ...]
    children: tuple[int, ...]


class Source(msgspec.Struct, gc=False):
    type: str
    attribute: str = ""
    value: AxValue | None = None
    superseded: bool = False


class SampleName(msgspec.Struct):
    value: Any = None
    sources: list[Source] = []


class SampleNode(msgspec.Struct):
    nodeId: str
    parentId: str = ""
    ignored: bool = False
    role: AxValue | None = None
    name: SampleName | None = None
    value: AxValue | None = None
    properties: list[AxProperty] = []
    childIds: list[str] = []
    backendDOMNodeId: int = 0

    @property
    def role_name(self) -> str:
        return "none" if self.ignored or self.role is None else str(self.role.value)


class Sample(msgspec.Struct):
    nodes: list[SampleNode]


class Template:
    """Made of a sample; equal to another that was made of something alike."""

    def __init__(self, rows: list[Row], computed: dict[int, str]) -> None:
        self.rows = rows
        #: Index of a node of the sample → the name that Chromium computed for it.
        self.heard = computed
        #: Nodes, counted from the top, whose names Chromium has to compute.
        self.computed = [row.offset for row in rows if row.name.origin is Origin.COMPUTED]
        self._roles = [AxValue(row.role) for row in rows]
        self._states = [[AxProperty(name, AxValue(v)) for name, v in row.states] for row in rows]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.rows == other.rows

    __hash__ = None  # type: ignore[assignment]

    def fill(
        self, dom: DomFacts, top: int, parent: str, names: dict[int, str], into: list[AxNode]
    ) -> None:
        """Add the nodes of the subtree at this index. `names`: those that were computed."""
        ids = dom.document.nodes.backendNodeId
        first = ids[top]
        backends = [ids[top + row.offset] if row.offset >= 0 else 0 for row in self.rows]
        keys = [str(one) if one else f"{first}:{n}" for n, one in enumerate(backends)]
        for number, row in enumerate(self.rows):
            name = None
            if not row.ignored:
                name = AxValue(_applied(row.name, dom, top, names))
            value = None
            if row.value.origin is not Origin.NOWHERE:
                value = AxValue(_applied(row.value, dom, top, names))
            into.append(
                AxNode(
                    keys[number],
                    keys[row.parent] if row.parent >= 0 else parent,
                    row.ignored,
                    self._roles[number],
                    name,
                    value,
                    self._states[number],
                    [keys[child] for child in row.children] if row.children else _NO_CHILDREN,
                    backends[number],
                )
            )


def _applied(rule: Rule, dom: DomFacts, top: int, names: dict[int, str]) -> Any:
    match rule.origin:
        case Origin.NOWHERE:
            return ""
        case Origin.SAME:
            return rule.said
        case Origin.TEXT:
            return dom.shown_text(top + rule.offset)
        case Origin.ATTRIBUTE:
            backend = dom.document.nodes.backendNodeId[top + rule.offset]
            return dom.attributes(backend).get(rule.said, "")
        case Origin.HELD:
            return dom.held(top + rule.offset)
        case Origin.COMPUTED:
            return names[top + rule.offset]


def template_of(sample: Sample, dom: DomFacts, top: int, size: int) -> Template | None:
    """None: the sample holds something that a pattern cannot say."""
    return _Reading(sample, dom, top, size).template()


class _Reading:
    def __init__(self, sample: Sample, dom: DomFacts, top: int, size: int) -> None:
        self._by_id = {node.nodeId: node for node in sample.nodes}
        self._dom, self._top, self._size = dom, top, size
        self._first = str(dom.document.nodes.backendNodeId[top])
        self._rows: list[Row] = []
        self._heard: dict[int, str] = {}
        #: The texts that each row holds.
        self._texts: list[list[int]] = []

    def template(self) -> Template | None:
        first = self._by_id.get(self._first)
        if first is None or self._read(first, -1) < 0:
            return None
        return Template(self._rows, self._heard)

    def _read(self, node: SampleNode, parent: int) -> int:
        """The number of the node's row; -1: it cannot be told how it came about."""
        offset, role = self._offset(node), node.role_name
        if offset < 0 and role not in _ANONYMOUS:
            return -1
        number = len(self._rows)
        self._rows.append(Row(offset, parent, role, node.ignored, NOTHING, NOTHING, (), ()))
        self._texts.append([])
        children: list[int] = []
        if role not in _CLOSED and not self._is_editor(offset, role):
            for child_id in node.childIds:
                child = self._by_id.get(child_id)
                if child is None:
                    return -1
                row = self._read(child, number)
                if row < 0:
                    return -1
                children.append(row)
                self._texts[number] += self._texts[row]
        name, value = self._name(node, number, offset), self._value(node, number, offset)
        if name is None or value is None:
            return -1
        states = () if node.ignored else tuple(_told_states(node))
        self._rows[number] = Row(
            offset, parent, role, node.ignored, name, value, states, tuple(children)
        )
        return number

    def _offset(self, node: SampleNode) -> int:
        index = self._dom.position(node.backendDOMNodeId) if node.backendDOMNodeId else -1
        offset = index - self._top
        return offset if index >= 0 and 0 <= offset < self._size else -1

    def _is_editor(self, offset: int, role: str) -> bool:
        """Whether what is inside says what its value says, and is not shown."""
        is_field = offset >= 0 and self._dom.name_at(self._top + offset) in _FIELDS
        return is_field and plain(role) in PLAIN_EDITORS

    def _name(self, node: SampleNode, number: int, offset: int) -> Rule | None:
        said = str(node.name.value) if node.name is not None and node.name.value else ""
        if node.ignored or not said:
            return NOTHING
        if node.role_name in LEFT_OUT:
            return NOTHING
        if offset < 0:
            return None if node.backendDOMNodeId else self._written(number, said)
        index = self._top + offset
        if self._dom.document.nodes.nodeType[index] == _TEXT:
            if _folded(self._dom.shown_text(index)) != _folded(said):
                return None
            self._texts[number].append(offset)
            return Rule(Origin.TEXT, None, offset)
        return self._explained(node, number, offset, said)

    def _written(self, number: int, said: str) -> Rule:
        """The words of a node that no document has: CSS wrote them, or the browser."""
        parent = self._rows[number].parent
        while parent >= 0 and self._rows[parent].offset < 0:
            parent = self._rows[parent].parent
        index = self._top + self._rows[parent].offset
        for one in (index, *self._dom.children_at(index)):
            pseudo = self._dom.name_at(one).startswith("::")
            if pseudo and _folded(self._dom.shown_text(one)) == _folded(said):
                self._texts[number].append(one - self._top)
                return Rule(Origin.TEXT, None, one - self._top)
        return Rule(Origin.SAME, said)

    def _explained(self, node: SampleNode, number: int, offset: int, said: str) -> Rule:
        source = (
            next((s for s in node.name.sources if s.value is not None and not s.superseded), None)
            if node.name is not None
            else None
        )
        if source is not None and source.type == "contents":
            texts = [one for one in self._texts[number] if not self._is_blank(one)]
            if len(texts) == 1:
                words = self._dom.shown_text(self._top + texts[0])
                if _folded(words) == _folded(said):
                    return Rule(Origin.TEXT, None, texts[0])
        elif source is not None and source.attribute:
            backend = self._dom.document.nodes.backendNodeId[self._top + offset]
            words = self._dom.attributes(backend).get(source.attribute, "")
            if words and _folded(words) == _folded(said):
                return Rule(Origin.ATTRIBUTE, source.attribute, offset)
        self._heard[self._top + offset] = said
        return Rule(Origin.COMPUTED, None, offset)

    def _is_blank(self, offset: int) -> bool:
        return not self._dom.shown_text(self._top + offset).strip()

    def _value(self, node: SampleNode, number: int, offset: int) -> Rule | None:
        if node.ignored or node.value is None or node.value.value is None:
            return NOTHING
        if offset < 0:
            return None
        index = self._top + offset
        held = self._dom.held(index)
        if held is not None and held == str(node.value.value):
            return Rule(Origin.HELD, None, offset)
        attributes = self._dom.attributes(self._dom.document.nodes.backendNodeId[index])
        compared = self._dom.name_at(index) in _COMPARED_VALUE
        if compared or any(name in attributes for name in _VALUE_ATTRIBUTES):
            return Rule(Origin.SAME, node.value.value)
        texts = [one for one in self._texts[number] if not self._is_blank(one)]
        if len(texts) == 1:
            words = self._dom.shown_text(self._top + texts[0])
            if _folded(words) == _folded(str(node.value.value)):
                return Rule(Origin.TEXT, None, texts[0])
        return None


def _told_states(node: SampleNode) -> list[tuple[str, Any]]:
    return [(one.name, one.value.value) for one in node.properties if is_told(one.name)]


def _folded(text: str) -> str:
    return " ".join(text.split())
