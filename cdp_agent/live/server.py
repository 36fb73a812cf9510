"""The live page's server: one page and its WebSocket, on loopback, behind a token.

A request needs a Host of this machine, so that no foreign name can be pointed here, and the token.
A WebSocket needs the page's own Origin as well.
"""

from __future__ import annotations

import asyncio
import functools
import hmac
import logging
import secrets as tokens
from http import HTTPStatus
from importlib import resources
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from cdp_agent import log
from cdp_agent.errors import InvalidParams
from cdp_agent.live.board import Board
from cdp_agent.live.viewer import LiveViewer
from cdp_agent.live.viewer_messages import LARGEST_MESSAGE

_wire_log = log.get("live.wire")
# The library would write whole messages, and so what a person types, at its debug level.
_wire_log.setLevel(logging.INFO)

HOST = "127.0.0.1"
SOCKET_PATH = "/socket"
_MOST_VIEWERS = 16
#: The last news reach viewers within this time when the command ends.
_FLUSH_SECONDS = 1.0
_NO_TOKEN = "a token is needed: open the address that the command printed\n"
_FILES = ("view.js", "picture.js", "live.js")


class LiveServer:
    """`url` opens the page. Close it before the board's browsers."""

    def __init__(self, board: Board, token: str) -> None:
        self._board = board
        self._token = token
        self._server: Server | None = None
        self._viewers: set[LiveViewer] = set()
        self._hosts: frozenset[str] = frozenset()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/?token={self._token}"

    async def start(self, port: int) -> None:
        """Raises: InvalidParams: the port is taken."""
        try:
            self._server = await serve(
                self._attend,
                HOST,
                port,
                process_request=self._check,
                max_size=LARGEST_MESSAGE,
                logger=_wire_log,
                compression=None,  # pictures are compressed already
                close_timeout=2,
            )
        except OSError as error:
            reason = str(error.strerror).rpartition(": ")[2]  # asyncio says the address again
            raise InvalidParams(f"cannot listen on {HOST}:{port}: {reason}") from None
        self.port = self._server.sockets[0].getsockname()[1]
        self._hosts = frozenset(f"{name}:{self.port}" for name in (HOST, "localhost", "[::1]"))

    def _check(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request for the page, or refuse; None lets a WebSocket through."""
        host = request.headers.get("Host", "")
        if host not in self._hosts:
            return connection.respond(HTTPStatus.FORBIDDEN, "this host name is not ours\n")
        address = urlsplit(request.path)
        given = parse_qs(address.query).get("token", [""])[0]
        if not hmac.compare_digest(given.encode(errors="replace"), self._token.encode()):
            return connection.respond(HTTPStatus.UNAUTHORIZED, _NO_TOKEN)
        if address.path == "/":
            return _page_response()
        if address.path != SOCKET_PATH:
            return connection.respond(HTTPStatus.NOT_FOUND, "there is only the live page here\n")
        if request.headers.get("Origin") != f"http://{host}":
            return connection.respond(HTTPStatus.FORBIDDEN, "this origin may not connect\n")
        if len(self._viewers) >= _MOST_VIEWERS:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many look already\n")
        return None

    async def _attend(self, connection: ServerConnection) -> None:
        viewer = LiveViewer(self._board, connection)
        self._viewers.add(viewer)
        try:
            await viewer.attend()
        finally:
            self._viewers.discard(viewer)

    async def aclose(self) -> None:
        """Send the last news, end the connections. May be called twice."""
        if self._server is None:
            return
        flushing = [asyncio.create_task(viewer.flush(_FLUSH_SECONDS)) for viewer in self._viewers]
        if flushing:
            await asyncio.wait(flushing)
        self._server.close()
        await self._server.wait_closed()
        self._server = None


async def open_live(board: Board, *, port: int = 0, token: str | None = None) -> LiveServer:
    """Serve a board until `aclose`; port 0 takes a free one.

    Raises:
        InvalidParams: the port is taken or is none, or the token is too short.
    """
    if not 0 <= port <= 65535:
        raise InvalidParams(f"{port} is not a port")
    if token is not None and len(token) < 8:
        raise InvalidParams("a token has at least 8 characters")
    server = LiveServer(board, token or tokens.token_urlsafe(24))
    await server.start(port)
    return server


@functools.cache
def _files() -> tuple[str, str, str]:
    folder = resources.files("cdp_agent.live").joinpath("page")
    script = "\n".join(folder.joinpath(name).read_text("utf-8") for name in _FILES)
    style = folder.joinpath("live.css").read_text("utf-8")
    return folder.joinpath("live.html").read_text("utf-8"), style, script


def _page_response() -> Response:
    """The page with its style and script in it. Nothing else may be loaded or run."""
    html, style, script = _files()
    nonce = tokens.token_urlsafe(16)
    page = (
        html.replace("{{nonce}}", nonce)
        .replace("{{style}}", style)
        .replace("{{script}}", f'"use strict";\n(() => {{\n{script}\n}})();')
    )
    body = page.encode()
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    headers = Headers(
        {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body)),
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        }
    )
    return Response(HTTPStatus.OK, "OK", headers, body)
