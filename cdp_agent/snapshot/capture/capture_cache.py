"""The data of one frame, and what of it is kept to compare the next capture with."""

from __future__ import annotations

from dataclasses import dataclass, field

from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import LoaderId
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxTree
from cdp_agent.snapshot.build.frame_capture import NodeChanges
from cdp_agent.snapshot.build.hidden import NOTHING_HIDDEN, HiddenNodes
from cdp_agent.snapshot.capture.input_targets import TargetCache
from cdp_agent.snapshot.capture.stale_texts import StaleTexts
from cdp_agent.snapshot.dom.facts import DomFacts
from cdp_agent.snapshot.fetch.closed_roots import ClosedRoots
from cdp_agent.snapshot.fetch.hidden_text import Reply
from cdp_agent.snapshot.fetch.page_state import (
    DocumentState,
    MeasuredLayout,
)
from cdp_agent.snapshot.incremental.ax_refresh import PreviousFrame
from cdp_agent.snapshot.partial.partial import PartialCapturer
from cdp_agent.targets import Frame


@dataclass(slots=True)
class FrameResult:
    """The fetched data of one frame."""

    frame: Frame
    session: Session
    loader_id: LoaderId
    state: DocumentState | None = None
    tree: AxTree | None = None
    dom: DomFacts | None = None
    hidden: HiddenNodes = NOTHING_HIDDEN
    #: The question for hidden text, where it has to be asked.
    asked_hidden: Reply | None = None
    #: Elements that listen for drops, double clicks and the like.
    listening: frozenset[int] = frozenset()
    #: Layout facts that differ from the previous capture of the document, where that is known.
    changes: NodeChanges | None = None
    unfetched: frozenset[int] = frozenset()
    in_labels: frozenset[int] = frozenset()
    #: The layout, measured after the capture; None: it is in `state`, or unknown.
    measured: MeasuredLayout | None = None
    warning: str = ""
    error: CdpAgentError | None = None


@dataclass(slots=True)
class CaptureCache:
    """The previous captures of a page's frames, and what its documents were given."""

    whole: dict[str, PreviousFrame] = field(default_factory=dict)
    partial: PartialCapturer = field(default_factory=PartialCapturer)
    closed_roots: ClosedRoots = field(default_factory=ClosedRoots)
    targets: TargetCache = field(default_factory=TargetCache)
    stale_texts: StaleTexts = field(default_factory=StaleTexts)
    #: Sessions whose accessibility domain is enabled.
    enabled: set[str] = field(default_factory=set)

    def store(self, result: FrameResult) -> None:
        """Keep a whole capture for the next one to be compared with."""
        self.whole.pop(result.frame.id, None)
        if result.tree is None or result.dom is None or result.state is None:
            return
        if result.tree.nodes and not result.unfetched:
            self.whole[result.frame.id] = PreviousFrame(
                result.loader_id,
                result.session.id,
                result.tree,
                result.dom,
                result.state,
                result.hidden,
                result.in_labels,
                result.listening,
                result.measured,
            )

    def retain(self, frame_ids: set[str]) -> None:
        for gone in self.whole.keys() - frame_ids:
            del self.whole[gone]
        self.partial.retain(frame_ids)
        self.closed_roots.retain(frame_ids)
        self.targets.listeners.retain(frame_ids)
        self.stale_texts.retain(frame_ids)
