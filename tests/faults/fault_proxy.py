"""A TCP proxy before the browser's port that strikes at a chosen message of the client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal, Self

Strike = Callable[[], Awaitable[None]]
Direction = Literal["up", "down"]


class FaultProxy:
    """`arm` counts what the client sends from then on, and strikes before the n-th is passed on."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._flowing = {"up": asyncio.Event(), "down": asyncio.Event()}
        self._delay = 0.0
        self._left = 0
        self._strike: Strike | None = None
        self.has_struck = False

    async def __aenter__(self) -> Self:
        self.heal()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.heal()
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def arm(self, number: int, strike: Strike) -> None:
        self._left, self._strike = number, strike

    def disarm(self) -> None:
        self._strike = None

    # -- faults of the wire ---------------------------------------------------------------------

    def cut(self) -> None:
        """Drop all connections, as when the machine in between goes away."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def stall(self, *directions: Direction) -> None:
        """Pass nothing on any more; the connection stays open."""
        for direction in directions:
            self._flowing[direction].clear()

    def slow_down(self, seconds: float) -> None:
        self._delay = seconds

    def heal(self) -> None:
        """Pass everything on again, at once, what was held up included."""
        self._delay = 0.0
        for flowing in self._flowing.values():
            flowing.set()

    # -- the wire -------------------------------------------------------------------------------

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        except OSError:
            writer.close()  # the browser is gone
            return
        self._writers += [writer, up_writer]
        for direction, source, sink in (("up", reader, up_writer), ("down", up_reader, writer)):
            task = asyncio.create_task(self._copy(direction, source, sink), name="fault proxy")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(
        self, direction: str, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        try:
            while chunk := await source.read(65536):
                if direction == "up":
                    await self._count()
                await self._flowing[direction].wait()
                if self._delay:
                    await asyncio.sleep(self._delay)
                sink.write(chunk)
                await sink.drain()
        except OSError:
            pass  # cut, or the browser is gone
        finally:
            sink.close()

    async def _count(self) -> None:
        if self._strike is None:
            return
        self._left -= 1
        if self._left <= 0:
            strike, self._strike = self._strike, None
            self.has_struck = True
            await strike()
