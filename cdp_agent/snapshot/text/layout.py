"""The lines of a snapshot's text: no repetitions, no empty wrappers. Pure.

The nodes stay what they are, for programs, diffs and ids; only how they are written is decided
here. A row is one line, a list item is a mark before its first line, the options of a closed list
stand behind it, several short texts are one line. A comma, slash or bar between two links has no
line, nor has an empty box out of sight. A box that merely listens for clicks on what is inside it
has no line of its own, nor has a nameless one inside something that can be acted on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cdp_agent.snapshot.ax import roles
from cdp_agent.snapshot.ax.roles import CELLS
from cdp_agent.snapshot.text.choices import choices_text, is_closed_list
from cdp_agent.snapshot.text.column_header import columns_taken
from cdp_agent.snapshot.text.fallback_name import drawn_in, fallback_name
from cdp_agent.snapshot.text.line import NOT_SHOWN, format_line
from cdp_agent.snapshot.text.row import RowWriter, is_nameless_box
from cdp_agent.snapshot.text.row_label import RowLabels
from cdp_agent.text import quoted

if TYPE_CHECKING:
    from cdp_agent.snapshot.dom.facts import DomFacts
    from cdp_agent.snapshot.model import Node, Snapshot

_NAMED_BY_CELLS = CELLS | {"row"}
#: A listening box around more lines than this is a region of the page, not a thing to click.
_MANY_LINES = 12
#: Choices of a closed list in a row; there is one like it in most rows.
_CHOICES_IN_ROW = 6
#: So many short texts or nameless shapes in a row are one line.
_SHORTEST_RUN = 4
#: A strip between cells is at most so many pixels wide.
_STRIP = 10
_RUN_ROLES = frozenset({"text", "graphics-symbol"})
_SHORT_TEXT = 24
#: A text of nothing else only keeps what stands around it apart.
_SEPARATORS = frozenset(",;/|()[]·•\u203a»«▾▼")
#: One acts on these as a whole; a nameless box inside is a part of how they look.
_WHOLE_CONTROLS = (roles.INTERACTIVE - {"tab", "treeitem", "option", "listbox"}) | CELLS


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


def layout_lines(
    snapshot: Snapshot, expanded: str | None = None, wanted: Sequence[int] | None = None
) -> Iterator[Line]:
    """All lines in order. `expanded`: the key of a node whose children each get a line.

    Where the numbers of `wanted` nodes are given, subtrees that have none of them are left out.
    """
    return _Layout(snapshot, expanded).lines(wanted)


def _any_between(numbers: Sequence[int], start: int, end: int) -> bool:
    """Returns whether one of these numbers, which are in order, is from `start` up to `end`."""
    place = bisect_left(numbers, start)
    return place < len(numbers) and numbers[place] < end


def _unfocused(node: Node) -> Node:
    if "focused" not in node.state:
        return node
    return replace(node, state={k: v for k, v in node.state.items() if k != "focused"})


class _Layout:
    def __init__(self, snapshot: Snapshot, expanded: str | None) -> None:
        self._snapshot = snapshot
        self._nodes = snapshot.nodes
        self._ends = snapshot.ends
        self._expanded = expanded
        self._rows = RowWriter(self._nodes, self._ends, self)
        self._labels = RowLabels(self._nodes, self._ends, self._attributes)

    def lines(self, wanted: Sequence[int] | None) -> Iterator[Line]:
        #: Ends of subtrees that are written one step further to the left, innermost last.
        outdented: list[int] = []
        #: Up to here everything is inside something that one acts on as a whole, or as another.
        whole_end = part_end = 0
        mark, top = "", 0
        index = 0
        while index < len(self._nodes):
            while outdented and outdented[-1] <= index:
                outdented.pop()
            node, end = self._nodes[index], self._ends[index]
            if wanted is not None and not mark and not _any_between(wanted, index, end):
                index = end
                continue
            depth = max(node.depth - len(outdented), 0)
            if self._is_marked_item(index):
                # Its first line carries the mark; the others stay one step further in.
                mark, top = "* ", index
                outdented.append(self._ends[index + 1])
                index += 1
                continue
            if not mark and (self._is_separator(index) or self._is_unseen(index)):
                index += 1
                continue
            in_whole = index < whole_end
            is_part = index < part_end and self._is_part(index, in_whole)
            if is_part or self.is_wrapper(index):
                outdented.append(end)
                index += 1
                continue
            text, next_index = (self._run(index) if wanted is None and not mark else None) or (
                self._text(index)
            )
            yield Line(index, next_index, top if mark else index, depth, mark + text)
            mark = ""
            if node.id is not None and next_index < end:
                part_end = max(part_end, end)
                if node.role in _WHOLE_CONTROLS:
                    whole_end = max(whole_end, end)
            index = next_index

    # -- what has no line -----------------------------------------------------------------------

    def _is_marked_item(self, index: int) -> bool:
        node = self._nodes[index]
        plain = node.role == "listitem" and node.id is None and not node.name
        silent = all(name in NOT_SHOWN for name in node.state)
        return plain and silent and self._ends[index] > index + 1

    def _is_separator(self, index: int) -> bool:
        """Returns whether a text is a mere mark beside something that one can act on."""
        node, nodes = self._nodes[index], self._nodes
        if node.role != "text" or node.id is not None or node.state or node.key == self._expanded:
            return False
        beside = nodes[max(index - 1, 0) : index + 2]
        return (
            0 < len(node.name) <= 3
            and all(character in _SEPARATORS for character in node.name.replace(" ", ""))
            and any(other.id is not None for other in beside)
        )

    def _is_unseen(self, index: int) -> bool:
        """Returns whether a node is an empty box out of sight, such as one that keeps the focus in.

        A box that answers to clicks may be what one clicks, though it is transparent.
        """
        node, is_leaf = _unfocused(self._nodes[index]), self._ends[index] == index + 1
        if not is_leaf or "hidden" not in node.state or not is_nameless_box(node):
            return False
        facts, backend = self._facts_of(node)
        listens = facts is not None and facts.is_clickable(backend)
        return node.key != self._expanded and not listens and not self._is_pointed_at(node)

    def _is_part(self, index: int, in_whole: bool) -> bool:
        """Returns whether a node is a nameless box and a mere part of what it is in.

        In a tab, an item of a tree or a box, one that shows and that its attributes describe may
        be a button.
        """
        node = self._nodes[index]
        is_leaf = self._ends[index] == index + 1
        if is_leaf:  # a button may give the focus to a part of itself
            node = _unfocused(node)
        if node.key == self._expanded or not is_nameless_box(node):
            return False
        if in_whole:
            return True
        return is_leaf and ("hidden" in node.state or not fallback_name(self._snapshot, node))

    def is_wrapper(self, index: int) -> bool:
        """Returns whether a node has no line because the lines inside it say all that it says."""
        node, end = self._nodes[index], self._ends[index]
        if end == index + 1 or node.key == self._expanded:
            return False
        if node.id is None:
            alone = self._ends[index + 1] == end
            is_sorted = "sorted" in node.state
            return node.role in CELLS and alone and not is_sorted and not self._own_name(index)
        if node.role == "tab":
            return self._is_tab_in_tab(index)
        box = replace(node, role="generic") if node.role == "group" else node
        if is_nameless_box(box) and self._holds_one_control(index):
            return True
        if node.role != "generic" or node.value is not None:
            return False
        if node.state:
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

    def _is_tab_in_tab(self, index: int) -> bool:
        """Whether a tab begins with another of its name: the one that listens, or is dragged."""
        node, inner = self._nodes[index], self._nodes[index + 1]
        states = [{**one.state, "focused": None} for one in (node, inner)]
        is_like = (inner.role, inner.name, states[1]) == (node.role, node.name, states[0])
        return is_like and inner.id is not None and "focused" not in node.state

    def _holds_one_control(self, index: int) -> bool:
        """Returns whether a box has nothing in it but one control with a name."""
        inner, end = index + 1, self._ends[index]
        while inner < end and self._ends[inner] == end:
            node = self._nodes[inner]
            if node.id is not None and node.role in roles.INTERACTIVE:
                return bool(node.name)
            if not is_nameless_box(node):
                return False
            inner += 1
        return False

    def _is_pointed_at(self, node: Node) -> bool:
        return self._cursor(node) == "pointer"

    def is_edge(self, index: int) -> bool:
        """Returns whether a node is a nameless strip between cells, dragged to size a column."""
        node, is_leaf = self._nodes[index], self._ends[index] == index + 1
        if not is_leaf or not is_nameless_box(node):
            return False
        box = self._snapshot.get(node.id).bounds if node.id is not None else None
        return self._cursor(node).endswith("-resize") or (box is not None and box.width <= _STRIP)

    def _cursor(self, node: Node) -> str:
        facts, backend = self._facts_of(node)
        return facts.cursor(backend) if facts is not None else ""

    def columns_taken(self, index: int) -> int:
        """The number of columns that a cell takes, at least one."""
        facts, backend = self._facts_of(self._nodes[index])
        position = facts.position(backend) if facts is not None else -1
        return columns_taken(facts, position) or 1 if facts is not None and position >= 0 else 1

    def _attributes(self, node: Node) -> Mapping[str, str]:
        facts, backend = self._facts_of(node)
        return facts.attributes(backend) if facts is not None else {}

    def _facts_of(self, node: Node) -> tuple[DomFacts | None, int]:
        """The facts of a node's document, and its backend node id there; None for no DOM node."""
        frame, _, number = node.key.partition("-")
        return (self._snapshot.document(int(frame)), int(number)) if number.isdigit() else (None, 0)

    # -- what a line says -----------------------------------------------------------------------

    def _text(self, index: int) -> tuple[str, int]:
        """The line of a node, and the first node after it that still needs one."""
        node, end = self._nodes[index], self._ends[index]
        if node.folded:
            return format_line(node), end
        if node.role == "row":
            name = self._labels.name(index, self._own_name(index))
            row = self._rows.text(index, name, self._labels.number(index))
            if row is not None:
                return row, end
        if self._says_one_text(index):
            node = replace(node, name=self._nodes[index + 1].name)
            return format_line(node) + self._bounds(node), end
        return self._node_text(index)

    def _run(self, index: int) -> tuple[str, int] | None:
        """The line of a run of short texts, or of nameless shapes, and what comes after it.

        The labels of an axis, or the handles of a drawing: a line for each would say no more.
        """
        first, end = self._nodes[index], index
        if first.role not in _RUN_ROLES:
            return None
        while end < len(self._nodes) and self._may_run(end, first):
            end += 1
        if end - index < _SHORTEST_RUN:
            return None
        return " ".join([first.role, *map(self._run_item, range(index, end))]), end

    def _may_run(self, index: int, first: Node) -> bool:
        node = self._nodes[index]
        is_like = node.role == first.role and node.depth == first.depth
        is_plain = not node.state and not node.folded and self._ends[index] == index + 1
        if not is_like or not is_plain or node.key == self._expanded or self._is_separator(index):
            return False
        if node.role == "text":
            return node.id is None and 0 < len(node.name) <= _SHORT_TEXT
        return node.id is not None and not node.name

    def _run_item(self, index: int) -> str:
        node = self._nodes[index]
        if node.id is None:
            return quoted(node.name)
        return f"[{node.id}]{self._hint(index, in_row=False)}{self._bounds(node)}"

    def _says_one_text(self, index: int) -> bool:
        """Returns whether a box that can be clicked has one text in it and nothing else."""
        node, end = self._nodes[index], self._ends[index]
        if end != index + 2 or node.id is None or node.key == self._expanded:
            return False
        inner = self._nodes[index + 1]
        is_plain = inner.role == "text" and inner.id is None and not inner.state
        return is_plain and not inner.folded and is_nameless_box(node)

    def item_text(self, index: int) -> tuple[str, int]:
        """The text of a node in a cell, and the first node that it does not cover."""
        return self._node_text(index, _CHOICES_IN_ROW, in_row=True)

    def _node_text(self, index: int, *most_choices: int, in_row: bool = False) -> tuple[str, int]:
        node, end = self._nodes[index], self._ends[index]
        hint = self._hint(index, in_row=in_row)
        if is_closed_list(node) and end > index + 1 and node.key != self._expanded:
            choices = choices_text(node, self._nodes[index + 1 : end], *most_choices)
            if choices:
                return f"{format_line(node)}{hint} {choices}{self._bounds(node)}", end
        name = self._own_name(index)
        if name != node.name:
            node = replace(node, name=name)
        return format_line(node) + hint + self._bounds(node), index + 1

    def _hint(self, index: int, *, in_row: bool) -> str:
        """The hint that tells a nameless element from others, unless the text before it does.

        In the line of a row the header of the column does: it stands above it.
        """
        node, is_leaf = self._nodes[index], self._ends[index] == index + 1
        if node.id is None or node.name or not (is_leaf or node.role in roles.INTERACTIVE):
            return ""
        hint = fallback_name(self._snapshot, node, in_row=in_row)
        if not hint or (index and self._nodes[index - 1].name == hint):
            return ""
        return f" hint={quoted(hint)}"

    def drawing_text(self, node: Node) -> str:
        """A hint at what is drawn in a cell without text: `hint="check-circle"`."""
        hint = drawn_in(self._snapshot, node)
        return f"hint={quoted(hint)}" if hint else ""

    def own_text(self, node: Node) -> str:
        """The text of a node without what is inside it."""
        return format_line(node) + self._bounds(node)

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
