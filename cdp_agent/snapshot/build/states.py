"""States of an element that its attributes show and the accessibility tree does not. Pure."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from cdp_agent.snapshot.dom.facts import DomFacts

#: Controls of which one among several is chosen: pages of a menu, tabs, filters.
_CHOSEN = frozenset({"button", "link", "menuitem", "tab"})
#: Classes that mark the chosen one, in the words of the common frameworks.
_CHOSEN_CLASSES = frozenset(
    {"active", "current", "selected", "is-active", "is-current", "is-selected", "Mui-selected"}
)
#: Classes of a sorted column: Django, DataTables, tablesorter, jQuery UI, AG Grid.
_SORTED_CLASSES = {
    "ascending": "ascending",
    "descending": "descending",
    "sorting_asc": "ascending",
    "sorting_desc": "descending",
    "dt-ordering-asc": "ascending",
    "dt-ordering-desc": "descending",
    "tablesorter-headerAsc": "ascending",
    "tablesorter-headerDesc": "descending",
    "ag-header-cell-sorted-asc": "ascending",
    "ag-header-cell-sorted-desc": "descending",
}
_ORDERS = frozenset({"ascending", "descending", "other"})
_RANGES = frozenset({"slider", "spinbutton"})


def states_in_attributes(
    role: str,
    attributes: Mapping[str, str],
    properties: Mapping[str, Any],
    dom: DomFacts | None = None,
    backend: int = 0,
) -> dict[str, Any]:
    """The states: `{"current": True}`, `{"sorted": "ascending"}`, `{"min": 0, "max": 60}`.

    `properties` are those of the accessibility node.
    """
    states: dict[str, Any] = {}
    if not attributes and role not in _CHOSEN:
        return states
    if role in _RANGES:
        states = _range(role, attributes, properties)
    elif role in ("columnheader", "rowheader"):
        order = _order(attributes)
        if order:
            states["sorted"] = order
    current = attributes.get("aria-current", "false")
    if current not in ("", "false"):
        states["current"] = True
    elif _is_chosen(role, attributes, properties, dom, backend):
        states["selected"] = True
    return states


def _is_chosen(
    role: str,
    attributes: Mapping[str, str],
    properties: Mapping[str, Any],
    dom: DomFacts | None,
    backend: int,
) -> bool:
    """Returns whether only its class, or that of the list item around it, says so."""
    if role not in _CHOSEN or properties.keys() & {"selected", "pressed"}:
        return False
    parent = dom.parent(backend) if dom is not None else 0
    around = dom.attributes(parent) if dom is not None and dom.tag(parent) == "li" else {}
    classes = f"{attributes.get('class', '')} {around.get('class', '')}"
    return not _CHOSEN_CLASSES.isdisjoint(classes.split())


def _order(attributes: Mapping[str, str]) -> str:
    order = attributes.get("aria-sort", "")
    if order:
        return order if order in _ORDERS else ""
    words = attributes.get("class", "").split()
    return next((_SORTED_CLASSES[word] for word in words if word in _SORTED_CLASSES), "")


def _range(
    role: str, attributes: Mapping[str, str], properties: Mapping[str, Any]
) -> dict[str, Any]:
    """The ends of a range that the page gives; a number field without them has none."""
    states: dict[str, Any] = {}
    for name in ("min", "max"):
        value = properties.get(f"value{name}")
        given = name in attributes or f"aria-value{name}" in attributes
        if isinstance(value, int | float) and (given or attributes.get("type") == "range"):
            states[name] = number_text(value)
    step = attributes.get("step", "")
    if states and step and (step != "1" or role == "slider"):
        states["step"] = step[:20]
    return states


def number_text(value: float) -> str:
    """A number as a person writes it: `60`, not `60.0`; `96.9`, not `96.9000015259`."""
    if abs(value) < 1e15 and float(value).is_integer():
        return str(int(value))
    # Chromium keeps such values in 32 bits.
    digits = (f"{value:.{count}g}" for count in range(6, 10))
    return next((text for text in digits if _single(float(text)) == _single(value)), f"{value:g}")


def _single(value: float) -> bytes:
    try:
        return struct.pack("f", value)
    except OverflowError:
        return struct.pack("d", value)
