"""No press and no key of an action reaches another frame than the element's own.

A frame may slide under the pointer between the last look and the press, or take the focus between
two keys, and the document that they were meant for hears nothing of that. The browser decides when
they arrive, so that no check beforehand can promise anything.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Literal

from cdp_agent.act.stage import Stage
from cdp_agent.targets import World
from cdp_agent.targets.document_scripts import ScriptReply

if TYPE_CHECKING:
    from cdp_use.cdp.runtime.commands import EvaluateParameters

#: A process that does not answer in this time is busy, and takes no input meanwhile.
_PATIENCE = 0.4


class FrameGuard:
    """Stops presses or keys in all documents of a tab but the action's, until `end`.

    A document that is armed for the action with the same token lets them through. Documents that
    are loaded meanwhile begin with the guard, those of the element's own frame as well. A press is
    over so soon that only a frame of the page's own origin can come to be in between, which takes
    the guard from its parent: where a page has one frame, nothing is sent for it.
    """

    def __init__(
        self,
        stage: Stage,
        token: int,
        kind: Literal["press", "key", "text"] | None,
        *,
        gives: bool = False,
    ) -> None:
        """`kind` None stops nothing. `gives`: the action changes its own field only.

        For a press, when the element's own document has been armed.
        """
        self._target = stage.target
        self._token = token
        self._replies: list[ScriptReply] = []
        self._ended = kind is None
        #: The world of the document that was armed for the action: it has no guard since.
        self.armed: World | None = None
        if kind in ("key", "text") or (kind == "press" and len(stage.target.frames) > 1):
            options = {"token": token, "kind": kind, "gives": gives, "lifeMs": stage.left_ms + 1000}
            source = f"globalThis.cdpAgent && cdpAgent.guardFrame({json.dumps(options)})"
            scripts, sessions = self._target.document_scripts, self._target.sessions
            self._replies = scripts.add(token, source, sessions)

    async def ready(self) -> None:
        """Wait until every document has it, but not for processes that answer nothing.

        The element's own process has: it takes commands in their order, and has answered a later.
        """
        pending = [reply for reply in self._replies if not reply.done()]
        if pending:
            await asyncio.wait(pending, timeout=_PATIENCE)

    def end(self) -> None:
        """Without waiting, also when the caller has been cancelled. May be called twice."""
        if self._ended:
            return
        self._ended = True
        self._target.document_scripts.remove(self._token)
        expression = f"cdpAgent.unguardFrame({self._token})"
        for frame in self._target.frames:
            session, world = frame.session, frame.world
            if session is None or session.ended is not None or world is None:
                continue
            if world != self.armed:
                params: EvaluateParameters = {"expression": expression, **world.for_evaluate}
                session.send_only("Runtime.evaluate", params)
