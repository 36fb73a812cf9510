"""Every behaviour that the conformance list names has a test that says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = (ROOT / "fixtures" / "conformance_rows.txt").read_text().split()


def marked_rows(source: str) -> Iterator[str]:
    """The ids in `@pytest.mark.row(...)` above tests, read without importing them."""
    for node in ast.walk(ast.parse(source)):
        # Above the function or beside one set of its parameters: a call in either place.
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.row":
            yield from (ast.literal_eval(argument) for argument in node.args)


@pytest.fixture(scope="module")
def covered() -> set[str]:
    tests = (ROOT / "tests" / "browser").rglob("test_*.py")
    return {row for path in tests for row in marked_rows(path.read_text())}


def test_the_list_names_each_row_once() -> None:
    assert len(ROWS) == len(set(ROWS)) == 170


@pytest.mark.parametrize("area", sorted({row.partition("-")[0] for row in ROWS}))
def test_every_row_has_a_test(area: str, covered: set[str]) -> None:
    missing = [row for row in ROWS if row.startswith(area) and row not in covered]
    assert not missing


def test_no_test_names_a_row_that_does_not_exist(covered: set[str]) -> None:
    areas = {row.partition("-")[0] for row in ROWS}
    assert not {row for row in covered if row.partition("-")[0] in areas} - set(ROWS)


def test_a_mark_beside_parameters_counts() -> None:
    source = "@pytest.mark.parametrize('a', [pytest.param(1, marks=pytest.mark.row('CLK-01'))])\n"
    assert set(marked_rows(source + "def test_x(a): ...")) == {"CLK-01"}
