"""Memory of a browser: all processes of its group together."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PROC = Path("/proc")


def group_megabytes(group: int) -> float | None:
    """Memory of a process group in megabytes; None where the system has no /proc.

    What each process has for itself, and once what the largest shares: to divide shared pages
    exactly (PSS), the system walks through all of them, which takes longer than a short task.
    """
    if not _PROC.is_dir():
        return None
    own, shared = 0, 0
    for entry in os.scandir(_PROC):
        if entry.name.isdigit():
            # A process may end while it is read.
            with contextlib.suppress(OSError, ValueError, IndexError):
                if _group_of(entry.name) == group:
                    resident, common = _pages(entry.name)
                    own, shared = own + resident - common, max(shared, common)
    return (own + shared) * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


def _group_of(pid: str) -> int:
    # The name in brackets may hold spaces and brackets: the numbers are behind the last one.
    stat = (_PROC / pid / "stat").read_text("ascii", "replace")
    return int(stat.rpartition(")")[2].split()[2])


def _pages(pid: str) -> tuple[int, int]:
    """The pages that a process has in memory, and how many of them are shared."""
    _, resident, shared = (_PROC / pid / "statm").read_text("ascii").split()[:3]
    return int(resident), int(shared)
