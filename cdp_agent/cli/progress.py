"""A run on the screen: a few lines a turn, in colour on a terminal."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from cdp_agent.agent.models.model_interface import Price, Usage
from cdp_agent.agent.safety.approvals import Question
from cdp_agent.agent.trace.record import RunWatcher, TaskResult, TurnRecord
from cdp_agent.text import one_line

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_WIDEST = 110
_LONGEST = 2000
UNKNOWN_COST = "cost unknown (CDP_AGENT_PRICE=IN/OUT says the dollars for a million tokens)"


class Progress(RunWatcher):
    """`price` is the model's; without it the end says that the cost is not known."""

    def __init__(self, out: TextIO | None = None, price: Price | None = None) -> None:
        self._out = out or sys.stdout
        self._price = price
        self._usage = Usage()
        tty = self._out.isatty() and os.environ.get("TERM") != "dumb"
        self._live = tty
        self._colour = tty and "NO_COLOR" not in os.environ

    async def started(self, goal: str, model: str, page: str) -> None:
        self._line(f"{self._paint('goal ', 'dim')} {self._paint(_clean(goal), 'bold')}")
        self._line(f"{self._paint('model', 'dim')} {model}")
        self._line(f"{self._paint('page ', 'dim')} {_clean(page.partition(chr(10))[0][6:])}")
        self._line("")
        self._waiting("thinking")

    async def called(self, record: TurnRecord) -> None:
        number = self._paint(f"{record.number:3}", "dim")
        if record.said:
            self._line(f"{number} {self._paint(_cut(record.said), 'dim')}")
            number = "   "
        tool = self._paint(record.tool.removeprefix("browser_"), "cyan")
        self._line(f"{number} {tool} {_cut(record.subject)}")
        self._waiting("acting")

    async def asking(self, question: Question) -> None:
        self._line(
            f"    {self._paint('?', 'yellow')} {self._paint(question.name, 'yellow')}: "
            f"{question.action}"
        )
        self._line(f"      {question.reason}")

    async def turn_over(self, record: TurnRecord) -> None:
        self._usage += record.usage
        if not record.tool:
            self._line(f"{record.number:3} no call: {_cut(record.said)}")
        mark, colour = ("x", "red") if record.is_error else ("=", "green")
        costs = f"  {self._paint(self._costs(record), 'dim')}"
        for number, line in enumerate(what_came(record)):
            sign = self._paint(mark, colour) if number == 0 else " "
            self._line(f"    {sign} {_cut(line)}{costs if number == 0 else ''}")
        for asked in record.asked:
            answer = "approved" if asked.approved else "refused"
            words = f" ({_clean(asked.words)})" if asked.words else ""
            self._line(f"    {self._paint('!', 'yellow')} {_clean(asked.name)}: {answer}{words}")
        for note in record.notes:
            self._line(f"    {self._paint('!', 'yellow')} {_clean(note)}")
        self._waiting("thinking")

    async def ended(self, result: TaskResult) -> None:
        word, colour = ("done", "green") if result.success else (result.status, "red")
        took = f"{result.turns} turns, {result.seconds:.1f} s"
        self._line("")
        self._line(f"{self._paint(word, colour)}: {_clean(result.summary)}")
        if result.verified:
            self._line(f"  proof  {_clean(result.verified)}")
        self._line(f"  took   {took}{_total(result)}")
        if result.trace is not None:
            self._line(f"  trace  {result.trace / 'index.html'}")
        self._out.flush()

    def _costs(self, record: TurnRecord) -> str:
        parts = [f"{record.model_seconds + record.tool_seconds:.2f} s"]
        if record.usage.total:
            parts.append(f"{record.usage.total} tokens")
            if self._price is not None:
                parts.append(f"about ${self._price.of(self._usage):.4f} so far")
        if record.attempts > 1:
            parts.append(f"asked {record.attempts} times")
        return ", ".join(parts)

    def _line(self, text: str) -> None:
        clear = "\r\x1b[K" if self._live else ""
        self._out.write(f"{clear}{text}\n")
        self._out.flush()

    def _waiting(self, word: str) -> None:
        """A word that the next line overwrites; only where lines can be overwritten."""
        if self._live:
            self._out.write(self._paint(f"    {word} …", "dim"))
            self._out.flush()

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self._colour else text


def what_came(record: TurnRecord) -> list[str]:
    """The effects of a call, in at most three lines."""
    lines = record.result.split("\n")
    if record.is_error:
        return lines[:2]
    if record.page_line:
        return [record.page_line.rpartition(" · ")[0] or record.page_line]
    changes = [line for line in lines if line[:2] in ("+ ", "- ", "~ ", "> ")]
    if not changes:
        return lines[:1]
    more = [f"and {len(changes) - 2} more changes"] if len(changes) > 2 else []
    return [*(" ".join(line.split()) for line in changes[:2]), *more]


def _total(result: TaskResult) -> str:
    if not result.usage.total:
        return ""
    # An estimate by list price; nothing at all for the scripted model, which is free.
    cost = f"about ${result.cost:.4f}" if result.cost is not None else UNKNOWN_COST
    return f", {result.usage.total} tokens, {cost}"


def _clean(text: str) -> str:
    """Text of a page, a model or a person, which must not steer the terminal."""
    return one_line(text, _LONGEST)


def _cut(text: str) -> str:
    line = _clean(text)
    return line if len(line) <= _WIDEST else f"{line[: _WIDEST - 1]}…"
