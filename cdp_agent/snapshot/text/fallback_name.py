"""A hint for nameless elements, from their attributes: for icons without a label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cdp_agent.text import one_line

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node, Snapshot

_LONGEST = 40
#: Attributes in which authors say what a thing is, the best first.
_TELLING = ("title", "data-testid", "data-icon", "name", "id", "class", "src", "href")
_SPLIT = re.compile(r"[\s/?#&=.]+")
#: Words of class lists that say how a thing looks, and names that machines made.
_EMPTY = re.compile(
    r"^(css|sc|jsx?|svelte|ng|v|el|ui|btn|button|icon|icons|img|image|div|span|item|wrapper|container"
    r"|active|hover|focus|disabled|left|right|small|large|sm|md|lg|xs|xl|fa|fas|far|material|glyphicon"
    r"|png|svg|jpe?g|gif|webp|https?:?|data:.*|.*\d{4,}.*|[a-z]{1,3}\d+.*|[a-zA-Z]{0,2}|.*__.*[A-Z0-9]{5,}.*)$"
)


def fallback_name(snapshot: Snapshot, node: Node) -> str:
    """Words from its attributes, at most forty characters, or nothing."""
    frame, _, number = node.key.partition("-")
    facts = snapshot.document(int(frame))
    if facts is None or not number.isdigit():
        return ""
    attributes = facts.attributes(int(number))
    for name in _TELLING:
        words = [w for w in _SPLIT.split(attributes.get(name, "")) if w and not _EMPTY.match(w)]
        if words:
            chosen = words[-1:] if name in ("src", "href") else words[:3]
            return one_line(" ".join(chosen), 4 * _LONGEST)[:_LONGEST]
    return ""
