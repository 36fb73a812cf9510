"""Tabs, their frames (out-of-process ones too), and what goes on in them."""

from cdp_agent.targets.frames import Frame, FrameTree, World
from cdp_agent.targets.page_target import PageTarget
from cdp_agent.targets.registry import BrowserTargets

__all__ = ["BrowserTargets", "Frame", "FrameTree", "PageTarget", "World"]
