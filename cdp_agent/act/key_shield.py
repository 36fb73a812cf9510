"""No key of an action reaches another frame than the element's own."""

from __future__ import annotations

import asyncio
import json

from cdp_agent.act.stage import Stage
from cdp_agent.targets import World
from cdp_agent.targets.document_scripts import Reply

#: A process that does not answer in this time is busy, and takes no focus meanwhile.
_PATIENCE = 0.5


class KeyShield:
    """Stops keys in all documents of a tab but the one whose element is armed, until `end`.

    The browser decides who has the focus when a key arrives there, so that no check beforehand can
    promise anything. Documents that are loaded meanwhile begin with the shield, those of the
    element's own frame as well.
    """

    def __init__(self, stage: Stage, token: int, *, text: bool) -> None:
        self._stage = stage
        self._token = token
        options = {"token": token, "text": text, "lifeMs": stage.left_ms + 1000}
        source = f"globalThis.cdpAgent && cdpAgent.shieldKeys({json.dumps(options)})"
        scripts, sessions = stage.target.document_scripts, stage.target.sessions
        self._replies: list[Reply] = scripts.add(token, source, sessions)

    async def ready(self) -> None:
        """Wait until every document has it, but not for processes that answer nothing.

        The element's own process has: it takes commands in their order, and has answered a later.
        """
        pending = [reply for reply in self._replies if not reply.done()]
        if pending:
            await asyncio.wait(pending, timeout=_PATIENCE)

    def end(self, armed: World | None = None) -> None:
        """Without waiting. `armed` is the world of the document whose element was armed, if any."""
        target = self._stage.target
        target.document_scripts.remove(self._token)
        for frame in target.frames:
            if frame.world is None or frame.session is None or frame.session.ended is not None:
                continue
            if frame.world == armed:
                continue  # it has had no shield since then
            expression = f"cdpAgent.unshieldKeys({self._token})"
            params = {"expression": expression, **frame.world.for_evaluate}
            frame.session.send_only("Runtime.evaluate", params)
