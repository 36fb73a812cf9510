"""The words that tell the rows of a table apart. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cdp_agent.snapshot.ax.roles import CELLS

if TYPE_CHECKING:
    from cdp_agent.snapshot.model import Node

_TABLES = frozenset({"table", "grid", "treegrid"})
_INDEX = "aria-rowindex"


class RowLabels:
    """Names and numbers of the rows of one snapshot."""

    def __init__(
        self,
        nodes: Sequence[Node],
        ends: Sequence[int],
        attributes: Callable[[Node], Mapping[str, str]],
    ) -> None:
        self._nodes = nodes
        self._ends = ends
        self._attributes = attributes

    def name(self, index: int, own_name: str) -> str:
        """The name of a row; empty where the row before it has the same.

        Grids name each row after the key that selects it.
        """
        before = index - 1
        depth = self._nodes[index].depth
        while before >= 0 and self._nodes[before].depth > depth:
            before -= 1
        previous = self._nodes[before] if before >= 0 else None
        if previous is None or previous.depth != depth or previous.role != "row":
            return own_name
        return "" if previous.name == own_name else own_name

    def number(self, index: int) -> str:
        """The number of a row of which its table has several parts; empty for a whole row.

        Grids with fixed columns write those and the others as rows of their own. Some count the
        rows of their head and their body each from one.
        """
        return self._numbers.get(index, "")

    @cached_property
    def _numbers(self) -> dict[int, str]:
        rows: dict[int, tuple[int, bool, str]] = {}
        tables: list[int] = []
        for index, node in enumerate(self._nodes):
            while tables and self._ends[tables[-1]] <= index:
                tables.pop()
            if node.role in _TABLES:
                tables.append(index)
            elif node.role == "row" and tables:
                number = self._attributes(node).get(_INDEX, "")
                rows[index] = tables[-1], self._is_of_headers(index), number
        parts = Counter(rows.values())
        return {index: row[2] for index, row in rows.items() if row[2] and parts[row] > 1}

    def _is_of_headers(self, index: int) -> bool:
        inside = self._nodes[index + 1 : self._ends[index]]
        cells = [node.role for node in inside if node.role in CELLS]
        return bool(cells) and all(role == "columnheader" for role in cells)
