"""The lists of long tests name files and tests that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.suite.tiers import LONG_FILES, LONG_TESTS, SLOW_UNIT

ROOT = Path(__file__).parents[3]
NAMED = [*LONG_FILES, *(f"tests/browser/{name}" for name in LONG_TESTS), *SLOW_UNIT]


@pytest.mark.parametrize("name", NAMED)
def test_a_listed_name_begins_that_of_a_file_or_a_test(name: str) -> None:
    path, colons, test = name.partition("::")
    found = list(ROOT.glob(f"{path.rstrip('/')}*"))

    assert found
    if colons:
        assert f"def {test or 'test_'}" in found[0].read_text("utf-8")
