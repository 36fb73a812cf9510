"""Conditions on a snapshot in data files: address, title, element, text.

    url: "*/cancelled"                     the whole address as a pattern with *, or a part of it
    title: Cancelled
    element: {role: button, name: Finish cancellation, disabled: false}
    text: has been cancelled               anywhere on the page, frames included
    any: [ … ]   all: [ … ]   not: { … }

Several keys of one condition must all hold. Texts are compared without regard to case and to runs
of white space, and are found anywhere in the name; between slashes (`/cancel(led)?/`) they are
regular expressions. An `element` takes `role`, `name` and the names of states.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.ax.tree import STATES
from cdp_agent.snapshot.model import Node
from cdp_agent.snapshot.options import with_known_names

#: For what data cannot say; takes part wherever a condition does.
SnapshotTest = Callable[[Snapshot], bool]

_KEYS = frozenset({"url", "title", "element", "text", "any", "all", "not"})
_ELEMENT_KEYS = frozenset({"role", "name", "text", "frame", "level", "hidden", *STATES})


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition read from data. Call it with a snapshot; `str` says it in words."""

    given: Mapping[str, Any]
    _tests: tuple[SnapshotTest, ...]

    def __call__(self, snapshot: Snapshot) -> bool:
        return all(test(snapshot) for test in self._tests)

    def __str__(self) -> str:
        return _words(self.given)


def predicate(given: Any) -> Predicate:
    """Read a condition.

    Raises:
        InvalidParams: it is not written in the language.
    """
    if not isinstance(given, Mapping) or not given:
        raise InvalidParams(
            f"{given!r} is not a condition", hint="For example {text: has been cancelled}."
        )
    unknown = sorted(set(given) - _KEYS)
    if unknown:
        raise InvalidParams(
            f"a condition has no {unknown[0]!r}", hint=f"It knows {', '.join(sorted(_KEYS))}."
        )
    return Predicate(dict(given), tuple(_test(key, value) for key, value in given.items()))


def _test(key: str, value: Any) -> SnapshotTest:
    if key in ("any", "all"):
        if not isinstance(value, list) or not value:
            raise InvalidParams(f"{key} takes a list of conditions, not {value!r}")
        parts = [predicate(part) for part in value]
        join = any if key == "any" else all
        return lambda snapshot: join(part(snapshot) for part in parts)
    if key == "not":
        inner = predicate(value)
        return lambda snapshot: not inner(snapshot)
    if key == "element":
        fits = element_test(value)
        return lambda snapshot: any(fits(node) for node in snapshot.nodes)
    matches = text_test(value)
    if key == "url":
        whole = str(value)
        if "*" in whole and not _is_regex(whole):
            return lambda snapshot: fnmatch.fnmatchcase(snapshot.page.url, whole)
        return lambda snapshot: matches(snapshot.page.url)
    if key == "title":
        return lambda snapshot: matches(snapshot.page.title)
    return lambda snapshot: any(
        matches(node.name) or (node.value is not None and matches(node.value))
        for node in snapshot.nodes
    )


def element_test(given: Any) -> Callable[[Node], bool]:
    """Returns whether a line of a snapshot is the element described.

    Raises:
        InvalidParams: it does not say which.
    """
    if not isinstance(given, Mapping) or not {"role", "name", "text"} & set(given):
        raise InvalidParams(
            f"{given!r} describes no element", hint="For example {role: button, name: Send}."
        )
    given = with_known_names(given, _ELEMENT_KEYS)
    unknown = sorted(str(name) for name in set(given) - _ELEMENT_KEYS)
    if unknown:
        raise InvalidParams(
            f"an element has no {unknown[0]!r}", hint=f"It has {', '.join(sorted(_ELEMENT_KEYS))}."
        )
    if {"name", "text"} <= set(given):
        raise InvalidParams(f"name and text of an element are the same: {given!r}")
    role = given.get("role")
    wanted = given.get("name", given.get("text"))
    named = text_test(wanted) if wanted is not None else None
    frame = given.get("frame")
    states = {k: v for k, v in given.items() if k not in ("role", "name", "text", "frame")}

    def fits(node: Node) -> bool:
        return (
            (role is None or node.role == role)
            and (named is None or named(node.name))
            and (frame is None or (node.id is not None and node.id.frame_index == frame))
            and all(_state_is(node, state, value) for state, value in states.items())
        )

    return fits


def _state_is(node: Node, state: str, wanted: Any) -> bool:
    has = node.state.get(state, False)
    return bool(has) == wanted if isinstance(wanted, bool) else str(has) == str(wanted)


def text_test(given: Any) -> Callable[[str], bool]:
    """Raises: InvalidParams: no text, or no regular expression."""
    if not isinstance(given, str | int | float) or isinstance(given, bool) or str(given) == "":
        raise InvalidParams(f"{given!r} is not a text to look for")
    text = str(given)
    if _is_regex(text):
        try:
            pattern = re.compile(text[1:-1], re.IGNORECASE)
        except re.error as error:
            raise InvalidParams(f"{text} is not a regular expression: {error}") from None
        return lambda found: pattern.search(found) is not None
    wanted = _folded(text)
    return lambda found: wanted in _folded(found)


def _is_regex(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(given: Mapping[str, Any]) -> str:
    said = []
    for key, value in given.items():
        if key in ("any", "all"):
            joiner = " or " if key == "any" else " and "
            said.append(f"({joiner.join(_words(part) for part in value)})")
        elif key == "not":
            said.append(f"not {_words(value)}")
        elif key == "element":
            facts = ", ".join(f"{k} {v}" for k, v in value.items())
            said.append(f"an element with {facts}")
        else:
            said.append(f"{key} {value!r}")
    return " and ".join(said)
