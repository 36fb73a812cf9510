"""Whatever the library opened is closed: processes, tasks, sockets, temporary folders.

The browser here is the test's own, in a temporary folder of its own. Chromium's processes
have a place in that folder in their environment, so each of them is found even when its
parent is gone, and those of the browser that other tests share do not count.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest

import cdp_agent
from tests.support.leaks import PROC, processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PAGES = 100
AT_ONCE = 10
# No server: its connections would be sockets of this process too.
SHOP = "data:text/html," + quote("<title>Shop</title><button>Buy</button>")


def descriptors() -> set[str]:
    """Open sockets and pipes by their number in the kernel, which no other one has."""
    found: set[str] = set()
    for entry in (PROC / "self" / "fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue  # the descriptor that lists the folder itself
        if target.startswith(("socket:", "pipe:")):
            found.add(target)
    return found


class Held:
    """The resources held since the test began."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tasks = asyncio.all_tasks()
        self._descriptors = descriptors()

    def tasks(self) -> list[str]:
        return sorted(task.get_name() for task in asyncio.all_tasks() - self._tasks)

    def descriptors(self) -> set[str]:
        return descriptors() - self._descriptors

    def processes(self) -> list[str]:
        word = f"TMPDIR={self._folder}".encode()
        found = []
        for process in processes().values():
            try:
                environment = (PROC / str(process.pid) / "environ").read_bytes()
            except OSError:
                continue  # ended meanwhile
            if any(entry.startswith(word) for entry in environment.split(b"\0")):
                found.append(f"{process.pid} {process.command[:100]}")
        return found

    def files(self) -> list[str]:
        return os.listdir(self._folder)

    async def assert_nothing(self, timeout: float = 5) -> None:
        """Processes may need a moment to end after their parent; nothing else may."""
        assert self.tasks() == []
        assert self.descriptors() == set()
        assert self.files() == []
        for _ in range(int(timeout / 0.05)):
            if not self.processes():
                return
            await asyncio.sleep(0.05)
        assert self.processes() == []


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files of this test and its Chromium."""
    # A short path: Chromium puts a socket below it, and a socket's path has a limit.
    folder = Path(tempfile.mkdtemp(prefix="r-", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    monkeypatch.undo()
    shutil.rmtree(folder)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport", ["pipe", "websocket"])
async def test_many_pages_opened_and_closed_leave_nothing_behind(
    folder: Path, transport: Literal["pipe", "websocket"]
) -> None:
    held = Held(folder)
    # A window without toolbars opens in two thirds of the time.
    launch = cdp_agent.launch(headless=True, transport=transport, args=["--start-fullscreen"])
    async with launch as browser:

        async def visit() -> None:
            page = await browser.new_page(SHOP)
            assert (await page.snapshot()).find("button", "Buy")
            await page.close()

        await visit()
        tasks, open_now, others = held.tasks(), held.descriptors(), browser.pages
        assert held.processes() != []
        for _ in range(PAGES // AT_ONCE):
            async with asyncio.TaskGroup() as visits:
                for _ in range(AT_ONCE):
                    visits.create_task(visit())

        assert browser.pages == others
        assert held.tasks() == tasks
        assert held.descriptors() == open_now

    await held.assert_nothing()


async def test_a_failure_inside_the_block_closes_the_browser(folder: Path) -> None:
    held = Held(folder)

    async def fail() -> None:
        async with cdp_agent.launch(headless=True) as browser:
            await browser.new_page(SHOP)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    await held.assert_nothing()


async def test_a_cancelled_block_closes_the_browser(folder: Path) -> None:
    held = Held(folder)
    opened = asyncio.Event()

    async def work() -> None:
        async with cdp_agent.launch(headless=True) as browser:
            await browser.new_page(SHOP)
            opened.set()
            await asyncio.Event().wait()

    working = asyncio.create_task(work())
    await opened.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working

    await held.assert_nothing()


@pytest.mark.parametrize("count", [0, 1, 4])
async def test_a_launch_cancelled_halfway_leaves_nothing_behind(folder: Path, count: int) -> None:
    """`count` is how many of Chromium's processes are there when the launch is given up."""
    held = Held(folder)
    started = asyncio.Event()

    async def start() -> None:
        started.set()
        async with cdp_agent.launch(headless=True):
            await asyncio.Event().wait()

    starting = asyncio.create_task(start())
    await started.wait()
    async with asyncio.timeout(20):
        while len(held.processes()) < count:  # noqa: ASYNC110 - what it waits for tells nobody
            await asyncio.sleep(0.002)
    starting.cancel()
    await asyncio.wait([starting])

    assert starting.cancelled()
    await held.assert_nothing()


async def test_closing_twice_and_closing_pages_of_a_closed_browser_is_harmless(
    folder: Path,
) -> None:
    held = Held(folder)
    async with cdp_agent.launch(headless=True) as browser:
        page = await browser.new_page(SHOP)
        await browser.close()
        await browser.close()
        await page.close()

    await held.assert_nothing()
