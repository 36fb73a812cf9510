"""`cdp_agent.batch`: the Python face of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from cdp_agent.batches.batch_run import Batch, BatchEngine, BatchWatcher, OverviewWatcher
from cdp_agent.batches.batch_task import CompleteUrl, TaskDefaults, check_tasks, read_tasks
from cdp_agent.batches.worker_options import ApprovalWord, WorkerOptions, policy_for, secret_words
from cdp_agent.batches.workers.local_engine import LocalEngine
from cdp_agent.errors import InvalidParams
from cdp_agent.live import Board

MOST_WORKERS = 1000
EngineName = Literal["local", "ray"]


def batch(
    tasks: str | Path | Iterable[Mapping[str, Any]],
    *,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int = 4,
    engine: EngineName = "local",
    address: str | None = None,
    connect: Sequence[str] = (),
    headless: bool = True,
    retries: int = 2,
    timeout: float = 300.0,
    recycle_tasks: int = 50,
    recycle_megabytes: int = 1500,
    allow_origins: Sequence[str] = (),
    upload_folder: str | Path | None = None,
    secrets: Sequence[str] = (),
    model: str = "",
    approve: ApprovalWord = "deny",
    trace: str | Path | None = None,
    watcher: BatchWatcher | None = None,
    board: Board | None = None,
    complete_url: CompleteUrl = str,
) -> Batch:
    """Carry out many tasks; `async for` over it gives the results as they end.

    `tasks` is a file of JSON lines, or an iterable of such objects: `id`, `url` and one of `goal`,
    `steps` (as in `Page.act`) and `replay` (a trace); also `service`, `model`, `secrets`,
    `max_turns`, `max_tokens`, `timeout` and `retries`. Each runs in a context of its own.

    With `out` results are written there as JSON lines, and a store beside it records every
    attempt; `resume` goes on where an earlier run was stopped or killed. An attempt that the
    browser, the network or a worker ended is begun again up to `retries` times; a task with
    `retries` 0 is begun once at most. A browser is replaced after `recycle_tasks` tasks or beyond
    `recycle_megabytes`. `connect` names browsers that run already, one for each worker in turn.
    `secrets` are `name=ENV_VAR` words. `engine="ray"` carries tasks out on the cluster at
    `address`, or on one that is started for this batch. A `board` of a live page shows the tasks;
    with it `approve="ask"` asks there at checkpoints.

    Raises:
        InvalidParams: a task or an option is wrong; the message names the line. Nothing was run.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise InvalidParams(f"workers are 1 to {MOST_WORKERS}, not {workers}")
    if engine not in ("local", "ray"):
        raise InvalidParams(f"there is no engine {engine!r}", hint="local or ray.")
    if address is not None and engine != "ray":
        raise InvalidParams("address is for the engine ray")
    if not 0 <= retries <= 10 or timeout <= 0:
        raise InvalidParams("retries are 0 to 10, and timeout is above 0")
    if board is not None and engine != "local":
        raise InvalidParams("a live page shows the engine local only")
    if approve == "ask" and board is None:
        raise InvalidParams("who is asked?", hint="A live page asks (--live); else deny or auto.")
    defaults = TaskDefaults(model, tuple(secrets), timeout, retries)
    if isinstance(tasks, str | Path):
        if out is not None and Path(tasks).resolve() == Path(out).resolve():
            raise InvalidParams(f"{out} is the file of the tasks", hint="Name another for results.")
        checked = read_tasks(_lines(Path(tasks)), str(tasks), defaults, complete_url)
    else:
        numbered = [(f"task {number}", task) for number, task in enumerate(tasks, 1)]
        checked = check_tasks(numbered, defaults, complete_url)
    folder = Path(upload_folder) if upload_folder is not None else None
    options = WorkerOptions(
        headless,
        recycle_tasks,
        recycle_megabytes,
        policy_for(checked, allow_origins, folder),
        approve,
        str(trace or ""),
        secret_words(checked),
    )
    chosen: BatchEngine
    if engine == "ray":
        from cdp_agent.batches.workers.ray_engine import RayEngine

        chosen = RayEngine(options, workers, connect, address)
    else:
        chosen = LocalEngine(checked, options, workers, connect, board)
    return Batch(
        checked,
        chosen,
        out=Path(out) if out is not None else None,
        resume=resume,
        watchers=[
            *([watcher] if watcher is not None else []),
            *([OverviewWatcher(board)] if board is not None else []),
        ],
    )


def _lines(path: Path) -> list[str]:
    try:
        return path.expanduser().read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidParams(f"cannot read {path}: {reason}") from None
