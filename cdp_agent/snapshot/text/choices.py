"""The choices of a closed list, behind its line: `options: A, "B" selected, +12 more`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cdp_agent.snapshot.text.row import bare_text
from cdp_agent.text import quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node

#: Choices that are written out; `expand` shows them all.
_MOST = 20
_GROUPS = frozenset({"group", "listbox"})
_STATES = ("selected", "disabled")
#: Between choices and between groups; a choice with one of them is quoted.
_SEPARATORS = re.compile("[,;]")


def is_closed_list(node: Node) -> bool:
    return node.role == "combobox" and node.state.get("expanded") is False


def choices_text(node: Node, inside: Sequence[Node], most: int = _MOST) -> str:
    """The options behind a closed list; nothing where there is more in it than choices.

    Groups have their name before them: `options: None; Fruit: Apple, Pear; Roots: Beet`.
    """
    count = 0
    groups: list[tuple[str, list[str]]] = [("", [])]
    depth = 0
    for inner in inside:
        if inner.folded:
            return ""
        if inner.role in _GROUPS:
            groups.append((inner.name, []))
            depth = inner.depth
        elif inner.role == "option":
            if len(groups) > 1 and inner.depth <= depth:
                groups.append(("", []))
                depth = 0
            count += 1
            if count <= most:
                groups[-1][1].append(_choice(inner))
        else:
            return ""
    if not count:
        return ""
    said = [
        f"{_bare(name)}: {', '.join(choices)}" if name else ", ".join(choices)
        for name, choices in groups
        if choices
    ]
    more = f"+{count - most} more [expand {node.key}]" if count > most else ""
    return f"options: {'; '.join(filter(None, said))}{', ' if more else ''}{more}"


def _choice(option: Node) -> str:
    states = [name for name in _STATES if option.state.get(name) is True]
    return " ".join([quoted(option.name), *states]) if states else _bare(option.name)


def _bare(text: str) -> str:
    return quoted(text) if _SEPARATORS.search(text) else bare_text(text)
