"""Chromium's `--remote-debugging-pipe`: JSON texts that end with a zero byte."""

from __future__ import annotations

import asyncio
import os
from typing import cast

from cdp_agent.transport.base import Closed, Receive


class PipeTransport:
    """Owns both descriptors from the moment it is made."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_file = os.fdopen(read_fd, "rb", buffering=0)
        self._write_file = os.fdopen(write_fd, "wb", buffering=0)
        self._reader: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | None = None
        self._protocol: _MessageReader | None = None

    @classmethod
    async def open(cls, read_fd: int, write_fd: int) -> PipeTransport:
        """Wrap the two descriptors. Nothing is read before `start`."""
        self = cls(read_fd, write_fd)
        loop = asyncio.get_running_loop()
        self._protocol = _MessageReader()
        reader, _ = await loop.connect_read_pipe(lambda: self._require_protocol(), self._read_file)
        self._reader = reader
        reader.pause_reading()
        writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._write_file)
        self._writer = writer
        return self

    def _require_protocol(self) -> _MessageReader:
        return cast(_MessageReader, self._protocol)

    def start(self, receive: Receive, closed: Closed) -> None:
        protocol = self._require_protocol()
        protocol.receive = receive
        protocol.closed = closed
        if self._reader is not None:
            self._reader.resume_reading()

    def send(self, message: bytes) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(message + b"\0")

    async def aclose(self) -> None:
        """Close both ends; Chromium ends when it sees that. May be called twice."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.abort()  # what a hung browser does not read must not keep the pipe open
            self._writer = None
        if self._reader is not None:
            self._reader.close()
        protocol = self._protocol
        if protocol is not None and self._reader is not None:
            await asyncio.wait([protocol.lost], timeout=1)


class _MessageReader(asyncio.Protocol):
    """Cuts the byte stream at the zero bytes. A message may span thousands of chunks."""

    def __init__(self) -> None:
        self.receive: Receive | None = None
        self.closed: Closed | None = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        #: What has come of a message so far. It is handed over as it is: one of many megabytes is
        #: in memory once.
        self._begun = bytearray()

    def data_received(self, data: bytes) -> None:
        receive = self.receive
        if receive is None:
            self._begun += data
            return
        start = 0
        while (end := data.find(b"\0", start)) >= 0:
            message: bytes | bytearray = data[start:end]
            if self._begun:
                self._begun += message
                message, self._begun = self._begun, bytearray()
            start = end + 1
            receive(message)
        if start < len(data):
            self._begun += data[start:] if start else data

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)
        if self.closed is not None:
            self.closed(f"the pipe closed ({exc})" if exc else "the browser closed the pipe")
