"""The three command-line tools: where they are, how they are started, and how they are closed.

Each tool gets a folder and a session of its own, Chromium without a window and with a fresh
profile, and no requests of the browser's own. Their sandbox is off only for root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.walks.flow import AGENT_BROWSER, OURS, PLAYWRIGHT

_PROJECT = Path(__file__).resolve().parents[3]
_CALL_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One call of a tool: all that it printed, its exit code and its duration."""

    text: str
    code: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One command-line tool, ready to be called in a session of its own."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]
    folder: Path

    def call(self, words: list[str]) -> Answer:
        """Run one call and return its output: standard output first, then standard error.

        The output goes through a file, because a browser that a call leaves running may hold a
        pipe open for ever.
        """
        out, err = self.folder / "stdout", self.folder / "stderr"
        begin = time.monotonic()
        with out.open("wb") as stdout, err.open("wb") as stderr:
            try:
                code = subprocess.run(
                    [*self.command, *words],
                    cwd=self.folder,
                    env={**os.environ, **self.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    timeout=_CALL_SECONDS,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = -1
        seconds = time.monotonic() - begin
        text = out.read_text("utf-8", "replace") + err.read_text("utf-8", "replace")
        return Answer(text, code, seconds)

    def version(self) -> str:
        """Returns what the tool says about its version, in one line."""
        return " ".join(self.call(["--version"]).text.split())

    def close(self) -> None:
        """End the session and its browser; a session that never began is not an error."""
        self.call(["close"])


def find_tool(name: str, given: Path | None) -> Path | None:
    """Returns the program of a peer: the given one, else the one on PATH, else None."""
    if given is not None:
        return given.resolve() if os.access(given, os.X_OK) else None
    found = shutil.which(name)
    return Path(found) if found else None


def ours(browser: Path, folder: Path, session: str) -> CommandLine:
    """Returns this project's tool."""
    environment = {
        "CDP_AGENT_SESSION": session,
        "CDP_AGENT_CHROME": str(browser),
        "PYTHONPATH": str(_PROJECT),
    }
    return CommandLine(OURS, (sys.executable, "-m", "cdp_agent"), environment, folder)


def agent_browser(program: Path, browser: Path, folder: Path, session: str) -> CommandLine:
    """Returns agent-browser, which is configured by environment variables."""
    arguments = ["--disable-background-networking", *_sandbox_arguments()]
    environment = {
        "AGENT_BROWSER_SESSION": session,
        "AGENT_BROWSER_EXECUTABLE_PATH": str(browser),
        "AGENT_BROWSER_ARGS": "\n".join(arguments),
    }
    return CommandLine(AGENT_BROWSER, (str(program),), environment, folder)


def playwright_cli(program: Path, browser: Path, folder: Path, session: str) -> CommandLine:
    """Returns playwright-cli, which reads a file of options in its folder."""
    launch = {
        "executablePath": str(browser),
        "headless": True,
        "chromiumSandbox": not _sandbox_arguments(),
        "args": ["--disable-background-networking"],
    }
    options = {"browser": {"browserName": "chromium", "isolated": True, "launchOptions": launch}}
    file = folder / ".playwright" / "cli.config.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(options))
    return CommandLine(PLAYWRIGHT, (str(program),), {"PLAYWRIGHT_CLI_SESSION": session}, folder)


def _sandbox_arguments() -> list[str]:
    return ["--no-sandbox"] if os.geteuid() == 0 else []
