"""Options that say how a browser is started, and what it may reach and use."""

from __future__ import annotations

import argparse


def add_start_options(parser: argparse.ArgumentParser) -> None:
    """How a session's browser is started, or found."""
    parser.add_argument("--headed", action="store_true", help="show the browser's window")
    parser.add_argument("--connect", metavar="ENDPOINT", help="use a browser that runs already")
    parser.add_argument(
        "--idle", metavar="S", type=float, help="end after so long idle (default 900)"
    )
    add_guard_options(parser)


def add_guard_options(parser: argparse.ArgumentParser) -> None:
    """Where the browser may go, and what it may type there without anybody's seeing it."""
    parser.add_argument(
        "--allow-origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="the only places the browser may reach (https://shop.test, *.shop.test)",
    )
    parser.add_argument(
        "--secret",
        metavar="NAME=ENV_VAR",
        action="append",
        default=[],
        help="{{secret:NAME}} is typed as the value of ENV_VAR, which is shown nowhere",
    )
    parser.add_argument("--upload-folder", metavar="DIR", help="the only folder to upload from")


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """What of this machine a model may use; closed without them."""
    parser.add_argument(
        "--allow-local", action="store_true", help="file: and chrome: addresses may be opened"
    )
    parser.add_argument("--write-folder", metavar="DIR", help="the only folder to write files to")
