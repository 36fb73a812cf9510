"""The role, name and key that a snapshot shows for an accessibility node. Pure.

One place decides, so that what is looked up later by role and name compares equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.tree import AxNode
from cdp_agent.snapshot.dom.facts import DomFacts

#: So much of a text is compared with the end of a name that was cut.
_BEGINNING = 12
_MARKS = " *:"


def properties_of(node: AxNode) -> dict[str, Any]:
    return {prop.name: prop.value.value for prop in node.properties}


def shown_role(ax_role: str, properties: Mapping[str, Any]) -> str:
    """The role in words that a model knows; an editable region is a textbox."""
    role = roles.plain(ax_role)
    edited = properties.get("focusable") and properties.get("editable")
    if edited == "richtext" or (edited == "plaintext" and role not in roles.INTERACTIVE):
        return "textbox"
    return role


def name_in_line(name: str, dom: DomFacts | None, backend: int) -> str:
    """The name, said once: a text and an icon of the same name make `Settings Settings`.

    A name that the element's own text spells out twice stays.
    """
    middle = len(name) // 2
    half = name[:middle]
    is_doubled = name[middle : middle + 1] == " " and half == name[middle + 1 :]
    if not is_doubled or dom is None or dom.text(backend).count(half) > 1:
        return name
    return half


def unsaid(text: str, above: str) -> str:
    """The part of a text that the names above it, in lower case, do not say already.

    Of a text at which a name was cut, that is the rest: `...and so on`.
    """
    lowered = text.lower()
    if not above or lowered in above:
        return text if not above else ""
    if above.endswith("...") and len(lowered) == len(text):
        # The longest part counts: words that repeat begin in more than one position.
        start = above.find(lowered[:_BEGINNING])
        while start >= 0:
            said = above[start:-3]
            if said and lowered.startswith(said):
                return f"...{text[len(said) :]}"
            start = above.find(lowered[:_BEGINNING], start + 1)
    return text


def is_same_label(text: str, name: str) -> bool:
    """Returns whether a text beside a control is its name, marks such as `*` and `:` aside."""
    words = text.strip(_MARKS).lower()
    return bool(words) and words == name.strip(_MARKS).lower() and not words.isdigit()


def is_said_in(text: str, name: str) -> bool:
    """Returns whether the words of a text stand in a name, one behind the other."""
    words, named = (" ".join(re.findall(r"\w+", given.lower())) for given in (text, name))
    return bool(words) and f" {words} " in f" {named} "


def key_of(node: AxNode, frame: int, by_id: Mapping[str, AxNode]) -> str:
    """The key of a node's line: the same in the next snapshot."""
    if node.backendDOMNodeId:
        return f"{frame}-{node.backendDOMNodeId}"
    # Text that CSS generates. Its own number changes as Chromium likes.
    path = ""
    parent = by_id.get(node.parentId)
    while parent is not None and not parent.backendDOMNodeId:
        path = f".{parent.childIds.index(node.nodeId)}{path}"
        node, parent = parent, by_id.get(parent.parentId)
    if parent is None:
        return f"{frame}-{node.parentId or node.nodeId}{path}:text"
    if path:
        path = f".{parent.childIds.index(node.nodeId)}{path}"
    return f"{frame}-{parent.backendDOMNodeId}{path}:text"
