"""A page as a value, as text, as a difference."""

from cdp_agent.snapshot.build.geometry import frame_info
from cdp_agent.snapshot.diff import Change, SnapshotDiff
from cdp_agent.snapshot.dom.columns import Box
from cdp_agent.snapshot.model import Element, FrameInfo, Node, PageInfo, Snapshot, Viewport
from cdp_agent.snapshot.options import Focus, SnapshotOptions
from cdp_agent.snapshot.regions import text_after
from cdp_agent.snapshot.snapshotter import Snapshotter

__all__ = [
    "Box",
    "Change",
    "Element",
    "Focus",
    "FrameInfo",
    "Node",
    "PageInfo",
    "Snapshot",
    "SnapshotDiff",
    "SnapshotOptions",
    "Snapshotter",
    "Viewport",
    "frame_info",
    "text_after",
]
