"""Records of a run: one for each turn, one result. Plain values, already masked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from cdp_agent.agent.models.model_interface import Usage
from cdp_agent.snapshot import Snapshot

TaskStatus = Literal[
    "success",
    "failed",
    "max_turns",
    "over_budget",
    "interrupted",
    "model_error",
    "browser_error",
]


@dataclass(frozen=True, slots=True)
class ActedOn:
    """The element that a call was about, so that it can be found again without its id."""

    ref: str
    role: str
    name: str
    tag: str
    xpath: str
    frame_index: int
    frame_url: str
    #: In CSS pixels of the viewport, when it was last seen.
    bounds: tuple[float, float, float, float] | None = None
    #: As the protocol knew it just before the action, in runs that are traced.
    resolved: Mapping[str, Any] | None = None


@dataclass(slots=True)
class ApprovalRecord:
    """One approval: what was asked and what the answer was."""

    kind: str
    name: str
    action: str
    reason: str
    approved: bool
    words: str
    seconds: float


@dataclass(slots=True)
class TurnRecord:
    number: int
    #: What the model said, and what it called.
    said: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    element: ActedOn | None = None
    #: What the model was told.
    result: str = ""
    is_error: bool = False
    code: str | None = None
    healed: bool = False
    #: Further calls of the same answer; none of them was carried out.
    refused: int = 0
    notes: list[str] = field(default_factory=list)
    asked: list[ApprovalRecord] = field(default_factory=list)
    url: str = ""
    title: str = ""
    viewport: tuple[int, int] | None = None
    #: Relative to the trace's folder.
    picture: str = ""
    usage: Usage = field(default_factory=Usage)
    attempts: int = 1
    model_seconds: float = 0.0
    tool_seconds: float = 0.0
    #: The line of `result` with the page's title and address, where it shows the page.
    page_line: str = ""

    @property
    def subject(self) -> str:
        """The call's element and arguments: `textbox "E-mail" value=ada@lumen.test`."""
        words = []
        if self.element is not None:
            words.append(f'{self.element.role} "{self.element.name}"')
        for key, value in self.arguments.items():
            if key != "ref" or self.element is None:
                words.append(str(value) if key in ("url", "key", "summary") else f"{key}={value}")
        return " ".join(words)

    def to_dict(self) -> dict[str, Any]:
        return {"type": "turn", **asdict(self)}


@dataclass(slots=True)
class TaskResult:
    """The end of a task. `verified` is the indicator that proves a success."""

    success: bool
    status: TaskStatus
    summary: str
    goal: str = ""
    verified: str = ""
    turns: int = 0
    usage: Usage = field(default_factory=Usage)
    #: In US dollars; None where the model's price is not known.
    cost: float | None = None
    seconds: float = 0.0
    url: str = ""
    asked: list[ApprovalRecord] = field(default_factory=list)
    trace: Path | None = None
    #: How often the model was shown a difference instead of the page, and what that saved.
    coverage: Mapping[str, int] = field(default_factory=dict)
    #: The page at the end, without secrets; None where there was none to be seen.
    final_snapshot: Snapshot | None = field(default=None, repr=False, compare=False)

    @property
    def reason(self) -> str:
        """The summary: what was done, or why it could not be."""
        return self.summary

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, without the snapshot: that is a page long."""
        plain = asdict(replace(self, final_snapshot=None))
        del plain["final_snapshot"]
        plain["trace"] = str(self.trace) if self.trace is not None else None
        return {"type": "result", **plain}


class RunWatcher:
    """Receives the events of a run. Every method has a default."""

    async def started(self, goal: str, model: str, page: str) -> None:
        """The page as the model sees it first."""

    async def called(self, record: TurnRecord) -> None:
        """The model has decided; nothing has been done yet."""

    async def asking(self, question: Any) -> None:
        """A human is asked."""

    async def turn_over(self, record: TurnRecord) -> None:
        """The result of the call."""

    async def ended(self, result: TaskResult) -> None:
        """The run is over."""
