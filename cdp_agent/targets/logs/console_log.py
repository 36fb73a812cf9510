"""The console of a page: messages and errors of its scripts and of Chromium.

Bounded: a page that logs for ever must not grow us. Errors have a ring of their own, so that a
flood of other messages does not push them out.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from cdp_agent.protocol.chrome_errors import is_refusal

MOST_MESSAGES = 1_000
MOST_ERRORS = 200
_LONGEST_TEXT = 2_000
_LONGEST_ERROR = 500

ConsoleLevel = Literal["debug", "log", "info", "warning", "error"]
#: By the method of `console`, and by Chromium's own words; every other one is a `log`.
_LEVELS: dict[str, ConsoleLevel] = {
    "debug": "debug",
    "verbose": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}
_SILENT = frozenset({"clear", "endGroup", "profile", "profileEnd"})


@dataclass(frozen=True, slots=True)
class ConsoleMessage:
    """One message of a page's console."""

    #: Counts the messages of the page from 1.
    number: int
    level: ConsoleLevel
    text: str
    #: `console`: a script wrote it. `exception`: nobody caught it. `browser`: Chromium's own.
    source: Literal["console", "exception", "browser"]
    #: Where in the page's code, as far as Chromium reports it; lines and columns count from 1.
    url: str = ""
    line: int = 0
    column: int = 0
    #: Seconds since 1970.
    time: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class ConsoleLog:
    """The last messages of a page, and apart from them the last errors."""

    def __init__(self) -> None:
        self._messages: deque[ConsoleMessage] = deque(maxlen=MOST_MESSAGES)
        self._error_messages: deque[ConsoleMessage] = deque(maxlen=MOST_ERRORS)
        self._count = 0
        #: Errors of the page itself, for the outcome of actions.
        self._errors: deque[tuple[int, str]] = deque(maxlen=MOST_ERRORS)
        self._refusals: deque[tuple[int, str]] = deque(maxlen=MOST_ERRORS)
        self.last_number = 0
        #: Called with every message, at once.
        self.on_message: Callable[[ConsoleMessage], None] = lambda _: None

    def add(self, text: str) -> None:
        """Count an error of the page itself, for the outcome of the action under way."""
        self.last_number += 1
        self._errors.append((self.last_number, text[:_LONGEST_ERROR]))

    def called(self, params: dict[str, Any]) -> None:
        """The page called a method of `console`."""
        kind = params.get("type", "log")
        if kind in _SILENT:
            return
        text = " ".join(argument_text(argument) for argument in params.get("args", ()))
        if kind in ("error", "assert"):
            self.add(text)
        frames = params.get("stackTrace", {}).get("callFrames", ())
        place = frames[0] if frames else {}
        self._record(_LEVELS.get(kind, "log"), text, "console", place, params)

    def thrown(self, params: dict[str, Any]) -> None:
        """An uncaught exception of a script of the page."""
        details = params["exceptionDetails"]
        exception = details.get("exception", {})
        thrown = exception.get("description") or details.get("text", "")
        self.add(thrown.split("\n")[0])
        if not exception.get("description") and exception:
            thrown = f"{thrown} {argument_text(exception)}"
        frames = details.get("stackTrace", {}).get("callFrames", ())
        self._record("error", thrown, "exception", frames[0] if frames else details, params)

    def logged(self, params: dict[str, Any]) -> None:
        """Take a message of Chromium's own: a failed load, a refusal."""
        entry = params["entry"]
        text = entry["text"].strip()
        if is_refusal(text):
            self.add(text)
            self._refusals.append((self.last_number, text[:300]))
        self._record(_LEVELS.get(entry["level"], "log"), text, "browser", entry, entry)

    def _record(
        self,
        level: ConsoleLevel,
        text: str,
        source: Literal["console", "exception", "browser"],
        place: dict[str, Any],
        event: dict[str, Any],
    ) -> None:
        self._count += 1
        known = "lineNumber" in place
        message = ConsoleMessage(
            self._count,
            level,
            text[:_LONGEST_TEXT],
            source,
            url=place.get("url", "")[:_LONGEST_TEXT],
            line=place["lineNumber"] + 1 if known else 0,
            column=place["columnNumber"] + 1 if known and "columnNumber" in place else 0,
            time=event.get("timestamp", time.time() * 1000) / 1000,
        )
        self._messages.append(message)
        if level == "error":
            self._error_messages.append(message)
        self.on_message(message)

    def messages(self, since: int = 0) -> list[ConsoleMessage]:
        """The last messages with a number above `since`, the oldest first."""
        return [message for message in self._messages if message.number > since]

    def errors(self, since: int = 0) -> list[ConsoleMessage]:
        """The last error messages with a number above `since`, the oldest first."""
        return [message for message in self._error_messages if message.number > since]

    def since(self, number: int) -> tuple[str, ...]:
        """Texts of the page's own errors after the first `number`."""
        return tuple(text for n, text in self._errors if n > number)

    def refused_since(self, number: int) -> str:
        """The first message about a refusal after `number`; empty: nothing was refused."""
        return next((text for n, text in self._refusals if n > number), "")


def argument_text(argument: dict[str, Any]) -> str:
    """One argument of a `console` method as text: `{a: 1}`, `[1, 2]`, `done`."""
    if "value" in argument:
        value = argument["value"]
        return value if isinstance(value, str) else json.dumps(value)
    if "unserializableValue" in argument:
        return str(argument["unserializableValue"])
    preview = argument.get("preview")
    if preview is not None and argument.get("subtype") in (None, "array"):
        return _preview_text(preview)
    return str(argument.get("description", argument.get("type", "")))


def _preview_text(preview: dict[str, Any]) -> str:
    is_array = preview.get("subtype") == "array"
    parts = []
    for entry in preview.get("properties", ()):
        value = entry.get("value", entry.get("type", ""))
        parts.append(value if is_array else f"{entry['name']}: {value}")
    if preview.get("overflow"):
        parts.append("…")
    inside = ", ".join(parts)
    return f"[{inside}]" if is_array else f"{{{inside}}}"
