"""A client of the Action Protocol, on the run's Chromium."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

import cdp_agent
from cdp_agent import Browser
from cdp_agent.tools.host import BrowserHost, ToolClient
from cdp_agent.ws_server import ACTION_PATH, Access, RateLimit, serve
from tests.browser.fronts.conftest import TOKEN
from tests.support.devtools import devtools_port_and_path


class Controller:
    """Sends commands as the protocol's backend does, and waits for the two messages after each."""

    def __init__(self, wire: ClientConnection) -> None:
        self._wire = wire
        #: The data of the last snapshot.
        self.seen: dict[str, Any] = {}

    @property
    def tree(self) -> list[dict[str, Any]]:
        tree: list[dict[str, Any]] = self.seen["tree"]
        return tree

    async def receive(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(30):
            message = json.loads(await self._wire.recv())
        assert message["type"] == kind, message
        data: dict[str, Any] = message["data"]
        if kind == "Snapshot":
            self.seen = data
        return data

    async def command(self, **data: Any) -> dict[str, Any]:
        """The data of the ActionResult; the Snapshot after it is in `seen`."""
        await self._wire.send(json.dumps({"type": "ActionCommand", "data": data}))
        result = await self.receive("ActionResult")
        await self.receive("Snapshot")
        return result

    def ref(self, name: str) -> int:
        [found] = [line["id"] for line in self.tree if line["name"] == name]
        return int(found)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def host(browser: Browser) -> AsyncIterator[BrowserHost]:
    """The run's Chromium, connected to as `serve --connect` does it."""
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    made = BrowserHost(lambda: cdp_agent.connect(f"http://127.0.0.1:{port}"))
    try:
        yield made
    finally:
        await made.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def action_address(host: BrowserHost) -> AsyncIterator[str]:
    """The address of a server of this process that speaks the protocol."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    access, new_client = Access.parse([TOKEN]), partial(ToolClient, host)
    serving = asyncio.create_task(
        serve(new_client, access, 0, new_rate=lambda: RateLimit(10_000), ready=ready.set_result)
    )
    try:
        yield f"{await asyncio.wait_for(ready, 20)}{ACTION_PATH}?token={TOKEN}"
    finally:
        serving.cancel()
        await asyncio.wait([serving])


@pytest_asyncio.fixture(loop_scope="session")
async def controller(action_address: str) -> AsyncIterator[Controller]:
    """A client that has been sent its first snapshot."""
    async with connect(action_address) as wire:
        made = Controller(wire)
        await made.receive("Snapshot")
        yield made
