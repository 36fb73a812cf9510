"""Whole JSON texts in and out of a browser. Knows nothing of commands and replies."""

from cdp_agent.transport.base import Transport
from cdp_agent.transport.pipe import PipeTransport
from cdp_agent.transport.websocket import WebSocketTransport, browser_websocket_url

__all__ = ["PipeTransport", "Transport", "WebSocketTransport", "browser_websocket_url"]
