"""Plays one walk with one tool and counts what it costs."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any

from scripts.bench.measurement.tokens import count_tokens
from scripts.bench.walks.flow import (
    READ_SNAPSHOT,
    Call,
    Facts,
    Flow,
    WalkStopped,
    fill_call,
    snapshot_file,
)
from scripts.bench.walks.tools import CommandLine


@dataclass(slots=True)
class Step:
    """One call of a walk: what was called, what came back, and what that cost."""

    call: list[str]
    output: str
    tokens: int
    seconds: float


@dataclass(slots=True)
class Played:
    """One walk that was played: its steps, and why it failed if it did."""

    flow: str
    tool: str
    steps: list[Step] = field(default_factory=list)
    problem: str = ""

    @property
    def calls(self) -> int:
        """Calls of the tool; a file is read in the same shell call that names it."""
        return sum(step.call != list(READ_SNAPSHOT) for step in self.steps)

    @property
    def tokens(self) -> int:
        return sum(step.tokens for step in self.steps)

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)

    def as_json(self) -> dict[str, Any]:
        totals = {"calls": self.calls, "tokens": self.tokens, "seconds": round(self.seconds, 2)}
        return {**asdict(self), **totals, "ok": not self.problem}


def play(flow: Flow, tool: CommandLine, base: str) -> Played:
    """Play the flow's walk, prove its outcome, and undo what it changed."""
    played = Played(flow.name, tool.name)
    facts: Facts = {"base": base.rstrip("/"), "word": f"econ{secrets.token_hex(3)}"}
    try:
        facts = {**facts, **flow.prepare(facts)}
        for call in flow.walks[tool.name]:
            _make(call, tool, facts, played)
        played.problem = flow.proof(facts, _printed(played))
    except (WalkStopped, OSError) as error:
        played.problem = str(error)
    finally:
        tool.close()
        try:
            flow.undo(facts)
        except OSError as error:
            played.problem = played.problem or f"could not be undone: {error}"
    return played


def _make(call: Call, tool: CommandLine, facts: Facts, played: Played) -> None:
    if call == READ_SNAPSHOT:
        text = (tool.folder / snapshot_file(_printed(played))).read_text("utf-8")
        played.steps.append(Step(list(call), text, count_tokens(text), 0.0))
        return
    words = fill_call(call, facts, _printed(played))
    answer = tool.call(words)
    played.steps.append(Step(words, answer.text, count_tokens(answer.text), answer.seconds))
    if answer.code:
        raise WalkStopped(f"{words[0]} ended with {answer.code}: {answer.text.strip()[-300:]}")


def _printed(played: Played) -> str:
    return "\n".join(step.output for step in played.steps)
