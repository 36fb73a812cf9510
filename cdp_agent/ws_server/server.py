"""The WebSocket server: tokens and origins at the door, a client with its own context behind it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve as listen
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cdp_agent import log
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.host import ToolClient
from cdp_agent.ws_server.access import Access, RateLimit, allows
from cdp_agent.ws_server.action_protocol import ActionConnection
from cdp_agent.ws_server.bap.connection import BapConnection
from cdp_agent.ws_server.wire_text import writable

# The library would write whole messages, and so what is typed, at its debug level.
_wire_log = log.get("ws.wire")
_wire_log.setLevel(logging.INFO)

BAP_PATH, ACTION_PATH = "/", "/action"
#: More than any method takes, so that the method itself says what is too much.
_LARGEST_MESSAGE = 32 * 1024 * 1024
#: Calls of one connection that may wait for each other.
_MOST_WAITING = 64
#: The names that a server on this machine is called by. A web page that made its own name mean
#: this machine sends that name.
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class WebSocketServer:
    def __init__(
        self,
        new_client: Callable[[], ToolClient],
        access: Access,
        new_rate: Callable[[], RateLimit],
        *,
        host: str = "127.0.0.1",
        approve: frozenset[str] = frozenset(),
    ) -> None:
        self._new_client = new_client
        self._access = access
        self._new_rate = new_rate
        self._host = host
        self._approve = approve
        # Of a token, not of a connection: a second connection gives no second allowance.
        self._rates: dict[str, RateLimit] = {}

    def check(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a connection before it is one."""
        if self._host in _LOOPBACK and not _names_this_machine(request):
            return connection.respond(HTTPStatus.FORBIDDEN, "this name is not the server's\n")
        if urlsplit(request.path).path not in (BAP_PATH, ACTION_PATH):
            return connection.respond(HTTPStatus.NOT_FOUND, f"{BAP_PATH} or {ACTION_PATH}\n")
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._access.origins:
            return connection.respond(HTTPStatus.FORBIDDEN, "this origin may not connect\n")
        if self._access.scopes_of(_token(request)) is None:
            return connection.respond(HTTPStatus.UNAUTHORIZED, "a token is needed\n")
        return None

    async def attend(self, connection: ServerConnection) -> None:
        """One connection from its first message to its end; its context ends with it."""
        request = connection.request
        assert request is not None
        token = _token(request)
        scopes = self._access.scopes_of(token) or frozenset()
        rate = self._rates.setdefault(token, self._new_rate())
        client = self._new_client()
        try:
            if urlsplit(request.path).path == BAP_PATH:
                await self._speak_bap(connection, client, scopes, rate)
            else:
                commands = ActionConnection(client, _action_scopes(scopes), rate)
                for greeting in await commands.greeting():
                    await connection.send(greeting)
                async for message in connection:
                    for answer in await commands.answers(message):
                        await connection.send(answer)
        except ConnectionClosed:
            pass
        finally:
            await client.aclose()

    async def _speak_bap(
        self,
        connection: ServerConnection,
        client: ToolClient,
        scopes: frozenset[str],
        rate: RateLimit,
    ) -> None:
        async def notify(method: str, params: dict[str, Any]) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            with contextlib.suppress(ConnectionClosed):
                await connection.send(writable(json.dumps(message, ensure_ascii=False)))

        bap = BapConnection(client, scopes, rate, notify, self._approve)
        try:
            await _converse(connection, bap)
        finally:
            await bap.aclose()


async def _converse(connection: ServerConnection, bap: BapConnection) -> None:
    """Calls may overlap as the protocol allows; those on the same pages wait for each other."""
    running: set[asyncio.Task[None]] = set()
    room = asyncio.Semaphore(_MOST_WAITING)

    async def answer(message: str | bytes) -> None:
        try:
            response = await bap.answer(message)
            if response is not None:
                with contextlib.suppress(ConnectionClosed):
                    await connection.send(response)
            bap.answered()
        finally:
            room.release()

    try:
        async for message in connection:
            await room.acquire()
            task = asyncio.create_task(answer(message), name="BAP call")
            running.add(task)
            task.add_done_callback(running.discard)
    finally:
        for task in list(running):
            task.cancel()
        if running:
            await asyncio.wait(list(running), timeout=10)


def _action_scopes(scopes: frozenset[str]) -> frozenset[str]:
    """The scopes of the Action Protocol, which has four commands and knows `act` and `look`."""
    commands = ("page/navigate", "action/click", "action/type", "action/scroll")
    named = {"act"} if all(allows(scopes, method) for method in commands) else set()
    return frozenset(named | ({"look"} if allows(scopes, "agent/observe") else set()))


def _names_this_machine(request: Request) -> bool:
    """Returns whether the one `Host` header there is has a name of this machine."""
    try:
        names = [urlsplit(f"//{host}").hostname for host in request.headers.get_all("Host")]
    except ValueError:
        return False
    return len(names) == 1 and names[0] in _LOOPBACK


def _token(request: Request) -> str:
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return given.strip()
    return parse_qs(urlsplit(request.path).query).get("token", [""])[0]


async def serve(
    new_client: Callable[[], ToolClient],
    access: Access,
    port: int,
    *,
    host: str = "127.0.0.1",
    new_rate: Callable[[], RateLimit] = RateLimit,
    approve: frozenset[str] = frozenset(),
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until cancelled. `ready` is told the address; port 0 takes a free one.

    `approve`: methods of which each call is put to the client's person first.

    Raises:
        InvalidParams: the port is taken.
    """
    server = WebSocketServer(new_client, access, new_rate, host=host, approve=approve)
    try:
        listening = await listen(
            server.attend,
            host,
            port,
            process_request=server.check,
            max_size=_LARGEST_MESSAGE,
            logger=_wire_log,
        )
    except OSError as error:
        reason = str(error.strerror).rpartition(": ")[2]  # asyncio says the address again
        raise InvalidParams(f"cannot listen on {host}:{port}: {reason}") from None
    async with listening:
        if ready is not None:
            ready(f"ws://{host}:{listening.sockets[0].getsockname()[1]}")
        await listening.serve_forever()
