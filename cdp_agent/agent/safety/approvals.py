"""Asks a person for approval: the action, its reason and a picture."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TextIO

from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.policy import HeldRequest
from cdp_agent.text import one_line

_LONGEST_TEXT = 500

ApprovalKind = Literal["checkpoint", "model", "write"]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a human decides."""

    kind: ApprovalKind
    #: The checkpoint's name, `request_human_approval`, or the request's method and host.
    name: str
    #: What will happen if the answer is yes.
    action: str
    #: Why it is asked.
    reason: str
    url: str = ""
    picture: Path | None = None
    #: Why there is none, where somebody would look at it.
    no_picture: str = ""

    def __post_init__(self) -> None:
        """Makes each text one clean line: no page and no model writes the layout."""
        for name in ("name", "action", "reason", "url"):
            object.__setattr__(self, name, one_line(getattr(self, name), _LONGEST_TEXT))


@dataclass(frozen=True, slots=True)
class Decision:
    """`words` reach the model, whatever the answer."""

    approved: bool
    words: str = ""


class Approver(Protocol):
    """Decides about questions. It may take as long as the run's time allows."""

    async def ask(self, question: Question) -> Decision: ...


class Deny:
    """Nobody is there to ask."""

    async def ask(self, question: Question) -> Decision:
        return Decision(False, "no human is attached to this run, so it may not be done")


class Approve:
    """Everything is allowed beforehand: for demos and tests of one's own sites."""

    async def ask(self, question: Question) -> Decision:
        return Decision(True, "approved beforehand")


class AskOnTerminal:
    """Puts the question to whoever sits at the terminal. No answer is a no."""

    def __init__(self, read: TextIO | None = None, write: TextIO | None = None) -> None:
        self._read = read or sys.stdin
        self._write = write or sys.stderr

    async def ask(self, question: Question) -> Decision:
        self._write.write(question_text(question))
        self._write.flush()
        return read_answer(await self._line())

    async def _line(self) -> str:
        """The next line, read without a thread, which would hold up an interrupted run."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            number = self._read.fileno()
            loop.add_reader(number, ready.set)
        except (OSError, ValueError, NotImplementedError):
            return self._read.readline()  # no terminal, or a system without such readers
        try:
            await ready.wait()
        finally:
            loop.remove_reader(number)
        return self._read.readline()


class HoldWrites:
    """Asks about each request that writes during a run, as `Policy(hold=…)`.

    What a page sends by itself before or after a run is not held: nobody acted. A request that was
    refused is not asked about again in the same run.
    """

    def __init__(self) -> None:
        self._ask: Callable[[Question], Awaitable[Decision]] | None = None
        self._refused: set[tuple[str, str]] = set()

    @contextmanager
    def asking(self, ask: Callable[[Question], Awaitable[Decision]]) -> Iterator[None]:
        """Put questions to `ask` while it lasts."""
        self._ask = ask
        self._refused.clear()
        try:
            yield
        finally:
            self._ask = None

    async def __call__(self, held: HeldRequest) -> bool:
        if self._ask is None:
            return True
        key = held.method, held.url.partition("?")[0]
        if key in self._refused:
            return False
        question = Question(
            "write",
            f"{held.method} {held.host}",
            f"send {held.summary} to {key[1]}",
            "It changes something on the server.",
            held.url,
        )
        decision = await self._ask(question)
        if not decision.approved:
            self._refused.add(key)
        return decision.approved


def question_text(question: Question) -> str:
    lines = ["", f"Approval needed: {question.name}", f"  what   {question.action}"]
    lines.append(f"  why    {question.reason}")
    if question.url:
        lines.append(f"  where  {question.url}")
    if question.picture is not None:
        lines.append(f"  look   {question.picture}")
    elif question.no_picture:
        lines.append(f"  look   {question.no_picture}")
    lines.append('  Type "yes" to approve; anything else refuses, and the model gets your words.')
    return "\n".join(lines) + "\n> "


def read_answer(answer: str) -> Decision:
    """Only a clear yes is a yes."""
    word, _, words = answer.strip().partition(" ")
    if word.casefold().strip(".,!:;") in ("y", "yes"):
        return Decision(True, words.strip())
    said = answer.strip()
    if said.casefold() in ("", "n", "no"):
        said = ""
    return Decision(False, said)


def approver_of(word: str) -> Approver:
    """`ask`, `deny` or `auto`; `ask` without a terminal denies.

    Raises:
        InvalidParams: it is none of them.
    """
    if word == "auto":
        return Approve()
    if word == "deny":
        return Deny()
    if word == "ask":
        return AskOnTerminal() if sys.stdin.isatty() else Deny()
    raise InvalidParams(f"{word!r} is not a way to approve", hint="ask, deny or auto.")
