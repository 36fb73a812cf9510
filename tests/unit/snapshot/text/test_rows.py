"""Rows as lines: columns that do not shift, states and controls inside, lines where it is much."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cdp_agent.snapshot import Node, Snapshot
from tests.unit.pages import El, el, lines_of, text
from tests.unit.snapshot.text.test_layout import lines, node, page


def row(*cells: Node | tuple[Node, ...], **state: object) -> list[Node]:
    """A row of these cells; a cell with more in it is a tuple."""
    nodes = [replace(node(1, "row"), state=state)]
    for cell in cells:
        nodes += cell if isinstance(cell, tuple) else (cell,)
    return nodes


def cell(name: str = "", number: int = 0, role: str = "cell", **state: object) -> Node:
    return node(2, role, name, number, **state)


ROWS: dict[str, tuple[list[Node], list[str]]] = {
    "the row of a list to choose from": (
        row(
            (cell(), node(3, "checkbox", "Select SO-10192 for an action", 59, checked=False)),
            (cell(), node(3, "link", "SO-10192", 61)),
            cell("Hugo Weber"),
            cell("4056.40"),
        ),
        ['row [0-59] checkbox | [0-61] link "SO-10192" | Hugo Weber | 4056.40'],
    ),
    "a box that is checked says so": (
        row(
            (cell(), node(3, "checkbox", "Select SO-1", 59, checked=True, focused=True)),
            (cell(), node(3, "link", "SO-1", 61)),
        ),
        ['row [0-59] checkbox checked focused | [0-61] link "SO-1"'],
    ),
    "what a field holds is said once": (
        row((cell("1"), replace(node(3, "spinbutton", "Quantity", 5), value="1")), cell("Ada")),
        ['row [0-5] spinbutton "Quantity" value="1" | Ada'],
    ),
    "a box with a name of its own keeps it": (
        row((cell(), node(3, "checkbox", "Paid", 59, checked=False)), cell("Ada")),
        ['row [0-59] checkbox "Paid" unchecked | Ada'],
    ),
    "two boxes keep their names": (
        row(
            (cell(), node(3, "checkbox", "Paid: Ada", 5, checked=True)),
            (cell(), node(3, "checkbox", "Sent: Ada", 6, checked=False)),
            cell("Ada"),
        ),
        ['row [0-5] checkbox "Paid: Ada" checked | [0-6] checkbox "Sent: Ada" unchecked | Ada'],
    ),
    "empty cells stay": (
        row(cell(), cell("Ada"), cell(), cell("36"), cell()),
        ["row | Ada | | 36 |"],
    ),
    "the head says that it is one": (
        row(*(cell(name, role="columnheader") for name in ("", "Name", "Age"))),
        ["row header: | Name | Age"],
    ),
    "a head that can be sorted by": (
        row(
            (
                cell("1 Sort Name", role="columnheader"),
                node(3, "link", "Sort", 4),
                node(3, "link", "Name", 5),
            ),
            cell("Age", 6, role="columnheader"),
        ),
        ['row header: text "1", [0-4] link "Sort", [0-5] link "Name" | [0-6] "Age"'],
    ),
    "a short head is no part of a word of its buttons": (
        row(
            (
                cell("n Sort column ascending", role="columnheader"),
                node(3, "button", "Sort column ascending", 4),
            ),
            (cell("Sort by size", role="columnheader"), node(3, "button", "Sort by size", 5)),
        ),
        [
            'row header: text "n", [0-4] button "Sort column ascending" '
            '| [0-5] button "Sort by size"'
        ],
    ),
    "states of the row": (
        row(cell("Ada"), cell("36"), selected=True, expanded=False, level=2),
        ["row selected collapsed level 2: Ada | 36"],
    ),
    "a state of all cells is the row's": (
        row(cell("Ada", 4, readonly=True), cell("36", 5, readonly=True, selected=True)),
        ['row readonly: [0-4] "Ada" | [0-5] "36" selected'],
    ),
    "a state of one cell is its own": (
        row(cell("Ada"), cell("36", hidden=True)),
        ['row Ada | "36" hidden'],
    ),
    "controls and words of one cell": (
        row(
            (cell("Jana Kral 10"), node(3, "link", "Jana Kral", 4)),
            (cell(), node(3, "button", "Edit", 5), node(3, "button", "Delete", 6, disabled=True)),
        ),
        [
            'row [0-4] link "Jana Kral", text "10" '
            '| [0-5] button "Edit", [0-6] button "Delete" disabled'
        ],
    ),
    "a nameless box in a cell with an id": (
        row(
            (cell("SKU-1", 4), node(3, "generic", "", 5)),
            (cell("B00", 6), node(3, "generic", "", 7)),
        ),
        ['row [0-4] "SKU-1" | [0-6] "B00"'],
    ),
    "a nameless box in a cell without an id can be clicked": (
        row(cell("Ada"), (cell(), node(3, "generic", "", 5))),
        ["row Ada | [0-5] generic"],
    ),
    "a value": (
        row((cell(), replace(node(3, "textbox", "Count", 4), value="a | b")), cell("kg")),
        ['row [0-4] textbox "Count" value="a | b" | kg'],
    ),
    "a closed list in a row": (
        row(
            (
                cell(),
                node(3, "combobox", "Unit", 4, expanded=False),
                *(node(4, "option", f"U{n}", n) for n in range(10, 19)),
            ),
            cell("kg"),
        ),
        [
            'row [0-4] combobox "Unit" collapsed options: U10, U11, U12, U13, U14, U15, '
            "+3 more [expand 0-4] | kg"
        ],
    ),
    "a list of one button in a cell": (
        row(
            cell("Home"),
            (cell(), node(3, "list"), node(4, "listitem"), node(5, "button", "More", 4)),
        ),
        ['row Home | [0-4] button "More"'],
    ),
    "a form of one button in a cell": (
        row(cell("Home"), (cell(), node(3, "form"), node(4, "button", "Delete", 4))),
        ['row Home | [0-4] button "Delete"'],
    ),
    "a table in a cell keeps the lines": (
        row(cell("Ada"), (cell(), node(3, "table"), node(4, "row"), node(5, "cell", "x"))),
        ["row", ' cell "Ada"', " table", "  row x"],
    ),
    "a long text keeps the lines": (
        row(cell("Ada"), (cell("w" * 200 + "..."), node(3, "text", "w" * 300))),
        ["row", ' cell "Ada"', f' cell "{"w" * 200}..."', f'  text "{"w" * 300}"'],
    ),
    "many things in a cell keep the lines": (
        row(cell("Ada"), (cell(), *(node(3, "link", f"L{n}", n) for n in range(10, 20)))),
        ["row", ' cell "Ada"', " cell", *(f'  [0-{n}] link "L{n}"' for n in range(10, 20))],
    ),
}


@pytest.mark.parametrize(("nodes", "written"), ROWS.values(), ids=ROWS.keys())
def test_a_row_is_these_lines(nodes: list[Node], written: list[str]) -> None:
    outdented = [replace(one, depth=one.depth - 1) for one in nodes]

    assert lines(page(*outdented)) == written


QUOTED_TEXTS = [
    "a | b", "[0-9] button", "0-9", "10-20", '"', "\\", "selected: yes", "Total:", "button",
    "link Save", "header", 'text "x"', "- gone", "+37 rows", "* x", "value=3", "\u01c0", "\uff5c",
    "\uff3b0-1\uff3d", "text", "~ x", "…",
]  # fmt: skip


@pytest.mark.parametrize("said", QUOTED_TEXTS)
def test_text_that_looks_like_syntax_is_quoted_in_a_row(said: str) -> None:
    escaped = said.replace("\\", "\\\\").replace('"', '\\"')

    written = lines(page(node(0, "row"), node(1, "cell", said), node(1, "cell", "x")))

    assert written == [f'row "{escaped}" | x']


@pytest.mark.parametrize(
    "said", ["Ada", "2025-02-12", "4056.40", "-", "10:30", "Oct. 9, 2025", "€ 4"]
)
def test_text_that_looks_like_nothing_else_has_no_quotes(said: str) -> None:
    assert lines(page(node(0, "row"), node(1, "cell", said), node(1, "cell", "x"))) == [
        f"row {said} | x"
    ]


# -- from a document ----------------------------------------------------------------------------


def table(*rows: list[El]) -> El:
    return el("table", "", *(el("row", "", *cells, tag="tr") for cells in rows), tag="table")


def td(name: str = "", *inside: El) -> El:
    return el("cell", name, *inside or ((text(name),) if name else ()), tag="td")


def test_empty_cells_of_a_document_keep_their_columns() -> None:
    assert lines_of(table([td("1"), td(), td("Lisbon")], [td("2"), td("closed"), td()])) == [
        "table",
        " row 1 | | Lisbon",
        " row 2 | closed |",
    ]


def test_a_row_and_a_table_of_empty_cells_have_no_line() -> None:
    assert lines_of(table([td(), td()], [td("x"), td()])) == ["table", " row x |"]
    assert lines_of(table([td(), td()])) == []


def test_an_icon_that_only_layout_knows_stands_in_its_cell() -> None:
    icon = El("", tag="i", cursor="pointer")
    written = lines_of(table([td("Ada"), el("cell", "", icon, tag="td"), td("36")]))

    assert [re.sub(r"0-\d+", "0-N", line) for line in written] == [
        "table",
        " row Ada | [0-N] generic | 36",
    ]


# -- tables longer than the budget --------------------------------------------------------------


def orders(count: int) -> Snapshot:
    nodes = [node(0, "table", "Orders"), node(1, "row")]
    nodes += [node(2, "columnheader", name) for name in ("Order", "Customer", "Actions")]
    for number in range(10, 10 + count):
        nodes += [replace(node(1, "row"), key=f"0-{number * 100}"), node(2, "cell", f"SO-{number}")]
        nodes += [node(2, "cell", "Ada Lovelace"), node(2, "cell")]
        nodes += [node(3, "button", "Edit", number * 100 + 1)]
        if number % 3 == 0:  # more than one line has room for
            nodes += [node(3, "region", "Notes", number * 100 + 2), node(4, "text", "a note")]
    return page(*nodes, step=10)


@pytest.mark.parametrize("top", [0, -1500, -6000])
def test_a_table_folds_by_whole_rows_below_its_head(top: int) -> None:
    whole = orders(300)
    moved = tuple(
        replace(one, bounds=one.bounds._replace(y=one.bounds.y + top))
        for one in whole.elements
        if one.bounds is not None
    )
    snapshot = replace(whole, elements=moved, max_tokens=900)
    written = snapshot.text.split("\n")[1:]

    assert written[:2] == ['table "Orders"', " row header: Order | Customer | Actions"]
    stubs = [line for line in written if "[expand" in line]
    assert stubs
    assert all(re.fullmatch(r" \+\d+ rows \[expand 0-\d+00\]", line) for line in stubs)
    shown = sum(line.startswith(" row") for line in written) - 1
    assert shown + sum(int(line.split()[0]) for line in stubs) == 300
    assert shown > 5


def test_a_stub_says_where_what_it_stands_for_ends() -> None:
    whole = orders(100)
    moved = tuple(
        replace(one, bounds=one.bounds._replace(y=one.bounds.y - 1500))
        for one in whole.elements
        if one.bounds is not None
    )
    snapshot = replace(whole, elements=moved, max_tokens=600)
    written = [line.strip() for line in snapshot.text.split("\n")[1:]]
    first = next(n for n, line in enumerate(written) if "[expand" in line)
    stub = re.fullmatch(r"\+(\d+) rows \[expand (0-\d+)\]", written[first])
    assert stub is not None

    keys = [one.key for one in snapshot.nodes if one.role == "row"]
    start = keys.index(stub[2])

    assert snapshot.stubs[stub[2]] == keys[start + int(stub[1])]
    assert len(snapshot.stubs) == sum("[expand" in line for line in written)


@pytest.mark.parametrize(
    ("attributes", "written"),
    [
        ({"title": "active: yes", "class": "fa fa-check-circle"}, 'hint="active: yes"'),
        ({"class": "fa fa-check-circle"}, 'hint="check-circle"'),
        ({"class": "plain"}, ""),
    ],
)
def test_a_cell_in_which_only_an_icon_is_drawn_has_a_hint(
    attributes: dict[str, str], written: str
) -> None:
    icon = El("", tag="i", attrs=attributes)
    line = el("row", "", el("cell", "Ann", text("Ann")), el("cell", "", icon), tag="tr")

    assert lines_of(line) == [f"row Ann | {written}".rstrip()]


def grid_row(number: int, name: str, *cells: El) -> El:
    return el("row", name, *cells, attrs={"aria-rowindex": str(number)})


def test_a_name_that_every_row_has_is_said_once() -> None:
    name = "Press SPACE to select this row."
    rows = [grid_row(n, name, td(word)) for n, word in enumerate(("Ada", "Bob", "Cyd"), 1)]

    assert lines_of(el("grid", "", *rows)) == [
        "grid",
        f' row "{name}": Ada',
        " row Bob",
        " row Cyd",
    ]


def test_the_parts_of_a_row_that_a_grid_draws_apart_have_its_number() -> None:
    fixed = el("rowgroup", "", grid_row(2, "", td("Ada")), grid_row(3, "", td("Bob")))
    others = el("rowgroup", "", grid_row(2, "", td("36")), grid_row(3, "", td("41")))

    written = lines_of(el("grid", "", fixed, others))

    assert [line.strip() for line in written if "row " in line and "rowgroup" not in line] == [
        "row part of 2: Ada",
        "row part of 3: Bob",
        "row part of 2: 36",
        "row part of 3: 41",
    ]


def test_a_head_and_a_body_that_count_their_rows_apart_are_no_parts_of_a_row() -> None:
    head = el("rowgroup", "", grid_row(1, "", el("columnheader", "Name", text("Name"))))
    body = el("rowgroup", "", grid_row(1, "", td("Ada")), grid_row(2, "", td("Bob")))

    written = lines_of(el("grid", "", head, body))

    assert [line.strip() for line in written if "row " in line] == [
        "row header: Name",
        "row Ada",
        "row Bob",
    ]


def test_a_head_in_a_head_is_one_cell() -> None:
    heads = [
        el("columnheader", "", el("columnheader", name), props={"focusable": True})
        for name in ("Name", "Age")
    ]

    body = el("row", "", td("Ada"), td("36"))

    assert lines_of(el("grid", "", el("row", "", *heads), body)) == [
        "grid",
        ' row header: [0-6] "Name" | [0-8] "Age"',
        " row Ada | 36",
    ]


def test_cells_that_describe_a_drawing_have_no_ids() -> None:
    """A click on one finds no box: the canvas around them takes the pointer."""
    cells = [el("gridcell", word, text(word), props={"focusable": True}) for word in ("Ada", "36")]
    grid = el("grid", "", el("row", "", *cells), tag="table", box=None)

    assert lines_of(el("generic", "", grid, tag="canvas")) == [
        "[0-4] canvas",
        " grid",
        "  row Ada | 36",
    ]
