"""`cdp-agent batch`, as a person runs it: results, kills, Ctrl-C and wrong lines."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cdp_agent.demo import DemoSite
from scripts.bench.batch_kills import run_with_kills
from tests.browser.batches.conftest import pause_task
from tests.support.site import Site

COMMAND = [sys.executable, "-m", "cdp_agent", "batch"]


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Chromium makes sockets in there, whose paths are short."""
    with tempfile.TemporaryDirectory(prefix="b-", dir="/tmp") as made:
        yield Path(made)


def write(folder: Path, *tasks: dict[str, Any]) -> Path:
    file = folder / "tasks.jsonl"
    file.write_text("".join(f"{json.dumps(task)}\n" for task in tasks))
    return file


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    out = str(folder / "results.jsonl")
    command = [*COMMAND, str(folder / "tasks.jsonl"), "--out", out, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=80, check=False)


def test_lines_a_table_and_an_exit_code(demo_site: DemoSite, folder: Path) -> None:
    missing = {"action": "click", "params": {"selector": {"text": "No such"}, "timeout": 0.2}}
    write(
        folder,
        pause_task(demo_site, "good"),
        {**pause_task(demo_site, "bad"), "steps": [missing]},
    )

    done = run(folder, "--workers", "2")

    assert done.returncode == 1, done.stderr
    assert "\x1b" not in done.stdout
    assert re.search(r"^ +[12]/2 ok +good \d+\.\d\d s$", done.stdout, re.MULTILINE)
    assert re.search(r"[12]/2 failed +bad .* element_not_found: ", done.stdout)
    assert re.search(r"^all +2 +1 \(50\.0%\)", done.stdout, re.MULTILINE)
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert {line["id"]: line["success"] for line in lines} == {"good": True, "bad": False}

    again = run(folder, "--resume", "--json")

    assert again.returncode == 1
    facts = json.loads(again.stdout)
    assert (facts["unfinished"], facts["rows"][-1]["tasks"]) == (0, 2)
    assert facts["failures"] == {"element_not_found": 1}
    assert "2 of 2 tasks were finished by an earlier run" in again.stderr


def test_only_results_of_the_tasks_at_hand_are_counted(demo_site: DemoSite, folder: Path) -> None:
    """The file may have results of lines that were taken out since."""
    one, other = pause_task(demo_site, "one"), pause_task(demo_site, "other")
    write(folder, one, other)
    assert run(folder).returncode == 0
    write(folder, one)

    again = run(folder, "--resume")

    assert again.returncode == 0, again.stderr
    assert "1 of 1 tasks were finished by an earlier run" in again.stdout
    assert re.search(r"^all +1 +1 \(100\.0%\)", again.stdout, re.MULTILINE)
    assert len((folder / "results.jsonl").read_text().splitlines()) == 2


def test_results_do_not_go_into_the_file_of_tasks(demo_site: DemoSite, folder: Path) -> None:
    tasks = write(folder, pause_task(demo_site, 1))
    before = tasks.read_text()

    done = run(folder, "--out", str(folder / "." / "tasks.jsonl"))

    assert done.returncode == 2
    assert "is the file of the tasks" in done.stderr
    assert tasks.read_text() == before


def test_a_wrong_line_is_named_before_anything_runs(demo_site: DemoSite, folder: Path) -> None:
    tasks = write(folder, pause_task(demo_site, 1))
    with tasks.open("a") as file:
        file.write('{"id": 2, "url": "127.0.0.1"}\n')

    done = run(folder)

    assert done.returncode == 2
    assert done.stderr.startswith(f"invalid_params: {tasks}, line 2: a task has one of goal, steps")
    assert demo_site.requests == []
    assert not (folder / "results.jsonl").exists()


def test_results_are_not_written_over(demo_site: DemoSite, folder: Path) -> None:
    write(folder, pause_task(demo_site, 1))
    (folder / "results.jsonl").write_text("mine\n")

    done = run(folder)

    assert done.returncode == 2
    assert "--resume" in done.stderr
    assert (folder / "results.jsonl").read_text() == "mine\n"


@pytest.mark.timeout(240)
def test_killed_and_resumed_every_task_has_one_result(short_folder: Path) -> None:
    """The short form of `scripts/bench/batch_kills.py`."""
    report = run_with_kills(short_folder, tasks=20, workers=3, kills=1)

    assert report.problems == []
    assert (report.results, report.success, len(report.killed_at)) == (20, 20, 1)


SLOW = "<p>Wait</p><script>setTimeout(() => document.body.append('over'), MS)</script>"
SIGNALS = {
    # A task of a second ends, one that takes for ever is interrupted.
    "what runs ends": (1000, "60", [True], 1),
    "what does not end is interrupted": (10_000_000, "0.5", [], 2),
}


@pytest.mark.parametrize(
    ("milliseconds", "grace", "success", "left"), SIGNALS.values(), ids=SIGNALS.keys()
)
def test_an_interrupt_finishes_what_runs(
    milliseconds: int, grace: str, success: list[bool], left: int, site: Site, folder: Path
) -> None:
    url = site.page(SLOW.replace("MS", str(milliseconds)), host="127.0.0.1")
    step = {"action": "wait", "params": {"text": "over", "timeout": 60}}
    write(folder, *({"id": n, "url": url, "steps": [step]} for n in range(2)))
    command = [*COMMAND, str(folder / "tasks.jsonl"), "--out", str(folder / "results.jsonl")]
    process = subprocess.Popen(
        [*command, "--workers", "1", "--grace", grace],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    seen = len(site.requests)
    deadline = time.monotonic() + 60
    while len(site.requests) == seen and time.monotonic() < deadline:
        time.sleep(0.05)  # until the first task has its page
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 130, out + err
    assert f"finishing what runs, up to {grace} s" in out
    assert f"{left} tasks are left; --resume goes on with them" in err
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert [line["success"] for line in lines] == success
