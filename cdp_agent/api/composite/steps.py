"""Steps of a composite action: as they are written, as they are checked, and their results."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field, ValidationError

from cdp_agent.action_table.limits import LONGEST
from cdp_agent.api.checked_model import CheckedModel, problems
from cdp_agent.api.composite.step_actions import (
    Action,
    Ids,
    Params,
    SelectorField,
    check_params,
    require_action,
)
from cdp_agent.api.outcome import Outcome
from cdp_agent.errors import (
    CdpAgentError,
    InvalidParams,
)
from cdp_agent.snapshot import Snapshot, SnapshotDiff

MOST_STEPS = 50

ConditionState = Literal["visible", "enabled", "exists", "hidden", "disabled"]
StepStatus = Literal["done", "failed", "skipped", "not_run"]


class Condition(CheckedModel):
    selector: SelectorField
    state: ConditionState = "visible"
    timeout: float = Field(5.0, ge=0, le=LONGEST, description="Seconds")


class Step(CheckedModel):
    """One step as it is written; `params` are checked by the action's own type."""

    action: str
    params: dict[str, Any] = Field(default_factory=dict)
    label: str = Field("", max_length=200)
    condition: Condition | None = None
    on_error: Literal["stop", "skip", "retry"] | None = None
    max_retries: int = Field(3, ge=1, le=5)
    retry_delay: float = Field(500, ge=100, le=5000, description="Milliseconds")


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step that was checked."""

    number: int
    label: str
    action: Action
    params: Params
    step: Step


#: Called before each step, with the elements found; may give other parameters, or raise to refuse.
BeforeStep = Callable[[PlannedStep, Ids], Awaitable[Params | None]]
#: Called after each step.
OnStep = Callable[["StepRow", int], Awaitable[None]]


@dataclass(slots=True)
class StepRow:
    """The result of one step."""

    label: str
    action: str
    status: StepStatus = "not_run"
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    #: Seconds, its condition and its retries included.
    duration: float = 0.0
    retries: int = 0
    outcome: Outcome | None = field(default=None, repr=False)

    @property
    def success(self) -> bool:
        return self.status == "done"

    def to_dict(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "action": self.action,
            "success": self.success,
            "status": self.status,
            "result": self.result,
            "error": self.error,
            "duration": round(self.duration, 4),
            "retries": self.retries,
        }


#: Its public name.
StepResult = StepRow


@dataclass(slots=True)
class CompositeResult:
    """A row per step, those that were not run included."""

    steps: list[StepRow]
    duration: float = 0.0
    #: The first step, from 0, that failed and was not to be skipped.
    failed_at: int | None = None
    snapshot: Snapshot | None = None
    diff: SnapshotDiff | None = None

    @property
    def success(self) -> bool:
        return self.failed_at is None

    @property
    def completed(self) -> int:
        return sum(row.success for row in self.steps)

    @property
    def total(self) -> int:
        return len(self.steps)

    def to_dict(self) -> dict[str, Any]:
        return {
            "success": self.success,
            "completed": self.completed,
            "total": self.total,
            "failed_at": self.failed_at,
            "duration": round(self.duration, 4),
            "steps": [row.to_dict() for row in self.steps],
        }


@dataclass(frozen=True, slots=True)
class Rules:
    timeout: float = 60.0
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    before_step: BeforeStep | None = None
    on_step: OnStep | None = None


def plan(steps: Any) -> list[PlannedStep]:
    """Check all steps.

    Raises:
        InvalidParams: there are none or too many, or one of them is wrong; the message says which.
    """
    return [_planned(number, given) for number, given in enumerate(require_steps(steps))]


def require_steps(steps: Any) -> Sequence[Any]:
    """Raises: InvalidParams: not a list, or none or too many steps."""
    if not isinstance(steps, Sequence) or isinstance(steps, str | bytes):
        raise InvalidParams("steps must be a list")
    if not 1 <= len(steps) <= MOST_STEPS:
        raise InvalidParams(f"there must be 1 to {MOST_STEPS} steps, not {len(steps)}")
    return steps


def _planned(number: int, given: Any) -> PlannedStep:
    where = f"step {number + 1}"
    if not isinstance(given, Mapping | Step):
        raise InvalidParams(f"{where} must be an object with action and params")
    try:
        step = given if isinstance(given, Step) else Step.model_validate(dict(given))
        action = require_action(step.action)
        params = check_params(action, step.params)
    except ValidationError as error:
        raise InvalidParams(f"{where}: {problems(error)}") from None
    except CdpAgentError as error:
        raise InvalidParams(f"{where}: {error.message}", hint=error.hint) from None
    return PlannedStep(number, step.label or f"{number + 1}. {action.name}", action, params, step)
