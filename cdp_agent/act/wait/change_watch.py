"""Looking again whenever a page has changed, and not in between.

A script of ours in each frame answers at the next change of its document; new documents and
frames are changes themselves. So what a look is for may be anything that Python can see.
"""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Self, TypeVar

from cdp_agent.errors import CdpAgentError
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import post_in_frame, world_of
from cdp_agent.targets import Frame, PageTarget

Seen = TypeVar("Seen")

#: One call of the script lasts at most this long: nobody stops it when the caller has gone.
_CALL_SECONDS = 2.0
#: A frame that does not answer is asked again when it has moved, or after this long.
_AGAIN = 0.25
#: A page that never rests is looked at for a fifth of the time.
_REST = 4.0


async def look_until(
    target: PageTarget, look: Callable[[], Awaitable[Seen | None]], deadline: float
) -> Seen | None:
    """Returns the first value of `look` that is not None; None at the deadline.

    The first look is at once, and costs nothing more. What `look` raises ends it.

    Raises:
        TargetClosed, TargetCrashed: nothing will change any more.
    """
    seen = await look()
    if seen is not None:
        return seen
    async with ChangeCounter(target) as stirs:
        while True:
            mark, began = stirs.mark(), time.monotonic()
            seen = await look()
            if seen is not None:
                return seen
            now = time.monotonic()
            if now >= deadline:
                return None
            stirs.rest = (now - began) * _REST
            await stirs.after(mark, deadline - now)


class ChangeWatch(ABC):
    """Owns the tasks that watch a page, by what each of them watches, and ends them on exit."""

    def __init__(self, target: PageTarget) -> None:
        self._target = target
        self._tasks: dict[Any, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        self._look_around()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    @abstractmethod
    def _look_around(self) -> None:
        """Watch what is not watched yet. Called after every event of the page."""

    def _watch_frames(self, watch: Callable[[Frame], Coroutine[Any, Any, None]]) -> None:
        for frame in self._target.frames:
            task = self._tasks.get(frame)
            if frame.session is not None and (task is None or task.done()):
                self._start(frame, watch(frame))

    def _start(self, key: Any, watching: Coroutine[Any, Any, None]) -> None:
        self._tasks[key] = asyncio.create_task(watching, name=f"cdp_agent {type(self).__name__}")

    async def _moved(self, frame: Frame, loader_id: str) -> None:
        """A frame did not answer: until it shows another document, is gone, or a moment later."""

        def moved() -> bool:
            return frame.loader_id != loader_id or self._target.frames.find(frame.id) is not frame

        await self._target.until(moved, _AGAIN, alive=False)


class ChangeCounter(ChangeWatch):
    """Counts the changes of a page."""

    def __init__(self, target: PageTarget) -> None:
        super().__init__(target)
        self._count = 0
        #: How long a change may wait to be told: seconds.
        self.rest = 0.0

    def mark(self) -> object:
        """The state of the page; to be compared with a later one."""
        frames = tuple((f.id, f.loader_id, f.url) for f in self._target.frames)
        return self._count, frames, self._target.dialog

    async def after(self, mark: object, seconds: float) -> None:
        """Return when something has changed since `mark`, at the latest after `seconds`."""

        def changed() -> bool:
            self._look_around()
            return self.mark() != mark

        await self._target.until(changed, seconds)

    def _look_around(self) -> None:
        self._watch_frames(self._watch)

    async def _watch(self, frame: Frame) -> None:
        """Until the frame is gone. That it is watched counts as a change: a look that came before
        may have missed one."""
        since: Any = None
        while self._target.frames.find(frame.id) is frame:
            loader_id = frame.loader_id
            options = {
                "since": since,
                "restMs": int(self.rest * 1000),
                "timeoutMs": int(_CALL_SECONDS * 1000),
            }
            expression = f"cdpAgent.nextStir({json.dumps(options)})"
            try:
                world = await world_of(self._target, frame, _CALL_SECONDS)
                reply = await post_in_frame(frame, world, expression, _CALL_SECONDS + 1)
                since = script_value(reply)
            except CdpAgentError:
                since = None  # another document, another process, or none
                await self._moved(frame, loader_id)
                continue
            self._count += 1
            self._target.pulse()
