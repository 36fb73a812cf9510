"""The frames of a page: state that never sends.

A frame is known by its `frame_id` wherever it lives. It may move from one process to another and
back (its session changes, its index does not), lose its session for a moment in between, or leave
for good. The tree hears of all this from several sessions in no fixed order, so each method takes
a fact and makes the tree agree with it, whatever came before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cdp_agent.errors import FrameDetached
from cdp_agent.ids import FrameId, LoaderId
from cdp_agent.protocol import Session

if TYPE_CHECKING:
    from cdp_agent.protocol.typed_commands import CallFunctionOnOptions, EvaluateOptions

#: How many frames without a session are remembered, in case they come back in another process.
_REMEMBERED = 256


_NO_DOCUMENT = LoaderId("")


class World(NamedTuple):
    """An execution context. `unique_id` is never reused, not even by another process."""

    context_id: int
    unique_id: str

    @property
    def for_evaluate(self) -> EvaluateOptions:
        """Its name for `Runtime.evaluate`; the number, which is reused, as a last resort."""
        if self.unique_id:
            return {"uniqueContextId": self.unique_id}
        return {"contextId": self.context_id}

    @property
    def for_call(self) -> CallFunctionOnOptions:
        """Its name for `Runtime.callFunctionOn`."""
        if self.unique_id:
            return {"uniqueContextId": self.unique_id}
        return {"executionContextId": self.context_id}


@dataclass(slots=True, eq=False)
class Frame:
    """One frame, as far as events have told."""

    id: FrameId
    index: int
    parent: Frame | None
    session: Session | None
    loader_id: LoaderId = _NO_DOCUMENT
    url: str = ""
    name: str = ""
    origin: str = ""
    error_url: str = ""
    mime_type: str = ""
    #: Chromium's word for why its last navigation failed, `net::ERR_…`.
    failure: str = ""
    #: Its process has crashed; another document revives it.
    crashed: bool = False
    world: World | None = None
    main_world: World | None = None
    dom_ready: bool = False
    loaded: bool = False
    #: Nothing of its document is under way, loaded or not: it may have been stopped.
    stopped: bool = False
    #: When its document first painted text or a picture; 0 before that.
    painted: float = 0.0
    #: Set while a navigation to another document is under way in this frame.
    pending_loader: str = ""
    pending_url: str = ""
    #: Asked for by the page, and not begun by the browser yet.
    navigation_requested: bool = False
    #: The iframe element in the parent's document, once somebody has asked for it.
    owner_node: int | None = None
    #: How many documents it has shown.
    documents: int = 0
    #: How often its address has changed without a new document.
    moves: int = 0
    children: dict[FrameId, Frame] = field(default_factory=dict)

    @property
    def is_oopif(self) -> bool:
        return (
            self.parent is not None
            and self.session is not None
            and self.session.target_id == self.id
        )

    @property
    def local_root(self) -> Frame:
        """The topmost frame of the same session: input coordinates refer to its viewport."""
        frame = self
        while frame.parent is not None and frame.parent.session is frame.session:
            frame = frame.parent
        return frame

    def ancestors(self) -> Iterator[Frame]:
        """Its parent, that one's parent, and so on up to the main frame."""
        frame = self.parent
        while frame is not None:
            yield frame
            frame = frame.parent

    def require_session(self) -> Session:
        if self.session is None or self.session.ended is not None:
            raise FrameDetached(f"frame {self.index} ({self.url or self.id}) is gone")
        return self.session


class FrameTree:
    """All frames of one page, by id and by index."""

    def __init__(self, main_frame_id: FrameId, session: Session) -> None:
        self.main = Frame(main_frame_id, 0, None, session)
        self._by_id: dict[FrameId, Frame] = {main_frame_id: self.main}
        self._by_index: dict[int, Frame] = {0: self.main}
        self._limbo: dict[FrameId, Frame] = {}
        #: Frames whose process has crashed, until they show another document.
        self.crashed: dict[FrameId, Frame] = {}
        #: Frames that were told of before their parents.
        self._awaited: dict[FrameId, FrameId] = {}
        #: Removed for good. Their own process may still speak of them.
        self._gone: dict[FrameId, None] = {}
        self._next_index = 1
        #: Indexes of frames that are known from a lost connection and were not attached yet.
        self._reserved: dict[FrameId, int] = {}

    def __iter__(self) -> Iterator[Frame]:
        """Live frames, parents before children, in the order of their indexes."""
        found: list[Frame] = []
        waiting = [self.main]
        while waiting:
            frame = waiting.pop()
            found.append(frame)
            waiting.extend(sorted(frame.children.values(), key=lambda f: -f.index))
        return iter(found)

    def __len__(self) -> int:
        return len(self._by_id)

    def find(self, frame_id: str) -> Frame | None:
        return self._by_id.get(FrameId(frame_id))

    def find_index(self, index: int) -> Frame | None:
        return self._by_index.get(index)

    def was_issued(self, index: int) -> bool:
        """Returns whether a frame has ever had this number."""
        return 0 <= index < self._next_index

    def number_after(self, other: FrameTree) -> None:
        """Continue the numbers of the tab that this one replaces: none is given out twice."""
        self._next_index = max(self._next_index, other._next_index)

    def keep_indexes(self, other: FrameTree) -> None:
        """Give frames the indexes that they have in the tree of a lost connection."""
        known = {**other._limbo, **other._by_id}
        self._reserved = {frame.id: frame.index for frame in known.values()}
        self.number_after(other)

    def attached(self, frame_id: FrameId, parent_id: FrameId | None, session: Session) -> Frame:
        """A frame appeared, or came back under another session: same index, new owner."""
        frame = self._by_id.get(frame_id)
        if frame is not None:
            return frame
        frame = self._limbo.pop(frame_id, None)
        parent = (self._by_id.get(parent_id) if parent_id else None) or self.main
        if frame is None:
            index = self._reserved.pop(frame_id, None)
            frame = Frame(frame_id, self._next_index if index is None else index, parent, session)
            self._next_index += index is None
        else:
            frame.session = session
            frame.parent = parent
        if parent_id and parent.id != parent_id:
            self._awaited[frame_id] = parent_id
        self._by_id[frame_id] = frame
        self._by_index[frame.index] = frame
        parent.children[frame_id] = frame
        for child_id in [c for c, p in self._awaited.items() if p == frame_id]:
            del self._awaited[child_id]
            child = self._by_id.get(child_id)
            if child is not None and child not in (frame, *frame.ancestors()):
                assert child.parent is not None
                child.parent.children.pop(child_id, None)
                child.parent = frame
                frame.children[child_id] = child
        return frame

    def committed(
        self,
        frame_id: FrameId,
        parent_id: FrameId | None,
        session: Session,
        *,
        loader_id: str,
        url: str,
        name: str,
        origin: str,
        error_url: str,
        mime_type: str = "",
    ) -> Frame:
        """A frame shows another document, perhaps in another process than before."""
        frame = self.attached(frame_id, parent_id, session)
        if frame.loader_id != loader_id and frame.documents:
            for child in list(frame.children.values()):
                self._to_limbo(child)
        moved = frame.session is not session
        frame.session = session
        frame.loader_id = LoaderId(loader_id)
        frame.url, frame.name, frame.origin, frame.error_url = url, name, origin, error_url
        frame.mime_type = mime_type
        frame.failure = frame.failure if error_url else ""
        frame.crashed = False
        self.crashed.pop(frame.id, None)
        if frame is self.main:
            self.crashed.clear()
        frame.dom_ready = frame.loaded = frame.stopped = False
        frame.painted = 0.0
        frame.documents += 1
        if moved:
            frame.world = frame.main_world = None
        if frame.pending_loader == loader_id:
            frame.pending_loader = ""
        frame.navigation_requested = False
        return frame

    def detached(self, frame_id: FrameId, session: Session, *, swapped: bool) -> Frame | None:
        """A session no longer holds a frame; a swapped one belongs to another session."""
        frame = self._by_id.get(frame_id)
        if not swapped:
            self.crashed.pop(frame_id, None)
        if frame is None:
            self._limbo.pop(frame_id, None)
            return None
        if swapped:
            if frame.session is session:
                self._to_limbo(frame)
            return None
        self._remember_gone(frame)
        self._forget(frame)
        return frame

    def is_gone(self, frame_id: str) -> bool:
        """Returns whether it was removed from its page: an id is never used again."""
        return frame_id in self._gone

    def _remember_gone(self, top: Frame) -> None:
        for frame in _subtree(top):
            self._gone[frame.id] = None
        while len(self._gone) > _REMEMBERED:
            self._gone.pop(next(iter(self._gone)))

    def session_ended(self, session: Session) -> list[Frame]:
        """A session is over: its frames are gone, or about to come back in another one."""
        lost = [frame for frame in self if frame.session is session]
        for frame in lost:
            self._to_limbo(frame)
        return lost

    def session_crashed(self, session: Session) -> None:
        """The process of a session has crashed, and its topmost frames with it."""
        lost = self.session_ended(session)
        for frame in lost:
            if frame.parent not in lost:
                frame.crashed = True
                self.crashed[frame.id] = frame

    def _to_limbo(self, frame: Frame) -> None:
        if frame is self.main:
            frame.session = None
            return
        self._forget(frame)
        self._limbo[frame.id] = frame
        while len(self._limbo) > _REMEMBERED:
            self._limbo.pop(next(iter(self._limbo)))

    def _forget(self, frame: Frame) -> None:
        for gone in list(_subtree(frame)):
            self._by_id.pop(gone.id, None)
            self._awaited.pop(gone.id, None)
            self._by_index.pop(gone.index, None)
            gone.session = None
            gone.world = gone.main_world = None
            if gone.parent is not None:
                gone.parent.children.pop(gone.id, None)


def _subtree(top: Frame) -> Iterator[Frame]:
    waiting = [top]
    while waiting:
        frame = waiting.pop()
        waiting.extend(frame.children.values())
        yield frame
