"""Options of every command whose answer shows a page: how much of it."""

from __future__ import annotations

import argparse
from typing import Any

#: Commands whose answer is not a page, or that have such options of their own.
SHOWS_NO_PAGE = frozenset(
    (
        *("screenshot", "extract", "read", "expand", "pdf", "content", "cookies", "state"),
        *("viewport", "user-agent", "geolocation", "locale", "timezone", "media", "offline"),
        *("console", "errors", "requests", "tracing", "connect"),
    )
)


def add_page_options(parser: argparse.ArgumentParser) -> None:
    """Options for the part of the page that an answer shows."""
    group = parser.add_argument_group("the page in the answer")
    add = group.add_argument
    add("--search", metavar="WORDS", dest="show_search", help="only lines with any of these")
    add("--max-tokens", metavar="N", dest="show_max_tokens", type=int, help="at most so much of it")
    add("--root", metavar="ID", dest="show_root", help="only this element and what is in it")
    add("--interactive", action="store_true", dest="show_interactive", help="what one can act on")
    add("-q", "--quiet", action="store_true", dest="show_quiet", help="nothing of it")


def page_options(args: Any) -> dict[str, Any] | None:
    """The values of `add_page_options` as the tools' `show`; None for what is usual."""
    names = ("search", "max_tokens", "root", "interactive", "quiet")
    show = {name: getattr(args, f"show_{name}", None) for name in names}
    return {name: value for name, value in show.items() if value} or None
