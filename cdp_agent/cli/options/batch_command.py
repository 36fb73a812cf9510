"""The command line of `batch`. Imports nothing of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_agent.cli.options.command_parser import add_command
from cdp_agent.cli.options.start_options import add_guard_options, add_live_options

if TYPE_CHECKING:
    from cdp_agent.cli.options.command_parser import Commands


def add_batch_command(commands: Commands) -> None:
    batch = add_command(
        commands,
        "batch",
        "carry out many tasks from a file, and go on after a kill",
        "Carries out the tasks of a file of JSON lines, each in a context of its own, "
        "and writes a line for each to the results file. A store beside it records every attempt: "
        "--resume goes on after a kill, without doing again what was recorded. Ctrl-C finishes "
        "what runs; a second one stops at once.",
    )
    add = batch.add_argument
    add("tasks", metavar="TASKS", help="a file of JSON lines: id, url and goal, steps or replay")
    add("--out", metavar="FILE", required=True, help="where the results go, as JSON lines")
    add("--resume", action="store_true", help="go on with the results that are there")
    add("--workers", metavar="N", type=int, default=4, help="tasks at a time (default 4)")
    add("--retries", metavar="N", type=int, default=2,
        help="more attempts where browser or network failed; 0: none ever (default 2)")  # fmt: skip
    add("--timeout", metavar="S", type=float, default=300.0,
        help="seconds for an attempt (default 300)")  # fmt: skip
    add("--grace", metavar="S", type=float, default=30.0,
        help="seconds that tasks under way get after Ctrl-C (default 30)")  # fmt: skip
    add("--recycle-tasks", metavar="N", type=int, default=50,
        help="replace a browser after so many tasks (default 50)")  # fmt: skip
    add("--recycle-megabytes", metavar="N", type=int, default=1500,
        help="or when it has so much memory (default 1500)")  # fmt: skip
    add("--trace", metavar="DIR", help="write a trace of each task into a folder of its own")
    add("--model", metavar="M", default="", help="for goals that name none; as for run")
    add("--approve", choices=("ask", "deny", "auto"), default="deny",
        help="checkpoints: people on the live page, nobody, or all (default deny)")  # fmt: skip
    add("--headed", action="store_true", help="show the browsers' windows")
    add("--connect", metavar="ENDPOINT", action="append", default=[],
        help="a browser that runs already; repeated, each worker takes the next")  # fmt: skip
    add("--engine", choices=("local", "ray"), default="local",
        help="where workers run: in this process, or on a Ray cluster (default local)")  # fmt: skip
    add("--address", metavar="ADDRESS", help="of a Ray cluster (default: RAY_ADDRESS, or one here)")
    add_guard_options(batch)
    add_live_options(batch)
