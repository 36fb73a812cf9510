"""The commands that serve others, and those that run what stands in a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cdp_agent.cli.options.command_parser import add_command
from cdp_agent.cli.options.start_options import (
    add_guard_options,
    add_limit_options,
    add_live_options,
    add_profile_option,
)
from cdp_agent.cli.session.session_commands import add_session_options

if TYPE_CHECKING:
    from cdp_agent.cli.options.command_parser import Commands


def add_server_commands(commands: Commands) -> None:
    p = add_command(commands, "mcp", "serve the tools to an AI assistant, by MCP")
    p.add_argument("--http", metavar="PORT", type=int, help="streamable HTTP instead of stdio")
    p.add_argument("--host", default="127.0.0.1", help=argparse.SUPPRESS)
    p.add_argument("--token", help="for --http (default: $CDP_AGENT_TOKEN, or made up and printed)")
    _add_browser(p)
    _add_shared(p)
    add_guard_options(p)
    add_limit_options(p)

    p = add_command(commands, "serve", "serve the Browser Agent Protocol and the Action Protocol")
    p.add_argument("--port", type=int, default=8932, help="0 takes a free one (default 8932)")
    p.add_argument("--host", default="127.0.0.1", help=argparse.SUPPRESS)
    p.add_argument(
        "--token",
        metavar="TOKEN[=SCOPE,…]",
        action="append",
        default=[],
        help="with scopes such as agent:execute, observe:* (default: $CDP_AGENT_TOKEN, all scopes,"
        " or made up and printed)",
    )
    p.add_argument(
        "--web-origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="a web page of this origin may connect (default: no web page may)",
    )
    p.add_argument(
        "--ask",
        metavar="METHOD",
        action="append",
        default=[],
        help="have the client's person approve each call of this method (action/upload)",
    )
    _add_browser(p)
    _add_shared(p)
    add_guard_options(p)
    add_limit_options(p)
    add_live_options(p)

    p = add_command(commands, "act", "run the steps of a YAML or JSON file")
    p.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    p.add_argument("--url", metavar="URL", help="open this first, in a browser of its own")
    p.add_argument("--timeout", metavar="S", type=float, help="seconds for all steps (default 60)")
    p.add_argument("--headed", action="store_true", help="show the browser's window")
    p.add_argument("--connect", metavar="ENDPOINT", help="use a browser that runs already")
    add_guard_options(p)
    add_session_options(p)

    p = add_command(commands, "completion", "print the completion script for a shell")
    p.add_argument("shell", choices=("bash", "zsh", "fish"))


def _add_browser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headed", action="store_true", help="show the browser's window")
    parser.add_argument("--connect", metavar="ENDPOINT", help="use a browser that runs already")
    add_profile_option(parser)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shared",
        action="store_true",
        help="work in the browser's own profile and see its tabs, not in a profile per client",
    )
