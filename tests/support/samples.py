"""Which cases the ordinary run shows in frames: all kinds of frames, not all cases in each.

A test with many cases (twenty geometries, thirty names) runs them all in the main frame, and in
each other kind of frame one of them for each row of the conformance list that they show: what
differs there is the way to the frame, and that is the same for all cases. Each test takes another
one, so that together they take all sorts. On a slow CPU rows are shown by `scripts/repeat`.

What one does with mouse and keyboard has to be shown in every kind of frame, row by row. A test
that shows no such row runs in one of the two kinds besides the main frame, cases that are marked
`in_one_kind` run in one kind of all, and each case of a frame whose `host` is either the page's or
another, with one of the two: each takes another one here, too.

`--thorough` runs every case everywhere.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable

import pytest

from tests.support.rows import rows_of

#: Areas of pointer, keyboard and forms: their rows are shown in every kind of frame.
EVERYWHERE = ("CLK", "OVL", "DYN", "LBL", "KEY", "FIL", "SEL", "DND", "SCR")
_SAMPLED = ("same-process", "oopif")


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the samples of the cases that differ in the kind of frame or stand in one."""
    left_out = {id(item) for item in items if "6-times-slower" in item.nodeid}
    for groups in (_cases_in_a_frame, _kinds_of_a_test, _kinds_of_a_case, _hosts_of_a_case):
        kept = [item for item in items if id(item) not in left_out]
        for name, group in groups(kept).items():
            chosen = zlib.crc32(name.encode()) % len(group)
            for number, same in enumerate(group.values()):
                if number != chosen:
                    left_out |= {id(item) for item in same}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
        items[:] = [item for item in items if id(item) not in left_out]


#: What is the same in other respects, by its name → the things of which one is enough.
_Groups = dict[str, dict[str, list[pytest.Item]]]


def _cases_in_a_frame(items: Iterable[pytest.Item]) -> _Groups:
    """Of each test and row, the cases in one kind of frame that is not the page itself."""
    found: _Groups = defaultdict(lambda: defaultdict(list))
    for item in items:
        kind = _parameters(item).get("frame_kind")
        if kind in _SAMPLED and len(_parameters(item)) > 1:
            rows = ",".join(rows_of(item))
            found[f"{_test(item)} {kind} {rows}"][item.nodeid].append(item)
    return found


def _kinds_of_a_test(items: Iterable[pytest.Item]) -> _Groups:
    """Of each test that shows nothing of mouse and keyboard, the kinds besides the page itself."""
    found: _Groups = defaultdict(lambda: defaultdict(list))
    for item in items:
        kind = _parameters(item).get("frame_kind")
        if kind in _SAMPLED and not any(row.startswith(EVERYWHERE) for row in rows_of(item)):
            found[_test(item)][str(kind)].append(item)
    return found


def _kinds_of_a_case(items: Iterable[pytest.Item]) -> _Groups:
    """Of each case that is marked so, all kinds."""
    found: _Groups = defaultdict(lambda: defaultdict(list))
    for item in items:
        if (mark := item.get_closest_marker("in_one_kind")) is not None:
            found[f"{_test(item)} {mark.args[0]}"][item.nodeid].append(item)
    return found


def _hosts_of_a_case(items: Iterable[pytest.Item]) -> _Groups:
    """Of each of a test's many cases, the frame's hosts."""
    found: _Groups = defaultdict(lambda: defaultdict(list))
    for item in items:
        host = _parameters(item).get("host")
        if isinstance(host, str) and len(_parameters(item)) > 1:
            found[item.nodeid.replace(host, "")][host].append(item)
    return found


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _parameters(item: pytest.Item) -> dict[str, object]:
    return getattr(getattr(item, "callspec", None), "params", {})
