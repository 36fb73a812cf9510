"""The command lines of `run`, `demo`, `replay`, `services`, without the engine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cdp_agent.cli.options.command_parser import add_command
from cdp_agent.cli.options.start_options import (
    add_guard_options,
    add_live_options,
    add_profile_option,
)

if TYPE_CHECKING:
    from cdp_agent.cli.options.command_parser import Commands


def add_agent_commands(commands: Commands) -> None:
    _add_demo(commands)
    _add_run(commands)
    _add_cancel(commands)
    _add_replay(commands)
    _add_services(commands)


def _add_demo(commands: Commands) -> None:
    demo = add_command(
        commands,
        "demo",
        "watch a whole task on a built-in site; needs no key and no network",
        'Serves a subscription service on loopback and carries out "cancel my '
        'subscription" on it by a scripted model: sign-in with a secret, offers, a checkpoint, a '
        "confirmation in a frame of another site, and the proof. Writes a trace to look at.",
    )
    demo.add_argument("--headed", action="store_true", help="show the browser's window")
    demo.add_argument("--trace", metavar="DIR", help="where the trace goes (default: a new folder)")
    demo.add_argument("--replay", metavar="DIR", help="play a demo's trace again, without a model")
    _add_approve(demo, "auto")


def _add_run(commands: Commands) -> None:
    run = add_command(
        commands,
        "run",
        "carry out a task with a language model",
        "Opens a page and lets a model work towards the goal, one tool at a time. "
        "Success is checked on the page. Needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a "
        "server of your own.",
    )
    run.add_argument("goal", metavar="GOAL", help="what to do, in plain words")
    run.add_argument("--service", metavar="S", help="a service by name, or its .yaml file")
    _add_run_options(run)


def _add_cancel(commands: Commands) -> None:
    cancel = add_command(
        commands,
        "cancel",
        "cancel a subscription of a service that is known",
        "The same as run with the goal to cancel the subscription: you are asked before the last "
        "step, and success is checked on the page.",
        module="commands.run",
    )
    cancel.set_defaults(goal=None)
    cancel.add_argument(
        "--service", metavar="S", required=True, help="a service by name, or its .yaml file"
    )
    _add_run_options(cancel)


def _add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("--url", metavar="URL", help="where to begin (default: the service's own)")
    run.add_argument(
        "--model", metavar="M", help="a model's name, or script:FILE (default: CDP_AGENT_MODEL)"
    )
    run.add_argument(
        "--max-turns", metavar="N", type=_count, default=20, help="turns at most (default 20)"
    )
    run.add_argument("--max-tokens", metavar="N", type=_count, help="tokens at most, all together")
    run.add_argument("--max-seconds", metavar="S", type=_count, help="seconds at most")
    run.add_argument("--headed", action="store_true", help="show the browser's window")
    run.add_argument("--connect", metavar="ENDPOINT", help="use a new tab of a running browser")
    add_profile_option(run)
    run.add_argument("--trace", metavar="DIR", help="write lines, pictures and a page to look at")
    add_guard_options(run)
    run.add_argument(
        "--hold-writes",
        action="store_true",
        help="ask before each request that writes (all but GET, HEAD, OPTIONS); closes sockets",
    )
    _add_approve(run, "ask")
    add_live_options(run)


def _add_replay(commands: Commands) -> None:
    replay = add_command(
        commands,
        "replay",
        "do again what a trace recorded, without a model",
        "Carries out the actions of a trace. Elements are found again by role, name, "
        "tag and path; the first that cannot be found for certain ends it, with the reason.",
    )
    replay.add_argument("trace", metavar="TRACE", help="the folder of a trace, or its trace.jsonl")
    replay.add_argument("--url", metavar="URL", help="begin there instead of where the trace began")
    replay.add_argument("--headed", action="store_true", help="show the browser's window")
    replay.add_argument("--connect", metavar="ENDPOINT", help="use a new tab of a running browser")
    add_guard_options(replay)
    _add_approve(replay, "ask")


def _add_services(commands: Commands) -> None:
    services = add_command(
        commands,
        "services",
        "list the services that the agent knows",
        "Services are data files: where a human is asked, what proves success.",
    )
    services.add_argument("name", metavar="NAME", nargs="?", help="tell more about this one")


def _add_approve(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--approve",
        choices=("ask", "deny", "auto"),
        default=default,
        help=f"who decides at checkpoints: you, nobody, or all are approved (default {default})",
    )


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number
