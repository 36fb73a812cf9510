"""Options of a run for `scripts/repeat`: which rows, on how slow a CPU, with what result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

LIST = Path(__file__).parents[2] / "browser" / "conformance" / "ROWS.md"


def row_ids() -> list[str]:
    """The ids of the conformance list, in its order."""
    return re.findall(r"^\| ([A-Z]{3}-\d+\w?) \|", LIST.read_text("utf-8"), re.MULTILINE)


def rows_of(item: pytest.Item) -> list[str]:
    """The rows of the conformance list that a test shows."""
    return [str(row) for mark in item.iter_markers("row") for row in mark.args]


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("conformance")
    group.addoption("--rows", help="only tests of these rows or areas, with commas: OOP,CLK-01")
    group.addoption("--row-results", type=Path, help="append a JSON line for each test of a row")
    group.addoption("--cpu-rate", type=int, default=1, help="how many times slower pages run")


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave only what `--rows` names."""
    if config.getoption("--rows") is None:
        return
    wanted = tuple(part for part in config.getoption("--rows").split(",") if part)
    kept = [item for item in items if any(row.startswith(wanted or "") for row in rows_of(item))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def record(item: pytest.Item, report: pytest.TestReport, failed: bool) -> None:
    """A test is over: whether anything of it, its set-up and after-state too, has failed."""
    path, rows = item.config.getoption("--row-results"), rows_of(item)
    if path is None or not rows or report.when != "teardown":
        return
    result = {"test": item.nodeid, "rows": rows, "passed": not failed}
    with path.open("a") as results:  # one short write: the workers share the file
        results.write(json.dumps(result) + "\n")
