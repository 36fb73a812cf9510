"""A web site for tests: documents registered on the fly, served to every `*.test` host.

The server runs in threads of its own, so that a test whose event loop is stuck still
gets its pages, and a slow answer delays nobody else. A path is registered once and is
the same on every host: the host only decides which process Chromium gives the document.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from mimetypes import guess_type
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from cdp_agent.demo.loopback import LoopbackServer, PageHandler

HTML = "text/html; charset=utf-8"
#: The same on every machine: what a browser refuses to run under another type.
_FILE_TYPES = {
    ".html": HTML,
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
}
WRAPPER = "<!doctype html><meta charset=utf-8><title>Test page</title>"
WHOLE_DOCUMENTS = ("<!doctype", "<html", "<?xml")


@dataclass(frozen=True)
class Request:
    method: str
    host: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Response:
    """The answer of a handler; an iterator as body is sent in chunks as it produces them."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Iterator[bytes] = b""


class Recorded(NamedTuple):
    method: str
    host: str
    path: str


Handler = Callable[[Request], Response]


def whole_document(html: str) -> str:
    """A bare body becomes a standards-mode document; a document stays as it is."""
    if html.lstrip()[:9].lower().startswith(WHOLE_DOCUMENTS):
        return html
    return WRAPPER + html


class Site:
    """The server. Use as a context manager, or call `close`."""

    def __init__(self) -> None:
        self.requests: list[Recorded] = []
        self._routes: dict[str, Handler] = {}
        self._folders: dict[str, Path] = {}
        self._numbers = itertools.count(1)
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Exchange)
        self._server.site = self
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="test-site",
            daemon=True,  # a run that dies early is not held up by its site
        )
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, path: str, host: str = "a.test") -> str:
        return f"http://{host}:{self.port}/{path.lstrip('/')}"

    def page(
        self,
        html: str,
        *,
        host: str = "a.test",
        path: str | None = None,
        headers: Mapping[str, str] | None = None,
        content_type: str = HTML,
        delay: float = 0,
        status: int = 200,
    ) -> str:
        """Register a document and say where it is. No path is a part of another's."""
        path = path or f"/page-{next(self._numbers)}.html"
        text = whole_document(html) if content_type == HTML else html
        answer = Response(status, {"Content-Type": content_type, **(headers or {})}, text.encode())

        def serve(_: Request) -> Response:
            # Ends early when the site closes, so that a slow page never holds up the run's end.
            if delay:
                self._closing.wait(delay)
            return answer

        self.route(path, serve)
        return self.url(path, host)

    def route(self, path: str, handler: Handler) -> None:
        """Answer `path` (without its query, on every host) by `handler`, in a server thread."""
        self._routes["/" + path.lstrip("/")] = handler

    def folder(self, prefix: str, folder: Path) -> None:
        """Serve the files of `folder` below `prefix`, on every host; no file above it."""
        self._folders[f"/{prefix.strip('/')}/"] = folder.resolve()

    def _file(self, request: Request) -> Response | None:
        for prefix, folder in self._folders.items():
            if not request.path.startswith(prefix):
                continue
            file = (folder / unquote(request.path.removeprefix(prefix))).resolve()
            if file.is_file() and file.is_relative_to(folder):
                kind = _FILE_TYPES.get(file.suffix) or guess_type(file.name)[0]
                headers = {"Content-Type": kind or "application/octet-stream"}
                return Response(200, headers, file.read_bytes())
        return None

    def respond(self, request: Request) -> Response:
        if request.path == "/favicon.ico":
            return Response(404)
        self.requests.append(Recorded(request.method, request.host, request.path))
        handler = self._routes.get(request.path)
        if handler is None and (file := self._file(request)) is not None:
            return file
        return handler(request) if handler else Response(404, {"Content-Type": HTML}, b"no page")

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _Server(LoopbackServer):
    site: Site


class _Exchange(PageHandler):
    server: _Server

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            self.command,
            self.headers.get("Host", "").partition(":")[0],
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            dict(self.headers),
            self.rfile.read(length) if length else b"",
        )
        response = self.server.site.respond(request)
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if isinstance(response.body, bytes):
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for chunk in response.body:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = _answer
