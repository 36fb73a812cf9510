"""A whole task in the shell, as it was typed and answered: `python scripts/readme/transcript.py`.

Serves a shop on one site with its card form on another, works through it with `cdp-agent`, and
prints what was typed and what came back. `--write` keeps it in fixtures/session_transcript.txt,
which the README shows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "fixtures" / "session_transcript.txt"

SHOP = """<!doctype html><meta charset=utf-8><title>Shop</title><h1>Your order</h1>
<p>One lamp, 19.90</p><label>Email <input></label>
<iframe src="http://localhost:{port}/card" title="Card" height=120></iframe>"""
CARD = """<!doctype html><meta charset=utf-8><title>Card</title>
<label>Card number <input id=card required></label>
<button onclick="said.textContent = 'Paid with card ' + card.value.slice(-4)">Pay now</button>
<p id=said></p>"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        html = CARD if self.path == "/card" else SHOP.format(port=self.server.server_port)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


class Transcript:
    def __init__(self, port: int, folder: str) -> None:
        self._port = str(port)
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), "CDP_AGENT_SESSIONS": folder}
        self.lines: list[str] = []
        self._seen = ""

    def type(self, *words: str) -> str:
        """Run a command; keep it and its answer."""
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        done = subprocess.run(
            [sys.executable, "-m", "cdp_agent.cli.main", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.lines += [f"$ cdp-agent {shown}", *(done.stdout + done.stderr).splitlines()]
        if done.returncode:
            raise SystemExit("\n".join(self.lines))
        self._seen += done.stdout
        return done.stdout

    def id(self, what: str) -> str:
        """The id of an element that some answer has shown."""
        found = re.search(rf"\[(\d+-\d+)\] {what}", self._seen)
        if found is None:
            raise SystemExit(f"no {what} in:\n{self._seen}")
        return found[1]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).replace(f":{self._port}", ":8000") + "\n"


def play() -> str:
    """Do the task; the transcript."""
    folder = tempfile.mkdtemp(prefix="s")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        shell = Transcript(server.server_port, folder)
        try:
            shell.type("open", f"http://127.0.0.1:{server.server_port}/")
            shell.type("fill", shell.id('textbox "Email"'), "ada@example.com")
            shell.type("fill", "label=Card number", "4242 4242 4242 4242")
            paid = shell.type("click", "text=Pay now")
            if "Paid with card 4242" not in paid:
                raise SystemExit(shell.text)
            shell.type("close")
        finally:
            subprocess.run(
                [sys.executable, "-m", "cdp_agent.cli.main", "close"],
                env=shell._environment,
                capture_output=True,
                timeout=60,
            )
            server.shutdown()
            shutil.rmtree(folder, ignore_errors=True)
    return shell.text


if __name__ == "__main__":
    text = play()
    if "--write" in sys.argv:
        KEPT.write_text(text, "utf-8")
    print(text, end="")
