"""A hint for nameless elements, from what the page says around and inside them.

A hint is not an accessible name: it is written as `hint="…"`, and an element is found by it only
where no name fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from cdp_agent.js.shared_lists import TEST_ID_ATTRIBUTES
from cdp_agent.snapshot.ax.roles import LABELLED
from cdp_agent.snapshot.text.column_header import column_header
from cdp_agent.snapshot.text.readable_identifiers import (
    draws_by_word,
    icon_in,
    is_icon_word,
    readable,
    readable_in_path,
)
from cdp_agent.text import one_line

if TYPE_CHECKING:
    from cdp_agent.snapshot.dom.facts import DomFacts
    from cdp_agent.snapshot.model import Node, Snapshot

_LONGEST = 40
#: Attributes with words for people, the best first.
_TITLES = (
    "title",
    "data-title",
    "data-tooltip",
    "data-original-title",
    "data-bs-original-title",
    "data-tippy-content",
    "aria-description",
)
#: Nodes inside an element, and before it, that are searched.
_MOST_INSIDE = 30
_MOST_BEFORE = 60
#: Levels above a field in which its label is searched.
_LEVELS = 10
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_LABELS = frozenset({"label", "legend"})

#: An element and what is inside it: indices with attributes.
_Near = list[tuple[int, dict[str, str]]]
#: One place to look: the facts, the element with its inside, and its role.
_Source = Callable[["DomFacts", _Near, str], str]


def fallback_name(snapshot: Snapshot, node: Node, *, in_row: bool = False) -> str:
    """At most forty characters that tell what the element is for, or nothing.

    `in_row`: the header of its column tells nothing new.
    """
    frame = int(node.key.partition("-")[0])
    return hint_in({frame: snapshot.document(frame)}, node, in_row=in_row)


def hint_in(documents: Mapping[int, DomFacts | None], node: Node, *, in_row: bool = False) -> str:
    """As `fallback_name`, with the facts of the documents by the indices of their frames."""
    frame, _, number = node.key.partition("-")
    facts = documents.get(int(frame))
    index = facts.position(int(number)) if facts is not None and number.isdigit() else -1
    if facts is None or index < 0:
        return ""
    inside = islice(_in_order(facts, index), _MOST_INSIDE)
    near = [(inner, facts.attributes_at(inner)) for inner in inside]
    for source in _SOURCES:
        hint = one_line(source(facts, near, node.role), _LONGEST)
        if hint and in_row and hint == one_line(column_header(facts, index), _LONGEST):
            return ""
        if hint:
            return hint
    return ""


def drawn_in(snapshot: Snapshot, node: Node) -> str:
    """A hint at what is drawn in an element without text: the title or name of an icon."""
    frame, _, number = node.key.partition("-")
    facts = snapshot.document(int(frame))
    index = facts.position(int(number)) if facts is not None and number.isdigit() else -1
    if facts is None or index < 0:
        return ""
    inside = islice(_in_order(facts, index), 1, _MOST_INSIDE)
    for attributes in (facts.attributes_at(inner) for inner in inside if facts.has_layout(inner)):
        if words := _first(attributes, _TITLES) or icon_in(attributes):
            return one_line(words, _LONGEST)
    return ""


def _title(facts: DomFacts, near: _Near, role: str) -> str:
    """A title of the element, of something inside it, or of the box right around it.

    A box around it alone may have the label instead: the tooltip of a disabled button.
    """
    for _, attributes in near:
        if words := _first(attributes, _TITLES):
            return words
    parent = facts.document.nodes.parentIndex[near[0][0]]
    around = facts.attributes_at(parent) if parent >= 0 else {}
    is_alone = parent >= 0 and facts.children_at(parent) == [near[0][0]]
    label = around.get("aria-label", "").strip() if is_alone and "role" not in around else ""
    return _first(around, _TITLES) or label


def _label(facts: DomFacts, near: _Near, role: str) -> str:
    """The header of a field's column, or the label before it that is not bound to another."""
    if role not in LABELLED:
        return ""
    return column_header(facts, near[0][0]) or _label_before(facts, near[0][0])


def _label_before(facts: DomFacts, index: int) -> str:
    """The nearest label before a field, with no other field between."""
    top = index
    for _ in range(_LEVELS):
        top = max(facts.document.nodes.parentIndex[top], 0)
    for before in range(index - 1, max(top, index - _MOST_BEFORE), -1):
        if facts.tag_at(before) in _LABELS:
            words = facts.text(facts.document.nodes.backendNodeId[before])
            return words if not _is_bound(facts, before) else ""
        if _is_field(facts, before):
            return ""
    return ""


def _is_bound(facts: DomFacts, label: int) -> bool:
    """Returns whether a label names a field that a person can use: then it is that field's."""
    target = facts.attributes_at(label).get("for")
    if not target:
        return False
    ids = facts.attribute_index.having("id").items()
    named = sorted(facts.position(backend) for backend, value in ids if value == target)
    # Shadow roots have ids of their own: of several elements the next one is meant.
    meant = next((index for index in named if index > label), named[-1] if named else -1)
    return meant >= 0 and _is_field(facts, meant)


def _is_field(facts: DomFacts, index: int) -> bool:
    """Returns whether it is a field or a button, other than one that stands behind a widget."""
    if facts.tag_at(index) not in _FIELDS or not facts.has_layout(index):
        return False
    return facts.attributes_at(index).get("aria-hidden") != "true"


def _picture(facts: DomFacts, near: _Near, role: str) -> str:
    """The title of a drawing inside the element, or the text for a picture."""
    for inner, attributes in near[1:]:
        if facts.tag_at(inner) == "title":
            return facts.text(facts.document.nodes.backendNodeId[inner])
        if words := _first(attributes, ("aria-label", "alt")):
            return words
    return ""


def _placeholder(facts: DomFacts, near: _Near, role: str) -> str:
    return _first(near[0][1], ("placeholder", "aria-placeholder"))


def _test_id(facts: DomFacts, near: _Near, role: str) -> str:
    for _, attributes in near:
        if words := readable(_first(attributes, TEST_ID_ATTRIBUTES)):
            return words
    return ""


def _name_or_id(facts: DomFacts, near: _Near, role: str) -> str:
    attributes = near[0][1]
    return readable(attributes.get("name", "")) or readable(attributes.get("id", ""))


def _icon(facts: DomFacts, near: _Near, role: str) -> str:
    for inner, attributes in near:
        if words := icon_in(attributes):
            return words
        if draws_by_word(attributes):
            word = facts.text(facts.document.nodes.backendNodeId[inner]).strip()
            if is_icon_word(word):
                return word
    return ""


def _column(facts: DomFacts, near: _Near, role: str) -> str:
    return column_header(facts, near[0][0]) if role != "generic" else ""


def _verb(facts: DomFacts, near: _Near, role: str) -> str:
    """A class that ends with what the element does, as in `item-control-hide`."""
    return readable(near[0][1].get("class", ""), by_last_word=True, but=role)


def _class(facts: DomFacts, near: _Near, role: str) -> str:
    return readable(near[0][1].get("class", ""), but=role)


def _address(facts: DomFacts, near: _Near, role: str) -> str:
    for _, attributes in near:
        if words := readable_in_path(attributes.get("src") or attributes.get("href") or ""):
            return words
    return ""


#: Where a hint is looked for, the best first. The icons of two buttons in one column tell them
#: apart, so a column's header comes first for fields alone.
_SOURCES: tuple[_Source, ...] = (
    _title,
    _label,
    _picture,
    _placeholder,
    _test_id,
    _name_or_id,
    _verb,
    _icon,
    _column,
    _class,
    _address,
)


def _first(attributes: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((words for name in names if (words := attributes.get(name, "").strip())), "")


def _in_order(facts: DomFacts, index: int) -> Iterator[int]:
    """The node and everything below it, in document order."""
    waiting = [index]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(facts.children_at(current)))
