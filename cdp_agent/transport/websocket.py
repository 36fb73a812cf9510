"""A WebSocket to a browser that listens on a port, ours or somebody else's."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import urllib.parse

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from cdp_agent import log
from cdp_agent.errors import ConnectionLost, InvalidParams
from cdp_agent.transport.base import Closed, Receive

# The library would write whole messages, and so what is typed, at its debug level.
_wire_log = log.get("transport.wire")
_wire_log.setLevel(logging.INFO)

_CONNECT_HINT = "Start it with --remote-debugging-port=9222 and use http://127.0.0.1:9222."


async def browser_websocket_url(url: str, seconds: float = 10.0) -> str:
    """The browser's `ws://…` address for `http://host:port` or `ws://…`.

    Raises:
        InvalidParams: it is not an address of that kind.
        ConnectionLost: nothing there answers as a browser does.
    """
    try:
        parts = urllib.parse.urlsplit(url if "//" in url else f"http://{url}")
        port = parts.port or 9222
    except ValueError:
        raise InvalidParams(f"{url!r} is not a browser's address", hint=_CONNECT_HINT) from None
    if parts.scheme in ("ws", "wss") and parts.path.strip("/"):
        return url
    if parts.scheme not in ("http", "ws") or not parts.hostname:
        raise InvalidParams(f"{url!r} is not a browser's address", hint=_CONNECT_HINT)
    host = parts.hostname
    try:
        return await asyncio.to_thread(_ask_for_url, host, port, seconds)
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        reason = f"no browser answers at {host}:{port} ({error or type(error).__name__})"
        raise ConnectionLost(reason, hint=_CONNECT_HINT) from None


def _ask_for_url(host: str, port: int, seconds: float) -> str:
    wire = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        wire.request("GET", "/json/version")
        answer = json.loads(wire.getresponse().read())
        return str(answer["webSocketDebuggerUrl"])
    finally:
        wire.close()


class WebSocketTransport:
    """One connection. A task sends, another receives; both end with it."""

    def __init__(self, wire: ClientConnection) -> None:
        self._wire = wire
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._closed: Closed | None = None

    @classmethod
    async def open(cls, url: str, seconds: float = 10.0) -> WebSocketTransport:
        try:
            # Chromium takes no fragmented or compressed messages, and its replies have no bound.
            wire = await connect(
                url,
                max_size=None,
                compression=None,
                open_timeout=seconds,
                ping_interval=None,
                logger=_wire_log,
            )
        except InvalidURI as error:
            raise InvalidParams(
                f"{url!r} is not a browser's address", hint=_CONNECT_HINT
            ) from error
        except (OSError, TimeoutError, InvalidHandshake) as error:
            raise ConnectionLost(f"cannot connect to {url} ({error})", hint=_CONNECT_HINT) from None
        return cls(wire)

    def start(self, receive: Receive, closed: Closed) -> None:
        self._closed = closed
        self._tasks = [
            asyncio.create_task(self._send_all(), name="cdp_agent websocket sender"),
            asyncio.create_task(self._receive_all(receive), name="cdp_agent websocket reader"),
        ]

    def send(self, message: bytes) -> None:
        self._outgoing.put_nowait(message)

    async def _send_all(self) -> None:
        try:
            while True:
                await self._wire.send(await self._outgoing.get(), text=True)
        except ConnectionClosed:
            return  # the receiver sees the same and says so

    async def _receive_all(self, receive: Receive) -> None:
        reason = "the browser closed the connection"
        try:
            while True:
                receive(await self._wire.recv(decode=False))
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.reason:
                reason = f"{reason}: {error.rcvd.reason}"
        finally:
            if self._closed is not None:
                self._closed(reason)

    async def aclose(self) -> None:
        """Close the socket and end both tasks. May be called twice."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2)
        self._tasks = []
        try:
            async with asyncio.timeout(2):
                await self._wire.close()
        except TimeoutError:
            self._wire.transport.abort()
