"""The reason why Chromium did not start, from its exit code and output. Pure."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from cdp_agent.chromium.find import install_hint
from cdp_agent.errors import BrowserError

_SANDBOX = (
    "Chromium could not make its sandbox. Allow unprivileged user namespaces (Ubuntu: sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0), or in a container that is a sandbox "
    "itself pass args=['--no-sandbox']."
)
_LOCKED = (
    "Another Chromium uses this profile. Close it, take another folder, or connect to it if it was "
    "started with --remote-debugging-port."
)
# What Chromium, its launcher scripts and the loader write → what to do about it.
_CAUSES: tuple[tuple[str, str], ...] = (
    (r"error while loading shared libraries: (\S+?):", "The library {0} is missing. {install}"),
    (r"No usable sandbox|sandbox helper|SUID sandbox|zygote_host_impl_linux", _SANDBOX),
    (r"Running as root without --no-sandbox", "Chromium runs as root: pass args=['--no-sandbox']."),
    (
        r"profile appears to be in use|Opening in existing browser session|ProcessSingleton|"
        r"process_singleton",
        _LOCKED,
    ),
    (
        r"Missing X server|cannot open display|Unable to open X display|platform failed to init",
        "There is no display: pass headless=True, or start under xvfb-run.",
    ),
    (
        r"requires the chromium snap",
        "This command only starts a snap that is not installed: snap install chromium, or set "
        "CDP_AGENT_CHROME to another browser.",
    ),
    (
        r"No space left on device|Failed to create shared memory|/dev/shm",
        "The disk or /dev/shm is full.",
    ),
    (
        r"pipe file descriptors are not open",
        "The program between us and Chromium closes fds 3 and 4: name Chromium itself, or use "
        "transport='websocket'.",
    ),
)


def start_failure(executable: Path, returncode: int | None, stderr: str) -> BrowserError:
    """The error for a browser that ended, or closed its pipe, before it answered."""
    hint = _hint(stderr)
    if hint == _LOCKED:
        message = "another browser uses this profile"
    else:
        message = f"{executable} {_ended(returncode)} at start"
        if stderr:
            message += f". It wrote:\n{stderr}"
    return BrowserError(
        message,
        hint=hint,
        executable=str(executable),
        returncode=returncode,
        stderr=stderr,
    )


def start_timeout(executable: Path, seconds: float, stderr: str) -> BrowserError:
    """The error for a browser that runs but says nothing."""
    message = f"{executable} started but did not answer within {seconds:g} s"
    if stderr:
        message += f". It wrote:\n{stderr}"
    return BrowserError(
        message,
        hint=_hint(stderr) or "Is it Chrome or Chromium? On a busy machine give a longer timeout.",
        executable=str(executable),
        seconds=seconds,
        stderr=stderr,
    )


def _ended(returncode: int | None) -> str:
    if returncode is None:
        return "closed its debugging pipe"
    if returncode >= 0:
        return f"exited with code {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


def _hint(stderr: str) -> str:
    for pattern, hint in _CAUSES:
        if match := re.search(pattern, stderr, re.IGNORECASE):
            return hint.format(*match.groups(), install=install_hint() + ".")
    return ""
