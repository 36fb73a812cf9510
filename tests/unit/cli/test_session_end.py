"""A session that ends leaves the name of its socket to the one that comes after it."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent.cli.session import server
from cdp_agent.cli.session.server import SessionServer, _listener
from cdp_agent.tools.host import BrowserHost, ToolClient


class SlowHost(BrowserHost):
    """Takes its time to close its browser, while the next session begins."""

    def __init__(self, path: Path) -> None:
        super().__init__(cdp_agent.launch)
        self._path = path
        self.was_free = False

    async def aclose(self) -> None:
        self.was_free = not self._path.exists()
        await super().aclose()


@pytest.fixture
def path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="s-", dir="/tmp") as folder:  # a short name
        yield Path(folder) / "s.sock"


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_the_name_is_free_before_the_browser_is_closed(
    path: Path, is_replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_let_go_of_stdout", lambda: None)
    host = SlowHost(path)
    session = SessionServer("ends", ToolClient(host), host, 60, [])
    serving = asyncio.create_task(session.serve(_listener(str(path))))
    await asyncio.sleep(0)
    next_one = _listener(str(path)) if is_replaced else None

    session._end()
    await serving
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)

    assert host.was_free is not is_replaced
    assert os.listdir(path.parent) == ([path.name] if is_replaced else [])
    if next_one is not None:
        next_one.close()
        os.unlink(path)
