"""The parser of one command. Imports nothing of the engine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(
    commands: Commands, name: str, help: str, description: str = "", *, module: str = ""
) -> argparse.ArgumentParser:
    """The parser of a command; `module` runs it, by default `commands.NAME`."""
    parser = commands.add_parser(
        name, help=help, description=description or f"{help[0].upper()}{help[1:]}."
    )
    parser.set_defaults(module=f"cdp_agent.cli.{module or f'commands.{name}'}")
    parser.add_argument("--json", action="store_true", help="print data instead of text")
    parser.add_argument(
        "--debug", action="store_true", help="log every protocol command (or CDP_AGENT_LOG=debug)"
    )
    return parser
