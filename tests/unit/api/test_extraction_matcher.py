"""Of several tables the one whose heads fit best gives the records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from cdp_agent.api.extraction.matcher import Cell, Group, Harvest, Matcher, Source

NUMBERS = count(1)


def table(heads: Sequence[str], *rows: Sequence[str], kind: str = "table") -> Group:
    cells = tuple(
        tuple(
            Cell((head,), value, "", Source(0, next(NUMBERS)))
            for head, value in zip(heads, row, strict=True)
        )
        for row in rows
    )
    return Group(kind, "", tuple(heads), cells)


def records(groups: list[Group], *names: str, required: Sequence[str] = ()) -> Any:
    properties = {name: {"type": "string"} for name in names}
    items = {"type": "object", "properties": properties, "required": list(required)}
    return Matcher({"type": "array", "items": items}, Harvest(groups)).answer().value


SIMILAR = table(("Name of contact person", "City of the warehouse"), *[("Bo", "Oslo")] * 30)
EXACT = table(("Name", "City"), ("Ada", "London"), ("Grace", "New York"))


def test_equal_heads_win_over_similar_ones_of_more_rows() -> None:
    wanted = [{"name": "Ada", "city": "London"}, {"name": "Grace", "city": "New York"}]

    assert records([SIMILAR, EXACT], "name", "city") == wanted
    assert records([EXACT, SIMILAR], "name", "city") == wanted


def test_equal_heads_of_a_list_win_over_similar_ones_of_a_table() -> None:
    items = table(("Name", "City"), ("Ada", "London"), kind="list")

    assert records([SIMILAR, items], "name", "city") == [{"name": "Ada", "city": "London"}]


def test_more_of_the_names_win_over_a_better_fit_of_fewer() -> None:
    fewer = table(("Name",), ("Ada",), ("Grace",))
    more = table(("Full name", "Home city", "Year of birth"), ("Ada", "London", "1815"))

    found = records([fewer, more], "name", "city", "birth_year")

    assert found == [{"name": "Ada", "city": "London", "birth_year": "1815"}]


def test_similar_heads_are_taken_where_there_are_no_equal_ones() -> None:
    assert records([SIMILAR], "name", "city", required=["name"])[0] == {
        "name": "Bo",
        "city": "Oslo",
    }
