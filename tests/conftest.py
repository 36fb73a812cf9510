"""Marks that tests of every kind may carry or read."""

from __future__ import annotations

import pytest

# So that a failed comparison in there is explained like one in a test.
pytest.register_assert_rewrite("tests.support")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "row(*ids): the rows of CONFORMANCE.md that a test shows")
    config.addinivalue_line(
        "markers", "no_after_state(reason): the page cannot take a control click afterwards"
    )
    config.addinivalue_line(
        "markers", "fresh_tab(reason): the test needs a tab that no other test has used or will use"
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mutations", type=int, default=200, help="random changes in the re-observation tests"
    )


@pytest.fixture
def mutations(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("mutations"))
