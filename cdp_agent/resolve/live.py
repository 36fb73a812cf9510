"""A node that is there now, and scripts of ours that are given it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cdp_agent.errors import BrowserError, CdpAgentError, FrameDetached, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve.refs import Ref
from cdp_agent.targets import Frame, FrameTree, PageTarget, World
from cdp_agent.targets.remote_objects import call_function, release_object

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import CallFunctionOnReturns, EvaluateReturns
    from cdp_use.cdp.runtime.types import CallArgument

#: Added to what a script may take before we stop waiting for its answer.
_SLACK = 0.7
#: How long a frame may be between two processes.
_MOVING = 0.3


@dataclass(slots=True)
class LiveElement:
    """Lives in one document: when that goes, every call says so."""

    target: PageTarget
    ref: Ref
    id: ElementId
    frame: Frame
    session: Session
    world: World
    object_id: str
    healed: bool = False

    def post(
        self, function: str, *arguments: Any, timeout: float = 5.0, user_gesture: bool = False
    ) -> asyncio.Future[CallFunctionOnReturns]:
        """Call `cdpAgent.function(element, …)` in the isolated world; the raw reply.

        With `user_gesture` the page may do what it may only do after a person's input.
        """
        values: list[CallArgument] = [{"value": argument} for argument in arguments]
        return call_function(
            self.session,
            self.world,
            f"(e, ...a) => cdpAgent.{function}(e, ...a)",
            [{"objectId": self.object_id}, *values],
            seconds=timeout + _SLACK,
            await_promise=True,
            user_gesture=user_gesture,
        )

    async def call(self, function: str, *arguments: Any, timeout: float = 5.0) -> Any:
        """The value that the function answers.

        Raises:
            FrameDetached, TargetClosed: its frame or its tab went away meanwhile.
            StaleRef: its document was replaced meanwhile.
        """
        try:
            reply = await self.post(function, *arguments, timeout=timeout)
        except CdpAgentError as error:
            await self._wait_for_the_frame(error)
            raise self.explain(error) from None
        return script_value(reply)

    async def _wait_for_the_frame(self, error: CdpAgentError) -> None:
        """A frame that moves to another process has no session for a moment."""
        if not is_context_gone(error):
            return
        target = self.target
        if self.frame.parent is None and self.session.ended is not None:
            # Its tab was closed, which is told right after, or shows what was rendered elsewhere.
            await target.until(lambda: target.closed is not None, _MOVING, alive=False)
        elif self.frame.parent is not None:
            frames = self.target.frames
            await self.target.until(lambda: self._is_elsewhere(frames), _MOVING, alive=False)

    def _is_elsewhere(self, frames: FrameTree) -> bool:
        frame = frames.find(self.frame.id)
        return frame is not None and frame.session is not None and frame.session.ended is None

    def explain(self, error: CdpAgentError) -> CdpAgentError:
        """The same failure in terms of this element."""
        if not is_context_gone(error):
            return error
        if self.target.closed is not None:
            return self.target.closed
        if not self._is_elsewhere(self.target.frames) and self.frame.parent is not None:
            return FrameDetached(f"frame {self.frame.index} of {self.id} was removed")
        return StaleRef(f"the document of {self.id} was replaced", ref=str(self.id))

    def require_document(self) -> None:
        """Raises: StaleRef: its frame was removed, or shows another document."""
        if self.frame.parent is not None and not self._is_elsewhere(self.target.frames):
            raise StaleRef(f"the frame of {self.id} was removed", ref=str(self.id))
        if self.frame.world != self.world:
            raise StaleRef(f"the document of {self.id} was replaced", ref=str(self.id))

    def release(self) -> None:
        release_object(self.session, self.object_id)


def script_value(
    reply: EvaluateReturns | CallFunctionOnReturns, blame: str = "a script of ours failed"
) -> Any:
    """The value of a script's reply.

    Raises:
        BrowserError: it threw.
    """
    details = reply.get("exceptionDetails")
    if details is not None:
        thrown = details.get("exception", {}).get("description") or details.get("text", "")
        raise BrowserError(f"{blame}: {thrown}")
    result = reply["result"]
    if "unserializableValue" in result:
        return _number(result["unserializableValue"])
    return result.get("value")


def _number(text: str) -> float | int:
    """The number of a text that JSON cannot write: `NaN`, `-Infinity`, `-0`, `12n`."""
    return int(text[:-1]) if text.endswith("n") else float(text.replace("Infinity", "inf"))
