"""The session's commands: what one types, and the tool call that it stands for.

Nothing here imports the engine: a session command is a message to the background process that
holds the browser, and is to cost little more than starting Python.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.cli.options.action_options import add_parameters, arguments_of, describe
from cdp_agent.cli.options.command_parser import add_command
from cdp_agent.cli.options.page_options import SHOWS_NO_PAGE, add_page_options
from cdp_agent.cli.options.start_options import add_start_options

if TYPE_CHECKING:
    from cdp_agent.cli.options.command_parser import Commands

SESSION_VARIABLE = "CDP_AGENT_SESSION"
#: Sends every command of a session, below `cdp_agent.cli`.
_MODULE = "session.client"
_CLICK = ("ref", "--button", "--position", "--modifier:modifiers")
NUMBERS = re.compile(r"^-\d[\d.,-]*$")
_ID = ACTION_TABLE["click"].parameter("ref").shell_help


def add_session_commands(commands: Commands) -> None:
    make = CommandMaker(commands)

    p = make("open", "browser_navigate", "open an address in the session's browser", _open)
    p.add_argument("url", metavar="URL")
    add_start_options(p)
    for word in ("back", "forward", "reload"):
        make(word, "browser_navigate", f"go {word}" if word != "reload" else "load again", _go)

    p = make("do", "browser_execute", "run several commands, one answer", _do)
    p.add_argument("steps", metavar="STEP", nargs="*", help="a command each; - reads them as lines")
    p.add_argument("--file", metavar="FILE", help="a file with a command in each line")
    p.add_argument(
        "--go-on", action="store_true", help="also after a step changed the page's address"
    )
    p.add_argument("--timeout", metavar="S", type=float, help="seconds for all (default 60)")
    add_start_options(p)

    p = make("read", "browser_read", "print the text of the page, or of an element", _read)
    p.add_argument("ref", metavar="TARGET", nargs="?", help=f"{_ID}; a heading: its section")
    p.add_argument("--search", metavar="WORDS", help="only where any of these words are")
    p.add_argument("--max-tokens", metavar="N", type=int, help="at most so much (default 1000)")
    p.add_argument("--from", metavar="N", type=int, dest="start", help="from this line on")

    p = make("expand", "browser_snapshot", "open a stub: the id in [expand …]", _expand)
    _add_ref(p)
    p.add_argument("--max-tokens", metavar="N", type=int, help="fold what goes beyond")

    _add_actions(make)

    p = make("tabs", "browser_tabs", "list, open, choose or close pages", _tabs)
    p.add_argument("action", nargs="?", choices=("list", "new", "select", "close"), default="list")
    p.add_argument("what", metavar="URL|PAGE", nargs="?")

    p = make("dialog", "browser_dialog", "answer an open alert, confirm or prompt", _dialog)
    p.add_argument("answer", choices=("accept", "dismiss"))
    p.add_argument("text", metavar="TEXT", nargs="?", help="answer to a prompt")

    p = make("screenshot", "browser_screenshot", "write a picture of the page", _screenshot)
    p.add_argument("path", metavar="FILE", nargs="?", default="screenshot.png")
    p.add_argument("--full", action="store_true", help="the whole page")
    p.add_argument("--ref", metavar="ID", help="only this element")

    p = make("extract", "browser_extract", "data from the page, by a JSON Schema", _extract)
    p.add_argument("schema", metavar="FILE", help="a file with the JSON Schema, or the schema")
    p.add_argument("--ref", metavar="ID", help="only inside this element")

    make("close", "", "end the session and its browser", _nothing)
    p = add_command(commands, "sessions", "list the sessions that run", module=_MODULE)
    p.set_defaults(tool="sessions", make=_nothing, session="")


def _add_actions(make: CommandMaker) -> None:
    """Commands that act on an element, as the action table has them."""
    p = make.action("click", _click)
    add_parameters(p, "click", *_CLICK)
    p.add_argument("--double", action="store_true", help="a double click, as dblclick")
    add_parameters(make.action("double_click", _double_click, "dblclick"), "click", *_CLICK)

    p = make.action("fill", arguments_of("ref", "value"))
    add_parameters(p, "fill", "ref", "value", value="TEXT")
    p = make.action("replace", arguments_of("ref", "old", "value"))
    add_parameters(p, "replace", "ref", "old", "value", value="NEW")
    p = make.action("type", arguments_of("ref", "text", "enter", "delay_ms"))
    add_parameters(p, "type", "ref", "text", "--enter", "--delay:delay_ms", delay_ms="MS")
    p = make.action("press", arguments_of("key", "ref", "times"))
    add_parameters(p, "press", "key", "--ref", "--times")

    p = make.action("select", _select)
    add_parameters(p, "select", "ref")
    p.add_argument("labels", metavar="LABEL", nargs="*", help="what the options say")
    add_parameters(p, "select", "--value", "--index")

    for name, read in (("check", arguments_of("ref")), ("uncheck", _uncheck)):
        add_parameters(make.action(name, read), name, "ref")
    add_parameters(make.action("hover", arguments_of("ref")), "hover", "ref")

    p = make.action("drag", arguments_of("ref", "to", "at", "by"))
    p._negative_number_matcher = NUMBERS  # so that `--by -50,0` is a value and no option
    add_parameters(p, "drag", "ref", "to", "--at", "--by", to="TO", by="DX,DY")

    p = make.action("wait", _wait)
    add_parameters(p, "wait", "text", "--gone:text_gone", text_gone="TEXT")
    add_parameters(p, "wait", "--ref", "--state", "--url", "--rest:quiet", "--new", "--timeout")

    p = make.action("scroll", _scroll)
    add_parameters(p, "scroll", "direction")
    p.add_argument("--half", action="store_true", help="half a page")
    add_parameters(p, "scroll", "--pixels", "--ref", "--until", until="TEXT")

    p = make.action("upload", _upload)
    add_parameters(p, "upload", "ref", "paths", paths="FILE")


class CommandMaker:
    """Makes the parser of a session command."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    def __call__(
        self, name: str, tool: str, help: str, make: Callable[[Any], dict[str, Any]]
    ) -> argparse.ArgumentParser:
        parser = add_command(self._commands, name, help, module=_MODULE)
        parser.set_defaults(tool=tool or name, make=make, command=name)
        add_session_options(parser)
        if tool and name not in SHOWS_NO_PAGE:
            add_page_options(parser)
        return parser

    def action(
        self, action: str, make: Callable[[Any], dict[str, Any]], name: str = ""
    ) -> argparse.ArgumentParser:
        """The parser of a command that stands for an action of the table."""
        return self(name or action, ACTION_TABLE[action].tool, describe(action), make)


def add_session_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session",
        metavar="NAME",
        default=os.environ.get(SESSION_VARIABLE, "default"),
        help=f"which session (default: ${SESSION_VARIABLE} or 'default')",
    )
    parser.add_argument("--page", metavar="PAGE", help="which page (default: the current one)")


def _add_ref(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="ID", help=_ID)


# -- from what was typed to the tool's arguments ---------------------------------------------


def _nothing(args: Any) -> dict[str, Any]:
    return {}


def _open(args: Any) -> dict[str, Any]:
    from cdp_agent.cli.options.address import complete_url

    return {"url": complete_url(args.url)}


def _go(args: Any) -> dict[str, Any]:
    return {"go": args.command}


def _click(args: Any) -> dict[str, Any]:
    return {
        "ref": args.ref,
        "button": args.button,
        "count": 2 if args.double else None,
        "modifiers": args.modifiers,
        "position": args.position,
    }


def _double_click(args: Any) -> dict[str, Any]:
    args.double = True
    return _click(args)


def _select(args: Any) -> dict[str, Any]:
    one_or_more = {"label": args.labels, "value": args.value, "index": args.index}
    return {
        "ref": args.ref,
        **{k: v[0] if len(v) == 1 else v for k, v in one_or_more.items() if v},
    }


def _uncheck(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "checked": False}


def _scroll(args: Any) -> dict[str, Any]:
    only_ref = args.ref is not None and not (args.half or args.pixels or args.until)
    return {
        "direction": args.direction or (None if only_ref else "down"),
        "amount": "half" if args.half else None,
        "pixels": args.pixels,
        "ref": args.ref,
        "until": args.until,
    }


def _wait(args: Any) -> dict[str, Any]:
    return {
        "text": args.text,
        "text_gone": args.text_gone,
        "ref": args.ref,
        "state": args.state,
        "url": args.url,
        "quiet": args.quiet or _is_only_quiet(args),
        "new": args.new,
        "timeout": args.timeout,
    }


def _is_only_quiet(args: Any) -> bool:
    """`wait --quiet` was the name of `--rest`, and has nothing else to wait for."""
    return bool(args.show_quiet) and not (args.text or args.text_gone or args.ref or args.url)


def absolute_path(args: Any, path: str) -> str:
    """The background process stands in another folder."""
    folder = getattr(args, "folder", None) or os.getcwd()
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def _upload(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "paths": [absolute_path(args, path) for path in args.paths]}


def _tabs(args: Any) -> dict[str, Any]:
    if args.action == "new":
        from cdp_agent.cli.options.address import complete_url

        return {"action": "new", "url": complete_url(args.what) if args.what else None}
    return {"action": args.action, "page": args.what or args.page}


def _dialog(args: Any) -> dict[str, Any]:
    return {"accept": args.answer == "accept", "text": args.text}


def _screenshot(args: Any) -> dict[str, Any]:
    return {"path": absolute_path(args, args.path), "full_page": args.full, "ref": args.ref}


def _expand(args: Any) -> dict[str, Any]:
    return {"expand": args.ref, "max_tokens": args.max_tokens}


def _read(args: Any) -> dict[str, Any]:
    return {
        "ref": args.ref,
        "search": args.search,
        "max_tokens": args.max_tokens,
        "from": args.start,
    }


def _do(args: Any) -> dict[str, Any]:
    from cdp_agent.cli.options.input_files import read_lines

    lines: list[str] = []
    for step in args.steps:
        lines += read_lines("-") if step == "-" else [step]
    if args.file is not None:
        lines += read_lines(args.file if args.file == "-" else absolute_path(args, args.file))
    return {
        "steps": lines,
        "go_on": args.go_on,
        "timeout": args.timeout,
        "folder": getattr(args, "folder", None) or os.getcwd(),
    }


def _extract(args: Any) -> dict[str, Any]:
    from cdp_agent.cli.options.input_files import read_data

    return {"schema": read_data(args.schema), "root": args.ref}


def snapshot_arguments(args: Any) -> dict[str, Any]:
    """`cdp-agent snapshot` without an address: the session's page."""
    return {
        "interactive_only": args.interactive,
        "viewport_only": args.viewport,
        "root": args.root,
        "max_tokens": args.max_tokens,
        "expand": args.expand,
        "search": args.search,
    }
