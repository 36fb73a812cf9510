"""Starting a session's background process. Imported only when there is none yet."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
from typing import NoReturn

from cdp_agent.cli.session.client import START_SECONDS, _connected
from cdp_agent.cli.session.paths import kept_guards, session_folder
from cdp_agent.errors import BrowserError, InvalidParams

#: Whoever holds the lock starts a process, which has this long itself.
_LOCK_SECONDS = START_SECONDS + 5
_GUARDS = ("--allow-origin=", "--secret=", "--upload-folder=", "--profile=", "--share=")


def start_session(name: str, path: str, options: list[str]) -> socket.socket:
    """A socket to a background process, started here or by another client meanwhile.

    Raises:
        BrowserError: it did not come up; the message has its last words.
    """
    folder = session_folder()
    with open(os.path.join(folder, f"{name}.lock"), "w") as lock:
        _take(lock.fileno())
        wire = _connected(path)
        if wire is not None:
            return wire
        given = any(one.startswith(_GUARDS) for one in options)
        kept = [] if given else kept_guards(name)
        try:
            _start(name, folder, [*options, *kept])
        except InvalidParams as error:
            more = " `cdp-agent close` forgets what it was opened with." if kept else ""
            raise InvalidParams(error.message, hint=error.hint + more) from None
        wire = _connected(path)
        if wire is None:
            raise BrowserError(f"session {name} ended as soon as it had started")
        return wire


def _take(lock: int) -> None:
    """Wait for the lock of another start; a signal ends a wait that is too long."""

    def too_long(*_: object) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, _LOCK_SECONDS)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    except TimeoutError:
        raise BrowserError("another client does not finish starting this session") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _start(name: str, folder: str, options: list[str]) -> None:
    """Start a process that outlives this one; returns when it listens."""
    log_path = os.path.join(folder, f"{name}.log")
    log_file = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "cdp_agent.cli.session.server", name, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log_file,
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(log_file)
    assert process.stdout is not None
    with process.stdout as words:
        ready, _, _ = select.select([words], [], [], START_SECONDS)
        line = words.readline() if ready else b""
    # It is not waited for: it runs on when we end, and is then nobody's child.
    process.returncode = 0
    if not line:
        last = _last_words(log_path)
        raise BrowserError(f"session {name} did not start: {last}", hint=f"Its log: {log_path}")
    answer = json.loads(line)
    if not answer.get("ready"):
        kind = InvalidParams if answer.get("code") == InvalidParams.code else BrowserError
        raise kind(answer.get("message", "it did not start"), hint=answer.get("hint"))


def _last_words(log_path: str) -> str:
    with open(log_path, encoding="utf-8", errors="replace") as file:
        lines = file.read()[-2000:].strip().splitlines()
    return lines[-1] if lines else "it said nothing"
