"""Finds leaks of a run: tasks, sockets, Chromium processes, temporary folders.

The run gets a temporary folder of its own and a word in its environment that every child
inherits, so that whatever stays is found even when its parent is gone. Linux only: it
reads /proc.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

MARK_VARIABLE = "CDP_AGENT_TEST_RUN"
PROC = Path("/proc")


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    started: str  # with the pid it names one process for ever
    command: str


def processes() -> dict[int, Process]:
    """Every process that is alive; one that has ended and waits for its parent is not."""
    found: dict[int, Process] = {}
    for folder in PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
        except OSError:
            continue
        state, parent, started = stat[0], int(stat[1]), stat[19]
        if state not in "ZX":
            found[int(folder.name)] = Process(int(folder.name), parent, started, command.strip())
    return found


def sockets() -> set[str]:
    """The sockets that this process holds, by their number in the kernel."""
    found: set[str] = set()
    for link in (PROC / "self" / "fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue  # the descriptor that lists the folder itself
        if target.startswith("socket:"):
            found.add(target)
    return found


class LeakCheck:
    """Made before the browser starts, asked after it was closed, both in the tests' loop."""

    def __init__(self) -> None:
        self._mark = uuid4().hex
        self._seen: set[Process] = set()
        self._tasks = asyncio.all_tasks()
        self._sockets = sockets()
        self._folder = Path(tempfile.mkdtemp(prefix="cdp-agent-tests-"))
        self._old_folder = os.environ.get("TMPDIR")
        os.environ[MARK_VARIABLE] = self._mark
        os.environ["TMPDIR"] = str(self._folder)
        tempfile.tempdir = None

    def see(self) -> None:
        """Remember the processes of now: after their parent's end they are harder to tell."""
        self._seen |= self._ours()

    async def leftovers(self, timeout: float = 5) -> list[str]:
        """What is still there after `timeout`: what ends a moment late is not a leak."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            found = self._now()
            if not found or loop.time() > deadline:
                return found
            await asyncio.sleep(0.05)

    def close(self) -> None:
        os.environ.pop(MARK_VARIABLE, None)
        if self._old_folder is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = self._old_folder
        tempfile.tempdir = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def _now(self) -> list[str]:
        alive = set(processes().values())
        remaining = (self._seen & alive) | self._ours()
        tasks = asyncio.all_tasks() - self._tasks - {asyncio.current_task()}
        return [
            *(f"process {process.pid}: {process.command[:120]}" for process in remaining),
            *(f"task {task!r}" for task in tasks),
            *(f"socket {name}" for name in sockets() - self._sockets),
            # pytest's own `tmp_path` is pytest's to remove.
            *(f"folder {p}" for p in self._folder.iterdir() if not p.name.startswith("pytest-of-")),
        ]

    def _ours(self) -> set[Process]:
        """Chromium processes that came from this run, by descent or by the word they inherited."""
        everyone = processes()
        return {
            process
            for process in everyone.values()
            if "chrom" in process.command.partition(" --")[0]
            and (self._descends(process, everyone) or self._is_marked(process))
        }

    @staticmethod
    def _descends(process: Process, everyone: dict[int, Process]) -> bool:
        above: Process | None = process
        while above is not None and above.pid != os.getpid():
            above = everyone.get(above.parent)
        return above is not None

    def _is_marked(self, process: Process) -> bool:
        try:
            environment = (PROC / str(process.pid) / "environ").read_bytes()
        except OSError:
            return False
        return f"{MARK_VARIABLE}={self._mark}".encode() in environment
