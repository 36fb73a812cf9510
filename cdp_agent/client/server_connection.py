"""The WebSocket to a server: requests, answers, and new connections."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from cdp_agent.client.wire_form import error_of
from cdp_agent.errors import ActionTimeout, BlockedByPolicy, ConnectionLost, InvalidParams

PROTOCOL_VERSION = "0.2.0"
#: Pauses between attempts to connect again; after the last one it is given up.
_PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)
_CONNECT_SECONDS = 10.0

Notified = Callable[[str, dict[str, Any]], None]


class WireConnection:
    """One connection at a time; requests under way fail when it breaks."""

    def __init__(self, url: str, token: str | None, notified: Notified) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise InvalidParams(
                f"{url[:200]!r} is not an address of a server", hint="ws://127.0.0.1:8932/"
            )
        self._url = urlunsplit(parts._replace(path=parts.path or "/"))
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._notified = notified
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._wire: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._closed = False
        #: Called with what a new connection needs first, each time there is one.
        self.on_connect: Callable[[], list[tuple[str, dict[str, Any]]]] = list

    async def ensure(self) -> None:
        """Connect, unless the connection is alive.

        Raises:
            BlockedByPolicy: the server does not let this client in.
            ConnectionLost: it cannot be reached, or this client was closed.
        """
        async with self._connecting:
            if self._closed:
                raise ConnectionLost("this client is closed")
            if self._wire is not None and self._reader is not None and not self._reader.done():
                return
            await self._drop()
            self._wire = await self._connected()
            self._reader = asyncio.create_task(self._read(self._wire), name="BAP client")
            hello = {"name": "cdp-agent", "version": "1"}
            await self._send(
                "initialize", {"protocolVersion": PROTOCOL_VERSION, "clientInfo": hello}
            )
            for method, params in self.on_connect():
                await self._send(method, params)

    async def _connected(self) -> ClientConnection:
        problem = ""
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    return await connect(self._url, additional_headers=self._headers, max_size=None)
            except (InvalidHandshake, InvalidURI) as error:
                raise BlockedByPolicy(
                    f"the server does not let this client in: {error}",
                    hint="Check the token and the address.",
                ) from None
            except (OSError, TimeoutError) as error:
                problem = str(error) or type(error).__name__
        raise ConnectionLost(
            f"the server cannot be reached: {problem}", hint="Is `cdp-agent serve` running?"
        )

    async def request(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """The result of a method.

        Raises:
            ConnectionLost: the wire broke before the answer came; it may have been carried out.
            ActionTimeout: no answer came in time.
            CdpAgentError: what the server says went wrong.
        """
        await self.ensure()
        return await self._send(method, params, seconds)

    async def _send(
        self, method: str, params: dict[str, Any], seconds: float = _CONNECT_SECONDS
    ) -> Any:
        assert self._wire is not None
        number = next(self._numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            async with asyncio.timeout(seconds):
                await self._wire.send(json.dumps(message))
                return await answer
        except ConnectionClosed:
            raise ConnectionLost("the server has gone") from None
        except TimeoutError:
            raise ActionTimeout(f"{method} was not answered within {seconds:g} s") from None
        finally:
            self._pending.pop(number, None)

    async def _read(self, wire: ClientConnection) -> None:
        try:
            async for text in wire:
                self._take(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            lost = ConnectionLost("the connection to the server broke")
            for answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(lost)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self._notified(message["method"], message.get("params") or {})
            return
        answer = self._pending.get(message.get("id", 0))
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(error_of(message["error"]))
        else:
            answer.set_result(message.get("result"))

    async def _drop(self) -> None:
        wire, self._wire = self._wire, None
        reader, self._reader = self._reader, None
        if wire is not None:
            await wire.close()
        if reader is not None:
            reader.cancel()
            await asyncio.wait([reader])

    async def aclose(self) -> None:
        """Close the wire; what is under way fails. May be called twice."""
        self._closed = True
        async with self._connecting:
            await self._drop()
