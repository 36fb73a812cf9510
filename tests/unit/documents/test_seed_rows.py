"""Every row of the list of the seeds' requirements has a test that names it.

A test names a row in its own name (`test_row_94_…`, `test_rows_26_and_27_…`) or in its docstring
(`Seed row 31`, `Seed row 26 and 27`).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
_NUMBERS = r"\d+(?:(?:, |_and_| and )\d+)*"
_IN_NAME = re.compile(rf"_rows?_({_NUMBERS})_")
_IN_DOCSTRING = re.compile(rf"\bSeed row ({_NUMBERS})")


class SeedRow(NamedTuple):
    number: int
    seed: str
    text: str
    #: Why it stays as it is, in whole or in part; empty where it is as asked.
    decision: str


def seed_rows() -> list[SeedRow]:
    lines = (ROOT / "fixtures" / "seed_rows.txt").read_text().splitlines()
    rows = []
    for line in lines:
        if line and not line.startswith("#"):
            number, seed, text, *decision = (part.strip() for part in line.split(" | "))
            rows.append(SeedRow(int(number), seed, text, *decision or ("",)))
    return rows


def rows_named_in(source: str) -> set[int]:
    """The numbers that the tests of one file name."""
    named: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not node.name.startswith("test_"):
            continue
        mentions = _IN_NAME.findall(node.name)
        mentions += _IN_DOCSTRING.findall(ast.get_docstring(node) or "")
        named |= {int(number) for mention in mentions for number in re.findall(r"\d+", mention)}
    return named


@pytest.fixture(scope="module")
def named() -> set[int]:
    files = (ROOT / "tests").rglob("test_*.py")
    return {row for file in files for row in rows_named_in(file.read_text())}


def test_the_list_has_each_row_once_and_in_order() -> None:
    numbers = [row.number for row in seed_rows()]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 55


def test_rows_that_differ_by_decision_have_their_reason() -> None:
    assert {row.number for row in seed_rows() if len(row.decision) > 40} == {45, 55, 96}


@pytest.mark.parametrize("row", seed_rows(), ids=lambda row: f"{row.number} {row.text}")
def test_a_row_has_a_test(row: SeedRow, named: set[int]) -> None:
    assert row.number in named


def test_no_test_names_a_row_that_is_not_in_the_list(named: set[int]) -> None:
    assert named - {row.number for row in seed_rows()} == set()


def test_a_name_or_a_docstring_names_rows_and_nothing_else_does() -> None:
    source = '''
"""Seed row 1."""
def test_rows_26_and_27_labels() -> None: ...
async def test_more() -> None:
    """Seed row 3, 4 and 5: the wire."""
def helper_row_9_x() -> None:
    """Seed row 8"""
'''
    assert rows_named_in(source) == {3, 4, 5, 26, 27}
