"""Requests that never come to their end: closed, and nothing waits for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent.cli.session.server import SessionServer
from cdp_agent.mcp_server import http
from cdp_agent.tools.host import BrowserHost, ToolClient

HALVES = {
    "nothing": b"",
    "half a head": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "half a body": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer t\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES.keys())
async def test_half_a_request_to_the_http_server_is_closed(
    half: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http._TimedProtocol, "patience", 0.2)
    host = BrowserHost(cdp_agent.launch)
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(
        http.serve_http(lambda: ToolClient(host), 0, "t", ready=ready.set_result)
    )
    try:
        port = int((await ready).rpartition(":")[2].partition("/")[0])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(half)
        async with asyncio.timeout(10):
            await reader.read()  # to its end
        writer.close()
    finally:
        serving.cancel()
        await asyncio.wait([serving])
        await host.aclose()


@pytest.mark.parametrize(
    "half", [b"", b'{"tool": "browser_', b"\x00"], ids=["none", "half", "mark"]
)
async def test_half_a_request_to_a_session_is_closed(half: bytes, folder: Path) -> None:
    host = BrowserHost(cdp_agent.launch)
    session = SessionServer("half", ToolClient(host), host, 60, [])
    session.patience = 0.2
    path = str(folder / "s")
    server = await asyncio.start_unix_server(session._answer, path)
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(half)

    async with asyncio.timeout(10):
        assert await reader.read() == b""

    assert session._busy == 0
    writer.close()
    server.close()
    await server.wait_closed()
