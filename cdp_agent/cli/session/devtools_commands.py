"""Session commands for PDFs, cookies, devices, logins, logs and one's own Chrome.

As in `commands`, nothing here imports the engine.
"""

from __future__ import annotations

import argparse
import re
from typing import Any

from cdp_agent.cli.session.session_commands import NUMBERS, CommandMaker, absolute_path
from cdp_agent.errors import InvalidParams

_SIZE = re.compile(r"(\d+)[x,](\d+)")


def add_devtools_commands(make: CommandMaker) -> None:
    p = make("pdf", "browser_pdf", "print the page to a PDF", _pdf)
    p.add_argument("path", metavar="FILE", nargs="?", default="page.pdf")
    p.add_argument(
        "--paper", metavar="NAME", default="letter", help="A4, letter … (default letter)"
    )
    p.add_argument("--landscape", action="store_true")
    p.add_argument("--background", action="store_true", help="with background colours and images")
    p.add_argument("--scale", metavar="N", type=float, default=1.0, help="0.1 to 2 (default 1)")
    p.add_argument("--pages", metavar="1-3,5", default="", help="only these")

    p = make("content", "browser_content", "print the HTML of the page, or write it", _content)
    p.add_argument("path", metavar="FILE", nargs="?", help="write it there, whole")
    p.add_argument("--frame", metavar="N", type=int, default=0, help="of this frame")

    p = make("cookies", "browser_cookies", "list, set or remove cookies", _cookies)
    p.add_argument("action", nargs="?", choices=("list", "set", "clear"), default="list")
    p.add_argument("name", metavar="NAME", nargs="?", help="for set")
    p.add_argument("value", metavar="VALUE", nargs="?", help="for set")
    p.add_argument("--url", metavar="URL", help="only those that this address is sent")

    p = make("state", "browser_state", "save a login to a file, or load it", _state)
    p.add_argument("action", choices=("save", "load"))
    p.add_argument("path", metavar="FILE", help="JSON that only you can read")

    p = make("viewport", "browser_viewport", "give the page another size", _viewport)
    p.add_argument("size", metavar="WIDTHxHEIGHT", help="in CSS pixels, e.g. 390x844")
    p.add_argument("--scale", metavar="N", type=float, default=0, help="device pixels for each")
    p.add_argument("--mobile", action="store_true", help="laid out as on a phone, with touch")

    p = make("user-agent", "browser_user_agent", "set what the page sends as user agent", _agent)
    p.add_argument("user_agent", metavar="TEXT", nargs="?", help="without: the browser's own")
    p.add_argument("--platform", metavar="NAME", help="what navigator.platform shows")

    p = make("geolocation", "browser_geolocation", "set where the page believes to be", _place)
    p._negative_number_matcher = NUMBERS  # so that `-33.9,18.4` is a value and no option
    p.add_argument("place", metavar="LATITUDE,LONGITUDE")
    p.add_argument("--accuracy", metavar="M", type=float, help="in metres (default 10)")

    p = make("locale", "browser_locale", "set the page's language", _locale)
    p.add_argument("locale", metavar="TAG", nargs="?", help="e.g. de-DE; without: its own")

    p = make("timezone", "browser_timezone", "set the page's time zone", _timezone)
    p.add_argument("timezone", metavar="NAME", nargs="?", help="e.g. Europe/Berlin")

    p = make("media", "browser_media", "set the medium and preferences of style sheets", _media)
    p.add_argument("media", metavar="MEDIUM", nargs="?", help="screen or print")
    p.add_argument("--color-scheme", metavar="NAME", help="light, dark or no-preference")
    p.add_argument("--reduced-motion", metavar="NAME", help="reduce or no-preference")
    p.add_argument("--forced-colors", metavar="NAME", help="active or none")
    p.add_argument("--contrast", metavar="NAME", help="more, less, custom or no-preference")

    p = make("offline", "browser_offline", "cut the page off the network, or not", _offline)
    p.add_argument("switch", nargs="?", choices=("on", "off"), default="on")

    p = make("console", "browser_console", "what the page wrote to its console", _log)
    _add_log_options(p)
    p = make("errors", "browser_errors", "the errors in the page's console", _log)
    _add_log_options(p)
    p = make("requests", "browser_requests", "what the page asked servers for", _requests)
    p.add_argument("--failed", action="store_true", help="only those that failed")
    _add_log_options(p)

    p = make("tracing", "browser_tracing", "record what the page's processes do", _tracing)
    p.add_argument("action", choices=("start", "stop"))
    p.add_argument("path", metavar="FILE", nargs="?", help="for stop: JSON for DevTools, Perfetto")
    p.add_argument("--screenshots", action="store_true", help="for start: with pictures")

    p = make("connect", "browser_tabs", "work in your own Chrome, with its tabs and logins", _tabs)
    p.add_argument(
        "share", metavar="ENDPOINT", nargs="?", default="9222", help="port or address (9222)"
    )
    p.add_argument("--idle", metavar="S", type=float, help="end after so long idle (default 900)")


def _add_log_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--last", metavar="N", type=int, help="at most so many (default 50)")
    parser.add_argument("--since", metavar="N", type=int, help="only after the one of this number")


def _pdf(args: Any) -> dict[str, Any]:
    names = ("paper", "landscape", "background", "scale", "pages")
    return {"path": absolute_path(args, args.path), **{name: getattr(args, name) for name in names}}


def _content(args: Any) -> dict[str, Any]:
    path = absolute_path(args, args.path) if args.path else None
    return {"path": path, "frame": args.frame}


def _cookies(args: Any) -> dict[str, Any]:
    if args.action != "set" and args.name is not None:
        raise InvalidParams(f"{args.action} takes no name", hint="--url URL says for which site.")
    return {name: getattr(args, name) for name in ("action", "name", "value", "url")}


def _state(args: Any) -> dict[str, Any]:
    return {"action": args.action, "path": absolute_path(args, args.path)}


def _viewport(args: Any) -> dict[str, Any]:
    size = _SIZE.fullmatch(args.size)
    if size is None:
        raise InvalidParams(f"{args.size[:60]!r} is not a size", hint="Write it as 390x844.")
    width, height = (int(side) for side in size.groups())
    return {"width": width, "height": height, "scale": args.scale, "mobile": args.mobile}


def _agent(args: Any) -> dict[str, Any]:
    return {"user_agent": args.user_agent, "platform": args.platform}


def _place(args: Any) -> dict[str, Any]:
    latitude, comma, longitude = args.place.partition(",")
    if not comma:
        raise InvalidParams(f"{args.place[:60]!r} is not a place", hint="Write it as 48.52,9.05.")
    return {"latitude": latitude, "longitude": longitude, "accuracy": args.accuracy}


def _locale(args: Any) -> dict[str, Any]:
    return {"locale": args.locale}


def _timezone(args: Any) -> dict[str, Any]:
    return {"timezone": args.timezone}


def _media(args: Any) -> dict[str, Any]:
    names = ("media", "color_scheme", "reduced_motion", "forced_colors", "contrast")
    return {name: getattr(args, name) for name in names}


def _offline(args: Any) -> dict[str, Any]:
    return {"offline": args.switch == "on"}


def _log(args: Any) -> dict[str, Any]:
    return {"last": args.last, "since": args.since}


def _requests(args: Any) -> dict[str, Any]:
    return {"failed": args.failed, **_log(args)}


def _tracing(args: Any) -> dict[str, Any]:
    path = absolute_path(args, args.path) if args.path else None
    return {"action": args.action, "path": path, "screenshots": args.screenshots}


def _tabs(args: Any) -> dict[str, Any]:
    return {"action": "list"}
