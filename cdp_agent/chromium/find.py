"""Finds a Chrome or Chromium on this machine; says how to get one otherwise.

It looks at files and starts nothing. A path is never resolved: `/snap/bin/chromium`
is a link to `snap`, which chooses the program by the name it was called with.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from cdp_agent.errors import BrowserNotFound

ENV_VARIABLE = "CDP_AGENT_CHROME"

# Stable builds before others; Chrome before Chromium before its cousins.
_COMMANDS = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
    "google-chrome-beta",
    "google-chrome-unstable",
)
_LINUX_PLACES = (
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/snap/bin/chromium",
    "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave",
)
_MAC_APPLICATIONS = (
    "Google Chrome",
    "Chromium",
    "Microsoft Edge",
    "Brave Browser",
    "Google Chrome Beta",
    "Google Chrome Canary",
)
# Builds that other tools downloaded: whole browsers, with nothing of those tools in them.
_LINUX_DOWNLOADS = (
    ".cache/ms-playwright/chromium-*/chrome-linux*/chrome",
    ".cache/puppeteer/chrome/*/chrome-linux64/chrome",
)
_MAC_DOWNLOADS = (
    "Library/Caches/ms-playwright/chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    ".cache/puppeteer/chrome/*/chrome-mac-*/*.app/Contents/MacOS/*",
)
_INSTALL = {
    "debian": "apt-get update && {sudo}apt-get install -y chromium",
    "ubuntu": "apt-get update && {sudo}apt-get install -y chromium-browser",
    "fedora": "dnf install -y chromium",
    "rhel": "dnf install -y epel-release && {sudo}dnf install -y chromium",
    "arch": "pacman -S --noconfirm chromium",
    "alpine": "apk add chromium",
    "suse": "zypper install -y chromium",
}


def find_browser(executable: str | Path | None = None) -> Path:
    """The browser to start: the argument, else `CDP_AGENT_CHROME`, else one found.

    A name without a slash is looked up on PATH. What was named and is not there is an
    error and never replaced by another browser.

    Raises:
        BrowserNotFound: with the command that installs one on this system.
    """
    if executable is not None:
        return _named(str(executable), "executable")
    if from_env := os.environ.get(ENV_VARIABLE):
        return _named(from_env, ENV_VARIABLE)
    for path in _candidates():
        if _is_program(path):
            return path
    raise BrowserNotFound(
        "no Chrome or Chromium on PATH or in the usual places",
        hint=f"{install_hint()}, or set {ENV_VARIABLE} to the one you have.",
    )


def install_hint() -> str:
    """`Install one: sudo apt-get …`, or in general words where the system is unknown."""
    command = install_command(sys.platform, _os_release(), is_root=os.geteuid() == 0)
    return f"Install one: {command}" if command else "Install Chrome or Chromium"


def install_command(platform: str, os_release: str, *, is_root: bool) -> str | None:
    """The shell command that installs a browser, from the text of `/etc/os-release`."""
    if platform == "darwin":
        return "brew install --cask google-chrome"
    fields = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
    names = " ".join(_unquoted(fields.get(key, "")) for key in ("ID", "ID_LIKE")).split()
    for name in names:
        for family, command in _INSTALL.items():
            # openSUSE calls itself "opensuse-leap", "opensuse-tumbleweed" and "suse".
            if name == family or (family == "suse" and family in name):
                sudo = "" if is_root else "sudo "
                return sudo + command.format(sudo=sudo)
    return None


def is_snap(executable: Path) -> bool:
    """Returns whether this is Ubuntu's snap, or the script in /usr/bin that starts it.

    A snap has a /tmp of its own, so its profile has to lie in the person's snap folder.
    """
    if str(executable).startswith("/snap/"):
        return True
    try:
        with executable.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    return start.startswith(b"#!") and b"/snap/bin/chromium" in start


def _named(text: str, source: str) -> Path:
    if "/" not in text:
        if found := shutil.which(text):
            return Path(found)
        raise BrowserNotFound(f"{source}={text}: no such command on PATH", hint=install_hint())
    path = Path(text).expanduser().absolute()
    if _is_program(path):
        return path
    if path.suffix == ".app":
        reason = "is an application folder; name the program in its Contents/MacOS"
    elif path.is_dir():
        reason = "is a folder"
    elif path.exists():
        reason = "is not executable"
    else:
        reason = "does not exist"
    raise BrowserNotFound(
        f"{source}={text} {reason}",
        hint=f"Correct {source}, or leave it out to use an installed browser.",
        path=str(path),
    )


def _candidates() -> Iterator[Path]:
    for command in _COMMANDS:
        if found := shutil.which(command):
            yield Path(found)
    home = Path.home()
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), home / "Applications"):
            for name in _MAC_APPLICATIONS:
                yield folder / f"{name}.app" / "Contents" / "MacOS" / name
    else:
        yield from map(Path, _LINUX_PLACES)
    for pattern in _MAC_DOWNLOADS if sys.platform == "darwin" else _LINUX_DOWNLOADS:
        yield from sorted(home.glob(pattern), key=_modified, reverse=True)


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _unquoted(value: str) -> str:
    return " ".join(shlex.split(value))


def _os_release() -> str:
    try:
        return Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return ""
