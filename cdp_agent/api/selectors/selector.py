"""Selectors: elements by role, text or path instead of an id.

On the wire `{"type": "role", "role": "button", "name": "Send"}`, `{"type": "label", "value":
"Name"}`, `{"type": "id", "value": "0-12"}`; in files also `{"role": "button", "name": "Send"}`,
`{"label": "Name"}`. Each may have `frame` (an index), `exact`, `nth` (from 0) and `near` (a text
in the same row or part of the page). A bare string is an id or a selector as commands have it,
`text=Save` (`text`). Without `frame` all frames are searched. `semantic` describes an element in
words (`words`), `coordinates` is a point of the viewport, `"120,80"`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from cdp_agent.action_table.entry import Purpose
from cdp_agent.api.selectors.frame_selector import is_frame_selector, read_frame_selector
from cdp_agent.api.selectors.target_text import HINT, find_id, find_selector
from cdp_agent.errors import InvalidParams, RefInvalid
from cdp_agent.ids import ElementId
from cdp_agent.snapshot.options import with_known_names

SelectorKind = Literal[
    "id",
    "role",
    "text",
    "label",
    "placeholder",
    "test_id",
    "css",
    "xpath",
    "semantic",
    "coordinates",
]
KINDS: tuple[SelectorKind, ...] = get_args(SelectorKind)
_OPTIONS = frozenset({"type", "frame", "exact", "nth", "near"})
_LONGEST = 10_000
_NUMBER = r"\d{1,6}(?:\.\d+)?"
_EXAMPLE = (
    'A selector is an id such as "0-12", or {"type": "role", "role": "button", "name": "Send"}, or '
    '{"type": T, "value": V} with T one of text, label, placeholder, test_id, css, xpath, id.'
)


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector. For `role`, `value` is the role and `name` the accessible name."""

    kind: SelectorKind
    value: str
    name: str | None = None
    frame: int | None = None
    exact: bool = False
    nth: int | None = None
    #: A text in the row, list item or other part of the page that the element stands in.
    near: str | None = None
    #: The purpose of the element; one that suits wins over one that does not.
    purpose: Purpose | None = None

    @classmethod
    def parse(cls, given: Any) -> Selector:
        """Read a selector as the wire or a file has it.

        Raises:
            InvalidParams: it is none.
            RefInvalid: its id does not look like one.
        """
        if isinstance(given, Selector):
            return given
        if isinstance(given, ElementId):
            return cls("id", given)
        given = with_known_names(
            _fields_of(given), {*KINDS, *_OPTIONS, "frame_index", "name", "value"}
        )
        if "frame_index" in given:
            if "frame" in given:
                raise InvalidParams("frame and frame_index of a selector are the same")
            given["frame"] = given.pop("frame_index")
        kind, value = _kind_and_value(given)
        if not isinstance(value, str) or not value or len(value) > _LONGEST:
            raise InvalidParams(f"a {kind} selector needs a text", hint=_EXAMPLE)
        if kind == "id":
            value = ElementId.parse(find_id(value) or value)
        selector = cls(
            kind,
            value,
            given.get("name"),
            given.get("frame"),
            given.get("exact", False),
            given.get("nth"),
            given.get("near"),
        )
        selector._require_types()
        if kind == "coordinates":
            _ = selector.point
        return selector

    @property
    def point(self) -> tuple[float, float]:
        """The point of a `coordinates` selector.

        Raises:
            InvalidParams: its value is not written `x,y`.
        """
        match = re.fullmatch(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*", self.value)
        if match is None:
            raise InvalidParams(
                f"{self.value[:40]!r} is not a point of the viewport", hint='Write "120,80".'
            )
        return float(match[1]), float(match[2])

    def _require_types(self) -> None:
        wrong = [
            name
            for name, value, kind in (
                ("name", self.name, str),
                ("frame", self.frame, int),
                ("nth", self.nth, int),
                ("near", self.near, str),
            )
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool))
        ]
        if not isinstance(self.exact, bool):
            wrong.append("exact")
        if wrong:
            raise InvalidParams(f"{wrong[0]} of a selector has the wrong type", hint=_EXAMPLE)

    def __str__(self) -> str:
        if self.kind == "id":
            return self.value
        name = f" {self.name!r}" if self.name is not None else ""
        what = f"{self.value}{name}" if self.kind == "role" else f"{self.kind} {self.value[:80]!r}"
        what += f" near {self.near[:80]!r}" if self.near is not None else ""
        return what if self.frame is None else f"{what} in frame {self.frame}"


def _fields_of(given: Any) -> Mapping[str, Any]:
    """The fields of a selector that is written as a mapping or as a text."""
    if is_frame_selector(given):
        return read_frame_selector(given)
    if isinstance(given, Mapping):
        return given
    if not isinstance(given, str):
        raise InvalidParams(f"{str(given)[:80]!r} is not a selector", hint=_EXAMPLE)
    element_id = find_id(given)
    fields = find_selector(given) if element_id is None else {"id": element_id}
    if fields is None:
        shown = repr(given)[:60]
        raise RefInvalid(f"{shown} is not an element id, and no selector", hint=HINT, ref=shown)
    return fields


def _kind_and_value(given: Mapping[str, Any]) -> tuple[SelectorKind, Any]:
    kind = given.get("type")
    if kind is None:
        named = [name for name in KINDS if name in given]
        if len(named) != 1:
            raise InvalidParams("a selector says one way to find the element", hint=_EXAMPLE)
        kind = named[0]
    elif isinstance(kind, str):
        [kind] = with_known_names({kind: None}, KINDS)
    if kind not in KINDS:
        raise InvalidParams(f"there is no selector type {str(kind)[:40]!r}", hint=_EXAMPLE)
    own = {kind, "name"} if kind == "role" else {kind}
    if kind not in given:
        own.add("value")
    unknown = sorted(str(name) for name in set(given) - _OPTIONS - own)
    if unknown:
        raise InvalidParams(f"a {kind} selector has no {unknown[0][:40]!r}", hint=_EXAMPLE)
    return kind, given.get(kind, given.get("value"))
