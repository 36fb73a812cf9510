"""The boxes around a frame: what a wheel moves where the frame itself has no room for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cdp_agent.act.stage import Stage
from cdp_agent.errors import CdpAgentError
from cdp_agent.resolve.worlds import evaluate_in_frame, world_of
from cdp_agent.targets import Frame
from cdp_agent.targets.remote_objects import call_function, node_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.types import CallArgument

#: The compositor hands a turn on to another process, which draws a few frames later.
_FIRST_MOVE_MS = 120


class BoxesAround:
    """Measures the documents around a frame from before a turn of the wheel until after it."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._armed: list[Frame] = []

    async def begin(self, frame: Frame) -> None:
        """Measure. A document that does not answer is left out: only what it says is at stake."""
        child = frame
        for parent in frame.ancestors():
            owner, child = child.owner_node, parent
            if owner is None:
                continue
            seconds = max(self._stage.left, 0.2)
            options: CallArgument = {"value": {"lifeMs": self._stage.left_ms + 3000}}
            function = "(owner, options) => cdpAgent.scrollAround(owner, options)"
            try:
                world = await world_of(self._stage.target, parent, seconds)
                session = parent.require_session()
                async with node_object(session, owner, world, seconds) as object_id:
                    arguments: list[CallArgument] = [{"objectId": object_id}, options]
                    await call_function(session, world, function, arguments, seconds=seconds)
            except CdpAgentError:
                continue
            self._armed.append(parent)

    async def moved(self) -> dict[str, Any] | None:
        """The facts of the innermost box around the frame that has moved, once it rests."""
        found: dict[str, Any] | None = None
        while self._armed:
            options = {"firstMs": _FIRST_MOVE_MS, "scrollMs": 1800, "ceilingMs": 500}
            facts = await self._ask(f"cdpAgent.scrollFinish({json.dumps(options)})")
            facts = facts["facts"] if facts is not None else None
            if found is None and facts is not None and (facts["moved_x"] or facts["moved_y"]):
                where = "the document" if facts["root"] else facts["box"]
                found = {**facts, "box": f"{where} around the frame"}
        return found

    async def end(self) -> None:
        """Forget what has not been asked for."""
        while self._armed:
            await self._ask("cdpAgent.scrollDisarm()")

    async def _ask(self, expression: str) -> Any:
        frame = self._armed.pop(0)
        try:
            return await evaluate_in_frame(self._stage.target, frame, expression, 3)
        except CdpAgentError:
            return None  # it has gone
