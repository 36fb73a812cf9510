"""The lines of a snapshot's text: no repetitions, no empty wrappers. Pure.

The nodes stay what they are, for programs, diffs and ids; only how they are written is decided
here. A row of plain cells is one line, a list item is a mark before its first line, the options of
a closed list stand behind it, and a box that merely listens for clicks on what is inside it has no
line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cdp_agent.snapshot.ax.roles import INTERACTIVE
from cdp_agent.snapshot.text.fallback_name import fallback_name
from cdp_agent.snapshot.text.line import NOT_SHOWN, format_line
from cdp_agent.text import quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node, Snapshot

_CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_NAMED_BY_CELLS = _CELLS | {"row"}
#: Options of a closed list that are written out; `expand` shows them all.
_MOST_OPTIONS = 50
#: A listening box around more lines than this is a region of the page, not a thing to click.
_MANY_LINES = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text for the nodes from `node` up to `end`, by their numbers.

    `top` is the wrapper that begins with it, if there is one.
    """

    node: int
    end: int
    top: int
    depth: int
    text: str

    @property
    def indented(self) -> str:
        return f"{' ' * self.depth}{self.text}"


def layout_lines(snapshot: Snapshot, expanded: str | None = None) -> list[Line]:
    """All lines in order. `expanded`: the key of a node whose children each get a line."""
    return list(_Layout(snapshot, expanded).lines())


def ends_of(nodes: Sequence[Node]) -> list[int]:
    """For each node, where its subtree ends in the list."""
    ends = [len(nodes)] * len(nodes)
    open_nodes: list[int] = []
    for index, node in enumerate(nodes):
        while open_nodes and nodes[open_nodes[-1]].depth >= node.depth:
            ends[open_nodes.pop()] = index
        open_nodes.append(index)
    return ends


class _Layout:
    def __init__(self, snapshot: Snapshot, expanded: str | None) -> None:
        self._snapshot = snapshot
        self._nodes = snapshot.nodes
        self._ends = ends_of(snapshot.nodes)
        self._expanded = expanded

    def lines(self) -> Iterator[Line]:
        #: Ends of subtrees that are written one step further to the left, innermost last.
        outdented: list[int] = []
        mark, top = "", 0
        index = 0
        while index < len(self._nodes):
            while outdented and outdented[-1] <= index:
                outdented.pop()
            node, end = self._nodes[index], self._ends[index]
            depth = max(node.depth - len(outdented), 0)
            if self._is_marked_item(index):
                # Its first line carries the mark; the others stay one step further in.
                mark, top = "* ", index
                outdented.append(self._ends[index + 1])
                index += 1
                continue
            if self._is_mere_wrapper(index):
                outdented.append(end)
                index += 1
                continue
            text, next_index = self._text(index)
            yield Line(index, next_index, top if mark else index, depth, mark + text)
            mark = ""
            index = next_index

    # -- what has no line -----------------------------------------------------------------------

    def _is_marked_item(self, index: int) -> bool:
        node = self._nodes[index]
        plain = node.role == "listitem" and node.id is None and not node.name
        silent = all(name in NOT_SHOWN for name in node.state)
        return plain and silent and self._ends[index] > index + 1

    def _is_mere_wrapper(self, index: int) -> bool:
        node, end = self._nodes[index], self._ends[index]
        if end == index + 1 or node.key == self._expanded:
            return False
        if node.id is None:
            alone = self._ends[index + 1] == end
            is_sorted = "sorted" in node.state
            return node.role in _CELLS and alone and not is_sorted and not self._own_name(index)
        if node.role != "generic" or node.state or node.value is not None:
            return False
        inside = self._nodes[index + 1 : end]
        if not any(inner.id is not None for inner in inside):
            return False
        if node.name:
            return any(inner.name == node.name and inner.id is not None for inner in inside)
        if self._is_pointed_at(node):
            return False
        return len(inside) > _MANY_LINES or not any(
            inner.id is None and inner.role == "text" for inner in inside
        )

    def _is_pointed_at(self, node: Node) -> bool:
        frame, _, number = node.key.partition("-")
        facts = self._snapshot.document(int(frame))
        return facts is not None and number.isdigit() and facts.has_pointer(int(number))

    # -- what a line says -----------------------------------------------------------------------

    def _text(self, index: int) -> tuple[str, int]:
        """The line of a node, and the first node after it that still needs one."""
        node, end = self._nodes[index], self._ends[index]
        if node.folded:
            return format_line(node), end
        if node.key != self._expanded:
            if node.role == "row" and (cells := self._plain_cells(index)):
                return self._row(node, cells) + self._bounds(node), end
            if options := self._closed_options(index):
                line = self._with_options(node, options, self._hint(index))
                return line + self._bounds(node), end
        name = self._own_name(index)
        if name != node.name:
            node = replace(node, name=name)
        text = format_line(node)
        return text + self._hint(index) + self._bounds(node), index + 1

    def _hint(self, index: int) -> str:
        """What tells a nameless element from others, unless the text before it says so."""
        node, is_leaf = self._nodes[index], self._ends[index] == index + 1
        if node.id is None or node.name or not (is_leaf or node.role in INTERACTIVE):
            return ""
        hint = fallback_name(self._snapshot, node)
        if not hint or (index and self._nodes[index - 1].name == hint):
            return ""
        return f" hint={quoted(hint)}"

    def _bounds(self, node: Node) -> str:
        if not self._snapshot.with_bounds or node.id is None:
            return ""
        box = self._snapshot.get(node.id).bounds
        if box is None:
            return ""
        return f" @{round(box.x)},{round(box.y)} {round(box.width)}x{round(box.height)}"

    def _own_name(self, index: int) -> str:
        """The name of a node, unless the lines inside it say the same."""
        node, end = self._nodes[index], self._ends[index]
        if node.role not in _NAMED_BY_CELLS or end == index + 1 or not node.name:
            return node.name
        # Words that only the name has would be lost: they have no line because it says them.
        left = node.name.removesuffix("...").replace(" ", "")
        for inner in self._nodes[index + 1 : end]:
            left = left.replace(inner.name.replace(" ", ""), "", 1) if inner.name else left
        return node.name if left else ""

    def _plain_cells(self, index: int) -> Sequence[Node]:
        cells = self._nodes[index + 1 : self._ends[index]]
        depth = self._nodes[index].depth + 1
        plain = all(
            cell.depth == depth
            and cell.role in _CELLS
            and cell.id is None
            and not cell.state
            and not cell.folded
            for cell in cells
        )
        return cells if plain else ()

    def _row(self, node: Node, cells: Sequence[Node]) -> str:
        head = " header" if all(cell.role == "columnheader" for cell in cells) else ""
        said = " ".join(quoted(cell.name) for cell in cells)
        return f"{format_line(replace(node, name=''))}{head} {said}"

    def _closed_options(self, index: int) -> Sequence[Node]:
        node = self._nodes[index]
        if node.role != "combobox" or node.state.get("expanded") is not False:
            return ()
        options = self._nodes[index + 1 : self._ends[index]]
        plain = all(option.role == "option" and not option.folded for option in options)
        return options if plain else ()

    def _with_options(self, node: Node, options: Sequence[Node], hint: str) -> str:
        shown = [_option(option) for option in options[:_MOST_OPTIONS]]
        more = len(options) - len(shown)
        if more:
            shown.append(f"+{more} more [expand {node.key}]")
        return f"{format_line(node)}{hint} options {' '.join(shown)}"


def _option(option: Node) -> str:
    return quoted(option.name) + (" disabled" if option.state.get("disabled") else "")
