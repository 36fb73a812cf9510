"""What a difference reads like."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cdp_agent.snapshot import Node
from tests.unit.pages import numbered_node as node, plain_snapshot

TABLE = [
    node(20, "table", "Orders"),
    node(21, "row", depth=1),
    node(22, "cell", "Ada", depth=2),
    node(23, "cell", "open", depth=2),
    node(24, "cell", "Paid", depth=2),
    node(25, "checkbox", "Paid", depth=3),
]
FORM = [node(4, "textbox", "Email"), node(5, "checkbox", "Agree"), node(6, "button", "Send")]

OK = node(11, "button", "OK", 1)
NOTE = node(30, "text", "One", id=None)
NO_CHANGE = ["(no change)"]

CASES: dict[str, tuple[list[Node], list[Node], list[str]]] = {
    "a value": (
        FORM,
        [replace(FORM[0], value="a@b.c"), *FORM[1:]],
        ['~ [0-4] textbox "Email" value="a@b.c"'],
    ),
    "a state": (
        FORM,
        [FORM[0], replace(FORM[1], state={"checked": True}), FORM[2]],
        ['~ [0-5] checkbox "Agree" checked'],
    ),
    "two fields of one node are one line": (
        FORM,
        [*FORM[:2], replace(FORM[2], name="Sent", state={"disabled": True})],
        ['~ [0-6] button "Sent" disabled'],
    ),
    "a line that came, where it stands": (
        FORM,
        [FORM[0], node(9, "text", "Wrong", depth=1), *FORM[1:]],
        ['+  [0-9] text "Wrong"'],
    ),
    "a line that went": (FORM, FORM[1:], ['- [0-4] textbox "Email"']),
    "the one that moved, not those it passed": (
        FORM,
        [FORM[2], FORM[0], FORM[1]],
        ['> [0-6] button "Send"'],
    ),
    "one that moved inward": (
        FORM,
        [*FORM[:2], replace(FORM[2], depth=1)],
        ['> [0-6] button "Send"'],
    ),
    "one that can be clicked now": (
        [replace(FORM[2], id=None)],
        [FORM[2]],
        ['~ [0-6] button "Send"'],
    ),
    "one that can be clicked no more": (
        [FORM[2]],
        [replace(FORM[2], id=None)],
        ['~ button "Send"'],
    ),
    "a cell is told by its row": (
        TABLE,
        [*TABLE[:3], replace(TABLE[3], name="shipped"), *TABLE[4:]],
        ['~ [0-21] row [0-22] "Ada" | [0-23] "shipped" | [0-24], [0-25] checkbox "Paid"'],
    ),
    "two cells of a row are one line": (
        TABLE,
        [*TABLE[:3], replace(TABLE[3], name=""), *TABLE[4:5], replace(TABLE[5], name="Open")],
        ['~ [0-21] row [0-22] "Ada" | [0-23] | [0-24] "Paid", [0-25] checkbox "Open"'],
    ),
    "a cell that went is told by its row": (
        TABLE,
        [*TABLE[:3], *TABLE[4:]],
        ['~ [0-21] row [0-22] "Ada" | [0-24], [0-25] checkbox "Paid"'],
    ),
    "what went from behind a table is none of its last row": (
        [*TABLE, node(40, "button", "Save")],
        TABLE,
        ['- [0-40] button "Save"'],
    ),
    "a subtree that went is one line": (
        [*FORM, *TABLE],
        FORM,
        ['- [0-20] table "Orders" (1 row)'],
    ),
    "a list that closed is one line": (
        [*FORM, node(9, "listbox", id=None), *(node(n, "option", "A", 1) for n in range(50, 71))],
        FORM,
        ["- listbox (21 options)"],
    ),
    "a dialog that closed is one line": (
        [*FORM, node(9, "dialog", "Delete?"), node(10, "text", "Sure", 1, id=None), OK],
        FORM,
        ['- [0-9] dialog "Delete?" (1 element)'],
    ),
    "what stays of a subtree that went is not counted with it": (
        [*FORM, node(9, "dialog", "Delete?"), node(10, "button", "No", 1), OK],
        [*FORM, replace(OK, depth=0)],
        ['> [0-11] button "OK"', '- [0-9] dialog "Delete?"', '- [0-10] button "No"'],
    ),
    "many lines that went are counted": (
        [*FORM, *(node(n, "button", f"B{n}") for n in range(50, 71))],
        FORM,
        [*(f'- [0-{n}] button "B{n}"' for n in (50, 51, 52)), "- 18 more"],
    ),
    "focus that went elsewhere is told where it is": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        [*FORM[:2], replace(FORM[2], state={"focused": True})],
        ['~ [0-6] button "Send" focused'],
    ),
    "focus that is lost": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        FORM,
        ["(no change)"],
    ),
    "focus that is lost, and a value": (
        [replace(FORM[0], state={"focused": True}), *FORM[1:]],
        [replace(FORM[0], value="x"), *FORM[1:]],
        ['~ [0-4] textbox "Email" value="x"'],
    ),
    "a text drawn anew as it was": ([*FORM, NOTE], [*FORM, replace(NOTE, key="0-33")], NO_CHANGE),
    "texts drawn anew, one of them otherwise": (
        [*FORM, NOTE, node(31, "text", "Two", id=None), node(32, "text", "Three", id=None)],
        [*FORM, *(node(n, "text", t, id=None) for n, t in ((33, "One"), (34, "2"), (35, "Three")))],
        ['+ text "2"', '- text "Two"'],
    ),
    "texts that changed places are told": (
        [NOTE, *FORM],
        [*FORM, replace(NOTE, key="0-33")],
        ['+ text "One"', '- text "One"'],
    ),
    "a text in something drawn anew is told": (
        [*FORM, node(40, "group"), replace(NOTE, depth=1)],
        [*FORM, node(41, "group"), replace(NOTE, key="0-33", depth=1)],
        ["+ [0-41] group", '+  text "One"', "- [0-40] group (1 line)"],
    ),
    "a link drawn anew has another id": (
        [*FORM, node(40, "link", "More")],
        [*FORM, node(41, "link", "More")],
        ['+ [0-41] link "More"', '- [0-40] link "More"'],
    ),
    "nothing": (FORM, FORM, NO_CHANGE),
}


@pytest.mark.parametrize(("before", "after", "lines"), CASES.values(), ids=CASES.keys())
def test_a_difference_reads_like_this(
    before: list[Node], after: list[Node], lines: list[str]
) -> None:
    diff = plain_snapshot(after).diff(plain_snapshot(before))

    assert diff.text.split("\n") == lines


def test_a_header_that_changed_comes_first() -> None:
    before, after = plain_snapshot(FORM), plain_snapshot(FORM[:2], title="Thanks")

    assert after.diff(before).text.split("\n") == [
        "Page: Thanks · https://shop.test/ · 800x600, scrolled 0 of 1400",
        '- [0-6] button "Send"',
    ]


def test_a_number_that_another_document_uses_again_is_not_of_a_text_drawn_anew() -> None:
    before = plain_snapshot([NOTE], loader="L1")
    after = plain_snapshot([replace(NOTE, key="0-33"), node(30, "button", "Buy")], loader="L2")

    assert '+ [0-30] button "Buy"' in after.diff(before).text.split("\n")
