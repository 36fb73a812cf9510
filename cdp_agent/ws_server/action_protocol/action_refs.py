"""Refs of the Action Protocol: the elements that have one, and texts that speak of refs. Pure.

A ref is the number of an element in the last snapshot that the client was sent, from 1, in
depth-first order of the document. Links, buttons, fields and lists have one, and whatever has a
role of a control, a hand cursor, a listener for clicks or a place in the tab order. Labels beside
their controls and options of closed lists have none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Element, Snapshot
from cdp_agent.text import one_line, quoted

#: Fields of results that hold an id; a text that somebody typed may look like one.
_ID_FIELDS = frozenset({"id", "found_id", "element_id", "ref"})
_ID = re.compile(r"\[?\b(\d{1,6}-\d{1,10})\b\]?")


def ref_elements(snapshot: Snapshot) -> list[Element]:
    """The elements that get refs, the first of them ref 1."""
    lines = {node.key for node in snapshot.nodes if node.id is not None}
    return [element for element in snapshot.interactive if element.id in lines]


def tree_line(number: int, element: Element) -> dict[str, Any]:
    """One element of the tree that a client is sent."""
    return {
        "id": number,
        "role": element.role,
        "name": element.name,
        "tag": element.tag.upper(),
        "bounds": None if element.bounds is None else element.bounds._asdict(),
    }


class Refs:
    """The refs of the last snapshot that a client was sent."""

    def __init__(self) -> None:
        self._ids: dict[int, ElementId] = {}
        self._words: dict[str, str] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, ref: Any) -> ElementId | None:
        """The element of a ref; None where it is none of the last snapshot."""
        is_number = isinstance(ref, int) and not isinstance(ref, bool)
        return self._ids.get(ref) if is_number else None

    def assign(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        """Give refs to the elements of a snapshot; the tree for the client."""
        elements = ref_elements(snapshot)
        self._ids = {number: e.id for number, e in enumerate(elements, start=1)}
        self._numbers = {str(element_id): number for number, element_id in self._ids.items()}
        others = (e for e in snapshot.unfiltered.elements if e.id not in self._numbers)
        self._words = {str(e.id): _words(e) for e in others}
        return [tree_line(number, e) for number, e in enumerate(elements, start=1)]

    def text(self, text: str) -> str:
        """A text with refs in the place of our ids; elements without one by role and name."""

        def spoken(match: re.Match[str]) -> str:
            number = self._numbers.get(match[1])
            return f"ref {number}" if number is not None else self._words.get(match[1], match[0])

        return _ID.sub(spoken, text)

    def data(self, value: Any) -> Any:
        """Plain data with refs in the place of our ids; a value that only looks like one stays."""
        if isinstance(value, Mapping):
            return {
                name: self._numbers.get(one, one)
                if name in _ID_FIELDS and isinstance(one, str)
                else self.data(one)
                for name, one in value.items()
            }
        return [self.data(one) for one in value] if isinstance(value, list | tuple) else value


def _words(element: Element) -> str:
    name = f" {quoted(one_line(element.name, 60))}" if element.name else ""
    return f"{element.role}{name}"
