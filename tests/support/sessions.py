"""The state of a session of the tests' own client: its frames, their worlds, its life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class FrameSeen:
    """A frame of the page, as the session that holds its document knows it."""

    frame_id: str
    url: str
    name: str
    owner: Attached


@dataclass
class Attached:
    """One session: the page itself or an out-of-process frame below it.

    Its frames are kept from events as well as from `Page.getFrameTree`, which does not answer
    while a slow navigation is pending: just when tests want to look.
    """

    session_id: str
    target_id: str
    parent: Attached | None = None
    children: dict[str, Attached] = field(default_factory=dict)
    contexts: dict[str, int] = field(default_factory=dict)  # frame id → its main world
    frames: dict[str, FrameSeen] = field(default_factory=dict)
    crashed: bool = False
    hears_frames: bool = False

    def holds(self, frame: dict[str, Any]) -> None:
        """It shows this document now; the root's new document has none of the old frames."""
        if frame["id"] == self.target_id:
            self.frames.clear()
        url = frame["url"] + frame.get("urlFragment", "")
        self.frames[frame["id"]] = FrameSeen(frame["id"], url, frame.get("name", ""), self)

    def holds_tree(self, answer: dict[str, Any]) -> None:
        """Of an answer that has a frame tree: what was there before events were heard."""
        waiting = [answer["frameTree"]] if "frameTree" in answer else []
        while waiting:
            node = waiting.pop(0)
            self.holds(node["frame"])
            waiting.extend(node.get("childFrames", ()))

    def told(self, method: str, params: dict[str, Any]) -> None:
        """An event of this session: its frames, their worlds, and whether the process lives."""
        if method == "Page.frameNavigated":
            self.holds(params["frame"])
        elif method == "Page.navigatedWithinDocument" and params["frameId"] in self.frames:
            frame = self.frames[params["frameId"]]
            self.frames[frame.frame_id] = replace(frame, url=params["url"])
        elif method == "Page.frameDetached":
            self.frames.pop(params["frameId"], None)
        elif method.startswith("Runtime."):
            self._told_of_worlds(method, params)
        elif method == "Inspector.targetCrashed":
            self.crashed = True
        elif method == "Inspector.targetReloadedAfterCrash":
            self.crashed = False

    def _told_of_worlds(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.executionContextCreated":
            context = params["context"]
            about = context.get("auxData", {})
            if about.get("isDefault"):
                self.contexts[about["frameId"]] = context["id"]
        elif method == "Runtime.executionContextDestroyed":
            ended = params["executionContextId"]
            self.contexts = {f: c for f, c in self.contexts.items() if c != ended}
        elif method == "Runtime.executionContextsCleared":
            self.contexts.clear()

    def tree(self) -> Iterator[Attached]:
        waiting = [self]
        while waiting:
            attached = waiting.pop(0)
            yield attached
            waiting.extend(attached.children.values())
