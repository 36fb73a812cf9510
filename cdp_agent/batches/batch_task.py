"""Batch tasks: the lines of a file, checked before the first of them runs.

{"id": 1, "url": "https://shop.test", "goal": "Order a lamp", "service": "shop.yaml"}
{"id": 2, "url": "https://shop.test", "steps": [{"action": "click", "params": {…}}]}
{"id": 3, "replay": "traces/order"}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from cdp_agent.agent.models.named_model import script_of
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.secrets import mentioned
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.trace_folder import read_trace
from cdp_agent.api.checked_model import CheckedModel, problems
from cdp_agent.api.composite.steps import plan
from cdp_agent.api.navigation.navigate import require_url
from cdp_agent.errors import CdpAgentError, InvalidParams

MOST_TASKS = 100_000
LONGEST_TASK = 3600.0
_HINT = 'A line is {"id": 1, "url": "https://…"} with one of goal, steps and replay.'

TaskKind = Literal["goal", "steps", "replay"]
KINDS: tuple[TaskKind, ...] = ("goal", "steps", "replay")
#: Makes an address of what a person typed for one.
CompleteUrl = Callable[[str], str]

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class TaskLine(CheckedModel):
    """One task as it is written."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)] | int
    url: _Text | None = None
    goal: _Text | None = None
    steps: list[dict[str, Any]] | None = None
    replay: _Text | None = None
    service: _Text | None = None
    model: _Text | None = None
    #: Names of the batch's secrets, or `name=ENV_VAR` words. None: all of the batch's.
    secrets: list[str] | None = None
    max_turns: int = Field(20, ge=1)
    max_tokens: int | None = Field(None, ge=1)
    timeout: float | None = Field(None, gt=0, le=LONGEST_TASK)
    retries: int | None = Field(None, ge=0, le=10)


@dataclass(frozen=True, slots=True)
class BatchTask:
    """One task that was checked. It holds names of secrets, never values."""

    id: str | int
    kind: TaskKind
    url: str
    goal: str = ""
    steps: Sequence[Mapping[str, Any]] = ()
    replay: str = ""
    service: str = ""
    model: str = ""
    #: `name=ENV_VAR` words.
    secrets: tuple[str, ...] = ()
    max_turns: int = 20
    max_tokens: int | None = None
    #: Seconds for one attempt.
    timeout: float = 300.0
    #: 0: the task is begun once at most, whatever interrupts it.
    retries: int = 2
    #: Changes when the task as it is written changes.
    digest: str = field(default="", compare=False)

    @property
    def key(self) -> str:
        """The id as a text: 7 and "7" are one task."""
        return str(self.id)


@dataclass(frozen=True, slots=True)
class TaskDefaults:
    """Defaults for tasks that say nothing about it."""

    model: str = ""
    secrets: tuple[str, ...] = ()
    timeout: float = 300.0
    retries: int = 2


def read_tasks(
    lines: Iterable[str], source: str, defaults: TaskDefaults, complete_url: CompleteUrl = str
) -> list[BatchTask]:
    """The tasks of JSON lines; empty lines are left out.

    Raises:
        InvalidParams: a line is wrong; the message begins with the source and the line's number.
    """
    given: list[tuple[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{source}, line {number}"
        try:
            given.append((where, json.loads(line)))
        except json.JSONDecodeError as error:
            reason = f"{error.msg} (column {error.colno})"
            raise InvalidParams(f"{where} is not JSON: {reason}", hint=_HINT) from None
        except (ValueError, RecursionError) as error:
            raise InvalidParams(f"{where} is not JSON: {str(error)[:200]}", hint=_HINT) from None
    if not given:
        raise InvalidParams(f"{source} has no tasks", hint=_HINT)
    return check_tasks(given, defaults, complete_url)


def check_tasks(
    given: Iterable[tuple[str, Any]], defaults: TaskDefaults, complete_url: CompleteUrl = str
) -> list[BatchTask]:
    """The tasks of plain data, each with a word for where it is from.

    Raises:
        InvalidParams: one of them is wrong, two have one id, or there are none or too many.
    """
    tasks: list[BatchTask] = []
    places: dict[str, str] = {}
    for where, data in given:
        try:
            task = _checked(data, defaults, complete_url)
        except ValidationError as error:
            raise InvalidParams(f"{where}: {problems(error)}", hint=_HINT) from None
        except CdpAgentError as error:
            raise InvalidParams(f"{where}: {error.message}", hint=error.hint) from None
        if task.key in places:
            raise InvalidParams(f"{where}: {places[task.key]} has the id {task.id!r}, too")
        places[task.key] = where.rpartition(", ")[2]
        tasks.append(task)
        if len(tasks) > MOST_TASKS:
            raise InvalidParams(f"a batch has at most {MOST_TASKS} tasks")
    if not tasks:
        raise InvalidParams("there are no tasks", hint=_HINT)
    return tasks


def _checked(data: Any, defaults: TaskDefaults, complete_url: CompleteUrl) -> BatchTask:
    if not isinstance(data, Mapping):
        raise InvalidParams("a task is an object", hint=_HINT)
    line = TaskLine.model_validate(dict(data))
    kinds = [kind for kind in KINDS if getattr(line, kind) is not None]
    if len(kinds) != 1:
        said = f"it has {' and '.join(kinds)}" if kinds else "it has none of them"
        raise InvalidParams(f"a task has one of goal, steps and replay; {said}", hint=_HINT)
    service = SERVICES.get(line.service) if line.service else None
    url = complete_url(line.url) if line.url else (service.url if service is not None else "")
    if line.steps is not None:
        plan(line.steps)
    elif line.replay is not None:
        start, _, _ = read_trace(line.replay)
        url = url or str(start.get("url", ""))
    model = line.model or defaults.model
    script = script_of(model) if line.goal is not None else None
    if script is not None:
        ScriptedModel.load(script)
    secrets = _secrets(line, defaults)
    written = json.dumps(dict(data), sort_keys=True, default=str)
    return BatchTask(
        id=line.id,
        kind=kinds[0],
        url=require_url(url) if url else _no_url(),
        goal=line.goal or "",
        steps=tuple(line.steps or ()),
        replay=line.replay or "",
        service=line.service or "",
        model=model,
        secrets=secrets,
        max_turns=line.max_turns,
        max_tokens=line.max_tokens,
        timeout=line.timeout if line.timeout is not None else defaults.timeout,
        retries=line.retries if line.retries is not None else defaults.retries,
        digest=hashlib.sha256(written.encode()).hexdigest()[:32],
    )


def _no_url() -> str:
    raise InvalidParams("where does it begin?", hint="Give url, or a service that has one.")


def _secrets(line: TaskLine, defaults: TaskDefaults) -> tuple[str, ...]:
    """The secrets of a task as `name=ENV_VAR` words.

    Raises:
        InvalidParams: the batch has no secret of a name, or the steps mention another one.
    """
    known = {word.partition("=")[0]: word for word in defaults.secrets}
    words = list(known.values())
    if line.secrets is not None:
        unknown = [word for word in line.secrets if "=" not in word and word not in known]
        if unknown:
            hint = f"Secrets: {', '.join(sorted(known)) or 'none'}; or write name=ENV_VAR."
            raise InvalidParams(f"the batch has no secret {unknown[0][:60]!r}", hint=hint)
        words = [word if "=" in word else known[word] for word in line.secrets]
    names = {word.partition("=")[0] for word in words}
    for name in mentioned(json.dumps(line.steps or [])):
        if name not in names:
            hint = f"Secrets of this task: {', '.join(sorted(names)) or 'none'}."
            raise InvalidParams(f"a step names the secret {name!r}", hint=hint)
    return tuple(words)
