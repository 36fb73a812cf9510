"""One run of an agent for a command: interrupts, output, exit code."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from cdp_agent.agent.loop import Agent
from cdp_agent.agent.trace.record import TaskResult
from cdp_agent.cli.exit_codes import INTERRUPTED
from cdp_agent.text import json_text


async def run_task(agent: Agent, goal: str) -> TaskResult:
    """Run to the end; Ctrl-C ends it with a result, a second one at once."""
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        agent.stop("interrupted from the keyboard")

    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        return await agent.run(goal)
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)


def finish(result: TaskResult, *, as_json: bool) -> int:
    """Returns the exit code: 0 done, 1 failed, 2 no model, 130 interrupted."""
    if as_json:
        print(json_text(result.to_dict()))
    if result.success:
        return 0
    return {"interrupted": INTERRUPTED, "model_error": 2}.get(result.status, 1)
