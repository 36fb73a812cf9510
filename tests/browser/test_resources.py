"""Whatever the library opened is closed: processes, tasks, sockets, temporary folders.

The browser here is the test's own, with a temporary folder of its own, so that what other
tests hold open does not count.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import cdp_agent
from tests.support.leaks import processes
from tests.support.site import Site

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PAGES = 200
AT_ONCE = 10


@dataclass(frozen=True)
class Held:
    """What this process holds at one moment."""

    children: frozenset[int]
    tasks: frozenset[asyncio.Task[object]]
    descriptors: frozenset[str]

    @classmethod
    def now(cls) -> Held:
        return cls(children_of(os.getpid()), frozenset(asyncio.all_tasks()), descriptors())

    def missing_in(self, before: Held) -> dict[str, object]:
        """What is held now and was not held before, by kind; empty when all is well."""
        more = {
            "children": self.children - before.children,
            "tasks": {task.get_name() for task in self.tasks - before.tasks},
            "descriptors": self.descriptors - before.descriptors,
        }
        return {kind: things for kind, things in more.items() if things}


def children_of(pid: int) -> frozenset[int]:
    """Every process below this one, at any depth."""
    everyone = processes()
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        below = {process.pid for process in everyone.values() if process.parent == parent}
        waiting.extend(below - found)
        found |= below
    return frozenset(found)


def descriptors() -> frozenset[str]:
    """Open sockets and pipes by their kernel number, which no other one ever has."""
    found: set[str] = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue  # the descriptor that lists the folder itself
        if target.startswith(("socket:", "pipe:")):
            found.add(target)
    return frozenset(found)


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where this test, and Chromium below it, put their temporary files."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    monkeypatch.undo()


async def assert_all_released(before: Held, temporary_folder: Path) -> None:
    """Closing ends when everything is gone: no grace is given beyond one turn of the loop."""
    await asyncio.sleep(0)
    assert Held.now().missing_in(before) == {}
    assert os.listdir(temporary_folder) == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport", ["pipe", "websocket"])
async def test_two_hundred_pages_opened_and_closed_leave_nothing_behind(
    site: Site, temporary_folder: Path, transport: str
) -> None:
    count = PAGES if transport == "pipe" else AT_ONCE
    before = Held.now()
    async with cdp_agent.launch(headless=True, transport=transport) as browser:
        url = site.page("<button>Buy</button>", host="127.0.0.1")

        async def visit() -> None:
            page = await browser.new_page(url)
            assert (await page.snapshot()).find("button", "Buy")
            await page.close()

        await visit()
        one_page_later = Held.now()
        for _ in range(count // AT_ONCE):
            async with asyncio.TaskGroup() as visits:
                for _ in range(AT_ONCE):
                    visits.create_task(visit())

        assert browser.pages == []
        held = Held.now().missing_in(one_page_later)
        held.pop("children", None)  # Chromium keeps a spare process or two, as it likes
        assert held == {}

    await assert_all_released(before, temporary_folder)


async def test_a_failure_inside_the_block_closes_the_browser(
    site: Site, temporary_folder: Path
) -> None:
    before = Held.now()

    async def fail() -> None:
        async with cdp_agent.launch(headless=True) as browser:
            await browser.new_page(site.page("<button>Buy</button>", host="127.0.0.1"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    await assert_all_released(before, temporary_folder)


async def test_a_cancelled_block_closes_the_browser(site: Site, temporary_folder: Path) -> None:
    before = Held.now()
    opened = asyncio.Event()

    async def work() -> None:
        async with cdp_agent.launch(headless=True) as browser:
            await browser.new_page(site.page("<button>Buy</button>", host="127.0.0.1"))
            opened.set()
            await asyncio.Event().wait()

    working = asyncio.create_task(work())
    await opened.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working

    await assert_all_released(before, temporary_folder)


async def test_a_launch_cancelled_at_any_moment_leaves_nothing_behind(
    temporary_folder: Path,
) -> None:
    before = Held.now()

    for turns in (1, 5, 20, 60):

        async def start() -> None:
            async with cdp_agent.launch(headless=True):
                await asyncio.Event().wait()

        starting = asyncio.create_task(start())
        for _ in range(turns):
            await asyncio.sleep(0)
        starting.cancel()
        await asyncio.wait([starting])
        assert starting.cancelled()

        await assert_all_released(before, temporary_folder)
