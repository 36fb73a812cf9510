"""Reads steps that are written as commands, by the parser of the shell."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
from collections.abc import Callable
from typing import Any

from cdp_agent.cli.command_line import build_parser
from cdp_agent.cli.session.client import guard_options, request_for
from cdp_agent.cli.session.session_commands import SESSION_VARIABLE, snapshot_arguments
from cdp_agent.errors import InvalidParams

_START_ONLY = ("headed", "connect", "idle", "profile", "share")


def command_reader() -> Callable[[str, str | None], tuple[str, dict[str, Any]]]:
    """A reader of lines such as `fill label=Email ada@x.org`: tool and arguments."""
    parser = build_parser()

    def read(line: str, folder: str | None) -> tuple[str, dict[str, Any]]:
        try:
            words = shlex.split(_with_quotes_kept(line))
        except ValueError as error:
            raise InvalidParams(f"cannot be read: {error}", hint=_QUOTES) from None
        if words[:1] == ["cdp-agent"]:
            del words[0]
        args = _parsed(parser, words)
        if args.has_joined_text and not {'"', "'"}.isdisjoint(line):
            raise InvalidParams("there are quotes in a text that has none around it", hint=_QUOTES)
        if folder is not None:
            args.folder = folder
        _require_step(args)
        request = request_for(args)
        return request["tool"], request["arguments"]

    return read


_QUOTES = 'Quote what has spaces, as in a shell: click "text=Log in".'
#: A CSS selector or XPath that is not quoted as a whole, or what a shell reads as one piece.
_PIECE = re.compile(
    r"""(?P<path>(?:^|(?<=\s))(?:css=|xpath=|\(*//)(?:[^\s'"]|"[^"]*"|'[^']*')*)"""
    r"""|"(?:\\.|[^"\\])*"|'[^']*'|\\.|.""",
    re.DOTALL,
)


def _with_quotes_kept(line: str) -> str:
    """The line with the quotes inside a CSS selector or XPath escaped: they belong to it."""
    return _PIECE.sub(
        lambda piece: re.sub(r"[\s'\"]", r"\\\g<0>", piece[0]) if piece["path"] else piece[0], line
    )


def _parsed(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint), contextlib.redirect_stdout(io.StringIO()):
            args = parser.parse_args(words)
    except SystemExit:
        message, _, hint = complaint.getvalue().partition("error: ")[2].partition("\nhint: ")
        raise InvalidParams(message.strip() or "is not a step", hint=hint.strip()) from None
    if args.module == "cdp_agent.cli.commands.snapshot" and args.url is None:
        args.tool, args.make = "browser_snapshot", snapshot_arguments
    return args


def _require_step(args: argparse.Namespace) -> None:
    """Raises: InvalidParams: not a command of a session, or one that starts another."""
    if not str(getattr(args, "tool", "")).startswith("browser_"):
        hint = "Steps are commands that act on a session's page."
        if args.module == "cdp_agent.cli.commands.snapshot":
            hint = "snapshot of an address opens a page of its own: open URL goes there."
        raise InvalidParams("is not a step", hint=hint)
    if args.session != os.environ.get(SESSION_VARIABLE, "default"):
        raise InvalidParams("--session is said once, for all steps")
    if guard_options(args) or any(getattr(args, name, None) for name in _START_ONLY):
        raise InvalidParams("says how a browser is started, which is said for all steps")
