"""States that attributes show: the current page, the sorted column, the ends of a range."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.snapshot.build.states import number_text
from tests.unit.pages import El, el, lines_of, text, wrapper


def link(**attrs: str) -> El:
    return el("link", "A", text("A"), tag="a", attrs=attrs)


def header(**attrs: str) -> El:
    return el("columnheader", "A", text("A"), tag="th", attrs=attrs)


def ranged(role: str, ends: dict[str, Any], **attrs: str) -> El:
    return el(role, "A", tag="input", value=5, props=ends, attrs=attrs)


ENDS = {"valuemin": 0, "valuemax": 60}

LINES: dict[str, tuple[El, str]] = {
    "the current page": (link(**{"aria-current": "page"}), '[0-4] link "A" current'),
    "not the current page": (link(**{"aria-current": "false"}), '[0-4] link "A"'),
    "chosen by its class": (link(**{"class": "nav-link active"}), '[0-4] link "A" selected'),
    "chosen in MUI": (link(**{"class": "MuiListItem Mui-selected"}), '[0-4] link "A" selected'),
    "a class that only sounds so": (link(**{"class": "active-users"}), '[0-4] link "A"'),
    "chosen by the class of its list item": (
        wrapper(link(), tag="li", attrs={"class": "selected"}),
        '[0-5] link "A" selected',
    ),
    "the tree knows better than a class": (
        el("tab", "A", text("A"), props={"selected": False}, attrs={"class": "active"}),
        '[0-4] tab "A"',
    ),
    "an active text is not chosen": (
        el("listitem", "", text("A"), attrs={"class": "active"}),
        'listitem "A"',
    ),
    "sorted": (header(**{"aria-sort": "descending"}), 'columnheader "A" sorted=descending'),
    "not sorted": (header(**{"aria-sort": "none"}), 'columnheader "A"'),
    "sorted in Django": (
        header(**{"class": "sortable column-customer sorted ascending"}),
        'columnheader "A" sorted=ascending',
    ),
    "sorted in DataTables": (
        header(**{"class": "sorting sorting_desc"}),
        'columnheader "A" sorted=descending',
    ),
    "a slider": (
        ranged("slider", ENDS, type="range", min="0", max="60", step="5"),
        '[0-4] slider "A" value="5" min=0 max=60 step=5',
    ),
    "a slider of a library": (
        ranged("slider", ENDS, **{"aria-valuemin": "0", "aria-valuemax": "60"}),
        '[0-4] slider "A" value="5" min=0 max=60',
    ),
    "a number field without ends": (
        ranged("spinbutton", {"valuemin": 0, "valuemax": 0}, type="number", step="any"),
        '[0-4] spinbutton "A" value="5"',
    ),
}


@pytest.mark.parametrize(("page", "line"), LINES.values(), ids=LINES.keys())
def test_a_state_of_the_attributes_is_in_the_line(page: El, line: str) -> None:
    assert lines_of(page) == [line]


def test_a_sorted_column_with_a_lone_link_keeps_its_line() -> None:
    page = el("columnheader", "", link(), tag="th", attrs={"aria-sort": "ascending"})

    assert lines_of(page) == ["columnheader sorted=ascending", ' [0-5] link "A"']


NUMBERS = {
    60.0: "60",
    1_234_567.0: "1234567",
    0.5: "0.5",
    96.9000015258789: "96.9",
    1e300: "1e+300",
    0.1: "0.1",
    float("inf"): "inf",
}


@pytest.mark.parametrize(("number", "wanted"), NUMBERS.items(), ids=NUMBERS.values())
def test_a_number_is_written_as_a_person_would(number: float, wanted: str) -> None:
    assert number_text(number) == wanted
