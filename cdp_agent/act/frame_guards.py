"""Guards in the frames of a page that an action is not for.

A frame may slide under the pointer between the last look and the press, and the document that the
press was meant for hears nothing of that. So every other frame stops it, also one that is new.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection

from cdp_agent.act.stage import Stage
from cdp_agent.errors import CdpAgentError
from cdp_agent.resolve.worlds import post_in_frame
from cdp_agent.targets import Frame

#: A frame that has not answered by then is busy; it is not waited for.
_ANSWER_SECONDS = 0.3


class FrameGuards:
    """Stops presses in all frames but `own` from `begin` to `end`, and reports them as missed."""

    def __init__(self, stage: Stage, token: int, own: Collection[Frame]) -> None:
        self._target = stage.target
        self._own = own
        self._guarded: list[Frame] = []
        options = {"token": token, "lifeMs": stage.left_ms + 1000}
        self._expression = f"globalThis.cdpAgent && cdpAgent.shut({json.dumps(options)})"

    async def begin(self) -> None:
        """Return when every frame that answers is guarded."""
        replies = []
        for frame in self._target.frames:
            if frame in self._own or frame.world is None or frame.session is None:
                continue
            try:
                reply = post_in_frame(frame, frame.world, self._expression, _ANSWER_SECONDS)
            except CdpAgentError:
                continue  # it has just gone
            replies.append(reply)
            self._guarded.append(frame)
        self._target.contexts.greeting = self._expression
        if replies:
            await asyncio.wait(replies, timeout=_ANSWER_SECONDS)

    def end(self) -> None:
        """Without waiting: also when the caller has been cancelled. May be called twice."""
        if self._target.contexts.greeting == self._expression:
            self._target.contexts.greeting = ""
        for frame in self._guarded:
            if frame.world is not None and frame.session is not None:
                expression = {"expression": "cdpAgent.unshut()", **frame.world.for_evaluate}
                frame.session.send_only("Runtime.evaluate", expression)
        self._guarded.clear()
