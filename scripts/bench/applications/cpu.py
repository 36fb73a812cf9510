"""CPU time of a process and all its descendants, in nanosecond resolution (Linux).

`/proc/<pid>/stat` counts in ticks of 10 ms, which is a whole step of a small page. The kernel's
per-process clock has no such steps, and it includes threads that have ended.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

#: CPUCLOCK_SCHED of the kernel: the time that the scheduler gave to a whole process.
_SCHEDULED = 2


def process_tree(root: int, parents: Mapping[int, int]) -> set[int]:
    """The ids of `root` and its descendants, given each process's parent. Pure."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    tree, waiting = set(), [root]
    while waiting:
        pid = waiting.pop()
        if pid not in tree:
            tree.add(pid)
            waiting += children.get(pid, ())
    return tree


def read_parents() -> dict[int, int]:
    """Process id → parent's id, of every process there is."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            with contextlib.suppress(OSError):
                stat = Path("/proc", entry, "stat").read_text("utf-8", "replace")
                # The program's name is in parentheses and may hold anything, spaces too.
                parents[int(entry)] = int(stat.rpartition(")")[2].split()[1])
    return parents


def cpu_clocks(root: int) -> dict[int, float]:
    """Process id → CPU seconds so far, of `root` and its descendants."""
    return _read(process_tree(root, read_parents()))


def cpu_since(before: Mapping[int, float], root: int) -> float:
    """CPU seconds that the tree of `root` spent since `cpu_clocks` returned `before`.

    A process that ended meanwhile is not counted. The known processes are read first: the search
    for new ones costs `root` some milliseconds, which are not the step's.
    """
    known = _read(before)
    spent = sum(seconds - before[pid] for pid, seconds in known.items())
    return spent + sum(_read(process_tree(root, read_parents()) - set(before)).values())


def _read(pids: Iterable[int]) -> dict[int, float]:
    clocks = {}
    for pid in pids:
        with contextlib.suppress(OSError):  # it ended meanwhile
            clocks[pid] = time.clock_gettime((~pid << 3) | _SCHEDULED)
    return clocks
