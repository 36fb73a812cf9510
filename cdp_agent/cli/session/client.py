"""The client of a session: sends one message and prints the answer.

What this file and those it imports import is what a session command costs, so it is little.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

from cdp_agent.cli.options.page_options import page_options
from cdp_agent.cli.session.paths import (
    forget_guards,
    session_folder,
    session_names,
    socket_path,
)
from cdp_agent.errors import BrowserError, ConnectionLost
from cdp_agent.text import json_text, one_line

#: How long a background process may take to start listening. It starts the browser later.
START_SECONDS = 20.0
#: The longest that any tool may take, and then some; the tools have their own, shorter limits.
ANSWER_SECONDS = 660.0

_ENVIRONMENT_CODES = frozenset({"invalid_params", "browser_not_found", "connection_lost"})


def run(args: Any) -> int:
    try:
        return _run(args)
    except (BrowserError, ConnectionLost) as error:
        from cdp_agent.cli.exit_codes import EnvironmentFailure

        raise EnvironmentFailure(error) from error


def _run(args: Any) -> int:
    if args.tool == "sessions":
        return _list_sessions(as_json=args.json)
    if args.tool == "close":
        answer = ask(args.session, {"command": "close"}, start=None)
        if answer is None:
            forget_guards(args.session)
            answer = {"text": f"no session {args.session} was running", "data": {}}
        return show(answer, as_json=args.json)
    return show(call_for(args, request_for(args)), as_json=args.json)


def call_for(args: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Ask the session that a command names, with the guards of the command."""
    guards = guard_options(args)
    if guards:
        request = {**request, "guards": guards}
    return call(args.session, request, start_options(args))


def request_for(args: Any) -> dict[str, Any]:
    """The tool call that a command stands for."""
    arguments = {name: value for name, value in args.make(args).items() if value is not None}
    if args.page and "page" not in arguments:
        arguments["page"] = args.page
    show = page_options(args)
    if show is not None:
        arguments["show"] = show
    return {"tool": args.tool, "arguments": arguments}


def start_options(args: Any) -> list[str]:
    """The options for a background process that has to be started first."""
    options = []
    if getattr(args, "headed", False):
        options.append("--headed")
    if getattr(args, "connect", None):
        options += ["--connect", args.connect]
    if getattr(args, "idle", None):
        options += ["--idle", str(args.idle)]
    if args.debug:
        options.append("--debug")
    return options + guard_options(args)


def guard_options(args: Any) -> list[str]:
    """The rules of a session until it is closed, as options again.

    What `add_guard_options` read (names of secrets, never values), the profile, and the browser of
    `connect`: one that was killed or idle comes back with them, and no command can change them.
    """
    origins = getattr(args, "allow_origin", None) or ()
    secrets = getattr(args, "secret", None) or ()
    folder = getattr(args, "upload_folder", None)
    profile, share = getattr(args, "profile", None), getattr(args, "share", None)
    options = [f"--allow-origin={one}" for one in origins]
    options += [f"--secret={one}" for one in secrets]
    if folder:  # the background process stands in another folder
        options.append(f"--upload-folder={os.path.abspath(os.path.expanduser(folder))}")
    if profile:
        options.append(f"--profile={os.path.abspath(os.path.expanduser(profile))}")
    if share:
        options.append(f"--share={share}")
    return options


def guards_text(guards: list[str]) -> str:
    """The options of `guard_options` as one types them: `connect` has no option `--share`."""
    return " ".join(guard.replace("--share=", "connect ", 1) for guard in guards)


def call(name: str, request: dict[str, Any], start: list[str]) -> dict[str, Any]:
    """Ask a session, which is started where there is none.

    Raises:
        BrowserError: it cannot be started.
        ConnectionLost: it ended before it answered.
    """
    answer = ask(name, request, start=start)
    assert answer is not None  # with `start` there is always one to ask
    return answer


def ask(name: str, request: dict[str, Any], *, start: list[str] | None) -> dict[str, Any] | None:
    """The session's answer; None without a session where none is to be started."""
    path = socket_path(name)
    wire = _connected(path)
    if wire is None:
        if start is None:
            return None
        from cdp_agent.cli.session.start import start_session

        wire = start_session(name, path, start)
    with wire:
        wire.settimeout(ANSWER_SECONDS)
        try:
            wire.sendall(json.dumps(request).encode() + b"\n")
            text = _whole_line(wire)
        except OSError as error:
            raise ConnectionLost(f"session {name} broke off: {error}", hint=_again(name)) from None
    if not text:
        raise ConnectionLost(f"session {name} ended before it answered", hint=_again(name))
    answer: dict[str, Any] = json.loads(text)
    return answer


def _again(name: str) -> str:
    return f"The next command starts it again. Its log: {os.path.join(session_folder(), name)}.log"


def _connected(path: str) -> socket.socket | None:
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        wire.close()
        return None  # never started, or ended without cleaning up
    except OSError as error:
        wire.close()
        raise BrowserError(f"cannot reach {path}: {error.strerror}") from None
    return wire


def _whole_line(wire: socket.socket) -> bytes:
    parts = []
    while True:
        part = wire.recv(1 << 16)
        if not part:
            break
        parts.append(part)
        if part.endswith(b"\n"):
            break
    return b"".join(parts)


def show(answer: dict[str, Any], *, as_json: bool) -> int:
    """Print an answer: text for a model or a person, all of it for a program."""
    code, out, err = outputs_of(answer, as_json=as_json)
    if out:
        print(out)
    if err:
        print(err, file=sys.stderr)
    return code


def outputs_of(answer: dict[str, Any], *, as_json: bool) -> tuple[int, str, str]:
    """Exit code, what goes to stdout, what goes to stderr."""
    failed = bool(answer.get("is_error"))
    text = json_text(answer) if as_json else answer["text"]
    if not failed:
        return 0, text, ""
    code = 2 if answer.get("code") in _ENVIRONMENT_CODES else 1
    return (code, text, "") if as_json else (code, "", text)


def _list_sessions(*, as_json: bool) -> int:
    rows = []
    for name in session_names():
        answer = ask(name, {"command": "status"}, start=None)
        if answer is None:
            os.unlink(socket_path(name))  # left by one that was killed
        else:
            rows.append({"name": name, **answer["data"]})
    if as_json:
        print(json_text({"sessions": rows}))
        return 0
    for row in rows:
        url = one_line(row["url"], 300)
        only = f"  {guards_text(row['guards'])}" if row.get("guards") else ""
        print(f"{row['name']}  pid {row['pid']}  idle {row['idle']:.0f} s  {url}{only}")
    if not rows:
        print("no session runs")
    return 0
