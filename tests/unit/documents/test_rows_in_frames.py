"""Rows of mouse and keyboard are shown in every kind of frame by `scripts/test --all`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.suite.rows import row_ids

ROOT = Path(__file__).parents[3]
ROWS = row_ids()
KINDS = {"main", "same-process", "oopif"}
#: Areas of pointer, keyboard and forms.
EVERYWHERE = ("CLK", "OVL", "DYN", "LBL", "KEY", "FIL", "SEL", "DND", "SCR")
#: Rows that are about something else than a document which could stand in any frame.
ELSEWHERE = {
    "CLK-43": "script is switched off for a page; a frame without scripts is IFR-14",
    "DND-04": "from one document into another, of both kinds",
    "DND-11": "a library from npm, shown by the tests of widgets",
    "DYN-19": "a frame is removed, of both kinds",
    "OVL-13": "a cover over frames in frames, of both kinds",
    "SCR-04": "a frame scrolls and its page does not",
    "SCR-05": "the same with a frame of another process",
}

COLLECT = """
import json, sys, pytest
class Kinds:
    def pytest_collection_finish(self, session):
        from tests.support.suite.rows import rows_of
        shown = [[row, item.callspec.params["frame_kind"]] for item in session.items
                 if "frame_kind" in getattr(getattr(item, "callspec", None), "params", {})
                 for row in rows_of(item)]
        print("SHOWN " + json.dumps(shown))
sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:xdist", "-p", "no:cacheprovider",
                      "-W", "ignore", "tests/browser/conformance"], plugins=[Kinds()]))
"""


def kinds_shown() -> dict[str, set[str]]:
    """The kinds of frames in which the run shows each row, from the tests that it collects."""
    said = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True, timeout=120
    ).stdout
    kinds: dict[str, set[str]] = defaultdict(set)
    line = next(line for line in said.splitlines() if line.startswith("SHOWN "))
    for row, kind in json.loads(line.removeprefix("SHOWN ")):
        kinds[row].add(kind)
    return kinds


@pytest.mark.timeout(150)
def test_every_row_of_mouse_and_keyboard_is_shown_in_every_kind_of_frame() -> None:
    shown = kinds_shown()

    rows = [row for row in ROWS if row.startswith(EVERYWHERE) and row not in ELSEWHERE]
    assert len(rows) > 100
    assert {row: KINDS - shown[row] for row in rows if not shown[row] >= KINDS} == {}
    assert not [row for row in ELSEWHERE if shown[row] >= KINDS or row not in ROWS]
