"""What a run leaves on disk: `trace.jsonl`, `pictures/`, and `index.html` to look at both.

Lines are written as they happen, so that a run that is killed leaves what it did. Everything that
gets here is masked already, but for pictures: those are withheld while a secret can be read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from cdp_agent import log
from cdp_agent.agent.record import TaskResult, TurnRecord, Watcher
from cdp_agent.agent.secrets import Secrets
from cdp_agent.agent.trace_page import trace_html
from cdp_agent.api.page import Page
from cdp_agent.errors import CdpAgentError, InvalidParams

_log = log.get("agent")

LINES = "trace.jsonl"
PAGE = "index.html"
PICTURES = "pictures"
VERSION = 1


class Trace(Watcher):
    """Writes a trace into `folder`, which is made; an older trace in it is replaced."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._start: dict[str, Any] = {}
        self._turns: list[dict[str, Any]] = []
        try:
            (self.folder / PICTURES).mkdir(parents=True, exist_ok=True)
            for old in (self.folder / PICTURES).glob("*.png"):
                old.unlink()
            (self.folder / LINES).write_text("")
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
        try:
            if await secrets.shown_on(page):
                return "", "no picture: a secret can be read on the page"
            data = await page.screenshot(timeout=5)
            if await secrets.shown_on(page):
                return "", "no picture: a secret can be read on the page"
        except CdpAgentError as error:
            return "", f"no picture: {error.code}"
        path = f"{PICTURES}/{name}.png"
        await asyncio.to_thread((self.folder / path).write_bytes, data)
        return path, ""

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
        await asyncio.to_thread(self.page_path.write_text, html, "utf-8")

    def _pictures(self) -> dict[str, bytes]:
        found = (self.folder / PICTURES).glob("*.png")
        return {f"{PICTURES}/{path.name}": path.read_bytes() for path in found}

    def _write(self, line: Mapping[str, Any]) -> None:
        with (self.folder / LINES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")


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
        raise InvalidParams(f"{file} is no trace: a line is no JSON") from None
    if not lines or not isinstance(lines[0], dict) or lines[0].get("type") != "start":
        raise InvalidParams(f"{file} is no trace: it does not begin with a start")
    if lines[0].get("version") != VERSION:
        raise InvalidParams(f"{file} is a trace of another version ({lines[0].get('version')})")
    turns = [line for line in lines if line.get("type") == "turn"]
    result: dict[str, Any] = next((line for line in lines if line.get("type") == "result"), {})
    return lines[0], turns, result
