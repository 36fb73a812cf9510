"""Starts one application's server on a free loopback port, and stops it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.bench.applications.catalog import Application
from scripts.bench.applications.install import (
    SEEDS,
    NotInstalled,
    data,
    environment,
    install,
    packages,
    program,
    seed,
)

_HOST = "127.0.0.1"
_START_SECONDS = 90.0
_STOP_SECONDS = 10.0


class NotStarted(Exception):
    """The application does not run. The message says why."""


@contextmanager
def run_application(app: Application) -> Iterator[str]:
    """Install, seed and start it; yields the address of its page; stops it.

    Raises:
        NotStarted: it cannot be installed, or did not answer in time.
    """
    if app.not_installed:
        raise NotStarted(app.not_installed)
    try:
        install(app.name)
        seed(app.name)
    except NotInstalled as error:
        raise NotStarted(str(error)) from None
    port = _free_port()
    url = f"http://{_HOST}:{port}{app.path}"
    log = data(app.name) / "server.log"
    with open(log, "wb") as output:
        # A group of its own: some servers start others, and all of them have to end.
        process = subprocess.Popen(
            server_command(app.name, port),
            cwd=data(app.name),
            env=environment(app.name, port),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait_answer(process, url, log)
        yield url
    finally:
        _stop(process)


def server_command(name: str, port: int) -> list[str]:
    """The command that serves an application on the port. Pure."""
    modules, folder = packages(name) / "node_modules", data(name)
    match name:
        case "django" | "wagtail":
            words: list[str | Path] = [program(name, "python"), "-m", "django", "runserver"]
            words += [f"{_HOST}:{port}", "--noreload", f"--settings={name}_settings"]
        case "jupyter":
            words = [program(name, "python"), "-m", "jupyterlab", "--no-browser", "--allow-root"]
            words += [f"--ip={_HOST}", f"--port={port}", "--ServerApp.port_retries=0"]
            words += ["--IdentityProvider.token=", "--LabApp.news_url="]
            words += [f"--ServerApp.root_dir={folder / 'files'}"]
        case "streamlit":
            words = [program(name, "streamlit"), "run", SEEDS / "streamlit_app.py"]
            words += [f"--server.address={_HOST}", f"--server.port={port}"]
            words += ["--server.headless=true", "--server.fileWatcherType=none"]
            words += ["--browser.gatherUsageStats=false"]
        case "gradio":
            words = [program(name, "python"), SEEDS / "gradio_app.py"]
        case "datasette":
            words = [program(name, "datasette"), "serve", folder / "library.db"]
            words += ["-h", _HOST, "-p", str(port)]
        case "nodered":
            words = ["node", modules / "node-red" / "red.js"]
            words += ["--settings", SEEDS / "nodered" / "settings.js"]
        case "tiddlywiki":
            words = ["node", modules / "tiddlywiki" / "tiddlywiki.js", folder, "--listen"]
            words += [f"host={_HOST}", f"port={port}"]
        case "optuna":
            words = [program(name, "optuna-dashboard"), f"sqlite:///{folder / 'study.db'}"]
            words += ["--host", _HOST, "--port", str(port)]
        case _:
            raise NotStarted(f"nobody has written how {name} is started")
    return [str(word) for word in words]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind((_HOST, 0))
        return int(listener.getsockname()[1])


def _wait_answer(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    ends = time.monotonic() + _START_SECONDS
    while not _answers(url):
        if process.poll() is not None:
            raise NotStarted(f"it ended with {process.returncode}: {log.read_text()[-300:]}")
        if time.monotonic() > ends:
            raise NotStarted(f"no answer within {_START_SECONDS:g} s")
        time.sleep(0.2)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    for kind in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
            return
