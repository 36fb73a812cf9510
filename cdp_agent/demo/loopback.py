"""A small web server for sites on loopback: quick to answer, and silent."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    #: A page with many parts asks for all of them at once.
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a browser that hangs up in the middle of an answer."""


class PageHandler(BaseHTTPRequestHandler):
    """Base of what answers."""

    protocol_version = "HTTP/1.1"
    # Small answers must not wait for the peer's acknowledgement of their headers.
    disable_nagle_algorithm = True
    wbufsize = -1

    def send_page(self, status: int, html: str, headers: dict[str, str] | None = None) -> None:
        body = html.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: whoever serves keeps what it wants to know."""
