"""Two sites on loopback for the doctor: a page, and a frame of the other site."""

from __future__ import annotations

import threading
from typing import Self

from cdp_agent.demo.loopback import LoopbackServer, PageHandler

_PAGE = """<!doctype html><meta charset=utf-8><title>cdp-agent doctor</title>
<iframe src="http://127.0.0.1:{port}/frame" width=300 height=120></iframe>"""
_FRAME = """<!doctype html><meta charset=utf-8><title>frame</title>
<button onclick="window.pressed = event.isTrusted ? 'trusted' : 'untrusted'">Press me</button>"""


class DoctorSite:
    """`localhost` and `127.0.0.1` are two sites to Chromium, whatever the port."""

    def __enter__(self) -> Self:
        self._server = LoopbackServer(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    @property
    def page_url(self) -> str:
        return f"http://localhost:{self._server.server_port}/"


class _Handler(PageHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, LoopbackServer)
        frame = self.path == "/frame"
        self.send_page(200, _FRAME if frame else _PAGE.format(port=self.server.server_port))
