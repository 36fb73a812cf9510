"""Controls without a name, called by the text that stands beside them."""

from __future__ import annotations

import pytest

from cdp_agent.snapshot import Snapshot
from tests.unit.api.test_selector_match import keys, node, page

PAGES: dict[str, tuple[Snapshot, str, list[str]]] = {
    "the only field in the box of the text": (
        page(
            node(0, "generic", "", 1),
            node(1, "text", "Colours", 2, has_id=False),
            node(1, "combobox", "", 3),
            node(0, "textbox", "", 4),
        ),
        "Colours",
        ["0-3"],
    ),
    "a checkbox before its text": (
        page(
            node(0, "checkbox", "", 1),
            node(0, "text", "Agree", 2, has_id=False),
            node(0, "textbox", "", 3),
        ),
        "Agree",
        ["0-1"],
    ),
    "the field behind the text": (
        page(
            node(0, "textbox", "", 1),
            node(0, "text", "Day *", 2, has_id=False),
            node(0, "textbox", "", 3),
        ),
        "Day *",
        ["0-3"],
    ),
    "a text that goes on with what the field holds": (
        page(node(0, "text", "Count: 5", 1, has_id=False), node(0, "slider", "", 2)),
        "Count",
        ["0-2"],
    ),
    "a text that goes on otherwise is another": (
        page(node(0, "text", "Counting rules", 1, has_id=False), node(0, "slider", "", 2)),
        "Count",
        [],
    ),
    "a field with a name of its own is not taken": (
        page(node(0, "text", "Day", 1, has_id=False), node(0, "textbox", "Search", 2)),
        "Day",
        [],
    ),
    "two texts with a field each": (
        page(
            node(0, "text", "Day", 1, has_id=False),
            node(0, "textbox", "", 2),
            node(0, "text", "Day", 3, has_id=False),
            node(0, "textbox", "", 4),
        ),
        "Day",
        ["0-2", "0-4"],
    ),
    "the head of a row, whose cell holds the list": (
        page(
            node(0, "row", "", 1, has_id=False),
            node(1, "rowheader", "System", 2, has_id=False),
            node(1, "cell", "SQLite", 3, has_id=False),
            node(2, "combobox", "", 4),
            node(0, "row", "", 5, has_id=False),
            node(1, "rowheader", "User", 6, has_id=False),
            node(1, "cell", "", 7, has_id=False),
            node(2, "combobox", "", 8),
        ),
        "System",
        ["0-4"],
    ),
    "one of several fields in a row": (
        page(
            node(0, "row", "", 1, has_id=False),
            node(1, "cell", "User", 2, has_id=False),
            node(1, "cell", "", 3, has_id=False),
            node(2, "textbox", "", 4),
            node(1, "cell", "Pass", 5, has_id=False),
            node(1, "cell", "", 6, has_id=False),
            node(2, "textbox", "", 7),
        ),
        "Pass",
        ["0-7"],
    ),
    "the term of a list of terms": (
        page(
            node(0, "list", "", 1, has_id=False),
            node(1, "term", "Mail", 2, has_id=False),
            node(1, "definition", "", 3, has_id=False),
            node(2, "textbox", "", 4),
            node(1, "term", "Phone", 5, has_id=False),
            node(1, "definition", "", 6, has_id=False),
            node(2, "textbox", "", 7),
        ),
        "Mail",
        ["0-4"],
    ),
}


@pytest.mark.parametrize(("form", "label", "meant"), PAGES.values(), ids=PAGES.keys())
def test_a_label_beside_a_nameless_control_means_it(
    form: Snapshot, label: str, meant: list[str]
) -> None:
    assert keys(form, f"label={label}") == meant
