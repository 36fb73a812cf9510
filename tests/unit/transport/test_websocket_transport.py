"""Messages over a real WebSocket, and finding it from what a user wrote."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from http import HTTPStatus

import pytest
import pytest_asyncio
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cdp_agent.errors import CdpAgentError, ConnectionLost, InvalidParams
from cdp_agent.transport import Transport, WebSocketTransport, browser_websocket_url
from tests.unit.memory_transport import until


@dataclass
class Browser:
    """A server in a browser's place: what it received, and the connection to answer on."""

    server: Server | None = None
    wire: ServerConnection | None = None
    received: list[str | bytes] = field(default_factory=list)
    #: What it answers to `GET /json/version`.
    version: Callable[[], tuple[HTTPStatus, str]] = lambda: (HTTPStatus.NOT_FOUND, "")

    @property
    def port(self) -> int:
        assert self.server is not None
        return int(next(iter(self.server.sockets)).getsockname()[1])

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/devtools/browser/1"

    @property
    def connected(self) -> ServerConnection:
        assert self.wire is not None
        return self.wire

    async def serve_one(self, wire: ServerConnection) -> None:
        self.wire = wire
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.received.append(await wire.recv())

    def answer_http(self, wire: ServerConnection, request: Request) -> Response | None:
        if request.path == "/json/version":
            return wire.respond(*self.version())
        if not request.path.startswith("/devtools"):
            return wire.respond(HTTPStatus.NOT_FOUND, "no such page")
        return None


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    browser = Browser()
    async with serve(
        browser.serve_one,
        "127.0.0.1",
        0,
        process_request=browser.answer_http,
        max_size=None,
        compression=None,
    ) as server:
        browser.server = server
        yield browser


@dataclass
class Heard:
    messages: list[bytes | bytearray] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)


@contextlib.asynccontextmanager
async def connected(browser: Browser) -> AsyncIterator[tuple[WebSocketTransport, Heard]]:
    transport = await WebSocketTransport.open(browser.url)
    heard = Heard()
    wire: Transport = transport
    wire.start(heard.messages.append, heard.reasons.append)
    try:
        await until(lambda: browser.wire is not None)
        yield transport, heard
    finally:
        await transport.aclose()


async def test_messages_go_both_ways_as_whole_texts(browser: Browser) -> None:
    async with connected(browser) as (transport, heard):
        transport.send('{"id":1,"ä":"€"}'.encode())
        await until(lambda: bool(browser.received))
        await browser.connected.send('{"id":1,"result":{"ö":"\\ud83d"}}')
        await until(lambda: bool(heard.messages))

    assert browser.received == ['{"id":1,"ä":"€"}']  # a text message: Chromium takes no others
    assert heard.messages == ['{"id":1,"result":{"ö":"\\ud83d"}}'.encode()]


async def test_what_is_sent_without_waiting_arrives_in_order(browser: Browser) -> None:
    async with connected(browser) as (transport, _):
        for number in range(300):
            transport.send(str(number).encode())
        await until(lambda: len(browser.received) == 300)

    assert browser.received == [str(number) for number in range(300)]


async def test_a_reply_may_be_larger_than_any_default_and_come_in_fragments(
    browser: Browser,
) -> None:
    large = "x" * 3_000_000  # websockets' own limit is 1 MiB

    async with connected(browser) as (_, heard):
        await browser.connected.send(large)
        await browser.connected.send(["frag", "men", "ted"])
        await until(lambda: len(heard.messages) == 2)

    assert heard.messages == [large.encode(), b"fragmented"]


async def test_a_large_command_is_one_message(browser: Browser) -> None:
    async with connected(browser) as (transport, _):
        transport.send(b"y" * 2_000_000)
        await until(lambda: bool(browser.received))

    assert browser.received == ["y" * 2_000_000]


async def test_when_the_browser_closes_its_reason_is_told_once(browser: Browser) -> None:
    async with connected(browser) as (transport, heard):
        await browser.connected.close(1001, "going away")
        await until(lambda: bool(heard.reasons))
        transport.send(b"too late")  # nobody hears it, and it is not an error

    assert heard.reasons == ["the browser closed the connection: going away"]


async def test_a_connection_that_breaks_is_told_once(browser: Browser) -> None:
    async with connected(browser) as (_, heard):
        browser.connected.transport.abort()
        await until(lambda: bool(heard.reasons))

    assert heard.reasons == ["the browser closed the connection"]


async def test_closing_ends_the_socket_and_both_tasks_and_may_be_repeated(
    browser: Browser,
) -> None:
    before = asyncio.all_tasks()
    async with connected(browser) as (transport, heard):
        await transport.aclose()
        await transport.aclose()
        await browser.connected.wait_closed()

        ours = {task.get_name() for task in asyncio.all_tasks() - before}
        assert not {name for name in ours if name.startswith("cdp_agent")}
        assert len(heard.reasons) <= 1


async def test_closing_before_the_start_closes_the_socket(browser: Browser) -> None:
    transport = await WebSocketTransport.open(browser.url)
    await until(lambda: browser.wire is not None)

    await transport.aclose()

    await browser.connected.wait_closed()


# -- where to connect -------------------------------------------------------------------------


async def test_a_port_where_nobody_listens_is_a_lost_connection_with_a_hint() -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    with pytest.raises(ConnectionLost) as caught:
        await WebSocketTransport.open(f"ws://127.0.0.1:{port}/devtools/browser/1")
    with pytest.raises(ConnectionLost) as asked:
        await browser_websocket_url(f"http://127.0.0.1:{port}")

    assert "--remote-debugging-port" in caught.value.hint
    assert "--remote-debugging-port" in asked.value.hint


async def test_a_server_that_is_no_browser_is_a_lost_connection(browser: Browser) -> None:
    with pytest.raises(ConnectionLost):
        await WebSocketTransport.open(f"ws://127.0.0.1:{browser.port}/elsewhere")


async def test_a_server_that_never_answers_is_given_up_at_the_deadline() -> None:
    async def say_nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)

    writers: list[asyncio.StreamWriter] = []
    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(ConnectionLost):
            await WebSocketTransport.open(f"ws://{address}/devtools/browser/1", seconds=0.05)
        with pytest.raises(ConnectionLost):
            await browser_websocket_url(f"http://{address}", seconds=0.05)
        for writer in writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def test_something_that_is_no_address_of_a_socket_is_refused() -> None:
    with pytest.raises(InvalidParams):
        await WebSocketTransport.open("http://127.0.0.1:9222/")


@pytest.mark.parametrize("form", ["http://127.0.0.1:{}", "127.0.0.1:{}", "ws://127.0.0.1:{}/"])
async def test_the_browser_is_asked_for_the_address_of_its_socket(
    browser: Browser, form: str
) -> None:
    browser.version = lambda: (
        HTTPStatus.OK,
        '{"Browser": "Chrome/156", "webSocketDebuggerUrl": "ws://127.0.0.1/devtools/browser/7"}',
    )

    url = await browser_websocket_url(form.format(browser.port))

    assert url == "ws://127.0.0.1/devtools/browser/7"


async def test_an_address_of_a_socket_is_taken_as_it_stands() -> None:
    for url in ("ws://10.0.0.1:9222/devtools/browser/7", "wss://cloud.test/session?token=x"):
        assert await browser_websocket_url(url) == url


ANSWERS = {
    "not found": (HTTPStatus.NOT_FOUND, "no"),
    "no JSON": (HTTPStatus.OK, "<html>It works!</html>"),
    "no address in it": (HTTPStatus.OK, '{"Browser": "Chrome/156"}'),
    "a list": (HTTPStatus.OK, "[]"),
    "a bare number": (HTTPStatus.OK, "7"),
    "nothing": (HTTPStatus.OK, ""),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
async def test_an_answer_that_no_browser_gives_is_a_lost_connection(
    browser: Browser, answer: tuple[HTTPStatus, str]
) -> None:
    browser.version = lambda: answer

    with pytest.raises(ConnectionLost, match="no browser answers"):
        await browser_websocket_url(f"http://127.0.0.1:{browser.port}")


ADDRESSES = {
    "another scheme": "ftp://127.0.0.1:9222",
    "no host": "http://",
    "empty": "",
    "a port that is not a number": "http://127.0.0.1:chrome",
    "a port beyond all ports": "http://127.0.0.1:99999",
    "half an IPv6 address": "http://[::1:9222",
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES.keys())
async def test_what_is_no_address_is_refused_in_words(address: str) -> None:
    with pytest.raises(CdpAgentError) as caught:
        await browser_websocket_url(address)

    assert caught.value.code == "invalid_params"
    assert caught.value.hint
