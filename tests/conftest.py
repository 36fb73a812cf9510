"""Marks that tests of every kind may carry or read."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

# So that a failed comparison in there is explained like one in a test.
pytest.register_assert_rewrite("tests.support")

from tests.support import rows, samples  # noqa: E402 - after the line above, which is for its kind

FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rows.choose(config, items)
    if not config.getoption("thorough"):
        samples.choose(config, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remembers a failure: its tab may be in any state, and its rows were not shown."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    rows.record(item, report, failed=item.stash.get(FAILED, False))
    return report


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "row(*ids): the rows of CONFORMANCE.md that a test shows")
    config.addinivalue_line("markers", "widget(package): the npm package whose widget is driven")
    config.addinivalue_line(
        "markers", "no_after_state(reason): the page cannot take a control click afterwards"
    )
    config.addinivalue_line(
        "markers", "in_one_kind(name): cases of this name differ in the kind of frame alone"
    )
    config.addinivalue_line(
        "markers", "fresh_tab(reason): the test needs a tab that no other test has used or will use"
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    rows.add_options(parser)
    parser.addoption(
        "--thorough", action="store_true", help="every case in every kind of frame, not a sample"
    )
    parser.addoption(
        "--mutations", type=int, help="random changes in the re-observation tests; 100 or 200"
    )


@pytest.fixture
def mutations(request: pytest.FixtureRequest) -> int:
    asked = request.config.getoption("mutations")
    return int(asked) if asked else 200 if request.config.getoption("thorough") else 100
