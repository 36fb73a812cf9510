"""The pages of MiniWoB++: installed once under `.bench/`, served on loopback."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.bench.applications.install import NotInstalled, packages

PACKAGE = "miniwob==1.1.0"
_INSTALL_SECONDS = 300


def page_folder() -> Path:
    """Returns the folder of the tasks' pages; installs the package unless that has been done.

    Raises:
        NotInstalled: pip failed.
    """
    folder = packages("miniwob")
    stamp = folder / "installed"
    if not (stamp.exists() and stamp.read_text() == PACKAGE):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # Its pages are wanted, not its Python: that would bring Selenium and more.
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
        try:
            subprocess.run(
                [*pip, PACKAGE],
                check=True,
                text=True,
                capture_output=True,
                timeout=_INSTALL_SECONDS,
            )
        except subprocess.CalledProcessError as error:
            raise NotInstalled(f"pip failed: {error.stderr[-600:]}") from None
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"pip took over {_INSTALL_SECONDS} s") from None
        stamp.write_text(PACKAGE)
    return folder / "miniwob" / "html"


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Silent: the table is the output."""


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a browser that hangs up in the middle of an answer."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves a folder on loopback, in a thread of its own; gives the address."""
    server = _Server(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="miniwob")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
