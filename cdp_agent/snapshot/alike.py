"""Which nodes of a document are alike, so that Chromium has to be asked about few of them. Pure.

Two nodes are alike if whatever Chromium makes its accessibility tree of is the same for both and
for all that stands in them and around them: tags, attributes, styles, boxes, states. Words, links
and numbers may differ; what becomes of those is seen in a sample (`template.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cdp_agent.snapshot.columns import Ints, Numbers
from cdp_agent.snapshot.dom import DomFacts

_ELEMENT, _TEXT = 1, 3

#: Their values do not decide what an element is, only whether they are empty does.
_FREE = frozenset(
    {"href", "src", "srcset", "title", "alt", "placeholder", "name", "content", "cite", "datetime"}
    | {"action", "list", "aria-label", "aria-labelledby", "aria-describedby", "aria-controls"}
    | {"aria-details", "aria-flowto", "aria-posinset", "aria-setsize", "aria-rowindex"}
    | {"aria-colindex", "d", "points", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx"}
    | {"ry", "width", "height", "viewbox", "transform", "fill", "stroke"}
)
#: Scripts of the page and their notes; who listens for clicks is compared by itself.
_FREE_START = ("data-", "xmlns", "jsaction", "jsname", "on")
#: Numbers in these are counted on or measured; the words are not.
_NUMBERED = frozenset({"class", "style"})
_DIGITS = re.compile(r"\d+")
#: What names an element by its id, and may have it told apart from others.
_REFERRING = frozenset(
    {"aria-labelledby", "aria-describedby", "aria-controls", "aria-details", "aria-flowto"}
    | {"aria-errormessage", "for", "list", "popovertarget", "commandfor", "headers", "form"}
)
#: They put nodes elsewhere in the accessibility tree, or the focus on them.
_DISPLACING = ("aria-owns", "aria-activedescendant")
#: Fields of these types have no value for the accessibility tree, or have it as their name.
_VALUELESS = frozenset({"checkbox", "radio", "hidden", "submit", "button", "reset", "image"})
#: Fields of these types have what they hold as their value, letter by letter.
_TYPED = frozenset({"", "text", "search", "email", "url", "tel"})
#: Only the first of these in an element is what it says.
_FIRST_COUNTS = frozenset({"summary", "legend", "caption", "figcaption"})
#: Elements whose `value` is not what a person reads.
_VALUE_IS_FREE = frozenset({"input", "button", "option", "li", "data"})

_FIXED_KIND, _FREE_KIND, _NUMBERED_KIND, _ID_KIND, _FOR_KIND, _VALUE_KIND = range(6)


def _twice(indices: Ints) -> set[int]:
    """Nodes with several boxes: a first letter that is styled by itself, columns."""
    seen: set[int] = set()
    found: set[int] = set()
    for index in indices:
        if index in seen:
            found.add(index)
        seen.add(index)
    return found


@dataclass(frozen=True, slots=True)
class Likeness:
    """By the index of a node in the columns of the document."""

    #: Alike in themselves and all that stands in them.
    inside: list[int]
    #: Alike in all that stands around them.
    around: list[int]
    #: Nodes of the subtree, the node itself included.
    sizes: list[int]


def displaces(dom: DomFacts) -> bool:
    """Whether nodes may stand elsewhere in the accessibility tree than in the document."""
    return any(dom.has_attribute(name) for name in _DISPLACING)


def likeness(dom: DomFacts, marks: Mapping[int, str]) -> Likeness:
    """`marks`: what the document does not show of a node (focus, validity), by backend id."""
    return _Comparison(dom, marks).run()


class _Comparison:
    def __init__(self, dom: DomFacts, marks: Mapping[int, str]) -> None:
        self._dom = dom
        self._nodes = dom.document.nodes
        self._strings = dom.strings
        self._marks = marks
        self._kinds: dict[int, int] = {}
        self._without_digits: dict[int, str] = {}
        self._numbers: dict[object, int] = {}
        nodes = self._nodes
        fields = (*nodes.inputValue.index, *nodes.textValue.index)
        self._values = {index: dom.held(index) for index in fields}
        self._checked = frozenset(nodes.inputChecked.index)
        self._selected = frozenset(nodes.optionSelected.index)
        self._listening = frozenset(nodes.isClickable.index)
        self._rows = dom.layout_rows
        self._split = _twice(dom.document.layout.nodeIndex)
        #: What CSS writes before and after elements.
        self._written = {n for n, text in enumerate(dom.strings) if text.startswith("::")}
        self._ids, self._named = self._references()
        self._singular = self._unlike_any()
        self._telling = self._with_state()

    def _unlike_any(self) -> set[int]:
        """What is inside them depends on the whole of them: tables, and what has a shadow root."""
        nodes = self._nodes
        found = {nodes.parentIndex[index] for index in nodes.shadowRootType.index}
        names = [n for n, text in enumerate(self._strings) if text.lower() == "table"]
        if names:
            found |= {index for index, name in enumerate(nodes.nodeName) if name in names}
        return found

    def _with_state(self) -> set[int]:
        """Elements of which more than tag, attributes and rendering has to be compared."""
        nodes = self._nodes
        found = {*self._values, *self._checked, *self._selected, *self._listening}
        names = {
            n
            for n, text in enumerate(self._strings)
            if text.lower() in _FIRST_COUNTS or _is_custom(text)
        }
        found |= {index for index, name in enumerate(nodes.nodeName) if name in names}
        marked = self._marks
        found |= {index for index, one in enumerate(nodes.backendNodeId) if one in marked}
        return found

    def _references(self) -> tuple[set[str], set[str]]:
        """All ids of elements, and those that something names."""
        strings = self._strings
        referring = {n for n, text in enumerate(strings) if text in _REFERRING}
        id_number = strings.index("id") if "id" in strings else -1
        ids: set[str] = set()
        named: set[str] = set()
        for flat in self._nodes.attributes:
            for at in range(0, len(flat) - 1, 2):
                name, value = flat[at], flat[at + 1]
                if value < 0:
                    continue
                if name == id_number:
                    ids.add(strings[value])
                elif name in referring:
                    named.update(strings[value].split())
        return ids, named

    def run(self) -> Likeness:
        nodes = self._nodes
        count = len(nodes.nodeType)
        parents, types = nodes.parentIndex, nodes.nodeType
        number = self._number
        shallow = [0] * count
        around = [0] * count
        for index in range(count):
            kind = types[index]
            if kind == _TEXT:
                key = self._text_key(index)
            elif kind == _ELEMENT:
                key = self._element_key(index)
            else:
                key = (kind, nodes.nodeName[index])
            shallow[index] = number(key)
            parent = parents[index]
            if parent >= 0:
                itself = parent if parent in self._singular else -1
                around[index] = number((around[parent], shallow[parent], itself, "around"))
        inside, sizes = self._summed_up(shallow)
        return Likeness(inside, around, sizes)

    def _number(self, key: tuple[object, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _summed_up(self, shallow: list[int]) -> tuple[list[int], list[int]]:
        """Each node with all that stands in it as one number, and how many nodes that are."""
        parents, number = self._nodes.parentIndex, self._number
        inside, sizes = shallow[:], [1] * len(shallow)
        children: dict[int, list[int]] = {}
        for index in range(len(shallow) - 1, -1, -1):
            below = children.pop(index, None)
            if below is not None:
                inside[index] = number((shallow[index], *below, "inside"))
            parent = parents[index]
            if parent >= 0:
                children.setdefault(parent, []).append(inside[index])
                sizes[parent] += sizes[index]
        return inside, sizes

    # -- one node ---------------------------------------------------------------------------------

    def _text_key(self, index: int) -> tuple[object, ...]:
        value = self._nodes.nodeValue[index]
        text = self._strings[value] if value >= 0 else ""
        parent = self._nodes.parentIndex[index]
        # The words of options are values of their field.
        said = value if parent >= 0 and self._dom.name_at(parent) == "option" else -1
        return (_TEXT, self._rows[index] >= 0, index in self._split, not text.strip(), said)

    def _element_key(self, index: int) -> tuple[object, ...]:
        nodes, row = self._nodes, self._rows[index]
        tag = nodes.nodeName[index]
        flat = nodes.attributes[index]
        layout = self._dom.document.layout
        rendered: tuple[object, ...] = ()
        if row >= 0:
            _, _, wide, high = layout.bounds[row]
            rendered = (*layout.styles[row], wide <= 1, high <= 1, index in self._split)
            if tag in self._written:
                rendered = (*rendered, not self._dom.shown_text(index).strip())
        state: tuple[object, ...] = ()
        if index in self._telling:
            state = self._state_key(index)
        attributes = self._attributes_key(index, tag, flat) if flat else ()
        return (tag, attributes, rendered, state)

    def _state_key(self, index: int) -> tuple[object, ...]:
        mark = self._marks.get(self._nodes.backendNodeId[index], "")
        return (
            mark,
            index in self._checked,
            index in self._selected,
            index in self._listening,
            self._value_key(index),
            self._is_first(index),
            # A script may have given it any meaning.
            index if not mark and _is_custom(self._dom.name_at(index)) else -1,
        )

    def _value_key(self, index: int) -> object:
        """What a field holds, where that decides more than its value."""
        value = self._values.get(index)
        if value is None:
            return None
        backend = self._nodes.backendNodeId[index]
        kind = self._dom.attributes(backend).get("type", "").lower()
        if kind in _VALUELESS:
            return None
        return not value if kind in _TYPED else value

    def _is_first(self, index: int) -> bool:
        """Whether no element of this name stands before it."""
        name = self._dom.name_at(index)
        if name not in _FIRST_COUNTS:
            return False
        others = self._dom.children_at(self._nodes.parentIndex[index])
        return next(one for one in others if self._dom.name_at(one) == name) == index

    def _attributes_key(self, index: int, tag: int, flat: Numbers) -> tuple[object, ...]:
        key: list[object] = []
        strings, kinds = self._strings, self._kinds
        for at in range(0, len(flat) - 1, 2):
            name, value = flat[at], flat[at + 1]
            kind = kinds.get(name)
            if kind is None:
                kind = kinds[name] = _kind_of(strings[name].lower())
            if kind == _VALUE_KIND:
                free = self._dom.name_at(index) in _VALUE_IS_FREE
                kind = _FREE_KIND if free else _FIXED_KIND
            key.append(name)
            if kind == _FIXED_KIND:
                key.append(value)
            elif kind == _FREE_KIND:
                key.append(value < 0 or not strings[value].strip())
            elif kind == _NUMBERED_KIND:
                key.append(self._numberless(value))
            elif kind == _ID_KIND:
                key.append(value >= 0 and strings[value] in self._named)
            else:
                key.append(value >= 0 and strings[value] in self._ids)
        return tuple(key)

    def _numberless(self, value: int) -> str:
        known = self._without_digits.get(value)
        if known is None:
            text = self._strings[value] if value >= 0 else ""
            known = self._without_digits[value] = _DIGITS.sub("0", text)
        return known


def _is_custom(tag: str) -> bool:
    """Whether a page defines what an element of this name is."""
    return "-" in tag and not tag.startswith("::")


def _kind_of(name: str) -> int:
    if name == "id":
        return _ID_KIND
    if name == "for":
        return _FOR_KIND
    if name == "value":
        return _VALUE_KIND
    if name in _NUMBERED:
        return _NUMBERED_KIND
    if name in _FREE or name.startswith(_FREE_START):
        return _FREE_KIND
    return _FIXED_KIND
