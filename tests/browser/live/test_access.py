"""Access to the live page: loopback names, the page's own origin, the token."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cdp_agent import Browser
from cdp_agent.errors import InvalidParams
from cdp_agent.live import Board, LiveServer, Pane, open_live
from tests.browser.live.conftest import Wire, wired


async def get(server: LiveServer, path: str, host: str | None = None) -> tuple[int, str]:
    """Status and body of a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        name = host or f"127.0.0.1:{server.port}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
        async with asyncio.timeout(10):
            reply = (await reader.read()).decode()
    finally:
        writer.close()
        await writer.wait_closed()
    head, _, body = reply.partition("\r\n\r\n")
    return int(head.split()[1]), body


def token(server: LiveServer) -> str:
    return server.url.partition("token=")[2]


async def test_the_page_needs_its_token(server: LiveServer) -> None:
    assert (await get(server, f"/?token={token(server)}"))[0] == 200
    for path in ("/", "/?token=", "/?token=wrong", f"/?token={token(server)}x", "/socket"):
        status, body = await get(server, path)
        assert status == 401, path
        assert token(server) not in body
    assert (await get(server, f"/other?token={token(server)}"))[0] == 404


@pytest.mark.parametrize("host", ["evil.test", "evil.test:80", "127.0.0.1.evil.test", "127.0.0.1"])
async def test_a_foreign_host_name_is_refused(server: LiveServer, host: str) -> None:
    assert (await get(server, f"/?token={token(server)}", host))[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.test", "null", None, "https://127.0.0.1"])
async def test_a_foreign_origin_is_refused(server: LiveServer, origin: str | None) -> None:
    url = f"ws://127.0.0.1:{server.port}/socket?token={token(server)}"
    with pytest.raises(InvalidStatus) as caught:
        async with connect(url, origin=origin):  # type: ignore[arg-type]
            pass
    assert caught.value.response.status_code == 403


async def test_a_socket_needs_the_token(server: LiveServer) -> None:
    origin = f"http://127.0.0.1:{server.port}"
    with pytest.raises(InvalidStatus) as caught:
        async with connect(f"ws://127.0.0.1:{server.port}/socket", origin=origin):  # type: ignore[arg-type]
            pass
    assert caught.value.response.status_code == 401


async def test_an_open_page_connects_to_the_next_run_of_its_token_alone(browser: Browser) -> None:
    before, boards = await open_live(Board(), token="first-token"), [Board(), Board()]
    async with await browser.new_context() as context:
        look = await context.new_page(before.url, viewport=(390, 800))
        await look.wait_for(text="connected", timeout=10)
        await before.aclose()
        await look.wait_for(text="the command has ended", timeout=10)
        lines = "[...document.querySelectorAll('header strong')].map(one => one.offsetHeight)"
        assert (await look.evaluate(lines))[0] < 40, "the name is on one line"
        other = await open_live(boards[0], port=before.port, token="other-token")
        await look.wait_for(text="another run is here", timeout=10)
        await other.aclose()
        again = await open_live(boards[1], port=before.port, token="first-token")
        boards[1].open_pane("Order a lamp")
        await look.wait_for(text=["connected", "Order a lamp"], text_gone="another run", timeout=10)
        await again.aclose()
    for board in boards:
        await board.aclose()


async def test_it_listens_on_loopback_alone(server: LiveServer) -> None:
    assert server._server is not None
    assert {socket.getsockname()[0] for socket in server._server.sockets} == {"127.0.0.1"}


async def test_a_wrong_message_is_an_error_and_the_connection_lives(
    wire: Wire, board: Board, pane: Pane
) -> None:
    for text in ("{", "[]", json.dumps({"type": "pause", "pane": "99"})):
        await wire.send_text(text)
        assert (await wire.next("error"))["code"] == "invalid_params"
    await wire.send(type="pause", pane=pane.id)
    await wire.until(lambda m: m["type"] == "pane" and m["paused"])


async def test_a_message_that_is_too_large_ends_the_connection(server: LiveServer) -> None:
    async with wired(server) as wire:
        await wire.send_text(json.dumps({"type": "text", "pane": "1", "text": "x" * 100_000}))
        with pytest.raises(ConnectionClosed):
            await wire.next("nothing")
    assert (await get(server, f"/?token={token(server)}"))[0] == 200


@pytest.mark.parametrize("port", [-1, 65536])
async def test_a_port_that_is_none_is_refused(board: Board, port: int) -> None:
    with pytest.raises(InvalidParams):
        await open_live(board, port=port)


async def test_a_port_that_is_taken_is_an_error(board: Board, server: LiveServer) -> None:
    with pytest.raises(InvalidParams):
        await open_live(board, port=server.port)
