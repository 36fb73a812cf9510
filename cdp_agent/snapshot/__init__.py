"""A page as a value, as text, as a difference."""

from cdp_agent.snapshot.capture import Capturer
from cdp_agent.snapshot.diff import Change, SnapshotDiff
from cdp_agent.snapshot.dom import Box
from cdp_agent.snapshot.model import Element, FrameInfo, Node, PageInfo, Snapshot, Viewport
from cdp_agent.snapshot.options import Focus, SnapshotOptions
from cdp_agent.snapshot.placing import frame_info
from cdp_agent.snapshot.take import take_snapshot

__all__ = [
    "Box",
    "Capturer",
    "Change",
    "Element",
    "Focus",
    "FrameInfo",
    "Node",
    "PageInfo",
    "Snapshot",
    "SnapshotDiff",
    "SnapshotOptions",
    "Viewport",
    "frame_info",
    "take_snapshot",
]
