"""A hint for nameless elements, from what the page says around and inside them.

A hint is not an accessible name: nothing is found by it, and it is written as `hint="…"`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from cdp_agent.snapshot.ax.roles import LABELLED
from cdp_agent.snapshot.text.column_header import column_header
from cdp_agent.snapshot.text.readable import icon_in, readable, readable_in_path
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
_TEST_IDS = ("data-testid", "data-test-id", "data-test", "data-cy", "data-qa")
#: Nodes inside an element, and before it, that are searched.
_MOST_INSIDE = 30
_MOST_BEFORE = 60
#: Levels above a field in which its label is searched.
_LEVELS = 10
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_LABELS = frozenset({"label", "legend"})

#: One place to look: the facts, the element's index and its role.
_Source = Callable[["DomFacts", int, str], str]


def fallback_name(snapshot: Snapshot, node: Node) -> str:
    """At most forty characters that tell what the element is for, or nothing."""
    frame, _, number = node.key.partition("-")
    facts = snapshot.document(int(frame))
    index = facts.position(int(number)) if facts is not None and number.isdigit() else -1
    if facts is None or index < 0:
        return ""
    for source in _SOURCES:
        hint = one_line(source(facts, index, node.role), _LONGEST)
        if hint:
            return hint
    return ""


def _title(facts: DomFacts, index: int, role: str) -> str:
    """A title of the element, of something inside it, or of the box right around it."""
    for near in (index, *_inside(facts, index), facts.document.nodes.parentIndex[index]):
        if near >= 0 and (words := _first(facts.attributes_at(near), _TITLES)):
            return words
    return ""


def _label(facts: DomFacts, index: int, role: str) -> str:
    """The header of a field's column, or the label before it that is not bound to another."""
    if role not in LABELLED:
        return ""
    return column_header(facts, index) or _label_before(facts, index)


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
    """Whether a label names a field that a person can use: then it is that field's."""
    target = facts.attributes_at(label).get("for")
    if not target:
        return False
    ids = facts.attribute_index.having("id").items()
    return any(value == target and _is_field(facts, facts.position(b)) for b, value in ids)


def _is_field(facts: DomFacts, index: int) -> bool:
    """Whether it is a field or a button, other than one that stands behind a widget."""
    if facts.tag_at(index) not in _FIELDS or not facts.has_layout(index):
        return False
    return facts.attributes_at(index).get("aria-hidden") != "true"


def _picture(facts: DomFacts, index: int, role: str) -> str:
    """The title of a drawing inside the element, or the text for a picture."""
    for inner in _inside(facts, index):
        if facts.tag_at(inner) == "title":
            return facts.text(facts.document.nodes.backendNodeId[inner])
        if words := _first(facts.attributes_at(inner), ("aria-label", "alt")):
            return words
    return ""


def _placeholder(facts: DomFacts, index: int, role: str) -> str:
    return _first(facts.attributes_at(index), ("placeholder", "aria-placeholder"))


def _test_id(facts: DomFacts, index: int, role: str) -> str:
    for inner in (index, *_inside(facts, index)):
        if words := readable(_first(facts.attributes_at(inner), _TEST_IDS)):
            return words
    return ""


def _name_or_id(facts: DomFacts, index: int, role: str) -> str:
    attributes = facts.attributes_at(index)
    return readable(attributes.get("name", "")) or readable(attributes.get("id", ""))


def _icon(facts: DomFacts, index: int, role: str) -> str:
    for inner in (index, *_inside(facts, index)):
        if words := icon_in(facts.attributes_at(inner)):
            return words
    return ""


def _column(facts: DomFacts, index: int, role: str) -> str:
    return column_header(facts, index) if role != "generic" else ""


def _verb(facts: DomFacts, index: int, role: str) -> str:
    """A class that ends with what the element does, as in `item-control-hide`."""
    return readable(facts.attributes_at(index).get("class", ""), by_last_word=True)


def _class(facts: DomFacts, index: int, role: str) -> str:
    return readable(facts.attributes_at(index).get("class", ""))


def _address(facts: DomFacts, index: int, role: str) -> str:
    for inner in (index, *_inside(facts, index)):
        attributes = facts.attributes_at(inner)
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


def _inside(facts: DomFacts, index: int) -> list[int]:
    return list(islice(_in_order(facts, index), 1, _MOST_INSIDE))


def _in_order(facts: DomFacts, index: int) -> Iterator[int]:
    """The node and everything below it, in document order."""
    waiting = [index]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(facts.children_at(current)))
