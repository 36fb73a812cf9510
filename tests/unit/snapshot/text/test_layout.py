"""Lines of nodes: nothing twice, nothing empty, nothing that a page can imitate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Element, Node, PageInfo, Snapshot, Viewport
from cdp_agent.snapshot.dom.columns import Box
from cdp_agent.snapshot.text.tokens import estimate_tokens


def node(depth: int, role: str, name: str = "", number: int = 0, **state: Any) -> Node:
    """A line; with an id unless the number is 0."""
    key = f"0-{number}" if number else f"0-{role}{name}{depth}"
    element_id = ElementId(0, number) if number else None
    return Node(key, depth, role, name, None, state, id=element_id)


def page(*nodes: Node, top: int = 0, step: int = 0) -> Snapshot:
    """A page of these lines; its elements stand `step` pixels below each other."""
    elements = [
        Element(
            id=one.id,
            role=one.role,
            name=one.name,
            value=None,
            state=one.state,
            tag="",
            level=None,
            bounds=Box(0, top + place * step, 100, 20),
            frame_index=0,
            backend_node_id=one.id.backend_node_id,
            hints=(),
        )
        for place, one in enumerate(nodes)
        if one.id is not None
    ]
    return Snapshot(
        page=PageInfo("Test", "http://a.test/"),
        viewport=Viewport(800, 600, 0, 0, 800, 600),
        frames=(),
        nodes=nodes,
        elements=tuple(elements),
    )


def lines(snapshot: Snapshot) -> list[str]:
    return [f"{' ' * line.depth}{line.text}" for line in snapshot.lines]


OUTLINES: dict[str, tuple[list[Node], list[str]]] = {
    "an item is a mark before its first line": (
        [
            node(0, "list"),
            node(1, "listitem", level=1),
            node(2, "link", "One", 5),
            node(2, "button", "Delete", 6),
            node(1, "listitem"),
            node(2, "link", "Two", 7),
        ],
        ["list", ' * [0-5] link "One"', '  [0-6] button "Delete"', ' * [0-7] link "Two"'],
    ),
    "a row of plain cells is one line": (
        [
            node(0, "row"),
            node(1, "columnheader", "Name"),
            node(1, "columnheader", "Age"),
            node(0, "row", "Ada 36"),
            node(1, "cell", "Ada"),
            node(1, "cell", "36"),
        ],
        ["row header: Name | Age", "row Ada | 36"],
    ),
    "a row does not repeat its cells": (
        [node(0, "row", "Ada Edit", 3), node(1, "cell", "Ada", 4), node(1, "cell", "Edit", 5)],
        ['[0-3] row [0-4] "Ada" | [0-5] "Edit"'],
    ),
    "a cell keeps the words that no line inside it says": (
        [
            node(0, "row"),
            node(1, "cell", "Body { Rex the dog } Download"),
            node(2, "heading", "Body"),
            node(2, "button", "Download", 4),
        ],
        ['row heading "Body", text "{ Rex the dog }", [0-4] button "Download"'],
    ),
    "a cell with one thing in it is that thing": (
        [
            node(0, "row"),
            node(1, "cell", "Ada"),
            node(1, "cell", "Edit"),
            node(2, "button", "Edit", 4),
        ],
        ['row Ada | [0-4] button "Edit"'],
    ),
    "the options of a closed list stand behind it": (
        [
            node(0, "combobox", "Size", 3, expanded=False),
            node(1, "option", "Small", 4, selected=True),
            node(1, "option", "Large", 5, disabled=True),
        ],
        ['[0-3] combobox "Size" collapsed options: "Small" selected, "Large" disabled'],
    ),
    "a nameless box in a control has no line": (
        [
            node(0, "button", "New", 3),
            node(1, "generic", "", 4),
            node(1, "generic", "", 5),
            node(2, "text", "plus"),
            node(0, "button", "Next", 6),
        ],
        ['[0-3] button "New"', ' text "plus"', '[0-6] button "Next"'],
    ),
    "a named box in a control keeps its line": (
        [node(0, "tab", "Report", 3), node(1, "generic", "close", 4)],
        ['[0-3] tab "Report"', ' [0-4] generic "close"'],
    ),
    "a nameless box with words that is in no control keeps its line": (
        [
            node(0, "main", "", 2),
            node(1, "generic", "", 3),
            node(2, "text", "A"),
            node(2, "image", "B"),
        ],
        ["[0-2] main", " [0-3] generic", '  text "A"', '  image "B"'],
    ),
    "a box around one named control has no line": (
        [
            node(0, "generic", "", 3, hidden=True),
            node(1, "combobox", "Sort", 4),
            node(2, "text", "newest first"),
        ],
        ['[0-4] combobox "Sort"', ' text "newest first"'],
    ),
    "the options of a closed list in groups stand behind it": (
        [
            node(0, "combobox", "Food", 3, expanded=False),
            node(1, "option", "None", 4),
            node(1, "group", "Fruit"),
            node(2, "option", "Apple", 5, selected=True),
            node(2, "option", "Pear, ripe", 6),
            node(1, "group", "Roots: all"),
            node(2, "option", "Beet", 7),
            node(1, "option", "Other", 8),
        ],
        [
            '[0-3] combobox "Food" collapsed options: None; Fruit: "Apple" selected, '
            '"Pear, ripe"; "Roots: all": Beet; Other'
        ],
    ),
    "many options are cut with a count": (
        [
            node(0, "combobox", "Year", 3, expanded=False),
            *(node(1, "option", f"{year}", year) for year in range(1990, 2020)),
        ],
        [
            '[0-3] combobox "Year" collapsed options: '
            f"{', '.join(str(year) for year in range(1990, 2010))}, +10 more [expand 0-3]"
        ],
    ),
    "an open list has a line for each option": (
        [node(0, "combobox", "Size", 3, expanded=True), node(1, "option", "Small", 4)],
        ['[0-3] combobox "Size" expanded', ' [0-4] option "Small"'],
    ),
    "a box that only listens has no line": (
        [node(0, "generic", "", 3), node(1, "generic", "", 4), node(2, "button", "Go", 5)],
        ['[0-5] button "Go"'],
    ),
    "a box with words of its own keeps its line": (
        [node(0, "generic", "", 3), node(1, "text", "Ann"), node(1, "button", "Star", 5)],
        ["[0-3] generic", ' text "Ann"', ' [0-5] button "Star"'],
    ),
    "a box with one text and nothing else says it": (
        [node(0, "menu"), node(1, "generic", "", 3), node(2, "text", "Rename")],
        ["menu", ' [0-3] generic "Rename"'],
    ),
    "the labels of an axis are one line": (
        [*(node(0, "text", name) for name in ("0", "25", "50", "75")), node(0, "text", "x" * 30)],
        ['text "0" "25" "50" "75"', f'text "{"x" * 30}"'],
    ),
    "a few texts are a line each": (
        [node(0, "text", "From"), node(0, "text", "Ada"), node(0, "text", "today")],
        ['text "From"', 'text "Ada"', 'text "today"'],
    ),
    "nameless shapes of a drawing are one line": (
        [node(0, "graphics-symbol", "", number) for number in (3, 4, 5, 6)],
        ["graphics-symbol [0-3] [0-4] [0-5] [0-6]"],
    ),
    "the part of a button that has the focus has no line": (
        [node(0, "button", "Save", 3), node(1, "generic", "", 4, focused=True)],
        ['[0-3] button "Save"'],
    ),
    "a group around one named control has no line": (
        [node(0, "group", "", 3), node(1, "link", "Savings", 4)],
        ['[0-4] link "Savings"'],
    ),
    "a tab around a tab of its name has no line": (
        [
            node(0, "tab", "Files", 3, selected=True),
            node(1, "tab", "Files", 4, selected=True),
            node(2, "button", "Close", 5),
        ],
        ['[0-4] tab "Files" selected', ' [0-5] button "Close"'],
    ),
    "an empty box out of sight has no line": (
        [node(0, "generic", "", 3, hidden=True), node(0, "generic", "", 4)],
        ["[0-4] generic"],
    ),
    "a box named like what is in it has no line": (
        [node(0, "generic", "Item", 3), node(1, "combobox", "Item", 4)],
        ['[0-4] combobox "Item"'],
    ),
}


@pytest.mark.parametrize(("nodes", "text"), OUTLINES.values(), ids=OUTLINES.keys())
def test_nodes_are_these_lines(nodes: list[Node], text: list[str]) -> None:
    assert lines(page(*nodes)) == text


def rows(count: int) -> list[Node]:
    made = [node(0, "list")]
    for number in range(1, count + 1):
        made += [node(1, "listitem"), node(2, "link", f"Row {number}", number * 2)]
        made += [node(2, "button", f"Delete {number}", number * 2 + 1)]
    return made


@pytest.mark.parametrize("tokens", [150, 400, 1500])
def test_a_budget_is_kept_and_spent(tokens: int) -> None:
    snapshot = replace(page(*rows(500), step=10), max_tokens=tokens)

    assert 0.7 * tokens <= estimate_tokens(snapshot.text) <= tokens
    assert "[expand 0-" in snapshot.text


def test_a_page_that_fits_is_whole() -> None:
    whole = page(*rows(3))

    assert replace(whole, max_tokens=2000).text == whole.text


def test_what_is_in_view_stays_and_the_rest_is_counted() -> None:
    snapshot = replace(page(*rows(500), step=10, top=-3000), max_tokens=600)
    shown = [line for line in snapshot.text.split("\n") if "link" in line]
    first = int(shown[0].split('"Row ')[1].rstrip('"'))

    assert 95 <= first <= 105  # the rows above have scrolled away
    assert snapshot.text.split("\n")[2] == f" +{first - 1} listitem [expand 0-listitem1]"


def test_an_open_dialog_and_the_focus_come_first() -> None:
    far = [
        node(0, "dialog", "Sure?"),
        node(1, "button", "Yes", 9001),
        node(0, "textbox", "Search", 9002, focused=True),
    ]
    snapshot = replace(page(*rows(300), *far, step=10), max_tokens=150)

    assert '[0-9001] button "Yes"' in snapshot.text
    assert '[0-9002] textbox "Search" focused' in snapshot.text


def test_the_first_rows_of_a_long_table_stay_and_so_does_what_comes_after_it() -> None:
    table = [node(0, "table")]
    for number in range(1, 61):
        table += [node(1, "row", number=0), node(2, "cell", f"Order {number} of many")]
        table[-2] = replace(table[-2], key=f"0-row{number}")
    after = [node(0, "button", f"Page {number}", 900 + number) for number in range(8)]
    around = [node(0, "navigation", "Sidebar"), *(node(1, "link", f"L{n}", n) for n in range(1, 9))]
    snapshot = replace(page(*around, *table, *after, step=1), max_tokens=225)

    assert "row Order 7 of many" in snapshot.text
    assert "+" in snapshot.text.split("row Order 7 of many\n")[1].split("[expand")[0]
    assert '[0-907] button "Page 7"' in snapshot.text
    # The content comes before what is around it.
    assert '+1 navigation "Sidebar" [expand 0-navigationSidebar0]' in snapshot.text


def test_rows_come_before_the_choices_of_closed_lists() -> None:
    unit = [
        node(0, "combobox", "Unit", 1, expanded=False),
        *(node(1, "option", f"A unit of measure {number}") for number in range(20)),
    ]
    snapshot = replace(page(*unit, *rows(20), step=1), max_tokens=260)

    assert "collapsed options: A unit of measure 0, " in snapshot.text
    assert "A unit of measure 3, +16 more [expand 0-1]" in snapshot.text
    assert '[0-2] link "Row 1"' in snapshot.text


def test_separators_between_links_have_no_lines() -> None:
    text = lines(
        page(
            node(0, "link", "json", 1),
            node(0, "text", ","),
            node(0, "link", "CSV", 2),
            node(0, "text", "-"),
            node(0, "text", "("),
        )
    )

    assert text == ['[0-1] link "json"', '[0-2] link "CSV"', 'text "-"', 'text "("']


def test_a_stub_says_that_rows_are_in_it() -> None:
    table = [node(0, "form"), node(1, "text", "Some words before the table"), node(1, "table")]
    for number in range(1, 31):
        table.append(replace(node(2, "row"), key=f"0-row{number}"))
        table.append(node(3, "cell", f"Order {number} of very many orders"))
    snapshot = replace(page(node(0, "heading", "Orders"), *table, step=1), max_tokens=55)

    assert "+2 lines with 30 rows [expand 0-textSome" in snapshot.text
