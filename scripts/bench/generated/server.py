"""Serves the generated pages on loopback, to whatever host name leads here."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class PageServer:
    """Use it in a `with`. In threads of its own: the measured event loop serves nothing."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Exchange)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="pages"
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, path: str, host: str) -> str:
        return f"http://{host}:{self.port}{path}"

    def add(self, documents: Mapping[str, str]) -> None:
        """Answer these paths, on every host."""
        self._server.documents.update({path: html.encode() for path, html in documents.items()})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    # A browser keeps its connections open; their threads must not hold up the end.
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.documents: dict[str, bytes] = {}

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a browser that hangs up in the middle of an answer."""


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        body = self.server.documents.get(path)
        self.send_response(200 if body is not None else 404)
        kind = "css" if path.endswith(".css") else "html"
        self.send_header("Content-Type", f"text/{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        if body is not None:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silent: the table is the output."""
