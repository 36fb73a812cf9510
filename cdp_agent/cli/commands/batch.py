"""`cdp-agent batch TASKS --out FILE`: many tasks, recorded to survive a kill."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.batches import Batch, batch
from cdp_agent.cli.batch_progress import BatchProgress
from cdp_agent.cli.exit_codes import INTERRUPTED, EnvironmentFailure
from cdp_agent.cli.options.address import complete_endpoint, complete_url
from cdp_agent.cli.options.live_board import live_board
from cdp_agent.cli.options.policy_options import require_folder
from cdp_agent.errors import CdpAgentError, InvalidParams
from cdp_agent.live import Board
from cdp_agent.text import json_text

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(args: argparse.Namespace) -> int:
    if args.grace < 0:
        raise InvalidParams("--grace is a number of seconds, 0 or more")
    progress = BatchProgress(sys.stderr if args.json else sys.stdout)
    # Ray prints what it notices on stdout, which is for the results.
    with contextlib.redirect_stdout(sys.stderr):
        run = asyncio.run(_work(args, progress))
    if args.json:
        facts = {"unfinished": run.unfinished, "results": args.out}
        print(json_text({**run.summary.to_dict(), **facts}))
    else:
        print(run.summary.text())
    if run.unfinished:
        print(f"{run.unfinished} tasks are left; --resume goes on with them", file=sys.stderr)
        return INTERRUPTED
    return 1 if run.summary.failed else 0


async def _work(args: argparse.Namespace, progress: BatchProgress) -> Batch:
    """Raises: EnvironmentFailure: no browser, worker or cluster could be had."""
    # On a cluster only the workers have the values, and there is no live page.
    secrets = Secrets.from_environment(args.secret if args.live else ())
    async with live_board(args, secrets) as board:
        run = _batch(args, progress, board)
        with _stopped_by_signals(run, progress, args.grace):
            try:
                async with run:
                    async for _ in run:
                        pass  # the progress is told, the file is written
            except InvalidParams:
                raise
            except CdpAgentError as error:
                raise EnvironmentFailure(error) from error
            finally:
                progress.close()
        return run


def _batch(args: argparse.Namespace, progress: BatchProgress, board: Board | None) -> Batch:
    """Raises: InvalidParams: a line of the file or an option is wrong."""
    return batch(
        args.tasks,
        out=args.out,
        resume=args.resume,
        workers=args.workers,
        engine=args.engine,
        address=args.address,
        connect=[complete_endpoint(endpoint) for endpoint in args.connect],
        headless=not args.headed,
        retries=args.retries,
        timeout=args.timeout,
        recycle_tasks=args.recycle_tasks,
        recycle_megabytes=args.recycle_megabytes,
        allow_origins=args.allow_origin,
        upload_folder=require_folder(args.upload_folder) if args.upload_folder else None,
        secrets=args.secret,
        model=args.model,
        approve=args.approve,
        trace=args.trace,
        watcher=progress,
        board=board,
        complete_url=complete_url,
    )


@contextlib.contextmanager
def _stopped_by_signals(run: Batch, progress: BatchProgress, grace: float) -> Iterator[None]:
    """The first signal lets what runs end, a second one interrupts it."""
    loop = asyncio.get_running_loop()
    signals = 0

    def stop() -> None:
        nonlocal signals
        signals += 1
        seconds = grace if signals == 1 else 0.0
        run.stop("the run was stopped by a signal", grace=seconds)
        progress.stopping(seconds)

    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError):
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
