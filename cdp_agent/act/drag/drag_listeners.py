"""The frames that a drag passes through, each of them watching."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from cdp_agent.act.pointer.frame_guard import FrameGuard
from cdp_agent.act.stage import Stage
from cdp_agent.errors import CdpAgentError
from cdp_agent.resolve import LiveElement
from cdp_agent.resolve.live import script_value
from cdp_agent.resolve.worlds import evaluate_in_frame
from cdp_agent.targets import Frame
from cdp_agent.targets.remote_objects import call_function

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.types import CallArgument

#: A frame reports an event of the drag within this, or never.
_NOTE_SECONDS = 0.6


class DragListeners:
    """Arms the frames of source and target, and all around them. `end` disarms."""

    def __init__(
        self, stage: Stage, source: LiveElement | None, target: LiveElement | None
    ) -> None:
        self._stage = stage
        self._source = source
        self._target = target
        self.token = stage.new_token()
        self._frames: list[Frame] = []
        self._others: FrameGuard | None = None

    async def begin(self, *, anywhere: bool = False) -> None:
        """Raises: StaleRef, FrameDetached: one of the two went away."""
        options = {
            "token": self.token,
            "lifeMs": self._stage.left_ms + 3000,
            "anywhere": anywhere,
        }
        named = [live.frame for live in (self._source, self._target) if live is not None]
        around = {frame for own in named for frame in own.ancestors()} - set(named)
        self._frames = list(dict.fromkeys([*named, *around]))
        self._others = FrameGuard(self._stage, self.token, "press")
        await asyncio.gather(
            self._others.ready(),
            *(self._begin_in(frame, options) for frame in dict.fromkeys(named)),
            *(
                self.ask(frame, f"cdpAgent.carryBegin(null, null, {json.dumps(options)})")
                for frame in around
            ),
        )

    async def _begin_in(self, frame: Frame, options: dict[str, Any]) -> None:
        """Begins in a frame that holds the source, the target or both."""
        here = [
            live if live and live.frame is frame else None for live in (self._source, self._target)
        ]
        live = next(live for live in here if live is not None)
        arguments: list[CallArgument] = [
            {"objectId": e.object_id} if e is not None else {"value": None} for e in here
        ]
        arguments.append({"value": options})
        function = "(s, t, o) => cdpAgent.carryBegin(s, t, o)"
        try:
            reply = await call_function(
                live.session, live.world, function, arguments, seconds=self._seconds
            )
        except CdpAgentError as error:
            raise live.explain(error) from None
        script_value(reply)

    @property
    def _seconds(self) -> float:
        return self._stage.reply_timeout

    async def ask(self, frame: Frame, expression: str) -> Any:
        return await evaluate_in_frame(self._stage.target, frame, expression, self._seconds)

    async def try_ask(self, frame: Frame, expression: str) -> Any:
        """The answer of a frame, or None where it is gone."""
        try:
            return await self.ask(frame, expression)
        except CdpAgentError:
            return None

    def notes(self) -> dict[str, dict[str, Any]]:
        return self._stage.notes(self.token)

    async def wait_note(self, kinds: set[str], seconds: float = _NOTE_SECONDS) -> bool:
        """Returns whether a frame has reported one of these, now or soon."""
        target = self._stage.target
        return await target.until(
            lambda: not kinds.isdisjoint(self.notes()) or target.dialog is not None, seconds
        )

    def end(self) -> None:
        if self._others is not None:
            self._others.end()
        for frame in self._frames:
            self.tell(frame, "cdpAgent.carryEnd()")
        self._stage.drop_token(self.token)

    def tell(self, frame: Frame, expression: str) -> None:
        """Without waiting for an answer: also when the caller has been cancelled."""
        if frame.world is not None and frame.session is not None and frame.session.ended is None:
            world = frame.world.for_evaluate
            frame.session.send_only("Runtime.evaluate", {"expression": expression, **world})
