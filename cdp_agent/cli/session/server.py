"""The background process of a session: a browser behind an owner-only socket.

One request per connection, a line of JSON each way: `{"tool", "arguments"}` or `{"command"}`. It
ends on `close`, when idle, and on SIGTERM; whatever ends it, the browser ends with it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import re
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from cdp_agent import log
from cdp_agent.api.launcher import Opening
from cdp_agent.cli.command_line import build_parser
from cdp_agent.cli.options.open_browser import opening_for
from cdp_agent.cli.options.policy_options import Guards, guards_of
from cdp_agent.cli.options.start_options import add_guard_options, add_profile_option
from cdp_agent.cli.session.client import guard_options, guards_text, outputs_of, request_for
from cdp_agent.cli.session.fast_path import MARK
from cdp_agent.cli.session.paths import forget_guards, keep_guards, socket_path
from cdp_agent.cli.session.session_commands import snapshot_arguments
from cdp_agent.cli.session.step_reader import command_reader
from cdp_agent.errors import CdpAgentError
from cdp_agent.tools import ToolResult
from cdp_agent.tools.host import BrowserHost, ToolClient
from cdp_agent.tools.result import failure
from cdp_agent.tools.verbs.devtools import DEVTOOLS

_log = log.get("session")

IDLE_SECONDS = 15 * 60.0
REQUEST_SECONDS = 10.0
#: More than any tool takes, so that the tool itself says what is too much.
_LARGEST_REQUEST = 32 * 1024 * 1024
_OURS = re.compile(
    r"^(?:   )?hint: .*$|(?<= is open: answer it with )browser_dialog$", re.MULTILINE
)
_TOOL = re.compile(r"\bbrowser_([a-z]+)\b")


class SessionServer:
    def __init__(
        self, name: str, client: ToolClient, host: BrowserHost, idle: float, guards: list[str]
    ) -> None:
        self._name = name
        self._client = client
        self._host = host
        self._idle = idle
        #: As it was started: what a later command asks for has to be the same.
        self._guards = guards
        self._used = time.monotonic()
        #: Seconds in which a request has to come as a whole; half of one holds up the end.
        self.patience = REQUEST_SECONDS
        self._busy = 0
        self._over = asyncio.Event()
        self._url = ""
        self._had_browser = False
        self._parser = build_parser()

    async def serve(self, listener: socket.socket) -> None:
        """Answer until it is over, then give up the socket's name and close the browser."""
        path = listener.getsockname()
        mine = os.stat(path).st_ino
        server = await asyncio.start_unix_server(
            self._answer, sock=listener, limit=_LARGEST_REQUEST
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._over.set)
        try:
            print(json.dumps({"ready": True}), flush=True)
            _let_go_of_stdout()
            while not self._over.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._seconds_left):
                        await self._over.wait()
                if not self._busy and self._seconds_left <= 0:
                    _log.info("= idle for %g s", self._idle)
                    break
        finally:
            # While it listens its inode is its own; the next session's socket may get the number.
            with contextlib.suppress(FileNotFoundError):
                if os.stat(path).st_ino == mine:
                    os.unlink(path)
            server.close()
            await self._client.aclose()
            await self._host.aclose()

    def _end(self) -> None:
        """It is over once this request is answered; nothing it was opened with is remembered."""
        forget_guards(self._name)
        self._over.set()

    @property
    def _seconds_left(self) -> float:
        if self._busy:
            return self._idle
        return max(self._idle - (time.monotonic() - self._used), 0)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        try:
            if not _is_owner(writer.get_extra_info("socket")):
                return
            async with asyncio.timeout(self.patience):
                first = await reader.readexactly(1)
                rest = await (reader.read() if first == MARK else reader.readline())
            if first == MARK:
                writer.write(await self._words_answered(rest))
            else:
                reply = await self._reply_to(first + rest)
                writer.write(json.dumps(reply, ensure_ascii=False, default=str).encode() + b"\n")
            await writer.drain()
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError, ValueError) as error:
            _log.debug("= a client broke off: %s", error)
        finally:
            self._busy -= 1
            self._used = time.monotonic()
            writer.close()

    async def _words_answered(self, data: bytes) -> bytes:
        """A command as it was typed: exit code and length of stdout, stdout, stderr."""
        folder, *words = (os.fsdecode(part) for part in data.split(MARK))
        complaint = io.StringIO()
        try:
            with contextlib.redirect_stderr(complaint):  # nothing else runs before it is over
                args = self._parser.parse_args(words)
        except SystemExit as end:
            return _in_bytes(int(str(end.code or 0)), "", complaint.getvalue().rstrip())
        if words[0] == "snapshot":
            if args.url is not None:
                return b"-1 0\n"  # a page of its own, which is the client's business
            args.tool, args.make = "browser_snapshot", snapshot_arguments
        args.folder = folder
        try:
            request = json.dumps(request_for(args)).encode()
        except CdpAgentError as error:
            reply = as_reply(failure(error))
        else:
            reply = await self._reply_to(request)
        return _in_bytes(*outputs_of(reply, as_json=args.json))

    async def _reply_to(self, line: bytes) -> dict[str, Any]:
        try:
            return await self._reply(line)
        except Exception:  # noqa: BLE001 (a bug of ours is told and logged; the session goes on)
            _log.exception("= a request failed")
            return _refusal("browser_error", "a fault of the session itself; its log has more")

    async def _reply(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            command, tool = request.get("command"), request.get("tool")
            arguments = request.get("arguments", {})
            if not isinstance(arguments, dict):
                raise ValueError
        except (ValueError, AttributeError, RecursionError):
            return _refusal("invalid_params", "a request is a line of JSON with tool and arguments")
        if command == "close":
            self._end()
            return {"text": "closed", "data": {}}
        if command == "status":
            idle = time.monotonic() - self._used
            data = {"pid": os.getpid(), "idle": idle, "url": self._url, "guards": self._guards}
            return {"text": "", "data": data}
        if request.get("guards") and sorted(request["guards"]) != sorted(self._guards):
            runs = guards_text(self._guards) or "nothing of the kind"
            hint = "`cdp-agent close` first, or take another --session."
            return _refusal(
                "invalid_params", f"session {self._name} runs already, with {runs}\nhint: {hint}"
            )
        result = await self._client.call(str(tool), arguments)
        self._had_browser |= self._host.is_open
        if not self._had_browser:
            self._end()  # the next command may name another browser
        self._url = str(result.data.get("url", self._url))
        coverage = self._client.coverage.to_dict()
        return {**as_reply(result), "text": in_shell_words(result.text), "coverage": coverage}


def in_shell_words(text: str) -> str:
    """Replaces names of tools in an answer by the commands that a person types.

    Only in lines of ours: what a page says stays as it is.
    """
    return _OURS.sub(lambda line: _TOOL.sub(r"`cdp-agent \1`", line[0]), text)


def as_reply(result: ToolResult) -> dict[str, Any]:
    return {
        "text": result.text,
        "is_error": result.is_error,
        "code": result.code,
        "data": dict(result.data),
        "seconds": round(result.seconds, 4),
    }


def _in_bytes(code: int, out: str, err: str) -> bytes:
    out_bytes, err_bytes = (
        f"{text}\n".encode(errors="replace") if text else b"" for text in (out, err)
    )
    return b"%d %d\n" % (code, len(out_bytes)) + out_bytes + err_bytes


def _refusal(code: str, message: str) -> dict[str, Any]:
    return {"text": f"{code}: {message}", "is_error": True, "code": code, "data": {}}


def _is_owner(wire: socket.socket) -> bool:
    """The folder keeps others out already; this holds where its rights were changed."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = wire.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, uid, _ = struct.unpack("3i", credentials)
    return bool(uid == os.getuid())


def _let_go_of_stdout() -> None:
    """Whoever started us has read its line; a full pipe must never hold us up."""
    sys.stdout.flush()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)


def _listener(path: str) -> socket.socket:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # the client made sure that nobody answers there
    made = socket.socket(socket.AF_UNIX)
    old = os.umask(0o177)
    try:
        made.bind(path)
    finally:
        os.umask(old)
    made.listen(64)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(prog="cdp-agent session")
    parser.add_argument("name")
    parser.add_argument("--headed", action="store_true")
    parser.add_argument("--connect")
    parser.add_argument("--share", help="the endpoint of a browser whose own tabs are used")
    parser.add_argument("--idle", type=float, default=IDLE_SECONDS)
    parser.add_argument("--debug", action="store_true")
    add_profile_option(parser)
    add_guard_options(parser)
    args = parser.parse_args()
    log.setup(args.debug)
    try:
        guards = guards_of(args)
        opening = opening_for(
            args.share or args.connect,
            headless=not args.headed,
            policy=guards.policy,
            profile=args.profile,
        )
    except CdpAgentError as error:
        print(json.dumps(error.to_dict()), flush=True)
        return 2
    path = socket_path(args.name)
    listener = _listener(path)
    keep_guards(args.name, guard_options(args))
    with guards.secrets.kept_out_of_logs():
        asyncio.run(_serve(listener, args, guards, opening))
    return 0


async def _serve(
    listener: socket.socket,
    args: argparse.Namespace,
    guards: Guards,
    opening: Callable[[], Opening],
) -> None:
    host = BrowserHost(opening)
    # A browser of our own needs no context beside its own; a found one is left as it is.
    reader = command_reader()
    shared = bool(args.share) or not args.connect
    client = ToolClient(
        host, shared=shared, read_command=reader, more_tools=DEVTOOLS, **guards.hooks
    )
    await SessionServer(args.name, client, host, args.idle, guard_options(args)).serve(listener)


if __name__ == "__main__":
    sys.exit(main())
