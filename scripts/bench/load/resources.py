"""The memory, handles, tasks and processes of a process and its children. Linux only."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """Megabytes are proportional shares (PSS): pages that several processes map count once."""

    #: This process and its children that are no Chromium: a driver belongs to its client.
    client_mb: float
    browser_mb: float
    handles: int
    tasks: int
    #: Processes of Chromium.
    processes: int


def usage() -> Usage:
    """The resources of this process and of all that it started."""
    client, browser, chromiums = _megabytes(os.getpid()), 0.0, 0
    for pid, command in _descendants(os.getpid()):
        if "chrom" in command.partition(" --")[0]:
            browser += _megabytes(pid)
            chromiums += 1
        else:
            client += _megabytes(pid)
    handles = len(list((_PROC / "self" / "fd").iterdir()))
    return Usage(client, browser, handles, len(asyncio.all_tasks()), chromiums)


def _descendants(root: int) -> Iterator[tuple[int, str]]:
    parents: dict[int, list[tuple[int, str]]] = {}
    for folder in _PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            )
        except (OSError, IndexError):
            continue  # it has ended
        parents.setdefault(parent, []).append((int(folder.name), command))
    waiting = [root]
    while waiting:
        for pid, command in parents.get(waiting.pop(), ()):
            waiting.append(pid)
            yield pid, command


def _megabytes(pid: int) -> float:
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0.0  # it has ended
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


@dataclass(frozen=True, slots=True)
class Growth:
    """One resource after the warm-up and at the end, and how much it may grow."""

    name: str
    before: float
    after: float
    most: float

    @property
    def is_flat(self) -> bool:
        return self.after - self.before <= self.most

    @property
    def line(self) -> str:
        word = "flat  " if self.is_flat else "GROWS "
        grown = self.after - self.before
        return f"{word} {self.name:<22} {self.before:8.1f} → {self.after:8.1f} ({grown:+.1f})"


def growths(samples: Sequence[Usage]) -> list[Growth]:
    """The second fifth of the samples beside the last fifth; the first is the warm-up."""
    fifth = max(len(samples) // 5, 1)
    early, late = samples[fifth : 2 * fifth] or samples[:1], samples[-fifth:]

    def growth(name: str, field: str, most: float, share: float = 0.0) -> Growth:
        before = float(median(getattr(sample, field) for sample in early))
        after = float(median(getattr(sample, field) for sample in late))
        return Growth(name, before, after, max(most, before * share))

    return [
        growth("client, MB", "client_mb", 8),
        growth("Chromium, MB", "browser_mb", 60, 0.15),
        growth("handles", "handles", 4),
        growth("tasks", "tasks", 4),
        growth("Chromium's processes", "processes", 4, 0.1),
    ]
