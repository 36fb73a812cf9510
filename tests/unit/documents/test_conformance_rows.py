"""Every behaviour that the conformance list names has a test that says so."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.suite.rows import row_ids

ROOT = Path(__file__).parents[3]
ROWS = row_ids()
AREAS = sorted({row.partition("-")[0] for row in ROWS})


def marked_rows(module: ModuleType) -> Iterator[str]:
    """The ids in `pytest.mark.row(...)`, above a test or beside one set of its parameters."""
    for name, test in vars(module).items():
        if not name.startswith("test_"):
            continue
        for mark in getattr(test, "pytestmark", ()):
            if mark.name == "row":
                yield from mark.args
            elif mark.name == "parametrize":
                for one in mark.args[1]:
                    for beside in getattr(one, "marks", ()):
                        if beside.name == "row":
                            yield from beside.args


@pytest.fixture(scope="module")
def covered() -> set[str]:
    paths = (ROOT / "tests" / "browser").rglob("test_*.py")
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return {row for name in names for row in marked_rows(importlib.import_module(name))}


def test_the_list_names_each_row_once() -> None:
    assert len(ROWS) == len(set(ROWS)) >= 190


@pytest.mark.parametrize("area", AREAS)
def test_every_row_has_a_test(area: str, covered: set[str]) -> None:
    assert not [row for row in ROWS if row.startswith(area) and row not in covered]


def test_no_test_names_a_row_that_does_not_exist(covered: set[str]) -> None:
    assert not {row for row in covered if row.partition("-")[0] in AREAS} - set(ROWS)
