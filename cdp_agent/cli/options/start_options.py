"""Options that say how a browser is started, and what it may reach and use."""

from __future__ import annotations

import argparse


def add_start_options(parser: argparse.ArgumentParser) -> None:
    """Options that say how a session's browser is started, or found."""
    parser.add_argument("--headed", action="store_true", help="show the browser's window")
    parser.add_argument("--connect", metavar="ENDPOINT", help="use a browser that runs already")
    parser.add_argument(
        "--idle", metavar="S", type=float, help="end after so long idle (default 900)"
    )
    add_profile_option(parser)
    add_guard_options(parser)


def add_profile_option(parser: argparse.ArgumentParser) -> None:
    """The option for the browser's profile, for logins that last."""
    parser.add_argument(
        "--profile", metavar="DIR", help="keep cookies and logins there; one browser at a time"
    )


def add_guard_options(parser: argparse.ArgumentParser) -> None:
    """Options for the places that the browser may open, and for secrets."""
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
    """Options that open parts of this machine to a model; closed without them."""
    parser.add_argument(
        "--allow-local", action="store_true", help="file: and chrome: addresses may be opened"
    )
    parser.add_argument("--write-folder", metavar="DIR", help="the only folder to write files to")


def add_live_options(parser: argparse.ArgumentParser) -> None:
    """A page for people to look on, decide and take over."""
    parser.add_argument(
        "--live",
        action="store_true",
        help="serve a page to watch, answer and take over, and print its address",
    )
    parser.add_argument(
        "--live-port", metavar="PORT", type=int, default=0, help="for --live (default: a free one)"
    )
