"""Nothing of a real Chromium is left when the program that started it is killed outright."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pytest

pytestmark = pytest.mark.browser

# Starts Chromium, says which, and waits to be killed. The fork is one that outlives it.
PROGRAM = """
import asyncio, json, os, sys, time
from cdp_agent.chromium import LaunchOptions, start_browser

async def main(options):
    fork = options.pop("fork")
    browser = await start_browser(LaunchOptions(**options))
    lives_on = os.fork() if fork else None
    if lives_on == 0:
        os.closerange(0, 3)
        time.sleep(300)
        os._exit(0)
    said = {"pid": browser.pid, "profile": str(browser.user_data_dir), "fork": lives_on}
    print(json.dumps(said), flush=True)
    await asyncio.Event().wait()

asyncio.run(main(json.loads(sys.argv[1])))
"""


class Launcher:
    """A program of its own that holds a browser."""

    def __init__(self, temporary: Path, **options: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps({"fork": False, **options})],
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(temporary)},
            text=True,
        )
        assert self.process.stdout is not None
        said = json.loads(self.process.stdout.readline())
        self.browser_pid: int = said["pid"]
        self.profile = Path(said["profile"])
        self.fork: int | None = said["fork"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self.fork:
            os.kill(self.fork, signal.SIGKILL)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=10)

    def output_ends(self) -> bool:
        """Returns whether whoever captures our output learns that there will be no more."""
        assert self.process.stdout is not None
        rest = threading.Thread(target=self.process.stdout.read, daemon=True)
        rest.start()
        rest.join(timeout=10)
        return not rest.is_alive()


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    """Short, because Chromium makes sockets in it; only our browsers' command lines name it."""
    folder = Path("/tmp") / f"kill-{os.getpid()}-{time.monotonic_ns() % 10**6}"
    folder.mkdir()
    yield folder
    folder.rmdir()  # fails if anything is left


def commands_with(word: str) -> list[str]:
    """Processes that are alive and name `word` on their command line, crash handlers too."""
    listed = subprocess.run(
        ["ps", "-axww", "-o", "pid=,stat=,command="], capture_output=True, text=True, check=True
    )
    rows = (line.split(maxsplit=2) for line in listed.stdout.splitlines())
    return [" ".join(row) for row in rows if word in row[-1] and not row[1].startswith("Z")]


def wait_for(condition: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return met


STARTS: dict[str, dict[str, Any]] = {
    "pipe": {"transport": "pipe"},
    "websocket": {"transport": "websocket"},
    "while a fork of ours lives on": {"transport": "websocket", "fork": True},
}


@pytest.mark.parametrize("options", STARTS.values(), ids=STARTS.keys())
def test_no_process_and_no_folder_is_left_after_sigkill(
    temporary: Path, options: dict[str, Any]
) -> None:
    with Launcher(temporary, **options) as launcher:
        assert wait_for(lambda: len(commands_with(str(temporary))) >= 4)  # Chromium is many

        launcher.kill()

        assert wait_for(lambda: commands_with(str(temporary)) == []), commands_with(str(temporary))
        assert wait_for(lambda: os.listdir(temporary) == []), os.listdir(temporary)
        assert launcher.output_ends()


def test_a_chromium_that_hangs_is_killed_too(temporary: Path) -> None:
    with Launcher(temporary) as launcher:
        os.killpg(launcher.browser_pid, signal.SIGSTOP)

        launcher.kill()

        assert wait_for(lambda: commands_with(str(temporary)) == []), commands_with(str(temporary))
        assert wait_for(lambda: os.listdir(temporary) == []), os.listdir(temporary)


def test_a_profile_of_the_callers_is_saved_and_stays_after_sigkill(
    temporary: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    with Launcher(temporary, user_data_dir=str(mine), transport="websocket") as launcher:
        launcher.kill()

        assert wait_for(lambda: commands_with(str(mine)) == []), commands_with(str(mine))
        assert wait_for(lambda: os.listdir(temporary) == []), os.listdir(temporary)
    # It was asked to end before it was killed, so it had time to write this.
    preferences = json.loads((mine / "Default" / "Preferences").read_text())
    assert preferences["profile"]["exit_type"] == "SessionEnded"
