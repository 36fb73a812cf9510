"""The driver of a browser: its agent, step by step if need be, or a person who took over.

An agent's call waits in `enter` while it is paused or a person drives. A person who asked for the
browser gets it as soon as no call of the agent is under way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from cdp_agent.errors import ActionTimeout, InvalidParams

#: A call waits so long for a person at the most.
HOLD_SECONDS = 3600.0
#: An action under way ends within this time, a composite of steps included.
_GRANT_SECONDS = 90.0


class Control:
    """`changed` is called whenever the state that viewers see may be another one."""

    def __init__(self, changed: Callable[[], None], *, hold_seconds: float = HOLD_SECONDS) -> None:
        self._changed = changed
        self._hold_seconds = hold_seconds
        self.paused = False
        self._may_step = False
        #: The viewer who took over, or None.
        self.holder: object | None = None
        #: The viewer's input reaches the page.
        self.granted = False
        #: Calls that wait for a person.
        self.waiting = 0
        #: Questions that a person has not answered; the action they are about waits.
        self.asking = 0
        self._lock: asyncio.Lock | None = None
        #: Done at the next change; whoever waits for one takes it before they look.
        self._change: asyncio.Future[None] | None = None
        self._granting: asyncio.Task[None] | None = None
        self._deeds: Counter[str] = Counter()

    # -- the agent's side -----------------------------------------------------------------------

    async def enter(self, lock: asyncio.Lock | None = None, *, of_several: bool = False) -> None:
        """Wait until the agent may act. A call `of_several` steps leaves the permission to them.

        Raises:
            ActionTimeout: nobody let it go on for an hour.
        """
        self._lock = lock
        if not self._is_open:
            await self._hold()
        if not of_several:
            self._may_step = False

    async def _hold(self) -> None:
        self.waiting += 1
        self._notify()
        try:
            async with asyncio.timeout(self._hold_seconds):
                while not self._is_open:
                    await asyncio.wait([self._next_change()])
        except TimeoutError:
            raise ActionTimeout(
                "a person paused this browser and has not resumed it",
                hint="Resume it on the live page, or try again later.",
            ) from None
        finally:
            self.waiting -= 1
            self._changed()

    def end_steps(self) -> None:
        """A call of several steps has ended: a permission that none of them used is void."""
        self._may_step = False

    @property
    def _is_open(self) -> bool:
        return self.holder is None and (not self.paused or self._may_step)

    def take_deeds(self) -> str:
        """The person's input since the last call: `2 clicks, 11 characters`; or empty."""
        deeds, self._deeds = self._deeds, Counter()
        return ", ".join(f"{count} {name}{'s' * (count > 1)}" for name, count in deeds.items())

    # -- a person's side ------------------------------------------------------------------------

    def pause(self) -> None:
        self.paused, self._may_step = True, False
        self._notify()

    def resume(self) -> None:
        self.paused = self._may_step = False
        self._notify()

    def step(self) -> None:
        """Let one call of the agent pass; it is paused before the next one."""
        self.paused = self._may_step = True
        self._notify()

    def take(self, viewer: object) -> None:
        """Give the browser to a viewer, once the agent's call under way has ended.

        Raises:
            InvalidParams: another viewer has it.
        """
        if self.holder is not None and self.holder is not viewer:
            raise InvalidParams("somebody else has taken over", hint="They have to give it back.")
        if self.holder is viewer:
            return
        self.holder = viewer
        self._granting = asyncio.create_task(self._grant(), name="live take-over")
        self._notify()

    def give(self, viewer: object) -> None:
        """Take the browser back from a viewer; ignored unless that viewer holds it."""
        if self.holder is not viewer:
            return
        self.holder, self.granted = None, False
        if self._granting is not None:
            self._granting.cancel()
        self._notify()

    def did(self, deed: str, count: int = 1) -> None:
        """Note what a person did, without what they wrote."""
        self._deeds[deed] += count

    def require_granted(self, viewer: object) -> None:
        """Raises: InvalidParams, ActionTimeout: this viewer does not drive it, or not yet."""
        if self.holder is not viewer:
            raise InvalidParams("you have not taken over", hint="Press Take over first.")
        if not self.granted:
            raise ActionTimeout("the agent's action is still under way", hint="Wait a moment.")

    async def _grant(self) -> None:
        """Wait until no call of the agent is under way: it waits itself, or holds no lock."""
        locking: asyncio.Task[bool] | None = None
        try:
            async with asyncio.timeout(_GRANT_SECONDS):
                while not (self.waiting or self.asking):
                    if self._lock is None or not self._lock.locked():
                        break
                    locking = locking or asyncio.create_task(self._lock.acquire())
                    either: list[asyncio.Future[Any]] = [locking, self._next_change()]
                    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                    if locking.done():
                        break
        except TimeoutError:
            self.holder = None
            self._notify()
            return
        finally:
            if locking is not None:
                await self._let_go(locking)
        self.granted = True
        self._notify()

    async def _let_go(self, locking: asyncio.Task[bool]) -> None:
        locking.cancel()
        await asyncio.wait([locking])
        if not locking.cancelled() and self._lock is not None:
            self._lock.release()

    def asked(self, change: int) -> None:
        """A question came (1) or was answered (-1)."""
        self.asking += change
        self._notify()

    def _next_change(self) -> asyncio.Future[None]:
        if self._change is None or self._change.done():
            self._change = asyncio.get_running_loop().create_future()
        return self._change

    def _notify(self) -> None:
        if self._change is not None and not self._change.done():
            self._change.set_result(None)
        self._changed()

    async def aclose(self) -> None:
        """Let the agent go on. May be called twice."""
        self.paused, self.holder, self.granted = False, None, False
        self._notify()
        if self._granting is not None:
            self._granting.cancel()
            await asyncio.wait([self._granting])
