"""From an element's id to the live node, and to a point that input reaches."""

from cdp_agent.resolve.frame_point import reach
from cdp_agent.resolve.live import LiveElement
from cdp_agent.resolve.refs import Ref, RefBook
from cdp_agent.resolve.resolver import Resolver

__all__ = ["LiveElement", "Ref", "RefBook", "Resolver", "reach"]
