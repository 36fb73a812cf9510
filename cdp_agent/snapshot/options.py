"""The options of a snapshot."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from cdp_agent.config import DIFF_THRESHOLD, DIFF_THRESHOLD_VARIABLE
from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId

_MOST = 1_000_000
LEAST_TOKENS = 100


@dataclass(frozen=True, slots=True)
class Focus:
    """Only what stands below this element: a CSS selector or an XPath inside one frame."""

    frame_index: int
    selector: str


class SnapshotKeywords(TypedDict, total=False):
    """The keywords of `Page.snapshot`; `SnapshotOptions` says what each means."""

    viewport_only: bool
    interactive_only: bool
    max_elements: int | None
    max_depth: int | None
    max_name_length: int
    roles: Sequence[str]
    focus: Focus | Mapping[str, Any] | None
    root: str | None
    max_tokens: int | None
    expand: str | None
    search: str | None
    bounds: bool
    screenshot: bool
    marks: bool
    diff_threshold: float | None
    timeout: float


@dataclass(frozen=True, slots=True)
class SnapshotOptions:
    #: Only what is neither scrolled out of the page nor out of a box or a frame in it.
    viewport_only: bool = False
    interactive_only: bool = False
    max_elements: int | None = None
    max_depth: int | None = None
    max_name_length: int = 200
    #: Only elements of these roles, also those one can only read.
    roles: tuple[str, ...] = field(default=())
    #: Only what is below one element, by selector.
    focus: Focus | None = None
    #: Only the subtree of one element of an earlier snapshot.
    root: ElementId | None = None
    #: What the text may cost; the rest is folded into stubs.
    max_tokens: int | None = None
    #: The id in a stub: only what was folded there, from that line on.
    expand: ElementId | None = None
    #: Where that ends: the key of the first node after it. The page fills it in from its stubs.
    expand_end: str = ""
    #: Only lines that contain these words, with what they stand in.
    search: str = ""
    #: Also each element's place: `@x,y 120x30` in CSS pixels of the viewport.
    bounds: bool = False
    #: Also a picture of the viewport; with `marks` each element in it has its id drawn on it.
    screenshot: bool = False
    marks: bool = False
    #: The share of the whole text up to which a difference from it is shown in its place, from 0
    #: (never) to 1. None: that of `CDP_AGENT_DIFF_THRESHOLD`, or 0.6.
    diff_threshold: float | None = None
    timeout: float = 30.0

    @property
    def largest_diff(self) -> float:
        """The threshold that holds.

        Raises:
            InvalidParams: the variable that sets it is not a share.
        """
        if self.diff_threshold is not None:
            return self.diff_threshold
        given = os.environ.get(DIFF_THRESHOLD_VARIABLE)
        if not given:
            return DIFF_THRESHOLD
        try:
            return _share(DIFF_THRESHOLD_VARIABLE, float(given))
        except ValueError:
            raise InvalidParams(
                f"{DIFF_THRESHOLD_VARIABLE} must be from 0 to 1, not {given[:40]!r}"
            ) from None

    @property
    def keeps_all(self) -> bool:
        """Returns whether no line and no element is to be left out."""
        return not (
            self.viewport_only
            or self.interactive_only
            or self.max_elements is not None
            or self.max_depth is not None
            or self.roles
            or self.expand is not None
            or self.search
        )

    @property
    def filter_name(self) -> str:
        """The filter in words, for who reads a filtered snapshot; empty where it keeps all."""
        filters = {
            "only what is in view": self.viewport_only,
            "only interactive elements": self.interactive_only,
            f"only {', '.join(self.roles)}": bool(self.roles),
            f"at most {self.max_elements} elements": self.max_elements is not None,
            f"at most {self.max_depth} levels": self.max_depth is not None,
            f"expanded at {self.expand}": self.expand is not None,
            f"only lines with {self.search!r}": bool(self.search),
        }
        return ", ".join(words for words, is_on in filters.items() if is_on)

    @classmethod
    def make(cls, base: SnapshotOptions | None = None, **given: Any) -> SnapshotOptions:
        """Check what a caller wrote; options that are not given are those of `base`.

        Raises:
            InvalidParams: an option is unknown or out of range.
        """
        known = cls.__dataclass_fields__
        given = with_known_names(given, known)
        unknown = sorted(set(given) - set(known))
        if unknown:
            names = ", ".join(known)
            raise InvalidParams(
                f"unknown snapshot option {unknown[0]!r}", hint=f"Options: {names}."
            )
        values = {name: value for name, value in given.items() if value is not None}
        for name, check in _CHECKS.items():
            if name in values:
                values[name] = check(name, values[name])
        return replace(base or cls(), **values)


def with_known_names(given: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The same values; `frameIndex` is called `frame_index` where that is a known name.

    And the other way round. Other names stay as they are.

    Raises:
        InvalidParams: a name is given in both spellings.
    """
    named: dict[str, Any] = {}
    for key, value in given.items():
        name = next((one for one in (key, *_spellings(key)) if one in known), key)
        if name in named:
            raise InvalidParams(f"{name} is given twice, in two spellings")
        named[name] = value
    return named


def _spellings(name: Any) -> tuple[str, ...]:
    if not isinstance(name, str):
        return ()
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"_{match[0].lower()}", name)
    camel = re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda match: match[1].upper(), name)
    return snake, camel


def _whole_number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise InvalidParams(f"{name} must be a whole number from 1 to {_MOST}, not {value!r}")
    return value


def _focus(name: str, value: Any) -> Focus:
    if isinstance(value, Focus):
        return value
    names = Focus.__dataclass_fields__
    fields = with_known_names(value, names) if isinstance(value, Mapping) else {}
    index, selector = fields.get("frame_index", 0), fields.get("selector")
    is_index = isinstance(index, int) and not isinstance(index, bool)
    if set(fields) <= set(names) and is_index and isinstance(selector, str) and selector:
        return Focus(index, selector)
    example = '{"frame_index": 3, "selector": "#checkout"}'
    raise InvalidParams(f"focus must look like {example}, not {value!r}")


def _tokens(name: str, value: Any) -> int:
    if _whole_number(name, value) < LEAST_TOKENS:
        raise InvalidParams(f"{name} must be {LEAST_TOKENS} or more, not {value!r}")
    return int(value)


def _roles(name: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    is_list = isinstance(names, list | tuple | set | frozenset)
    if not is_list or not all(isinstance(one, str) for one in names):
        raise InvalidParams(f"roles must be a list of names, not {value!r}")
    return tuple(names)


def _id(name: str, value: Any) -> ElementId:
    return ElementId.parse(value)


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidParams(f"{name} must be True or False, not {value!r}")
    return value


def _words(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidParams(f"{name} must be a text, not {value!r}")
    return value


def _share(name: str, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise InvalidParams(f"{name} must be from 0 to 1, not {value!r}")
    return float(value)


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InvalidParams(f"timeout must be a number of seconds, not {value!r}")
    return value


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "viewport_only": _switch,
    "interactive_only": _switch,
    "bounds": _switch,
    "screenshot": _switch,
    "marks": _switch,
    "max_elements": _whole_number,
    "max_depth": _whole_number,
    "max_name_length": _whole_number,
    "max_tokens": _tokens,
    "roles": _roles,
    "focus": _focus,
    "root": _id,
    "expand": _id,
    "search": _words,
    "expand_end": _words,
    "diff_threshold": _share,
    "timeout": _seconds,
}
