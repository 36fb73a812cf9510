"""Hints: what one can do with an element, in single words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_EDITABLE = frozenset({"textbox", "searchbox", "spinbutton"})
_CHECKABLE = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_SELECTABLE = frozenset({"combobox", "listbox", "option"})

#: The few combinations there are, each once: thousands of elements have the same.
_SHARED: dict[tuple[str, ...], tuple[str, ...]] = {}


def hints_for(
    role: str,
    tag: str,
    attributes: Mapping[str, str],
    states: Mapping[str, Any],
    *,
    draggable: bool,
    scrollable: bool,
) -> tuple[str, ...]:
    hints: list[str] = []
    if role in _EDITABLE or (role == "combobox" and tag == "input"):
        hints.append("editable")
    elif role not in ("slider", "scrollbar"):
        hints.append("clickable")
    if role in _CHECKABLE:
        hints.append("checkable")
    if role in _SELECTABLE:
        hints.append("selectable")
    if "expanded" in states:
        hints.append("expandable")
    if draggable:
        hints.append("draggable")
    if scrollable:
        hints.append("scrollable")
    if tag in ("button", "input") and attributes.get("type") in ("submit", "image"):
        hints.append("submittable")
    words = tuple(hints)
    return _SHARED.setdefault(words, words)
