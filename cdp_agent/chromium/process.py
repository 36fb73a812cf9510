"""One Chromium process: its start, its end, and its files on disk.

Each start has a *folder* of ours under the system's temporary one. It holds the profile,
unless the caller brought one, and Chromium's own temporary files: sockets, crash dumps. So
removing one folder removes all traces, and a folder of the caller's is never removed.

Chromium leads a process group of its own. Its crash handlers leave that group, and end by
themselves when Chromium's socket to them closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cdp_agent import log
from cdp_agent.chromium import surroundings
from cdp_agent.chromium.find import find_browser
from cdp_agent.chromium.first_reply import pipe_replies, port_replies
from cdp_agent.chromium.flags import TransportName, command_line
from cdp_agent.chromium.reaper import START, START_WITH_PIPE, Reaper
from cdp_agent.chromium.start_failure import start_failure, start_timeout
from cdp_agent.chromium.stderr import StderrTail
from cdp_agent.chromium.surroundings import Folders
from cdp_agent.errors import CdpAgentError, InvalidParams

_TERM_SECONDS = 2.0
_KILL_SECONDS = 5.0

_log = log.get("launch")


@dataclass(frozen=True)
class LaunchOptions:
    """The start of a Chromium. `env` is added to this program's own environment."""

    executable: str | Path | None = None
    headless: bool = True
    args: Sequence[str] = ()
    transport: TransportName = "pipe"
    user_data_dir: str | Path | None = None
    env: Mapping[str, str] | None = None
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if self.transport not in ("pipe", "websocket"):
            raise InvalidParams(f"transport is 'pipe' or 'websocket', not {self.transport!r}")
        if isinstance(self.args, str):
            raise InvalidParams("args is a list of flags, not one string")


async def start_browser(options: LaunchOptions) -> BrowserProcess:
    """Start Chromium and wait until it answers on its pipe, or listens on its port.

    Cancelling is safe: nothing is left running.

    Raises:
        BrowserNotFound: there is none, or not where `executable` says.
        BrowserError: it ended or said nothing; with its exit code and last words.
    """
    executable = find_browser(options.executable)
    folders = surroundings.make_folders(executable, options.user_data_dir, options.args)
    browser = BrowserProcess(executable, folders)
    try:
        await browser._start(options)
        await browser._answered(options.timeout)
    except BaseException:  # also when cancelled: no process is left behind
        await browser.aclose(timeout=0)
        raise
    return browser


class BrowserProcess:
    """A running Chromium. Its owner calls `aclose`; if we die, the reaper ends it."""

    def __init__(self, executable: Path, folders: Folders) -> None:
        self.executable = executable
        self.user_data_dir = folders.profile
        self._folders = folders
        self._reaper = Reaper(folders.ours, saves_profile=not folders.own_profile)
        self._process: asyncio.subprocess.Process | None = None
        self._exit: asyncio.Task[int] | None = None
        self._stderr: StderrTail | None = None
        self._pipe: tuple[int, int] | None = None
        self._ws_url: str | None = None
        # Left in the caller's profile by an earlier start, or by one that still runs.
        self._earlier_ws_url = surroundings.active_port(folders.profile)
        self._closing = asyncio.Lock()
        self._closed = False

    @property
    def downloads_dir(self) -> Path:
        """A folder for what pages send, removed with the rest of ours."""
        return self._folders.downloads

    @property
    def pid(self) -> int:
        return self._started().pid

    @property
    def returncode(self) -> int | None:
        """None while it runs; negative when a signal ended it."""
        return self._started().returncode

    @property
    def pipe(self) -> tuple[int, int] | None:
        """The descriptors to read from and to write to, until somebody takes them."""
        return self._pipe

    def take_pipe(self) -> tuple[int, int]:
        """The pipe, to be closed by the caller from now on."""
        if self._pipe is None:
            raise InvalidParams("this browser has no pipe, or it was taken already")
        pipe, self._pipe = self._pipe, None
        return pipe

    @property
    def ws_url(self) -> str | None:
        """The browser's own WebSocket address, if it listens on a port."""
        return self._stderr.ws_url or self._ws_url if self._stderr else None

    def stderr_tail(self) -> str:
        """The last lines that Chromium wrote."""
        return self._stderr.text() if self._stderr else ""

    async def wait_closed(self) -> int:
        """Wait until Chromium has ended, by whatever cause; its exit code."""
        self._started()
        assert self._exit is not None
        return await asyncio.shield(self._exit)

    async def aclose(
        self, graceful: Callable[[], Awaitable[object]] | None = None, timeout: float = 5.0
    ) -> None:
        """End Chromium and remove what is ours. May be called twice, and by two at once.

        `graceful` asks Chromium to close (`Browser.close`), which may take `timeout` seconds.
        Then comes SIGTERM, then SIGKILL to the whole group. Cancelled, it kills at once.
        """
        async with self._closing:
            if self._closed:
                return
            self._closed = True
            try:
                await self._end_process(graceful, timeout)
            finally:
                self._let_go()
                await self._reaper.finished()

    async def _start(self, options: LaunchOptions) -> None:
        arguments = command_line(
            user_data_dir=self.user_data_dir,
            headless=options.headless,
            transport=options.transport,
            args=options.args,
            own_profile=self._folders.own_profile,
            machine=surroundings.machine(),
        )
        _log.debug("= starting %s %s", self.executable, " ".join(arguments))
        with contextlib.ExitStack() as childs_ends:
            stderr, child_stderr = os.pipe()
            childs_ends.callback(os.close, child_stderr)
            child_in = child_out = asyncio.subprocess.DEVNULL
            if options.transport == "pipe":
                child_in, to_browser = os.pipe()
                childs_ends.callback(os.close, child_in)
                from_browser, child_out = os.pipe()
                childs_ends.callback(os.close, child_out)
                surroundings.widen_pipe(from_browser)
                self._pipe = (from_browser, to_browser)
            self._stderr = await StderrTail.open(stderr)
            # Plain descriptors only: with pipes of its own, asyncio before 3.13 takes the
            # process for running as long as some grandchild holds one of them open.
            self._process = await asyncio.create_subprocess_exec(
                "/bin/sh",
                "-c",
                START_WITH_PIPE if self._pipe else START,
                "cdp-agent-start",
                self._folders.ours,
                self.executable,
                *arguments,
                stdin=child_in,
                stdout=child_out,
                stderr=child_stderr,
                env=surroundings.environment(self._folders, options.env),
                start_new_session=True,
            )
        self._exit = asyncio.create_task(self._watch(), name=f"browser {self.pid} exit")

    async def _answered(self, timeout: float) -> None:
        """Wait for the first sign of life.

        Raises:
            BrowserError: it ended or stayed silent.
        """
        sign = pipe_replies(*self._pipe) if self._pipe else self._first_address()
        alive = asyncio.create_task(sign, name=f"browser {self.pid} start")
        assert self._exit is not None
        waiting = {alive, self._exit}
        try:
            await asyncio.wait(waiting, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if alive.done() and alive.result():
                return
            if not alive.done() and not self._exit.done():
                raise start_timeout(self.executable, timeout, self.stderr_tail())
            await asyncio.wait({self._exit}, timeout=1)  # its pipe ends a moment before itself
            await self._last_words()
            raise start_failure(self.executable, self.returncode, self.stderr_tail())
        finally:
            alive.cancel()
            await asyncio.wait({alive})

    async def _first_address(self) -> bool:
        """Wait for the port's address on stderr, or in its file; returns its answer.

        Chromium opens the port before it looks whether its profile is in use, and then ends;
        so an address alone is no sign of life.
        """
        assert self._stderr is not None
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await self._stderr.listening.wait()
            url = self._stderr.ws_url or surroundings.active_port(self.user_data_dir)
            if url and url != self._earlier_ws_url:
                self._ws_url = url
                return await port_replies(url)

    async def _last_words(self) -> None:
        if self._stderr is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await self._stderr.ended.wait()

    async def _watch(self) -> int:
        """Wait for Chromium's end, and end the processes that it left in its group."""
        returncode = await self._started().wait()
        self._kill_group()
        self._reaper.forget_group()
        _log.debug("= browser exited %s", returncode)
        return returncode

    async def _end_process(
        self, graceful: Callable[[], Awaitable[object]] | None, timeout: float
    ) -> None:
        if self._process is None or self._exit is None:
            return
        deadline = time.monotonic() + timeout
        if graceful is not None and not self._exit.done():
            with contextlib.suppress(CdpAgentError, OSError, TimeoutError):
                async with asyncio.timeout(timeout):
                    await graceful()
            await asyncio.wait({self._exit}, timeout=max(0.0, deadline - time.monotonic()))
        if not self._exit.done() and timeout > 0:
            # To Chromium alone: its children would be gone before it has saved their data.
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            await asyncio.wait({self._exit}, timeout=_TERM_SECONDS)
        if not self._exit.done():
            self._kill_group()
            await asyncio.wait({self._exit}, timeout=_KILL_SECONDS)

    def _let_go(self) -> None:
        """Kill what runs, close what is open. The folder, and any rest, is the reaper's."""
        if self._exit is not None and not self._exit.done():
            self._kill_group()
        if self._pipe is not None:
            for fd in self.take_pipe():
                os.close(fd)
        if self._stderr is not None:
            self._stderr.close()
        self._reaper.release()

    def _kill_group(self) -> None:
        # macOS answers EPERM for a group of which only zombies are left.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._started().pid, signal.SIGKILL)

    def _started(self) -> asyncio.subprocess.Process:
        if self._process is None:
            raise InvalidParams("the browser has not been started")
        return self._process
