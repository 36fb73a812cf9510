"""The header of the column that a table's cell stands in. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cdp_agent.snapshot.dom.facts import DomFacts

_CELLS = frozenset({"td", "th"})
_CELL_ROLES = frozenset({"cell", "gridcell"})
#: Levels between a control and its cell, and between a row and its table.
_MOST_LEVELS = 8
#: Rows and groups of rows that are searched for the header.
_MOST_ROWS = 20


def column_header(facts: DomFacts, index: int) -> str:
    """The words of the header above the cell around a node, or nothing."""
    cell = _cell_around(facts, index)
    if cell < 0:
        return ""
    row = facts.document.nodes.parentIndex[cell]
    table = row
    for _ in range(_MOST_LEVELS):
        if table < 0 or _is_table(facts, table):
            break
        table = facts.document.nodes.parentIndex[table]
    header_row = _header_row(facts, table) if table >= 0 else -1
    if header_row in (-1, row):
        return ""
    return _header_at(facts, header_row, _number_in_row(facts, row, cell))


def _cell_around(facts: DomFacts, index: int) -> int:
    for _ in range(_MOST_LEVELS):
        if index < 0:
            break
        if facts.tag_at(index) in _CELLS or _role(facts, index) in _CELL_ROLES:
            return index
        index = facts.document.nodes.parentIndex[index]
    return -1


def _number_in_row(facts: DomFacts, row: int, cell: int) -> int:
    """The number of a cell in its row, from 1; a wide cell counts for its columns."""
    given = facts.attributes_at(cell).get("aria-colindex", "")
    if given.isdecimal():
        return int(given)
    number = 1
    for child in facts.children_at(row):
        if child == cell:
            break
        number += columns_taken(facts, child)
    return number


def columns_taken(facts: DomFacts, index: int) -> int:
    """The number of columns that a child of a row takes; 0 for what is not a cell."""
    if facts.tag_at(index) not in _CELLS and not _role(facts, index):
        return 0
    span = facts.attributes_at(index).get("colspan", "1")
    return int(span) if span.isdecimal() and len(span) < 4 else 1


def _header_row(facts: DomFacts, table: int) -> int:
    """The last row of a table's head, or the first row that holds headers alone; or -1."""
    groups = facts.children_at(table)[:_MOST_ROWS]
    heads = [row for group in groups if _is_head(facts, group) for row in facts.children_at(group)]
    for row in reversed(heads[:_MOST_ROWS]):
        if _holds_headers(facts, row):
            return row
    rows = [row for group in groups for row in (group, *facts.children_at(group)[:2])]
    return next((row for row in rows if _holds_headers(facts, row)), -1)


def _holds_headers(facts: DomFacts, row: int) -> bool:
    """Returns whether a row has cells and headers above them; the first is often a plain cell."""
    cells = [child for child in facts.children_at(row) if columns_taken(facts, child)]
    return bool(cells) and all(_is_header(facts, cell) for cell in cells[1:] or cells)


def _header_at(facts: DomFacts, row: int, wanted: int) -> str:
    number = 1
    for child in facts.children_at(row):
        given = facts.attributes_at(child).get("aria-colindex", "")
        number = int(given) if given.isdecimal() else number
        width = columns_taken(facts, child)
        if number <= wanted < number + width:
            return facts.text(facts.document.nodes.backendNodeId[child])
        number += width
    return ""


def _is_header(facts: DomFacts, index: int) -> bool:
    if _role(facts, index) == "columnheader":
        return True
    return facts.tag_at(index) == "th" and facts.attributes_at(index).get("scope") != "row"


def _is_head(facts: DomFacts, index: int) -> bool:
    return facts.tag_at(index) == "thead"


def _is_table(facts: DomFacts, index: int) -> bool:
    return facts.tag_at(index) == "table" or _role(facts, index) in ("table", "grid", "treegrid")


def _role(facts: DomFacts, index: int) -> str:
    return facts.attributes_at(index).get("role", "")
