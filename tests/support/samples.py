"""Which cases the ordinary run shows in frames: all kinds of frames, not all cases in each.

A test with many cases (twenty geometries, thirty names) runs them all in the main frame, and in
each other kind of frame one of them for each row of the conformance list that they show: what
differs there is the way to the frame, and that is the same for all cases. Each test takes another
one, so that together they take all sorts. On a slow CPU rows are shown by `scripts/repeat`.
`--thorough` runs every case everywhere.
"""

from __future__ import annotations

import zlib
from collections import defaultdict

import pytest

from tests.support.rows import rows_of

_SAMPLED = ("same-process", "oopif")


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave one case of each test and row for each kind of frame that is not the page itself."""
    cases: dict[tuple[str, str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        kind = parameters.get("frame_kind")
        if kind in _SAMPLED and len(parameters) > 1:
            rows = ",".join(rows_of(item))
            cases[item.nodeid.partition("[")[0], kind, rows].append(item)
    left_out = {id(item) for item in items if "6-times-slower" in item.nodeid}
    left_out |= {
        id(item)
        for (test, _, _), same in cases.items()
        for number, item in enumerate(same)
        if number != zlib.crc32(test.encode()) % len(same)
    }
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
        items[:] = [item for item in items if id(item) not in left_out]
