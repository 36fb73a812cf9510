"""Ending a browser process, asked for or not, with small scripts in Chromium's place."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path

from cdp_agent.chromium import LaunchOptions, start_browser
from cdp_agent.chromium.reaper import START
from tests.unit.chromium.started import (
    ANSWER,
    RUN_UNTIL_TERM,
    Fake,
    is_gone,
    started,
    until,
)


async def test_a_browser_asked_to_close_is_not_signalled(fake: Fake) -> None:
    # It ends when its pipe says so, with a code of its own.
    browser = await start_browser(
        LaunchOptions(executable=fake(f"{ANSWER}; head -c 40 <&3 >/dev/null; exit 9"))
    )
    pipe = browser.pipe
    assert pipe is not None

    async def ask() -> None:
        os.write(pipe[1], b"close please")

    await browser.aclose(graceful=ask)

    assert browser.returncode == 9


async def test_a_browser_that_ignores_its_request_is_terminated(fake: Fake) -> None:
    async def ask() -> None:
        await asyncio.Event().wait()

    browser = await start_browser(LaunchOptions(executable=fake(f"{ANSWER}; {RUN_UNTIL_TERM}")))
    await browser.aclose(graceful=ask, timeout=0.2)

    assert browser.returncode == -signal.SIGTERM


async def test_a_browser_that_ignores_sigterm_is_killed_with_its_children(
    fake: Fake, tmp_path: Path, temporary_folder: Path
) -> None:
    stubborn = f"trap '' TERM; sleep 300 & echo $! >{tmp_path}/child; {ANSWER}; wait"
    browser = await start_browser(LaunchOptions(executable=fake(stubborn)))
    await browser.aclose()

    assert browser.returncode == -signal.SIGKILL
    await until(lambda: is_gone(int((tmp_path / "child").read_text())))
    assert os.listdir(temporary_folder) == []


async def test_children_of_a_browser_that_ended_by_itself_are_ended(
    fake: Fake, tmp_path: Path
) -> None:
    async with started(fake(f"sleep 300 & echo $! >{tmp_path}/child; {ANSWER}")) as browser:
        assert await browser.wait_closed() == 0

        await until(lambda: is_gone(int((tmp_path / "child").read_text())))


async def test_closing_twice_and_at_the_same_time_is_closing_once(fake: Fake) -> None:
    asked = 0

    async def ask() -> None:
        nonlocal asked
        asked += 1

    browser = await start_browser(LaunchOptions(executable=fake(f"{ANSWER}; {RUN_UNTIL_TERM}")))
    await asyncio.gather(*(browser.aclose(ask, timeout=0.2) for _ in range(3)))
    await browser.aclose(ask)

    assert asked == 1


async def test_a_cancelled_start_leaves_nothing(
    fake: Fake, tmp_path: Path, temporary_folder: Path
) -> None:
    executable = fake(
        f"echo $$ >{tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; {RUN_UNTIL_TERM}"
    )
    start = asyncio.create_task(start_browser(LaunchOptions(executable=executable)))
    await until((tmp_path / "pid").exists)

    start.cancel()
    await asyncio.wait({start})

    assert start.cancelled()
    assert is_gone(int((tmp_path / "pid").read_text()))
    assert os.listdir(temporary_folder) == []


async def test_a_cancelled_close_kills_and_leaves_nothing(
    fake: Fake, temporary_folder: Path
) -> None:
    asking = asyncio.Event()

    async def ask() -> None:
        asking.set()
        await asyncio.Event().wait()

    browser = await start_browser(LaunchOptions(executable=fake(f"{ANSWER}; {RUN_UNTIL_TERM}")))
    close = asyncio.create_task(browser.aclose(ask, timeout=60))
    await asking.wait()
    close.cancel()
    await asyncio.wait({close})

    assert close.cancelled()
    assert await browser.wait_closed() == -signal.SIGKILL
    assert os.listdir(temporary_folder) == []


def test_nothing_starts_once_the_folder_is_taken_away(tmp_path: Path) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", START, "start", tmp_path / "gone", "touch", tmp_path / "started"],
        stderr=subprocess.DEVNULL,
    )

    assert ran.returncode != 0
    assert not (tmp_path / "started").exists()


async def test_no_descriptor_is_left_open_after_a_close(fake: Fake) -> None:
    executable = fake(f"{ANSWER}; {RUN_UNTIL_TERM}")
    await (await start_browser(LaunchOptions(executable=executable))).aclose()
    before = len(os.listdir("/dev/fd"))

    for _ in range(3):
        await (await start_browser(LaunchOptions(executable=executable))).aclose()

    await until(lambda: len(os.listdir("/dev/fd")) <= before)
