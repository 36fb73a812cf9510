"""Texts of a page as values of a JSON Schema, and synonyms of its names. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_NUMBER = re.compile(r"[-+\u2212]?\s*\d[\d.,'\u2019\u00a0\u202f ]*")
_TRUE = frozenset({"true", "yes", "on", "1", "checked", "enabled", "active", "✓", "✔", "x"})
_FALSE = frozenset({"false", "no", "off", "0", "unchecked", "disabled", "inactive", "✗", "-", ""})
_SAME = (
    frozenset({"name", "title", "heading", "product", "item"}),
    frozenset({"url", "link", "href", "address"}),
    frozenset({"price", "cost", "amount", "total"}),
    frozenset({"image", "picture", "photo", "img", "thumbnail"}),
    frozenset({"mail", "email"}),
    frozenset({"phone", "telephone", "tel", "mobile"}),
    frozenset({"quantity", "qty", "count"}),
    frozenset({"date", "day", "when", "time"}),
    frozenset({"rating", "star", "score"}),
    frozenset({"description", "summary", "text"}),
)

#: What a value that does not fit is, since None may be a value.
NO_VALUE = object()


@cache
def words(text: str) -> tuple[str, ...]:
    """`unitPrice`, `unit-price`, `Unit prices:` → `unit`, `price`."""
    found = [word.lower() for word in _WORDS.findall(text)]
    if len(found) == 2 and found[0] == "e":  # e-mail
        found = ["email"] if found[1] == "mail" else found
    return tuple(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found)


@cache
def likeness(wanted: str, key: str) -> float:
    """Returns the likeness of a page's key and a wanted name, from 0 to 1."""
    ours, theirs = words(wanted), words(key)
    if not ours or not theirs:
        return 0.0
    if ours == theirs or "".join(ours) == "".join(theirs):
        return 1.0
    common = len(set(ours) & set(theirs))
    if common == min(len(set(ours)), len(set(theirs))):
        return 0.55 + 0.4 * common / max(len(set(ours)), len(set(theirs)))
    if len(ours) == 1 and any(ours[0] in group and set(theirs) & group for group in _SAME):
        return 0.6
    return 0.0


def coerce(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value as the schema wants it, or NO_VALUE."""
    if "const" in schema:
        return schema["const"] if str(value) == str(schema["const"]) else NO_VALUE
    if "enum" in schema:
        return _choice(value, schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), None)
    if kind in ("number", "integer"):
        return _number(value, whole=kind == "integer")
    if kind == "boolean":
        return _truth(value)
    if kind in ("string", None):
        return _text(value)
    return NO_VALUE


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if str(value) else NO_VALUE


def _choice(value: Any, choices: list[Any]) -> Any:
    wanted = words(str(value))
    for choice in choices:
        if value == choice or words(str(choice)) == wanted:
            return choice
    return NO_VALUE


def _truth(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    return NO_VALUE


def _number(value: Any, *, whole: bool) -> Any:
    if isinstance(value, bool):
        return NO_VALUE
    found = _NUMBER.search(str(value))
    if found is None:
        return NO_VALUE
    text = re.sub(r"[\s'\u2019\u00a0\u202f]", "", found[0]).replace("\u2212", "-").rstrip(".,")
    number = float(_with_point(text))
    if whole:
        return int(number) if number == int(number) else NO_VALUE
    return int(number) if number == int(number) and "." not in _with_point(text) else number


def _with_point(text: str) -> str:
    """`1299.50` of `1.299,50` and `1,299.50`; a lone comma may group thousands."""
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return text
    mark, other = text[last], "," if text[last] == "." else "."
    if other in text or text.count(mark) == 1:
        is_group = other not in text and len(text) - last == 4 and mark == ","
        if not is_group:
            return text.replace(other, "").replace(mark, ".")
    return text.replace(mark, "")
