"""Large results in parts: `stream/chunk` notifications, and `stream/end` with a checksum."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from functools import partial

from cdp_agent.ws_server.bap.wire import RESOURCE_LIMIT_EXCEEDED, BapError, Notify

CHUNK_CHARACTERS = 64 * 1024
MOST_STREAMS = 8


class Streams:
    """The streams of one connection. A stream begins after the response that names it."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._ids = itertools.count(1)
        self._waiting: dict[str, str] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    def open(self, data: str) -> str:
        """Returns the id of a stream that will send this text.

        Raises:
            BapError: too many are under way.
        """
        current = len(self._waiting) + len(self._running)
        if current >= MOST_STREAMS:
            raise BapError(
                RESOURCE_LIMIT_EXCEEDED,
                f"{current} streams are under way",
                word="blocked_by_policy",
                hint="Cancel one, or wait for its end.",
                resource="streams",
                limit=MOST_STREAMS,
                current=current,
            )
        stream_id = f"stream-{next(self._ids)}"
        self._waiting[stream_id] = data
        return stream_id

    def begin(self) -> None:
        """Send what was opened; the responses that name the streams have gone out."""
        for stream_id, data in list(self._waiting.items()):
            del self._waiting[stream_id]
            task = asyncio.create_task(self._send(stream_id, data), name=stream_id)
            self._running[stream_id] = task
            task.add_done_callback(partial(self._forget, stream_id))

    def _forget(self, stream_id: str, _: asyncio.Task[None]) -> None:
        self._running.pop(stream_id, None)

    async def _send(self, stream_id: str, data: str) -> None:
        offsets = range(0, len(data), CHUNK_CHARACTERS)
        for index, offset in enumerate(offsets):
            part = data[offset : offset + CHUNK_CHARACTERS]
            chunk = {"streamId": stream_id, "index": index, "data": part}
            await self._notify("stream/chunk", {**chunk, "offset": offset, "size": len(part)})
            await asyncio.sleep(0)  # other messages, a cancellation too, come in between
        checksum = hashlib.sha256(data.encode()).hexdigest()
        end = {"streamId": stream_id, "totalChunks": len(offsets), "totalSize": len(data)}
        await self._notify("stream/end", {**end, "checksum": checksum})

    def cancel(self, stream_id: str) -> bool:
        """Returns whether there was such a stream to cancel."""
        if self._waiting.pop(stream_id, None) is not None:
            return True
        task = self._running.get(stream_id)
        return task is not None and task.cancel()

    async def aclose(self) -> None:
        """End all streams. May be called twice."""
        self._waiting.clear()
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=5)
