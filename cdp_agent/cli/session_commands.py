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

from cdp_agent.cli.page_options import SHOWS_NO_PAGE, add_page_options
from cdp_agent.cli.start_options import add_start_options

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

SESSION_VARIABLE = "CDP_AGENT_SESSION"
DIRECTIONS = ("up", "down", "left", "right", "top", "bottom")
STATES = ("visible", "hidden", "enabled", "disabled", "checked", "unchecked", "gone")

_NUMBERS = re.compile(r"^-\d[\d.,-]*$")
_ID = "id of an element, e.g. 0-12, or what it is: text=Save, label=Email, role=link[name=Home]"


def add_session_commands(
    commands: Commands, add_common: Callable[[argparse.ArgumentParser], None]
) -> None:
    make = _Maker(commands, add_common)

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

    p = make("click", "browser_click", "click an element", _click)
    _add_ref(p)
    p.add_argument("--button", choices=("left", "middle", "right"))
    p.add_argument("--double", action="store_true", help="a double click")
    p.add_argument(
        "--position", metavar="X,Y", help="pixels from its top left corner, e.g. in a canvas"
    )
    p.add_argument(
        "--modifier", action="append", default=[], choices=("Alt", "Control", "Meta", "Shift")
    )

    p = make("fill", "browser_fill", "replace the text of a field", _ref_and("value"))
    _add_ref(p)
    p.add_argument("value", metavar="TEXT")

    p = make("replace", "browser_fill", "replace a piece of a field's text", _replace)
    _add_ref(p)
    p.add_argument("old", metavar="OLD", help="what is there exactly once")
    p.add_argument("new", metavar="NEW")

    p = make("type", "browser_type", "type key by key, without an ID where the focus is", _type)
    p.add_argument("ref", metavar="ID", nargs="?", help=_ID)
    p.add_argument("text", metavar="TEXT")
    p.add_argument("--enter", action="store_true", help="press Enter afterwards")

    p = make("press", "browser_press", "press a key or chord, e.g. Enter, Control+A", _press)
    p.add_argument("key", metavar="KEY")
    p.add_argument("--ref", metavar="ID", help="focus this element first")
    p.add_argument("--times", metavar="N", type=int, help="so often (1 to 100)")

    p = make("select", "browser_select", "choose in a list, by what its options say", _select)
    _add_ref(p)
    p.add_argument("labels", metavar="LABEL", nargs="*")
    p.add_argument("--value", action="append", help="by value instead")
    p.add_argument("--index", action="append", type=int, help="by number from 0 instead")

    _add_ref(make("check", "browser_check", "check a box", _ref_and()))
    _add_ref(make("uncheck", "browser_check", "uncheck a box", _uncheck))
    _add_ref(make("hover", "browser_hover", "put the pointer on an element", _ref_and()))

    p = make("drag", "browser_drag", "drag an element onto another, or a point", _drag)
    p._negative_number_matcher = _NUMBERS  # so that `--by -50,0` is a value and no option
    p.add_argument("ref", metavar="ID", nargs="?", help=_ID)
    p.add_argument("to", metavar="TO", nargs="?", help="id of the element to drop it on")
    p.add_argument("--at", metavar="X,Y", help="where to press: in the element, else the viewport")
    p.add_argument("--by", metavar="DX,DY", help="how far, instead of TO")

    p = make("wait", "browser_wait", "wait for a text, an element, an address or rest", _wait)
    p.add_argument("text", metavar="TEXT", nargs="?", help="until this is shown")
    p.add_argument("--gone", metavar="TEXT", help="until this is no longer shown")
    p.add_argument("--ref", metavar="ID", help="until this element is in --state")
    p.add_argument("--state", choices=STATES)
    p.add_argument("--url", metavar="URL", help="until the address has this part")
    p.add_argument("--rest", action="store_true", help="until nothing changes or loads")
    p.add_argument("--new", action="store_true", help="only a TEXT that is not shown already")
    p.add_argument("--timeout", metavar="S", type=float, help="seconds (default 10)")

    p = make("scroll", "browser_scroll", "scroll; answers the position", _scroll)
    p.add_argument("direction", nargs="?", choices=DIRECTIONS, default="down")
    p.add_argument("--half", action="store_true", help="half a page")
    p.add_argument("--pixels", type=float)
    p.add_argument("--ref", metavar="ID", help="scroll this element")
    p.add_argument("--until", metavar="TEXT", help="scroll on until this is there")

    p = make("upload", "browser_upload", "give files to a file input", _upload)
    _add_ref(p)
    p.add_argument("paths", metavar="FILE", nargs="+")

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
    p = commands.add_parser("sessions", help="list the sessions that run")
    p.set_defaults(module="cdp_agent.cli.session", tool="sessions", make=_nothing, session="")
    add_common(p)


class _Maker:
    def __init__(
        self, commands: Commands, add_common: Callable[[argparse.ArgumentParser], None]
    ) -> None:
        self._commands = commands
        self._add_common = add_common

    def __call__(
        self, name: str, tool: str, help: str, make: Callable[[Any], dict[str, Any]]
    ) -> argparse.ArgumentParser:
        parser = self._commands.add_parser(
            name, help=help, description=f"{help[0].upper()}{help[1:]}."
        )
        parser.set_defaults(
            module="cdp_agent.cli.session", tool=tool or name, make=make, command=name
        )
        add_session_options(parser)
        if tool and name not in SHOWS_NO_PAGE:
            add_page_options(parser)
        self._add_common(parser)
        return parser


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


def _ref_and(*names: str) -> Callable[[Any], dict[str, Any]]:
    return lambda args: {name: getattr(args, name) for name in ("ref", *names)}


def _open(args: Any) -> dict[str, Any]:
    from cdp_agent.cli.address import complete_url

    return {"url": complete_url(args.url)}


def _go(args: Any) -> dict[str, Any]:
    return {"go": args.command}


def _click(args: Any) -> dict[str, Any]:
    return {
        "ref": args.ref,
        "button": args.button,
        "count": 2 if args.double else None,
        "modifiers": args.modifier,
        "position": args.position.split(",") if args.position else None,
    }


def _type(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "text": args.text, "enter": args.enter}


def _press(args: Any) -> dict[str, Any]:
    return {"key": args.key, "ref": args.ref, "times": args.times}


def _select(args: Any) -> dict[str, Any]:
    one_or_more = {"label": args.labels, "value": args.value, "index": args.index}
    return {
        "ref": args.ref,
        **{k: v[0] if len(v) == 1 else v for k, v in one_or_more.items() if v},
    }


def _replace(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "old": args.old, "value": args.new}


def _drag(args: Any) -> dict[str, Any]:
    numbers = {"at": args.at, "by": args.by}
    points = {name: given.split(",") for name, given in numbers.items() if given}
    return {"ref": args.ref, "to": args.to, **points}


def _uncheck(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "checked": False}


def _scroll(args: Any) -> dict[str, Any]:
    return {
        "direction": args.direction,
        "amount": "half" if args.half else None,
        "pixels": args.pixels,
        "ref": args.ref,
        "until": args.until,
    }


def _wait(args: Any) -> dict[str, Any]:
    return {
        "text": args.text,
        "text_gone": args.gone,
        "ref": args.ref,
        "state": args.state,
        "url": args.url,
        "quiet": args.rest or _is_only_quiet(args),
        "new": args.new,
        "timeout": args.timeout,
    }


def _is_only_quiet(args: Any) -> bool:
    """`wait --quiet` was the name of `--rest`, and has nothing else to wait for."""
    return bool(args.show_quiet) and not (args.text or args.gone or args.ref or args.url)


def _absolute(args: Any, path: str) -> str:
    """The background process stands in another folder."""
    folder = getattr(args, "folder", None) or os.getcwd()
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def _upload(args: Any) -> dict[str, Any]:
    return {"ref": args.ref, "paths": [_absolute(args, path) for path in args.paths]}


def _tabs(args: Any) -> dict[str, Any]:
    if args.action == "new":
        from cdp_agent.cli.address import complete_url

        return {"action": "new", "url": complete_url(args.what) if args.what else None}
    return {"action": args.action, "page": args.what or args.page}


def _dialog(args: Any) -> dict[str, Any]:
    return {"accept": args.answer == "accept", "text": args.text}


def _screenshot(args: Any) -> dict[str, Any]:
    return {"path": _absolute(args, args.path), "full_page": args.full, "ref": args.ref}


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
    from cdp_agent.cli.files import read_lines

    lines: list[str] = []
    for step in args.steps:
        lines += read_lines("-") if step == "-" else [step]
    if args.file is not None:
        lines += read_lines(args.file if args.file == "-" else _absolute(args, args.file))
    return {
        "steps": lines,
        "go_on": args.go_on,
        "timeout": args.timeout,
        "folder": getattr(args, "folder", None) or os.getcwd(),
    }


def _extract(args: Any) -> dict[str, Any]:
    from cdp_agent.cli.files import read_data

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
