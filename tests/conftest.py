"""Marks that tests of every kind may carry or read."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

# So that a failed comparison in there is explained like one in a test.
pytest.register_assert_rewrite("tests.support")

from tests.support.suite import flaky, rows, tiers  # noqa: E402 - after the line above

FAILED = pytest.StashKey[bool]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return tiers.is_left_out(config, collection_path) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rows.choose(config, items)
    tiers.choose(config, items)
    flaky.mark(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remembers a failure: its tab may be in any state, and its rows were not shown."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    rows.record(item, report, failed=item.stash.get(FAILED, False))
    return report


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "row(*ids): rows of conformance/ROWS.md that a test shows")
    config.addinivalue_line("markers", "widget(package): the npm package whose widget is driven")
    config.addinivalue_line(
        "markers", "no_after_state(reason): the page cannot take a control click afterwards"
    )
    config.addinivalue_line(
        "markers", "fresh_tab(reason): the test needs a tab that no other test has used or will use"
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    rows.add_options(parser)
    parser.addoption(
        "--quick", action="store_true", help="the first case of each test, and no long tests"
    )
    parser.addoption("--fast", action="store_true", help="unit tests that take seconds together")
    parser.addoption("--thorough", action="store_true", help="seeded searches in their long form")
    parser.addoption(
        "--schedules", type=int, help="how many schedules of tests/faults; 300 is the long form"
    )
    parser.addoption(
        "--mutations", type=int, help="random changes in the re-observation tests; 100 or 200"
    )


@pytest.fixture
def mutations(request: pytest.FixtureRequest) -> int:
    asked = request.config.getoption("mutations")
    return int(asked) if asked else 200 if request.config.getoption("thorough") else 100
