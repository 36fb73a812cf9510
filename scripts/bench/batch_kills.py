"""Shows that a batch that is killed and resumed loses nothing and does nothing twice.

    .venv/bin/python scripts/bench/batch_kills.py
    .venv/bin/python scripts/bench/batch_kills.py --tasks 40 --kills 2

Runs `cdp-agent batch` on the demo site, ends it with SIGKILL in the middle, as often as asked for,
and resumes it. After each kill no Chromium and no folder of the run may be left. In the end there
is one result for each task, and the demo's server has counted one request for each attempt that is
recorded and may have come so far, never more.

Exit code 0: all of it holds. 1: not so.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Run as a script, this folder is where imports are looked up first; it should be the project.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from cdp_agent.demo import DemoSite
from scripts.bench.demo_tasks import BatchReport, pauses, write_tasks

_RUN_SECONDS = 1200.0
_ORPHAN_SECONDS = 30.0


@dataclass
class Report(BatchReport):
    #: Results that were there at each kill.
    killed_at: list[int] = field(default_factory=list)
    summary: str = ""

    def text(self) -> str:
        killed_at = ", ".join(map(str, self.killed_at)) or "never"
        table = self.table({"workers": self.workers, "killed at results": killed_at})
        return f"{table}\n{self.summary}"


def run_with_kills(folder: Path, tasks: int, workers: int, kills: int) -> Report:
    """Run a batch on a demo site of its own, kill and resume it, and check what is left."""
    report = Report(tasks, workers)
    began = time.monotonic()
    with DemoSite() as site:
        file = write_tasks(site, folder, tasks)
        before = pauses(site)
        for number in range(kills):
            enough = tasks * (number + 1) // (kills + 1)
            _run_and_kill(folder, file, workers, enough, report)
        process = _start(folder, file, workers)
        out, err = process.communicate(timeout=_RUN_SECONDS)
        if process.returncode != 0:
            report.problems.append(f"the last run ended with {process.returncode}: {err[-500:]}")
        report.summary = "\n".join(line for line in out.splitlines() if not _is_progress(line))
        report.requests = pauses(site) - before
    report.seconds = time.monotonic() - began
    report.check(_lines(folder / "results.jsonl"))
    if report.killed_at and not report.interrupted:
        report.problems.append("no attempt was interrupted by the kills")
    return report


def _start(folder: Path, tasks: Path, workers: int) -> subprocess.Popen[str]:
    temporary = folder / "t"
    temporary.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "cdp_agent", "batch", str(tasks)]
    command += ["--out", str(folder / "results.jsonl"), "--resume", "--workers", str(workers)]
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(temporary)},
    )


def _run_and_kill(folder: Path, tasks: Path, workers: int, enough: int, report: Report) -> None:
    process = _start(folder, tasks, workers)
    results = folder / "results.jsonl"
    try:
        _until(lambda: len(_lines(results)) >= enough or process.poll() is not None, _RUN_SECONDS)
        if process.poll() is not None:
            report.problems.append(f"it ended by itself: {process.communicate()[1][-500:]}")
            return
        children = _children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    report.killed_at.append(len(_lines(results)))
    if not children:
        report.problems.append("no browser was running when it was killed")
    if not _until(lambda: not any(map(_is_alive, children)), _ORPHAN_SECONDS):
        alive = [pid for pid in children if _is_alive(pid)]
        report.problems.append(f"processes outlived the kill: {alive}")
    if not _until(lambda: not any((folder / "t").iterdir()), _ORPHAN_SECONDS):
        report.problems.append("folders of browsers were left behind")


def _lines(results: Path) -> list[dict[str, Any]]:
    """The whole lines of the results; a kill may have cut off the last one."""
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text("utf-8").split("\n")[:-1]]


def _is_progress(line: str) -> bool:
    return line[:9].strip().partition("/")[0].isdigit() and "/" in line[:9]


def _children(pid: int) -> list[int]:
    """The processes that a process has started: browsers, and the shells that watch over them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == pid:
            found.append(int(stat.parent.name))
    return found


def _is_alive(pid: int) -> bool:
    try:
        state = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _until(holds: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Kill a batch and resume it.")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args(argv)
    # Short: Chromium makes sockets in there.
    with tempfile.TemporaryDirectory(prefix="kills-", dir="/tmp") as folder:
        report = run_with_kills(Path(folder), options.tasks, options.workers, options.kills)
    print(report.text())
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
