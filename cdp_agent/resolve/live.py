"""A node that is there now, and scripts of ours that are given it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from cdp_agent.errors import BrowserError, CdpAgentError, FrameDetached, StaleRef
from cdp_agent.ids import ElementId
from cdp_agent.protocol import Session
from cdp_agent.protocol.chrome_errors import is_context_gone
from cdp_agent.resolve.refs import Ref
from cdp_agent.targets import Frame, World

#: Added to what a script may take before we stop waiting for its answer.
_SLACK = 0.7


@dataclass(slots=True)
class LiveElement:
    """Lives in one document: when that goes, every call says so."""

    ref: Ref
    id: ElementId
    frame: Frame
    session: Session
    world: World
    object_id: str
    healed: bool = False

    def post(
        self, function: str, *arguments: Any, timeout: float = 5.0
    ) -> asyncio.Future[dict[str, Any]]:
        """Call `cdpAgent.function(element, …)` in the isolated world; the raw reply."""
        return self.session.post(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": f"(e, ...a) => cdpAgent.{function}(e, ...a)",
                **self.world.for_call,
                "arguments": [{"objectId": self.object_id}, *({"value": a} for a in arguments)],
                "awaitPromise": True,
                "returnByValue": True,
            },
            timeout=timeout + _SLACK,
        )

    async def call(self, function: str, *arguments: Any, timeout: float = 5.0) -> Any:
        """The value that the function answers.

        Raises:
            FrameDetached: its frame went away meanwhile.
            StaleRef: its document was replaced meanwhile.
        """
        try:
            reply = await self.post(function, *arguments, timeout=timeout)
        except CdpAgentError as error:
            raise self.explain(error) from None
        return script_value(reply)

    def explain(self, error: CdpAgentError) -> CdpAgentError:
        """The same failure in terms of this element."""
        if not is_context_gone(error):
            return error
        if self.frame.session is None:
            return FrameDetached(f"frame {self.frame.index} of {self.id} was removed")
        if self.frame.loader_id != self.ref.loader_id or self.frame.world != self.world:
            return StaleRef(f"the document of {self.id} was replaced", ref=str(self.id))
        return FrameDetached(f"the document of {self.id} is gone")

    def release(self) -> None:
        self.session.send_only("Runtime.releaseObject", {"objectId": self.object_id})


def script_value(reply: dict[str, Any], blame: str = "a script of ours failed") -> Any:
    """The value of a script's reply.

    Raises:
        BrowserError: it threw.
    """
    details = reply.get("exceptionDetails")
    if details is not None:
        thrown = details.get("exception", {}).get("description") or details.get("text", "")
        raise BrowserError(f"{blame}: {thrown}")
    return reply["result"].get("value")
