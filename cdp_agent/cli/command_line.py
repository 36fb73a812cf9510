"""The command line: read, run, and errors turned into exit codes.

0: done. 1: the page, or the task, failed. 2: the command line or this machine is at fault.
130: interrupted. A command's own modules are imported when it runs, and the engine with
them, so that `--help` and a mistyped option answer at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from cdp_agent.cli.command_groups import CommandParser, grouped
from cdp_agent.cli.examples import add_examples
from cdp_agent.cli.exit_codes import INTERRUPTED, EnvironmentFailure
from cdp_agent.cli.options.agent_commands import add_agent_commands
from cdp_agent.cli.options.batch_command import add_batch_command
from cdp_agent.cli.options.command_parser import add_command
from cdp_agent.cli.options.server_commands import add_server_commands
from cdp_agent.cli.session.devtools_commands import add_devtools_commands
from cdp_agent.cli.session.session_commands import (
    CommandMaker,
    add_session_commands,
    add_session_options,
    snapshot_arguments,
)
from cdp_agent.errors import CdpAgentError, InvalidParams

EXAMPLES = """\
examples:
  cdp-agent demo                             a whole task on a built-in site; needs no key
  cdp-agent run "cancel my plan" --url …     a task for a model
  cdp-agent open example.com                 begin a session; then:
  cdp-agent click 0-12                         act on what it showed, see what changed
  cdp-agent fill label=Email ada@example.com   or by what an element is called
  cdp-agent do 'fill label=Email a@b.org' 'click text=Save'   several steps, one answer
  cdp-agent read                               the page's text, by section
  cdp-agent close
  cdp-agent snapshot example.com             the page as an agent sees it
  cdp-agent snapshot URL --connect 9222      in a Chrome started with --remote-debugging-port=9222
  cdp-agent guide                            how a model uses all this, on one page
  cdp-agent doctor                           does everything work on this machine?

An element is an id such as 0-12 (brackets may be copied along), or text=Save, label=Email,
role=button[name=Save], placeholder=…, testid=…, css=…, xpath=…; with frame=1 before it only there.
Answers that show the page take --search WORDS, --max-tokens N, --root ID, --interactive, --quiet.

exit code: 0 done, 1 the page or task failed, 2 usage or environment, 130 interrupted
"""
_LONGEST_MESSAGE = 4000
_ANYWHERE = ("--json", "--debug")
_ANYWHERE_WITH_VALUE = ("--session", "--page")
_WITH_VALUE_IN_ONE = ("--session=", "--page=")


def run_command(argv: Sequence[str]) -> int:
    """Run one command; its exit code. Never raises anything but bugs of ours."""
    args = build_parser().parse_args(_command_first(argv))
    if args.debug or os.environ.get("CDP_AGENT_LOG"):
        from cdp_agent import log

        log.setup(args.debug)
    try:
        run: Callable[[argparse.Namespace], int] = import_module(_module(args)).run
        code = run(args)
        sys.stdout.flush()
        return code
    except EnvironmentFailure as failure:
        return _report(failure.error, 2, as_json=args.json)
    except InvalidParams as error:
        return _report(error, 2, as_json=args.json)
    except CdpAgentError as error:
        return _report(error, 1, as_json=args.json)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough (`| head`); do not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _command_first(argv: Sequence[str]) -> list[str]:
    """`cdp-agent --json tabs` means what `cdp-agent tabs --json` means."""
    words = list(argv)
    count = 0
    while count < len(words):
        if words[count] in _ANYWHERE_WITH_VALUE:
            count += 2
        elif words[count] in _ANYWHERE or words[count].startswith(_WITH_VALUE_IN_ONE):
            count += 1
        else:
            break
    return [*words[count : count + 1], *words[:count], *words[count + 1 :]]


def _module(args: argparse.Namespace) -> str:
    """The module of a command. A snapshot of no address is one of the session's page."""
    if args.module == "cdp_agent.cli.commands.snapshot" and args.url is None:
        args.tool, args.make = "browser_snapshot", snapshot_arguments
        return "cdp_agent.cli.session.client"
    return str(args.module)


def build_parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = CommandParser(
        prog="cdp-agent",
        usage="cdp-agent [-h] [--version] COMMAND ...",
        description="A browser for AI agents, by the Chrome DevTools Protocol alone.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, prog="cdp-agent", help=argparse.SUPPRESS
    )

    snapshot = add_command(
        commands,
        "snapshot",
        "print a page as an agent sees it",
        "Print what is on a page: one line per element, with the ids of those one can "
        "act on, frames of other sites included. With an address it is opened for this alone; "
        "without one it is the page of the session (see `open`).",
    )
    snapshot.add_argument(
        "url",
        metavar="URL",
        nargs="?",
        help="without http:// in front, a file that is there is opened as one; localhost, "
        "addresses in numbers and hosts with a port get http://, all others https://",
    )
    snapshot.add_argument("--viewport", action="store_true", help="only what is in view")
    snapshot.add_argument("--interactive", action="store_true", help="only what one can act on")
    snapshot.add_argument(
        "--max-tokens", metavar="N", type=int, help="fold what goes beyond (default 2000)"
    )
    snapshot.add_argument("--expand", metavar="ID", help="open a stub: the id in [expand …]")
    snapshot.add_argument("--search", metavar="WORDS", help="only lines with any of these words")
    snapshot.add_argument(
        "--connect",
        metavar="ENDPOINT",
        help="use a new tab of a running browser: http://host:port, ws://… or just the port",
    )
    snapshot.add_argument("--headed", action="store_true", help="show the browser's window")
    snapshot.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        default=30.0,
        help="seconds in which the page has to load (default 30)",
    )
    snapshot.add_argument("--root", metavar="ID", help="of the session's page, only below this")
    add_session_options(snapshot)

    add_command(
        commands,
        "doctor",
        "check browser, transports, sandbox, fonts and frames on this machine",
        "Try what the engine needs and say for each part whether it works or how to "
        "fix it. Exit code 0 when everything essential works.",
    )
    guide = add_command(
        commands,
        "guide",
        "short pages for models and people; the first is enough for most tasks",
        "Print a page of the guide: start, selectors, steps, frames, downloads, "
        "secrets, policies, logins or debugging.",
    )
    guide.add_argument("topic", metavar="TOPIC", nargs="?", default="start")
    guide.add_argument(
        "--install-skill", metavar="DIR", help="write SKILL.md for coding agents into this folder"
    )
    add_session_commands(commands)
    add_devtools_commands(CommandMaker(commands))
    add_server_commands(commands)
    add_agent_commands(commands)
    add_batch_command(commands)
    add_examples(commands.choices)
    helps = {row.dest: row.help or "" for row in commands._choices_actions}
    parser.epilog = f"{grouped(helps)}\n\n{EXAMPLES}"
    return parser


class _Version(argparse.Action):
    """Looked up when asked for: reading package metadata costs more than all the rest."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"cdp-agent {version('cdp-agent')}")
        parser.exit()


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _report(error: CdpAgentError, code: int, *, as_json: bool) -> int:
    """An error in the words that a person, or with `--json` a program, can act on."""
    if as_json:
        from cdp_agent.text import json_text

        print(json_text({"error": error.to_dict()}))
    else:
        from cdp_agent.text import one_line

        print(f"{error.code}: {one_line(error.message, _LONGEST_MESSAGE)}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
    return code
