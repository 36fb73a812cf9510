"""Commands, replies, events and sessions over one transport."""

from cdp_agent.protocol.connection import Connection
from cdp_agent.protocol.events import Event, EventQueue
from cdp_agent.protocol.session import Session

__all__ = ["Connection", "Event", "EventQueue", "Session"]
