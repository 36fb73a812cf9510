"""The commands that every new session gets before its target runs any script.

All commands go out at once and none is awaited before the target is let go: a tab that waits for
the debugger answers some of them only after it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_agent import log
from cdp_agent.config import RECEIPT_BINDING, WORLD_NAME
from cdp_agent.js import agent_source
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_use.cdp.network.commands import EnableParameters
    from cdp_use.cdp.page.commands import (
        AddScriptToEvaluateOnNewDocumentParameters,
        GetFrameTreeReturns,
    )
    from cdp_use.cdp.page.types import FrameTree as FrameTreeFacts
    from cdp_use.cdp.runtime.commands import AddBindingParameters
    from cdp_use.cdp.target.commands import SetAutoAttachParameters
    from cdp_use.cdp.target.types import TargetFilter

_log = log.get("targets")

#: Whatever a page starts: frames of other processes are kept, workers are resumed and let go. One
#: that a filter kept from us would be paused all the same, and nobody could resume it.
CHILD_TARGETS: TargetFilter = [
    {"type": "page", "exclude": True},
    {"type": "tab", "exclude": True},
    {},
]

AUTO_ATTACH: SetAutoAttachParameters = {
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
        more: Sequence[tuple[str, Mapping[str, Any]]] = (),
    ) -> None:
        self.session = session
        self._is_page = is_page
        self._more = more
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open = 0

    def begin(
        self, seed: Callable[[FrameTreeFacts], None], before_run: Callable[[Session], None]
    ) -> None:
        """Send everything; `seed` gets the frame tree when it comes.

        `before_run` may send more that has to be in place before the first script of the target.
        """
        post, track, seconds = self.session.post, self._track, _SECONDS
        track(post("Page.enable", timeout=seconds))
        track(post("Page.setLifecycleEventsEnabled", {"enabled": True}, timeout=seconds))
        track(post("Runtime.enable", timeout=seconds))
        binding: AddBindingParameters = {
            "name": RECEIPT_BINDING,
            "executionContextName": WORLD_NAME,
        }
        track(post("Runtime.addBinding", binding, timeout=seconds))
        script: AddScriptToEvaluateOnNewDocumentParameters = {
            "source": agent_source(),
            "worldName": WORLD_NAME,
            "runImmediately": True,
        }
        track(post("Page.addScriptToEvaluateOnNewDocument", script, timeout=seconds))
        track(post("Target.setAutoAttach", AUTO_ATTACH, timeout=seconds))
        # Bodies are never asked for, so none is kept for us.
        no_bodies: EnableParameters = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
        track(post("Network.enable", no_bodies, timeout=seconds))
        # What a sandbox or a policy forbids is said there alone.
        track(post("Log.enable", timeout=seconds))
        if self._is_page:
            # Without it a tab that is not in front drops wheel events and delays clicks by seconds.
            track(post("Emulation.setFocusEmulationEnabled", {"enabled": True}, timeout=seconds))
        for method, params in self._more:
            track(self.session.post_untyped(method, params, timeout=seconds))
        tree = post("Page.getFrameTree", timeout=seconds)
        track(tree)
        tree.add_done_callback(lambda reply: hand_over(reply, seed))
        before_run(self.session)
        self._track(self.session.post("Runtime.runIfWaitingForDebugger", timeout=_SECONDS))

    def _track(self, reply: asyncio.Future[Any]) -> None:
        self._open += 1
        reply.add_done_callback(self._answered)

    def _answered(self, reply: asyncio.Future[Any]) -> None:
        if not reply.cancelled() and (error := reply.exception()) is not None:
            _log.debug("set-up of %s: %s", self.session, error)
        self._open -= 1
        if self._open == 0 and not self.done.done():
            self.done.set_result(None)


def hand_over(
    reply: asyncio.Future[GetFrameTreeReturns], seed: Callable[[FrameTreeFacts], None]
) -> None:
    if not reply.cancelled() and reply.exception() is None:
        seed(reply.result()["frameTree"])
