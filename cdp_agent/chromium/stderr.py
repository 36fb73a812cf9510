"""Reads Chromium's stderr, so that it never blocks; keeps the last lines."""

from __future__ import annotations

import asyncio
import os
import re
from collections import deque

from cdp_agent import log

_LINES = 20
_LONGEST_LINE = 500
_LISTENING = re.compile(r"DevTools listening on (ws://\S+)")

_log = log.get("launch")


class StderrTail(asyncio.Protocol):
    """Keeps the last lines and the address of the debugging port, whatever the amount."""

    def __init__(self) -> None:
        self.ws_url: str | None = None
        self.listening = asyncio.Event()
        self.ended = asyncio.Event()
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._rest = b""
        self._transport: asyncio.ReadTransport | None = None

    @classmethod
    async def open(cls, fd: int) -> StderrTail:
        """Read `fd`, which is owned from here on."""
        file = os.fdopen(fd, "rb", buffering=0)
        transport, tail = await asyncio.get_running_loop().connect_read_pipe(cls, file)
        tail._transport = transport
        return tail

    def data_received(self, data: bytes) -> None:
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._add(line)
        # A line without end must not fill the memory; its first part says enough.
        self._rest = rest[:_LONGEST_LINE]

    def connection_lost(self, exc: Exception | None) -> None:
        self._add(self._rest)
        self._rest = b""
        self.ended.set()

    def text(self) -> str:
        """The last lines, oldest first."""
        return "\n".join(self._lines)

    def close(self) -> None:
        """Stop reading. May be called twice."""
        if self._transport is not None:
            self._transport.close()

    def _add(self, raw: bytes) -> None:
        line = raw[:_LONGEST_LINE].decode("utf-8", "replace").rstrip()
        if not line:
            return
        self._lines.append(line)
        _log.debug("= browser: %s", line)
        if match := _LISTENING.search(line):
            self.ws_url = match[1]
            self.listening.set()
