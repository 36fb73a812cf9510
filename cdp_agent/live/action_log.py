"""The actions of one browser as they happen: each with its state, its outcome and its time."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from cdp_agent.text import json_text, one_line
from cdp_agent.tools import ToolCall, ToolResult

#: Actions that a new viewer is shown.
MOST_ENTRIES = 200
_LONGEST_LINE = 300
#: A call of several steps, each of which is shown.
_COMPOSITE = "execute"


@dataclass(slots=True)
class Entry:
    """One action. `state` is `running`, `done` or `failed`."""

    number: int
    what: str
    state: str = "running"
    outcome: str = ""
    said: str = ""
    seconds: float | None = None
    began: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "began"}


class ActionLog:
    """`changed` hears of each new entry and of each change of one."""

    def __init__(self, changed: Callable[[Entry], None]) -> None:
        self._changed = changed
        self._numbers = itertools.count(1)
        self.entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)

    @property
    def is_running(self) -> bool:
        return bool(self.entries) and self.entries[-1].state == "running"

    def begin(self, what: str, *, said: str = "") -> Entry:
        """Write down that an action begins."""
        entry = Entry(next(self._numbers), one_line(what, _LONGEST_LINE), began=time.monotonic())
        entry.said = one_line(said, _LONGEST_LINE)
        self.entries.append(entry)
        self._changed(entry)
        return entry

    def end(self, entry: Entry, text: str = "", *, is_error: bool) -> None:
        """Write down what an action came to: the first line of what its reader reads."""
        entry.outcome = one_line(text.partition("\n")[0], _LONGEST_LINE)
        entry.state = "failed" if is_error else "done"
        entry.seconds = round(time.monotonic() - entry.began, 2)
        self._changed(entry)

    def begin_call(self, call: ToolCall) -> None:
        """Write down a call, or one step of it: then the step before it is over."""
        for entry in self._running():
            if not entry.what.startswith(_COMPOSITE):
                self.end(entry, is_error=False)
        self.begin(_call_text(call))

    def end_call(self, call: ToolCall, result: ToolResult) -> None:
        """End all that runs; a call that failed before its hooks is written down now."""
        first, *steps = self._running() or [self.begin(_call_text(call))]
        for step in steps:
            self.end(step, is_error=result.is_error)
        self.end(first, result_text(result), is_error=result.is_error)

    def _running(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.state == "running"]


def result_text(result: ToolResult) -> str:
    """The text that the reader of a result gets; for a program its data."""
    return result.text or json_text(dict(result.data), indent=1)


def _call_text(call: ToolCall) -> str:
    """`click [0-4] button "Save"`: what a call is about."""
    words = [call.name.removeprefix("browser_")]
    for name, value in call.args.model_dump(exclude_none=True).items():
        if name in ("page", "show") or value in (False, "", [], {}):
            continue
        text = call.element_names.get(str(value)) or f"[{value}]" if name == "ref" else str(value)
        words.append(text if name in ("ref", "url", "key", "text", "value") else f"{name}={text}")
    return " ".join(words)
