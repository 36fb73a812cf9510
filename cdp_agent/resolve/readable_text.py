"""The readable text of a frame or an element, by `js/read/readable.js`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cdp_agent.resolve.live import LiveElement, script_value
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame, PageTarget
from cdp_agent.text import one_line

_LONGEST_LINE = 20_000
_HEAD = 7
_DEEPEST = 80


@dataclass(frozen=True, slots=True)
class ReadableLine:
    """A paragraph, a list item, a row of a table, or a heading of a level from 1 to 6."""

    text: str
    level: int = 0
    #: It is the row with the heads of a table's columns.
    is_head: bool = False
    #: It stands outside the main part of its document: navigation, a footer, a button.
    is_outside: bool = False

    def __str__(self) -> str:
        return f"{'#' * self.level} {self.text}" if self.level else self.text


async def read_frame(target: PageTarget, frame: Frame, seconds: float) -> list[ReadableLine]:
    """The lines of a frame's document, those outside its main part last."""
    return _lines(await evaluate_in_frame(target, frame, "cdpAgent.readable(null)", seconds))


async def read_element(
    live: LiveElement, seconds: float, *, sections: bool = True
) -> list[ReadableLine]:
    """The lines of an element; of a heading, with `sections`, those of its section."""
    return _lines(script_value(await live.post("readable", not sections, timeout=seconds)))


def _lines(rows: Any) -> list[ReadableLine]:
    made = []
    for level, text, is_outside in rows or ():
        is_head = level == _HEAD
        line = one_line(text, _LONGEST_LINE)
        if line:
            written = str(text).expandtabs(4)  # lines of code begin as far in as they are written
            indent = " " * min(len(written) - len(written.lstrip(" ")), _DEEPEST)
            level = 0 if is_head else int(level)
            made.append(ReadableLine(indent + line, level, is_head, bool(is_outside)))
    return made
