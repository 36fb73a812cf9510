"""The commands that every new session gets before its target runs any script.

All commands go out at once and none is awaited before the target is let go: a tab that waits for
the debugger answers some of them only after it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from cdp_agent import log
from cdp_agent.config import RECEIPT_BINDING, WORLD_NAME
from cdp_agent.js import agent_source
from cdp_agent.protocol import Session

_log = log.get("targets")

#: Whatever a page starts: frames of other processes are kept, workers are resumed and let go. One
#: that a filter kept from us would be paused all the same, and nobody could resume it.
CHILD_TARGETS = [{"type": "page", "exclude": True}, {"type": "tab", "exclude": True}, {}]

AUTO_ATTACH: dict[str, Any] = {
    "autoAttach": True,
    # Paused until our scripts are in place: the guard must stand before the page's own listeners.
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": CHILD_TARGETS,
}

_SECONDS = 10.0


class SessionSetup:
    """`done` is settled when all commands were answered, well or not."""

    def __init__(
        self,
        session: Session,
        *,
        is_page: bool,
        more: Sequence[tuple[str, dict[str, Any]]] = (),
    ) -> None:
        self.session = session
        self._is_page = is_page
        self._more = more
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open = 0

    def begin(
        self, seed: Callable[[dict[str, Any]], None], before_run: Callable[[Session], None]
    ) -> None:
        """Send everything; `seed` gets the frame tree when it comes.

        `before_run` may send more that has to be in place before the first script of the target.
        """
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Page.setLifecycleEventsEnabled", {"enabled": True}),
            ("Runtime.enable", {}),
            ("Runtime.addBinding", {"name": RECEIPT_BINDING, "executionContextName": WORLD_NAME}),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": agent_source(), "worldName": WORLD_NAME, "runImmediately": True},
            ),
            ("Target.setAutoAttach", AUTO_ATTACH),
            # Bodies are never asked for, so none is kept for us.
            ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            # What a sandbox or a policy forbids is said there alone.
            ("Log.enable", {}),
        ]
        if self._is_page:
            # Without it a tab that is not in front drops wheel events and delays clicks by seconds.
            commands.append(("Emulation.setFocusEmulationEnabled", {"enabled": True}))
        for method, params in (*commands, *self._more):
            self._track(self.session.post(method, params, timeout=_SECONDS))
        tree = self.session.post("Page.getFrameTree", timeout=_SECONDS)
        self._track(tree)
        tree.add_done_callback(lambda reply: hand_over(reply, seed))
        before_run(self.session)
        self._track(self.session.post("Runtime.runIfWaitingForDebugger", timeout=_SECONDS))

    def _track(self, reply: asyncio.Future[dict[str, Any]]) -> None:
        self._open += 1
        reply.add_done_callback(self._answered)

    def _answered(self, reply: asyncio.Future[dict[str, Any]]) -> None:
        if not reply.cancelled() and (error := reply.exception()) is not None:
            _log.debug("set-up of %s: %s", self.session, error)
        self._open -= 1
        if self._open == 0 and not self.done.done():
            self.done.set_result(None)


def hand_over(
    reply: asyncio.Future[dict[str, Any]], seed: Callable[[dict[str, Any]], None]
) -> None:
    if not reply.cancelled() and reply.exception() is None:
        seed(reply.result()["frameTree"])
