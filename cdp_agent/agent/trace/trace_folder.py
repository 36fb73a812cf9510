"""The trace of a run on disk: `trace.jsonl`, `pictures/` and `index.html`.

Lines are written as they happen, so that a run that is killed leaves what it did. Everything that
gets here is masked already, but for pictures: the browser hides secrets in those.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.trace.record import RunWatcher, TaskResult, TurnRecord
from cdp_agent.agent.trace.trace_page import trace_html
from cdp_agent.api.page import Page
from cdp_agent.errors import BlockedByPolicy, CdpAgentError, InvalidParams
from cdp_agent.text import json_text

LINES = "trace.jsonl"
PAGE = "index.html"
PICTURES = "pictures"
VERSION = 1


class Trace(RunWatcher):
    """Writes a trace into `folder`, which is made; an older trace in it is replaced."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._start: dict[str, Any] = {}
        self._turns: list[dict[str, Any]] = []
        try:
            _make_private_folder(self.folder)
            _make_private_folder(self.folder / PICTURES)
            for old in (self.folder / PICTURES).glob("*.png"):
                old.unlink()
            write_private(self.folder / LINES, b"")
        except OSError as error:
            raise InvalidParams(f"cannot write a trace to {folder}: {error.strerror}") from None

    @property
    def page_path(self) -> Path:
        return self.folder / PAGE

    def describe(self, **facts: Any) -> None:
        """Facts for the first line: service, address, options of the run."""
        self._start.update(facts)

    async def picture(self, page: Page, name: str, secrets: Secrets) -> tuple[str, str]:
        """A picture's path inside the folder, or an empty one and why there is none."""
        path = f"{PICTURES}/{name}.png"
        why = await write_picture(page, self.folder / path, secrets)
        return ("", why) if why else (path, "")

    async def started(self, goal: str, model: str, page: str) -> None:
        self._start = {
            "type": "start",
            "version": VERSION,
            "goal": goal,
            "model": model,
            "began": datetime.now().astimezone().isoformat(timespec="seconds"),
            **self._start,
            "page": page,
        }
        self._write(self._start)

    async def turn_over(self, record: TurnRecord) -> None:
        line = record.to_dict()
        self._turns.append(line)
        self._write(line)

    async def ended(self, result: TaskResult) -> None:
        result.trace = self.folder
        line = result.to_dict()
        self._write(line)
        pictures = await asyncio.to_thread(self._pictures)
        html = trace_html(self._start, self._turns, line, pictures)
        await asyncio.to_thread(write_private, self.page_path, html.encode())

    def _pictures(self) -> dict[str, bytes]:
        found = (self.folder / PICTURES).glob("*.png")
        return {f"{PICTURES}/{path.name}": path.read_bytes() for path in found}

    def _write(self, line: Mapping[str, Any]) -> None:
        with (self.folder / LINES).open("a", encoding="utf-8") as file:
            file.write(json_text(line) + "\n")


async def write_picture(page: Page, path: Path, secrets: Secrets) -> str:
    """Write a picture of the page without secrets; the reason where there is none."""
    try:
        secrets.cover_pictures(page.browser)
        data = await page.screenshot(timeout=5)
    except BlockedByPolicy:
        return "no picture: a secret can be read on the page"
    except CdpAgentError as error:
        return f"no picture: {error.code}"
    await asyncio.to_thread(write_private, path, data)
    return ""


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, also where one was there before."""
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(data)


def _make_private_folder(folder: Path) -> None:
    """Make a folder for its owner alone; one with other files stays as it is."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    is_ours = (folder / LINES).exists() or folder.name == PICTURES
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if is_ours:
            folder.chmod(0o700)


def read_trace(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """The first line, the turns and the result (empty where the run was cut off).

    Raises:
        InvalidParams: there is no trace, or it is not one.
    """
    given = Path(path)
    file = given / LINES if given.is_dir() else given
    try:
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]
    except OSError as error:
        raise InvalidParams(
            f"cannot read a trace at {path}: {error.strerror}",
            hint=f"Give the folder of a run, or its {LINES}.",
        ) from None
    except ValueError:
        raise InvalidParams(f"{file} is not a trace: a line is not JSON") from None
    if not lines or not isinstance(lines[0], dict) or lines[0].get("type") != "start":
        raise InvalidParams(f"{file} is not a trace: it does not begin with a start")
    if lines[0].get("version") != VERSION:
        raise InvalidParams(f"{file} is a trace of another version ({lines[0].get('version')})")
    turns = [line for line in lines if line.get("type") == "turn"]
    result: dict[str, Any] = next((line for line in lines if line.get("type") == "result"), {})
    return lines[0], turns, result
