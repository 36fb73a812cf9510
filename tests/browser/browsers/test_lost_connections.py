"""A browser that dies, and a connection that breaks: every caller learns it at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Self

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser, CdpAgentError, Page
from tests.support.devtools import devtools_port_and_path

ORDER = "data:text/html,<title>Shop</title><button onclick=\"document.title='ordered'\">Order"
NEVER = "new Promise(() => {})"


class Proxy:
    """A TCP proxy before the browser's port that can drop everything that goes through it."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._wires: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.drop()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def drop(self) -> None:
        """As when the machine in between goes away: no goodbye of the protocol."""
        for wire in self._wires:
            wire.transport.abort()
        self._wires.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        self._wires += [writer, up_writer]
        for source, sink in ((reader, up_writer), (up_reader, writer)):
            task = asyncio.create_task(self._copy(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while chunk := await source.read(65536):
                sink.write(chunk)
                await sink.drain()
        except OSError:
            pass  # dropped
        finally:
            sink.close()


@pytest_asyncio.fixture
async def own_browser() -> AsyncIterator[Browser]:
    """Not the one that other tests share: it will be killed or cut off."""
    async with cdp_agent.launch(headless=True, args=["--remote-debugging-port=0"]) as browser:
        yield browser


async def code_of(call: asyncio.Future[object] | asyncio.Task[object]) -> str:
    """The end of a call. The bound catches a hang: it has to end at once."""
    async with asyncio.timeout(3):
        with pytest.raises(CdpAgentError) as error:
            await call
    return error.value.code


@pytest.mark.row("ROB-05")
async def test_a_browser_that_is_killed_ends_every_call_at_once(own_browser: Browser) -> None:
    page = await own_browser.new_page(ORDER)
    button = (await page.snapshot()).find("button", "Order").id
    under_way = asyncio.create_task(page.evaluate(NEVER))
    await asyncio.sleep(0)  # it is on its way now

    assert own_browser.pid is not None
    os.kill(own_browser.pid, signal.SIGKILL)

    assert await code_of(under_way) == "connection_lost"
    for call in (page.snapshot(), page.click(button), page.goto(ORDER), page.recover()):
        assert await code_of(asyncio.ensure_future(call)) == "connection_lost"
    assert await code_of(asyncio.ensure_future(own_browser.new_page())) == "connection_lost"
    assert page.is_closed
    await page.close()


def port_of(browser: Browser) -> int:
    assert browser.user_data_dir is not None
    return devtools_port_and_path(browser)[0]


async def opened(browser: Browser) -> Page:
    (page,) = [page for page in browser.pages if page.title == "Shop"]
    return page


@pytest.mark.row("ROB-06")
async def test_a_connection_that_breaks_is_an_error_and_can_be_made_again(
    own_browser: Browser,
) -> None:
    await own_browser.new_page(ORDER)
    async with Proxy(port_of(own_browser)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        async with cdp_agent.connect(address) as first:
            page = await opened(first)
            old = (await page.snapshot()).find("button", "Order").id
            under_way = asyncio.create_task(page.evaluate(NEVER))
            await asyncio.sleep(0)  # it is on its way now

            proxy.drop()

            assert await code_of(under_way) == "connection_lost"
            assert await code_of(asyncio.ensure_future(page.click(old))) == "connection_lost"

        async with cdp_agent.connect(address) as second:
            page = await opened(second)
            assert await code_of(asyncio.ensure_future(page.click(old))) == "stale_ref"
            await page.click((await page.snapshot()).find("button", "Order").id)
            assert await page.evaluate("document.title") == "ordered"
