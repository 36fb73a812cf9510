"""Single lines of a snapshot's text. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cdp_agent.text import one_line, quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node, Snapshot

_TITLE_LIMIT = 100
_URL_LIMIT = 120
#: An address that holds its document tells nothing after the first words.
_DATA_URL_LIMIT = 40
#: Between the parts of the first line; a title must not look like more of them.
SEPARATOR = "·"
_LIKE_SEPARATOR = re.compile("[·\u2022\u2027\u2219\u22c5\u2e31\u30fb\uff65\u16eb\u25aa\u25cf]")
#: A state is a bare word when true. What is false goes without saying, but for these.
_SHOWN_WHEN_FALSE = {"expanded": "collapsed", "checked": "unchecked", "pressed": "unpressed"}
#: `value_length` stands beside the value that was cut.
NOT_SHOWN = frozenset({"level", "hasPopup", "multiselectable", "value_length"})
#: Their name is often their value, which is said once.
_NAMED_BY_VALUE = frozenset({"combobox", "listbox"})


def header(snapshot: Snapshot) -> str:
    page, view = snapshot.page, snapshot.viewport
    parts = [f"Page: {_LIKE_SEPARATOR.sub('-', one_line(page.title, _TITLE_LIMIT))}"]
    parts.append(shown_url(page.url))
    parts.append(f"{view.width}x{view.height}, {scrolled(snapshot)}")
    if page.loading:
        parts.append("loading")
    return f" {SEPARATOR} ".join(parts)


def scrolled(snapshot: Snapshot) -> str:
    """The scroll position, and the largest there can be."""
    view = snapshot.viewport
    below = max(view.content_height - view.height, 0)
    return f"scrolled {view.scroll_y} of {below}"


def shown_url(url: str) -> str:
    return one_line(url, _DATA_URL_LIMIT if url.startswith("data:") else _URL_LIMIT)


def format_line(node: Node) -> str:
    """One node without its children: `[0-7] button "Save" disabled`."""
    if node.folded:
        return stub(node.folded, node.role, node.key)
    parts = [f"[{node.id}]"] if node.id is not None else []
    parts.append(node.role)
    if node.frame is not None:
        parts.append(str(node.frame[0]))
    if node.name and not (node.role in _NAMED_BY_VALUE and node.name == node.value):
        parts.append(quoted(node.name))
    if node.frame is not None and node.frame[1]:
        parts.append(shown_url(node.frame[1]))
    if node.value is not None:
        parts.append(f"value={quoted(node.value)}")
        if length := node.state.get("value_length"):
            parts.append(f"(cut, {length:,} characters)")
    level = node.state.get("level")
    if level is not None and node.role == "heading":
        parts.append(str(level))
    parts.extend(_state(name, value) for name, value in node.state.items() if name not in NOT_SHOWN)
    return " ".join(part for part in parts if part)


def stub(count: int, kind: str, key: str) -> str:
    """The stub of lines that are not shown: `+37 listitem [expand 0-812]`, `+95 rows [...]`."""
    kind = "rows" if kind == "row" and count > 1 else kind
    return f"+{count} {kind} [expand {key}]"


def _state(name: str, value: Any) -> str:
    if value is True:
        return name
    if value is False:
        return _SHOWN_WHEN_FALSE.get(name, "")
    if name == "empty":
        return f"({one_line(str(value), 120)})"
    return f"{name}={one_line(str(value), 40)}"
