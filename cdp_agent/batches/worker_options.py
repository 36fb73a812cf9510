"""Options of a batch's workers. Plain values: they may travel to another machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cdp_agent.batches.batch_task import BatchTask
from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.policy import Policy

#: `ask` is for a batch with a live page.
ApprovalWord = Literal["ask", "deny", "auto"]


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Options of a worker: its browser, and how it carries out its tasks."""

    headless: bool = True
    #: A browser is replaced after so many tasks, or when it has so much memory.
    recycle_tasks: int = 50
    recycle_megabytes: int = 1500
    policy: Policy | None = None
    approve: ApprovalWord = "deny"
    #: The folder that has a trace of each task; empty: no traces.
    trace: str = ""
    #: `name=ENV_VAR` words of all tasks; read from the environment of the worker.
    secrets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.recycle_tasks < 1 or self.recycle_megabytes < 1:
            raise InvalidParams("recycle_tasks and recycle_megabytes are at least 1")
        if self.approve not in ("ask", "deny", "auto"):
            raise InvalidParams(
                f"{self.approve!r} is not a way to approve", hint="ask, deny or auto."
            )


def policy_for(
    tasks: Sequence[BatchTask], origins: Sequence[str], upload_folder: Path | None
) -> Policy | None:
    """The policy of the browsers; None where no model works and nothing is asked for.

    Raises:
        InvalidParams: an origin is none, or a task begins outside of them.
    """
    if not origins and upload_folder is None and all(task.kind != "goal" for task in tasks):
        return None
    policy = Policy(tuple(origins), upload_folder=upload_folder)
    for task in tasks:
        if not policy.allows(task.url):
            raise InvalidParams(
                f"the policy does not allow the first page of the task {task.id!r}, {task.url}",
                hint="Add its origin with --allow-origin.",
            )
    return policy


def endpoints_of(workers: int, endpoints: Sequence[str]) -> list[str]:
    """The endpoint of each worker: the next one in turn, or empty where none is given."""
    return [endpoints[n % len(endpoints)] if endpoints else "" for n in range(workers)]


def secret_words(tasks: Sequence[BatchTask]) -> tuple[str, ...]:
    """The secrets of all tasks, each word once."""
    return tuple(dict.fromkeys(word for task in tasks for word in task.secrets))
