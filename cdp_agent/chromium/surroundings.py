"""Folders, environment and facts of the machine that a start needs."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cdp_agent.chromium.find import is_snap
from cdp_agent.chromium.flags import Machine, flag_value
from cdp_agent.errors import InvalidParams

# Chromium makes a socket in its temporary folder, and crashes if the path has over 107 bytes.
_LONGEST_TMPDIR = 107 - len("/org.chromium.Chromium.XXXXXX/SingletonSocket")
_LONGEST_ROOT = _LONGEST_TMPDIR - len("/cdp-agent-XXXXXXXX/tmp")
_SMALL_SHM = 512 * 1024 * 1024
_PIPE_SIZE = 1024 * 1024
_CREDENTIAL = re.compile(
    r"(^|_)(api_?key|access_?key|private_?key|auth|tokens?|secrets?|passw(or)?d|passphrase"
    r"|credentials?)(_|$)",
    re.IGNORECASE,
)
_WITHHELD: set[str] = set()
_LONG_VALUE = 8


@dataclass(frozen=True)
class Folders:
    """`ours` is removed at the end; `profile` is in it, or is the caller's."""

    ours: Path
    profile: Path

    @property
    def own_profile(self) -> bool:
        return self.profile.parent == self.ours

    @property
    def temporary(self) -> Path:
        return self.ours / "tmp"

    @property
    def downloads(self) -> Path:
        return self.ours / "downloads"


def make_folders(
    executable: Path, user_data_dir: str | Path | None, args: Sequence[str]
) -> Folders:
    """Make a folder of ours, with a fresh profile unless the caller named one.

    Raises:
        InvalidParams: the caller's profile cannot be made or written.
    """
    given = user_data_dir or flag_value(args, "--user-data-dir")
    if given:
        profile = Path(given).expanduser().absolute()
        try:
            profile.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidParams(f"user_data_dir {profile}: {error.strerror}") from error
    ours = Path(tempfile.mkdtemp(prefix="cdp-agent-", dir=_root(executable)))
    folders = Folders(ours, profile if given else ours / "profile")
    folders.profile.mkdir(exist_ok=True)
    folders.temporary.mkdir()
    folders.downloads.mkdir()
    return folders


def environment(folders: Folders, extra: Mapping[str, str] | None) -> dict[str, str]:
    """This program's environment without credentials, with our temporary folder.

    A browser needs no password or key of ours, and every program on it could read them. What the
    caller names in `extra` is passed on.
    """
    ours = str(folders.temporary)
    inherited = {k: v for k, v in os.environ.items() if not _is_credential(k, v)}
    return {**inherited, "TMPDIR": ours, "BREAKPAD_DUMP_LOCATION": ours, **(extra or {})}


def withhold_values(values: Iterable[str]) -> None:
    """Keep variables with these values out of the browsers started from now on."""
    _WITHHELD.update(values)


def _is_credential(name: str, value: str) -> bool:
    if _CREDENTIAL.search(name) is not None or value in _WITHHELD:
        return True
    # A short one may be a part of anything: `root` of a path.
    return any(secret in value for secret in _WITHHELD if len(secret) >= _LONG_VALUE)


def machine() -> Machine:
    """Facts of this machine: root or not, and how much shared memory."""
    if sys.platform == "darwin":
        return Machine()
    try:
        shm = os.statvfs("/dev/shm")
        small = shm.f_bavail * shm.f_frsize < _SMALL_SHM
    except OSError:
        small = True
    return Machine(is_root=os.geteuid() == 0, small_shm=small)


def widen_pipe(fd: int) -> None:
    """Let a large reply come in a few reads, where the system allows it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # over the user's quota
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)


def active_port(profile: Path) -> str | None:
    """The WebSocket address in Chromium's `DevToolsActivePort`, once written."""
    try:
        port, path = (profile / "DevToolsActivePort").read_text().split("\n")
    except (OSError, ValueError):  # not there yet, or half of it
        return None
    return f"ws://127.0.0.1:{port}{path}"


def _root(executable: Path) -> Path:
    """The system's temporary folder, or another where Chromium cannot use it."""
    if is_snap(executable):
        # A snap sees another /tmp than we do, but the same folder in the person's home.
        common = Path.home() / "snap" / "chromium" / "common"
        if common.is_dir():
            return common
    root = Path(tempfile.gettempdir())
    return root if len(os.fsencode(root)) <= _LONGEST_ROOT else Path("/tmp")
