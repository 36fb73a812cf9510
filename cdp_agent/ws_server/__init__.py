"""The Browser Agent Protocol and the Action Protocol over WebSocket, for any language."""

from cdp_agent.ws_server.access import METHODS, Access, RateLimit
from cdp_agent.ws_server.server import ACTION_PATH, BAP_PATH, serve

__all__ = [
    "ACTION_PATH",
    "BAP_PATH",
    "METHODS",
    "Access",
    "RateLimit",
    "serve",
]
