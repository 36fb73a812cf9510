"""The README is true: its example runs as it stands there, and prints what it says."""

from __future__ import annotations

import asyncio
import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parents[3]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


async def test_the_example_at_the_top_of_the_readme_runs() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```(\w*)\n(.*?)```", readme, re.DOTALL)
    language, example = blocks[0]
    assert language == "python"
    printed = blocks[1][1]
    server = ThreadingHTTPServer(
        ("127.0.0.1", 8000), partial(_Quiet, directory=str(ROOT / "fixtures/pages"))
    )
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            example,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        out, err = await asyncio.wait_for(process.communicate(), 60)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert process.returncode == 0, err.decode()
    assert _without_node_numbers(out.decode()).startswith(_without_node_numbers(printed))
    assert "Thank you, ada@example.com" in out.decode()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 270


def _without_node_numbers(text: str) -> str:
    return re.sub(r"\[0-\d+\]", "[0-N]", text)
