"""A table's row as one line: `row [0-59] checkbox | [0-61] link "SO-1" | Hugo Weber | | 4`. Pure.

Cells are joined by bars, and an empty one keeps its column. Text that could be taken for anything
else is quoted. Whatever the row itself says ends with a colon: `row header:`, `row selected:`.
A cell with more than a few things in it, or with things inside things, needs lines of its own;
then the whole row has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.roles import CELLS
from cdp_agent.snapshot.text.line import NOT_SHOWN
from cdp_agent.text import quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node

#: Roles whose lines have a place in a row's line.
_SIMPLE = (roles.INTERACTIVE - {"listbox", "option", "treeitem"}) | {
    *("text", "generic", "label", "heading", "image", "code", "abbr", "progressbar", "meter"),
    *("status", "canvas"),
}
#: Wrappers whose content may stand in a row's line without them.
_TRANSPARENT = frozenset(
    {"list", "listitem", "group", "toolbar", "form", "paragraph", "figure", "article"}
)
_SELECTION = frozenset({"checkbox", "radio"})
_MOST_ITEMS = 8
_DEEPEST = 4
_LONGEST_TEXT = 210
_LONGEST_ROW = 2000
#: States that the row has for all of its cells.
_SHARED = ("readonly", "disabled", "hidden")
#: Anything but these characters, a colon before a space, a first word like an id or a mark.
#: Letters that look like the bar between cells are not among them.
_LIKE_SYNTAX = re.compile(
    r"[^\w ,./()%$€£+#@&!?'\u2019°\u2013\u2014:-]|[\u01c0-\u01c3]"
    r"|:(?: |$)|^\d+-\d+(?![\d-])|^\+\d+ |^[-+*~>=]? |^$"
)
#: First words of lines.
_LINE_WORDS = (roles.INTERACTIVE | roles.STRUCTURE | roles.NAMED_ONLY) | {
    *("text", "generic", "label", "iframe", "header", "options", "more"),
}


def bare_text(text: str) -> str:
    """Text of the page as it is, if nothing in it can be taken for our syntax; else quoted."""
    if _LIKE_SYNTAX.search(text) or text.partition(" ")[0] in _LINE_WORDS:
        return quoted(text)
    return text


class NodeText(Protocol):
    """Gives the texts of single nodes, as their lines would have them."""

    def own_text(self, node: Node) -> str:
        """Returns the text of a node without what is inside it."""

    def item_text(self, index: int) -> tuple[str, int]:
        """Returns the text of a node in a cell, and the first node that it does not cover."""

    def drawing_text(self, node: Node) -> str:
        """Returns a hint at what is drawn in a cell without text; empty for nothing."""

    def is_wrapper(self, index: int) -> bool:
        """Returns whether a node has no line, though what is inside it may have."""

    def columns_taken(self, index: int) -> int:
        """Returns the number of columns that a cell takes, at least one."""

    def is_edge(self, index: int) -> bool:
        """Returns whether a node is a nameless strip between cells, dragged to size a column."""


class RowWriter:
    """Writes the rows of one snapshot."""

    def __init__(self, nodes: Sequence[Node], ends: Sequence[int], texts: NodeText) -> None:
        self._nodes = nodes
        self._ends = ends
        self._texts = texts

    def text(self, index: int, name: str, number: str = "") -> str | None:
        """The line of a row called `name`; None: its cells need lines of their own.

        `number` tells which row of its table it is a part of.
        """
        nodes = self._nodes
        cells = self._cells(index)
        if not cells:
            return None
        shared = self._shared_states(cells)
        box = self._selection_box(cells)
        written = []
        for cell in cells:
            text: str | None
            if cell + 1 == box:
                text = self._texts.own_text(_as_selection(nodes[box]))
            else:
                text = self._cell(cell, shared)
            if text is None:
                return None
            written.append(f" {text}" if text else "")
            if cell != cells[-1]:
                written += [""] * (self._texts.columns_taken(cell) - 1)
        line = self._head(index, name, number, cells, shared) + " |".join(written)
        return line if len(line) <= _LONGEST_ROW else None

    def _head(
        self, index: int, name: str, number: str, cells: Sequence[int], shared: Sequence[str]
    ) -> str:
        """The words of the row itself. Without a colon: nothing but its role and its id."""
        row = self._nodes[index]
        words = [self._texts.own_text(replace(row, name=name) if name != row.name else row)]
        if number:
            words.append(f"part of {number}")
        if isinstance(level := row.state.get("level"), int):
            words.append(f"level {level}")
        if all(self._nodes[cell].role == "columnheader" for cell in cells):
            words.append("header")
        words += shared
        head = " ".join(words)
        return head if head.endswith(row.role) else f"{head}:"

    def _cells(self, index: int) -> list[int]:
        """The numbers of a row's cells; none where it has anything else but their edges."""
        nodes, ends = self._nodes, self._ends
        cells = []
        child, end = index + 1, ends[index]
        while child < end:
            node = nodes[child]
            if node.role in CELLS and not node.folded:
                cells.append(child)
            elif not self._texts.is_edge(child):
                return []
            child = ends[child]
        return cells

    def _shared_states(self, cells: Sequence[int]) -> list[str]:
        first = self._nodes[cells[0]].state
        if not first or len(cells) == 1:
            return []
        others = [self._nodes[cell].state for cell in cells[1:]]
        return [
            name
            for name in _SHARED
            if first.get(name) is True and all(state.get(name) is True for state in others)
        ]

    def _selection_box(self, cells: Sequence[int]) -> int:
        """The number of the box that selects the row; -1 where there is none.

        It is the only thing in the first cell, and named after another cell.
        """
        nodes, ends = self._nodes, self._ends
        cell = next((cell for cell in cells if nodes[cell].name or ends[cell] > cell + 1), -1)
        box = cell + 1
        if cell < 0 or nodes[cell].id is not None or ends[cell] != box + 1:
            return -1
        if nodes[box].role not in _SELECTION or nodes[cell].name not in ("", nodes[box].name):
            return -1
        others = nodes[box + 1 : ends[cells[-1]]]
        if any(node.role in _SELECTION for node in others):
            return -1
        name = nodes[box].name
        named_after = any(len(node.name) > 1 and node.name in name for node in others)
        return box if named_after else -1

    def _cell(self, index: int, shared: Sequence[str]) -> str | None:
        node, end = self._nodes[index], self._ends[index]
        if shared:
            state = {name: value for name, value in node.state.items() if name not in shared}
            node = replace(node, state=state)
        says_more = (
            node.id is not None
            or node.value is not None
            or any(name not in NOT_SHOWN for name in node.state)
        )
        if end == index + 1:
            if says_more:
                return self._without_role(node)
            return bare_text(node.name) if node.name else self._texts.drawing_text(node)
        items = self._items(index)
        if items is None or len(node.name) > _LONGEST_TEXT:
            return None
        if not says_more:
            texts = _with_rest(node.name, items)
            if len(items) == 1 and len(texts) == 1 and items[0][2]:
                return bare_text(items[0][0])
            return ", ".join(texts)
        inner = self._nodes[index + 1]
        if end == index + 2 and inner.role in CELLS and inner.id is None and not node.name:
            return f"{self._without_role(node)} {items[0][1]}"
        rest = _with_rest(node.name, items)
        if len(rest) == len(items):
            node = replace(node, name="")
        return ", ".join([self._without_role(node), *(text for _, text, _ in items)])

    def _items(self, index: int) -> list[tuple[str, str, bool]] | None:
        """Name and text of each thing in a cell, and whether it is plain text."""
        nodes, ends, texts = self._nodes, self._ends, self._texts
        depth, end = nodes[index].depth, ends[index]
        #: Up to here everything is inside something that can be acted on.
        control_end = end if nodes[index].id is not None else 0
        items: list[tuple[str, str, bool]] = []
        child = index + 1
        while child < end:
            node = nodes[child]
            if node.folded or node.depth - depth > _DEEPEST or len(node.name) > _LONGEST_TEXT:
                return None
            if (child < control_end and is_nameless_box(node)) or texts.is_wrapper(child):
                child += 1
                continue
            if _is_transparent(node):
                child += 1
                continue
            if node.role in CELLS and ends[child] == child + 1:  # a cell that is wrapped in one
                items.append((node.name, self._without_role(node), False))
                child += 1
                continue
            if node.role not in _SIMPLE or len(items) == _MOST_ITEMS:
                return None
            if node.id is not None and node.role in roles.INTERACTIVE:
                control_end = max(control_end, ends[child])
            text, child = texts.item_text(child)
            # The name of a cell has what a field in it holds, not what the field is called.
            in_name = node.value if node.value and node.value in nodes[index].name else node.name
            items.append((in_name, text, node.role == "text" and not node.state))
        return items

    def _without_role(self, node: Node) -> str:
        """`[0-7] "North"`: that it is a cell goes without saying."""
        text = self._texts.own_text(node)
        if node.id is None and not node.name and node.value is None:
            return text
        return f"{text} ".replace(f"{node.role} ", "", 1).rstrip()


def is_nameless_box(node: Node) -> bool:
    """Returns whether a node is a box that says nothing of itself."""
    return (
        node.role == "generic"
        and not node.name
        and node.value is None
        and all(name == "hidden" or name in NOT_SHOWN for name in node.state)
    )


def _is_transparent(node: Node) -> bool:
    return (
        node.role in _TRANSPARENT
        and node.id is None
        and not node.name
        and all(name in NOT_SHOWN for name in node.state)
    )


def _as_selection(box: Node) -> Node:
    """The box without a name, which is another cell's; not being checked goes without saying."""
    state = {name: value for name, value in box.state.items() if value is not False}
    return replace(box, name="", state=state)


def _with_rest(name: str, items: Sequence[tuple[str, str, bool]]) -> list[str]:
    """The texts of the things in a cell, and between them the words that only its name has."""
    texts = []
    position = 0
    names = [item[0] for item in items]

    def add_rest(rest: str) -> None:
        if rest and not any(_has_words(rest, inner) for inner in names):
            texts.append(f"text {quoted(rest)}")

    if not any(inner and inner in name for inner in names):
        add_rest(name)
        position = len(name)
    for inner, text, _ in items:
        found = name.find(inner, position) if inner else -1
        if found >= 0:
            add_rest(name[position:found].strip())
            position = found + len(inner)
        texts.append(text)
    add_rest(name[position:].strip())
    return texts


def _has_words(text: str, name: str) -> bool:
    """Returns whether a name has a text, and not as a part of a word."""
    start, end = (r"\b" if edge.isalnum() else "" for edge in (text[0], text[-1]))
    return re.search(f"{start}{re.escape(text)}{end}", name) is not None
