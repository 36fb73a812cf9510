"""Frames that Chromium leaves paused for good, and how they are freed.

With a second client that attaches to frames as well (DevTools, say), Chromium 156 sometimes ends
our session of a new frame at once, and yet goes on waiting for that session to let the frame run:
the frame never shows a document. Nobody can resume it, but when its parent's session attaches to
nothing any more, Chromium forgets whatever it waited for. It attaches again when the frame has left
for its own process: at once, and Chromium would catch the frame a second time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from cdp_agent import log
from cdp_agent.protocol import Session
from cdp_agent.targets.frames import FrameTree
from cdp_agent.targets.setup import AUTO_ATTACH

if TYPE_CHECKING:
    from cdp_use.cdp.target.commands import SetAutoAttachParameters

_log = log.get("targets")

#: A frame that is only slow loses nothing by being freed, but its siblings' sessions begin anew.
_SECONDS = 1.0
#: How often, and how many times, it is looked whether the freed frame has left.
_POLL, _POLLS = 0.05, 40
# Without the filter, which Chromium refuses here.
_ATTACH_TO_NOTHING: SetAutoAttachParameters = {
    "autoAttach": False,
    "waitForDebuggerOnStart": False,
    "flatten": True,
}


class PausedFrames:
    """Frees frames whose session ended before they showed anything."""

    def __init__(self, frames: FrameTree, is_attached: Callable[[str], bool]) -> None:
        self._frames = frames
        self._is_attached = is_attached
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def session_ended(self, target_id: str, parent: Session) -> None:
        """Look at the frame again in a moment, if it is there and empty."""
        if self._is_empty(target_id, parent) and target_id not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[target_id] = loop.call_later(_SECONDS, self._free, target_id, parent)

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _is_empty(self, frame_id: str, parent: Session) -> bool:
        frame = self._frames.find(frame_id)
        return (
            frame is not None
            and frame.documents == 0
            and frame.session is parent
            and parent.ended is None
            and not self._is_attached(frame_id)
        )

    def _free(self, target_id: str, parent: Session) -> None:
        del self._timers[target_id]
        if self._is_empty(target_id, parent):
            _log.debug("= frame %s was left paused: attaching to its siblings anew", target_id[:8])
            parent.send_only("Target.setAutoAttach", _ATTACH_TO_NOTHING)
            self._attach_again(target_id, parent, _POLLS)

    def _attach_again(self, target_id: str, parent: Session, polls: int) -> None:
        self._timers.pop(target_id, None)
        if polls and self._is_empty(target_id, parent):
            loop = asyncio.get_running_loop()
            self._timers[target_id] = loop.call_later(
                _POLL, self._attach_again, target_id, parent, polls - 1
            )
        else:
            parent.send_only("Target.setAutoAttach", AUTO_ATTACH)
