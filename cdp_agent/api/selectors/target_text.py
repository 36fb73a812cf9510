"""Reads a target as one writes it in a command: an id, or `text=Save`. Pure.

An id may be copied with what stands around it: `[0-12]`, `ref=0-12`. A selector is its kind, `=`,
and a value: `text=Save`, `label=Email`, `role=button[name=Save]`, `placeholder=Search`,
`testid=save`, `css=#save`, `xpath=//button`. In double quotes the value has to be equal, not only
contained. `frame=1` and `nth=0` (from 0, -1 the last) may stand before or behind it, and
`near=…` behind it: `role=button[name=Delete] near=SO-1001` is the one in the row of that text.
With colons, as clients of BAP write them: `role:button:Submit`, `text:Login`.
"""

from __future__ import annotations

import re
from typing import Any

from cdp_agent.errors import InvalidParams

HINT = (
    "A target is an id such as 0-12, or text=Save, label=Email, role=button[name=Save], "
    "placeholder=…, testid=…, css=…, xpath=…."
)
_ID = re.compile(r"\[?\s*(?:(?:ref|id|expand)\s*=?\s*)?([0-9]{1,6}-[0-9]{1,10})\s*\]?\Z")
_OPTION = re.compile(r"(frame|nth)\s*=\s*(-?[0-9]{1,6})\s+")
#: `>>` is how Playwright writes it.
_OPTION_BEHIND = re.compile(r"\s+(?:>>\s*)?(frame|nth)\s*=\s*(-?[0-9]{1,6})\s*\Z")
_NEAR = re.compile(r"\s+(?:>>\s*)?(near)\s*=\s*(\S.*?)\s*\Z", re.DOTALL)
_KIND = re.compile(r"(text|label|placeholder|test[_-]?id|css|xpath|role)\s*=\s*(.*)\Z", re.DOTALL)
#: As clients of BAP write them: `role:button:Submit`, `text:Login`.
_COLON_KIND = re.compile(
    r"(text|label|placeholder|test[_-]?[iI]d|css|xpath|role):(.+)\Z", re.DOTALL
)
_ROLE = re.compile(
    r"([A-Za-z]+)\s*(?:\[\s*name\s*\*?=\s*(.*?)\s*\]|\s+name\s*=\s*(.+))?\s*\Z", re.S
)


def find_id(text: str) -> str | None:
    """The id that a text is, without what was copied along with it."""
    match = _ID.match(text.strip())
    return match[1] if match is not None else None


def find_selector(text: str) -> dict[str, Any] | None:
    """The fields of the selector that a text is; None where it is written like none.

    Raises:
        InvalidParams: it begins like a selector and is none.
    """
    rest = text.strip()
    fields: dict[str, Any] = {}
    while match := _OPTION.match(rest) or _OPTION_BEHIND.search(rest) or _NEAR.search(rest):
        name = match[1]
        if name in fields:
            raise InvalidParams(f"{name} is given twice in {text[:80]!r}", hint=HINT)
        fields[name] = _unquoted(match[2])[0] if name == "near" else int(match[2])
        rest = rest[match.end() :] if match.start() == 0 else rest[: match.start()]
    match = _KIND.match(rest) or _COLON_KIND.match(rest)
    if match is None:
        path = rest.startswith(("//", "(//", "./")) or None
        kind = (
            "xpath"
            if path
            else "css"
            if re.match(r"[#.][A-Za-z_]|\[[a-z-]+[~|^$*]?=", rest)
            else ""
        )
        if kind:
            return {**fields, "type": kind, "value": rest}
        if fields:
            raise InvalidParams(f"{text[:80]!r} says no element", hint=HINT)
        return None
    kind, value = match[1], match[2].strip()
    if kind.startswith("test"):
        kind = "test_id"
    if kind == "role" and match.re is _COLON_KIND:
        role, _, name = value.partition(":")
        return {**fields, **_role(role, text), **({"name": name} if name else {})}
    if kind == "role":
        return fields | _role(value, text)
    if kind in ("css", "xpath"):
        return {**fields, "type": kind, "value": value}
    value, exact = _unquoted(value)
    return {**fields, "type": kind, "value": value, **({"exact": True} if exact else {})}


def _role(value: str, text: str) -> dict[str, Any]:
    match = _ROLE.match(value)
    if match is None:
        raise InvalidParams(
            f"{text[:80]!r} is not a role", hint="Write role=button or role=button[name=Save]."
        )
    fields: dict[str, Any] = {"type": "role", "role": match[1].lower()}
    name = match[2] if match[2] is not None else match[3]
    if name is not None:
        # Playwright writes `[name="Save" i]`.
        name = re.sub(r"(?<=[\"'])\s+[is]\Z", "", name.strip())
        fields["name"], exact = _unquoted(name)
        if exact:
            fields["exact"] = True
    return fields


def _unquoted(value: str) -> tuple[str, bool]:
    """A value without its quotes, and whether double or single ones stood around it."""
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1], True
    return value, False
