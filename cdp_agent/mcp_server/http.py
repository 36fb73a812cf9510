"""MCP over streamable HTTP: a token, and a context for each MCP session.

A session ends when its client says so (DELETE), when the client's stream breaks off and nothing
is heard of it for a few seconds, or when it is idle for long. Only protocol versions that have
sessions are offered: without one, two clients could not be told apart, and would share pages.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import h11
import mcp_types as types
import uvicorn
from mcp.server import ServerRequestContext
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from cdp_agent import log
from cdp_agent.errors import InvalidParams
from cdp_agent.mcp_server.server import make_server
from cdp_agent.tools.host import ToolClient

_log = log.get("mcp")

PATH = "/mcp"
#: The head of a request has to come within this, and its body has to go on coming.
REQUEST_SECONDS = 10.0
#: A client whose stream broke off may come back within this time.
GRACE_SECONDS = 3.0
IDLE_SECONDS = 15 * 60.0
_SESSION_HEADER = b"mcp-session-id"
_VERSION_HEADER = b"mcp-protocol-version"


@dataclass(slots=True)
class _HttpSession:
    """One MCP session as seen from its HTTP requests."""

    client: ToolClient
    requests: int = 0
    #: It has had a stream of its own, so that the stream's end says something.
    had_stream: bool = False
    ending: asyncio.TimerHandle | None = field(default=None, repr=False)


class HttpGate:
    """Checks requests before the SDK's app: token, versions, and the life of sessions."""

    def __init__(
        self,
        app: ASGIApp,
        seats: dict[str, _HttpSession],
        new_client: Callable[[], ToolClient],
        token: str,
    ) -> None:
        self._app = app
        self._seats = seats
        self._new_client = new_client
        self._token = token
        self._leaving: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if not self._is_allowed(scope, headers):
            refusal = PlainTextResponse(
                "a token is needed: Authorization: Bearer …", 401, {"WWW-Authenticate": "Bearer"}
            )
            await refusal(scope, receive, send)
            return
        wanted = headers.get(_VERSION_HEADER, b"").decode("latin-1")
        if wanted and wanted not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _without_sessions(wanted)(scope, receive, send)
            return
        await self._attended(scope, receive, send, headers)

    def _is_allowed(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        kind, _, given = headers.get(b"authorization", b"").partition(b" ")
        asked = parse_qs(scope.get("query_string", b"")).get(b"token", [b""])[0]
        token = given if kind.lower() == b"bearer" else asked
        return hmac.compare_digest(token, self._token.encode())

    async def _attended(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]
    ) -> None:
        """Pass a request on, and know afterwards whether its client is still there."""
        session_id = headers.get(_SESSION_HEADER, b"").decode("latin-1")

        async def watched(message: Message) -> None:
            nonlocal session_id
            if message["type"] == "http.response.start" and not session_id:
                for name, value in message.get("headers", ()):
                    if name.lower() == _SESSION_HEADER and message["status"] < 400:
                        session_id = value.decode("latin-1")
                        self._seats[session_id] = _HttpSession(self._new_client(), requests=1)
            await send(message)

        seat = self._seats.get(session_id)
        if seat is not None:
            self._arrived(seat)
            seat.had_stream = seat.had_stream or scope["method"] == "GET"
        try:
            await self._app(scope, receive, watched)
        finally:
            seat = self._seats.get(session_id)
            if seat is not None:
                self._left(session_id, seat, ended=scope["method"] == "DELETE")

    def _arrived(self, seat: _HttpSession) -> None:
        seat.requests += 1
        if seat.ending is not None:
            seat.ending.cancel()
            seat.ending = None

    def _left(self, session_id: str, seat: _HttpSession, *, ended: bool) -> None:
        seat.requests -= 1
        if ended:
            self._begin_end(session_id)
        elif seat.requests <= 0:
            seconds = GRACE_SECONDS if seat.had_stream else IDLE_SECONDS
            loop = asyncio.get_running_loop()
            seat.ending = loop.call_later(seconds, self._begin_end, session_id)

    def _begin_end(self, session_id: str) -> None:
        seat = self._seats.pop(session_id, None)
        if seat is None:
            return
        if seat.ending is not None:
            seat.ending.cancel()
        task = asyncio.create_task(self._end(session_id, seat), name=f"end of {session_id[:8]}")
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _end(self, session_id: str, seat: _HttpSession) -> None:
        _log.debug("= MCP session %s ended", session_id[:8])
        try:
            await self._forget(session_id)
        finally:
            await seat.client.aclose()

    async def _forget(self, session_id: str) -> None:
        """Let the SDK forget a session as if its client had said DELETE."""
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "DELETE",
            "scheme": "http",
            "path": PATH,
            "raw_path": PATH.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (_SESSION_HEADER, session_id.encode("latin-1"))],
            "client": None,
            "server": None,
        }

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_: Message) -> None: ...

        await self._app(scope, receive, send)

    async def aclose(self) -> None:
        """End all sessions."""
        for session_id in list(self._seats):
            self._begin_end(session_id)
        if self._leaving:
            await asyncio.wait(list(self._leaving), timeout=10)


def _without_sessions(wanted: str) -> JSONResponse:
    """The protocol's error for a version without sessions, with those that there are."""
    error = {
        "code": types.UNSUPPORTED_PROTOCOL_VERSION,
        "message": "this server needs a protocol version that has sessions",
        "data": {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": wanted},
    }
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)


async def serve_http(
    new_client: Callable[[], ToolClient],
    port: int,
    token: str,
    *,
    host: str = "127.0.0.1",
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until cancelled. `ready` is told the address; port 0 takes a free one.

    Raises:
        InvalidParams: the port is taken.
    """
    seats: dict[str, _HttpSession] = {}

    def find_client(ctx: ServerRequestContext[Any, Any]) -> ToolClient:
        session_id = ctx.request.headers.get("mcp-session-id", "") if ctx.request else ""
        return seats[session_id].client

    app = make_server(find_client).streamable_http_app(
        streamable_http_path=PATH,
        session_idle_timeout=None,  # the gate knows better
        host=host,
        # More than any tool takes: what is too much is then said by the tool itself.
        max_request_body_size=32 * 1024 * 1024,
    )
    gate = HttpGate(app, seats, new_client, token)
    listener = _listener(host, port)
    server = _ReadyServer(
        uvicorn.Config(
            gate,
            http=_TimedProtocol,
            log_level="warning",
            lifespan="on",
            timeout_graceful_shutdown=3,
        )
    )
    address = f"http://{host}:{listener.getsockname()[1]}{PATH}"
    try:
        serving = asyncio.create_task(server.serve(sockets=[listener]), name="mcp http")
        serving.add_done_callback(lambda _: server.is_up.set())  # it may fail before it is
        try:
            await server.is_up.wait()
            if ready is not None and not serving.done():
                ready(address)
            await asyncio.shield(serving)
        finally:
            await gate.aclose()
            server.should_exit = True
            await asyncio.wait([serving], timeout=10)
    finally:
        listener.close()


class _TimedProtocol(H11Protocol):
    """Closes connections whose request does not come to its end."""

    patience = REQUEST_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._received = self._checked = 0
        self._check = self.loop.call_later(self.patience, self._look)

    def data_received(self, data: bytes) -> None:
        self._received += 1
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._check.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        is_head = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        stands = self._received == self._checked and self.conn.their_state is h11.SEND_BODY
        if self._received == 0 or is_head or stands:
            self.transport.close()
            return
        self._checked = self._received
        self._check = self.loop.call_later(self.patience, self._look)


class _ReadyServer(uvicorn.Server):
    """One that says when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.is_up.set()


def _listener(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise InvalidParams(f"cannot listen on {host}:{port}: {error.strerror}") from None
    return made
