"""Formatted text in an editor: whether there is some, and the marks of its words. Pure."""

from __future__ import annotations

import re
from itertools import islice

from cdp_agent.snapshot.dom.facts import DomFacts

#: Elements whose lines tell more than the editor's value.
_BLOCKS = frozenset(
    ["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "hr", "figure"]
)
_BOLD_TAGS, _ITALIC_TAGS = frozenset(["b", "strong"]), frozenset(["i", "em"])
_BOLD_STYLE = re.compile(r"font-weight:\s*(?:bold|bolder|[6-9]00)\b")
_ITALIC_STYLE = re.compile(r"font-style:\s*(?:italic|oblique)\b")
#: Nodes of an editor that are searched; a longer text is taken for formatted.
_MOST_SEARCHED = 2_000
_MOST_LEVELS = 40


def is_formatted(dom: DomFacts, editor: int) -> bool:
    """Returns whether an editor holds more than plain lines: headings, lists, bold words."""
    top = dom.position(editor)
    if top < 0:
        return False
    inside = islice(dom.subtree(top), 1, _MOST_SEARCHED + 1)
    searched = 0
    for index in inside:
        searched += 1
        tag = dom.tag_at(index)
        if tag in _BLOCKS or tag in _BOLD_TAGS or tag in _ITALIC_TAGS:
            return True
        style = dom.attributes_at(index).get("style", "")
        if style and (_BOLD_STYLE.search(style) or _ITALIC_STYLE.search(style)):
            return True
    return searched == _MOST_SEARCHED


def marked(dom: DomFacts, text_node: int, editor: int, text: str) -> str:
    """A text of an editor with its marks: `**bold**`, `*italic*`."""
    bold = italic = False
    ancestor = dom.parent(text_node)
    for _ in range(_MOST_LEVELS):
        if not ancestor or ancestor == editor:
            break
        tag, style = dom.tag(ancestor), dom.attributes(ancestor).get("style", "")
        bold = bold or tag in _BOLD_TAGS or _BOLD_STYLE.search(style) is not None
        italic = italic or tag in _ITALIC_TAGS or _ITALIC_STYLE.search(style) is not None
        ancestor = dom.parent(ancestor)
    mark = "*" * (2 * bold + italic)
    return f"{mark}{text}{mark}"
