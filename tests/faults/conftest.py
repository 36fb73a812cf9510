"""A site for the schedules, how many of them there are, and that each leaves nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.faults.schedule import FAULTS, FOUND, Schedule
from tests.support.leaks import sockets
from tests.support.site import Site

_LEAK_SECONDS = 5.0


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "schedule" in metafunc.fixturenames:
        count = metafunc.config.getoption("schedules") or len(FAULTS)
        made = [Schedule.of(seed) for seed in sorted({*range(count), *FOUND})]
        metafunc.parametrize("schedule", made, ids=str)
    if "round_number" in metafunc.fixturenames:
        count = (metafunc.config.getoption("schedules") or 10) // 10
        metafunc.parametrize("round_number", range(max(count, 1)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/faults" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def fault_site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest_asyncio.fixture(loop_scope="session")
async def nothing_left(fault_site: Site) -> AsyncIterator[None]:
    """After the test there are no more tasks and sockets than before it."""
    tasks, open_sockets = asyncio.all_tasks(), sockets()
    yield
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _LEAK_SECONDS
    while True:
        left = [repr(task) for task in asyncio.all_tasks() - tasks - {asyncio.current_task()}]
        left += sorted(sockets() - open_sockets)
        if not left or loop.time() > deadline:
            break
        await asyncio.sleep(0.05)
    assert not left, "left behind:\n" + "\n".join(left)
