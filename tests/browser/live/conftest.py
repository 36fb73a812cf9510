"""A live page for each test, a session whose calls it shows, and somebody who looks at it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

from cdp_agent import Browser, Page
from cdp_agent.live import Board, LiveServer, Pane, open_live
from cdp_agent.tools import ToolResult, ToolSession, call as call_tool

#: A form whose page says what happened in it.
FORM = """<!doctype html><title>Form</title><style>body { margin: 20px; font: 20px sans-serif }
button { position: absolute; left: 300px; top: 200px; width: 200px; height: 80px }</style>
<label>Name <input id=name></label><button onclick="said.textContent = 'sent ' + document
.querySelector('input').value">Send</button><p id=said>nothing yet</p>"""


class Wire:
    """A viewer without a page: what the server says, by kind."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, **message: Any) -> None:
        await self._connection.send(json.dumps(message))

    async def send_text(self, text: str) -> None:
        await self._connection.send(text)

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next message that is wanted."""
        async with asyncio.timeout(20):
            while True:
                message: dict[str, Any] = json.loads(await self._connection.recv())
                if wanted(message):
                    return message

    async def next(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda message: message["type"] == kind)


@pytest_asyncio.fixture(loop_scope="session")
async def board() -> AsyncIterator[Board]:
    board = Board()
    yield board
    await board.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def server(board: Board) -> AsyncIterator[LiveServer]:
    server = await open_live(board)
    yield server
    await server.aclose()


@asynccontextmanager
async def wired(server: LiveServer) -> AsyncIterator[Wire]:
    """One more viewer."""
    url = server.url.replace("http://", "ws://").replace("/?", "/socket?")
    origin = f"http://127.0.0.1:{server.port}"
    async with connect(url, origin=origin, max_size=None) as connection:  # type: ignore[arg-type]
        yield Wire(connection)


@pytest_asyncio.fixture(loop_scope="session")
async def wire(server: LiveServer) -> AsyncIterator[Wire]:
    async with wired(server) as wire:
        yield wire


@pytest_asyncio.fixture(loop_scope="session")
async def look(browser: Browser, server: LiveServer) -> AsyncIterator[Page]:
    """The live page in a tab, 1280 pixels wide."""
    async with await browser.new_context() as context:
        yield await context.new_page(server.url, viewport=(1280, 900))


@pytest_asyncio.fixture(loop_scope="session")
async def pane(board: Board, page: Page) -> Pane:
    pane = board.open_pane("Order a lamp")
    pane.watch(page)
    return pane


Call = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
def call(page: Page, pane: Pane) -> Call:
    """`await call("browser_click", ref="text=Send")`, as an agent whose browser is watched."""
    session = ToolSession(page, **pane.around({}))

    async def call(name: str, **arguments: Any) -> ToolResult:
        return await call_tool(session, name, arguments)

    return call


async def press(look: Page, name: str) -> None:
    """Press a button of the live page, once it is there and enabled."""
    await look.wait_for(text=name, timeout=10)
    await look.click((await look.snapshot()).find("button", name).id)
