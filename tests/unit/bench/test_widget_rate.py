"""The last lines of `scripts/widgets`: a case whose end went wrong has not passed."""

from __future__ import annotations

from types import SimpleNamespace

from tests.browser.widgets.rate import PROPERTY, lines, results


def _report(package: str, case: str) -> SimpleNamespace:
    return SimpleNamespace(user_properties=[(PROPERTY, package)], nodeid=f"test_it.py::{case}")


def test_the_rate_counts_packages_and_names_the_cases_that_failed() -> None:
    reports = {
        "": [_report("quill", "types"), _report("uppy", "drops")],
        "passed": [_report("quill", "types"), _report("uppy", "drops"), _report("uppy", "browses")],
        "error": [_report("uppy", "browses")],
        "skipped": [_report("konva", "draws")],
        "rerun": [_report("quill", "types")],
    }

    assert lines(results(reports), {"quill": "2.0", "uppy": "4.1"}) == [
        "ok      quill 2.0                          1 of 1",
        "FAILED  uppy 4.1                           1 of 2",
        "        browses",
        "1 of 2 widgets pass (2 of 3 cases)",
    ]


def test_widgets_that_are_not_here_are_no_success() -> None:
    assert lines(results({"skipped": [_report("konva", "draws")]}), {}) == [
        "0 of 0 widgets: they are not here"
    ]
