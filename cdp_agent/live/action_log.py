"""The actions of one browser as they happen: each with its state, its outcome and its time."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cdp_agent.api.selectors.selector import Selector
from cdp_agent.text import json_text, one_line
from cdp_agent.tools import ToolCall, ToolResult

#: Actions that a new viewer is shown.
MOST_ENTRIES = 200
_LONGEST_LINE = 300
_LONGEST_VALUE = 80
#: A call of several steps, each of which is shown.
COMPOSITE = "browser_execute"
#: Arguments that say how, not what; people do not read them.
_SETTINGS = frozenset({"page", "show", "timeout", "observe", "ref", "selector"})
#: Values that go without saying.
_USUAL = {"button": "left", "count": 1, "times": 1}
#: Arguments that need no name before them.
_PLAIN = frozenset({"url", "key", "text", "value"})


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
        #: A call of several steps that is under way, and its steps so far.
        self._composite: Entry | None = None
        self._steps: list[Entry] = []

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

    def begin_call(self, call: ToolCall) -> Entry:
        """Write down a call, or one step of it: then the one before it is over, or is retried."""
        if call.name == COMPOSITE:
            self._composite, self._steps = self.begin(_call_text(call)), []
            return self._composite
        for entry in self._running():
            if entry is not self._composite:
                self.end(entry, is_error=self._composite is None)
        entry = self.begin(_call_text(call))
        if self._composite is not None:
            self._steps.append(entry)
        return entry

    def end_call(self, call: ToolCall, result: ToolResult) -> None:
        """End all that runs; a call that failed before its hooks is written down now."""
        if call.name == COMPOSITE and self._composite is not None:
            self._end_composite(self._composite, result)
            return
        first, *others = self._running() or [self.begin(_call_text(call))]
        for entry in others:
            self.end(entry, is_error=result.is_error)
        self.end(first, _outcome_text(result), is_error=result.is_error)

    def end_step(self, label: str, text: str, *, is_error: bool) -> None:
        """End the step that runs; one that no hook has seen is written down now."""
        running = self._running()
        self.end(running[-1] if running else self.begin(label), text, is_error=is_error)

    def _end_composite(self, composite: Entry, result: ToolResult) -> None:
        steps, self._composite, self._steps = self._steps, None, []
        # A program's result says in its data that a step failed.
        failed = result.is_error or result.data.get("success") is False
        # A step that failed before its hooks, such as one without its element, is not an entry.
        last_failed = failed and len(steps) > result.data.get("completed", 0)
        for entry in self._running():
            if entry is not composite:
                self.end(entry, is_error=last_failed)
        self.end(composite, _outcome_text(result), is_error=failed)

    def _running(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.state == "running"]


def result_text(result: ToolResult) -> str:
    """The text that the reader of a result gets; for a program its data."""
    return result.text or json_text(dict(result.data), indent=1)


def _call_text(call: ToolCall) -> str:
    """`click [0-4] button "Save"`: what a call is about."""
    given = call.args.model_dump(exclude_none=True)
    if call.name == COMPOSITE:
        return _steps_text(given["steps"])
    words = [call.name.removeprefix("browser_")]
    if "ref" in given or "selector" in given:
        words.append(_target_text(call, str(given.get("ref", ""))))
    for name, value in given.items():
        if name in _SETTINGS or value in (False, "", [], (), {}) or value == _USUAL.get(name):
            continue
        text = one_line(str(value), _LONGEST_VALUE)
        words.append(text if name in _PLAIN else f"{name}={text}")
    return " ".join(words)


def _target_text(call: ToolCall, ref: str) -> str:
    """The element by its name, else as its reader wrote it."""
    name = call.element_names.get(ref)
    selector = getattr(call.args, "selector", None)
    if name is None and isinstance(selector, Selector):
        return str(selector)
    return name or f"[{ref}]"


def _steps_text(steps: Sequence[Any]) -> str:
    """`2 steps: fill, click`; a step is an object or a command's words."""
    names = [
        step.split(" ", 1)[0] if isinstance(step, str) else step["action"].rpartition("/")[2]
        for step in steps
    ]
    return f"{len(names)} {'step' if len(names) == 1 else 'steps'}: {', '.join(names)}"


def _outcome_text(result: ToolResult) -> str:
    """The result of a call, for people, on one line."""
    data = result.data
    if result.text:
        return result.text
    if "completed" in data:
        said = f"{data['completed']} of {data['total']} steps done"
        problems = [row["error"]["message"] for row in data["results"] if row.get("error")]
        return f"{said}: {problems[0]}" if problems else said
    facts = {name: value for name, value in data.items() if isinstance(value, (str, int, float))}
    return ", ".join(f"{name} {one_line(str(value), 80)}" for name, value in facts.items())
