"""Execution contexts of frames: the page's own world, and ours.

Contexts are told of by their session in no fixed order with the frames they are for, so one that
comes first is kept until its frame does.
"""

from __future__ import annotations

from typing import Any

from cdp_agent.config import WORLD_NAME
from cdp_agent.protocol import Session
from cdp_agent.targets.frames import Frame, FrameTree, World


class Contexts:
    """Keeps `world` and `main_world` of the frames of one page."""

    def __init__(self, frames: FrameTree) -> None:
        self._frames = frames
        #: Worlds that were announced before their frames, by session and frame.
        self._early: dict[tuple[str, str], list[tuple[bool, World]]] = {}

    def adopt(self, session: Session, frame: Frame) -> None:
        """The frame is there now: give it what was announced for it."""
        for is_default, world in self._early.pop((session.id, frame.id), ()):
            _give(frame, is_default, world)

    def created(self, session: Session, params: dict[str, Any]) -> None:
        context = params["context"]
        data = context.get("auxData") or {}
        frame = self._frames.find(data.get("frameId", ""))
        world = World(context["id"], context["uniqueId"])
        is_default = bool(data.get("isDefault"))
        if not is_default and context["name"] != WORLD_NAME:
            return
        if frame is None or frame.session is not session:
            key = session.id, data.get("frameId", "")
            self._early.setdefault(key, []).append((is_default, world))
        else:
            _give(frame, is_default, world)

    def destroyed(self, params: dict[str, Any]) -> None:
        unique_id = params.get("executionContextUniqueId")
        for key, early in list(self._early.items()):
            early[:] = [one for one in early if one[1].unique_id != unique_id]
            if not early:
                del self._early[key]
        for frame in self._frames:
            if frame.world is not None and frame.world.unique_id == unique_id:
                frame.world = None
            if frame.main_world is not None and frame.main_world.unique_id == unique_id:
                frame.main_world = None

    def cleared(self, session: Session) -> None:
        self.session_ended(session)
        for frame in self._frames:
            if frame.session is session:
                frame.world = frame.main_world = None

    def session_ended(self, session: Session) -> None:
        self._early = {k: v for k, v in self._early.items() if k[0] != session.id}


def _give(frame: Frame, is_default: bool, world: World) -> None:
    if is_default:
        frame.main_world = world
    else:
        frame.world = world
