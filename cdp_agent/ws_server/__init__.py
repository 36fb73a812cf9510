"""JSON-RPC and the Action Protocol over WebSocket, for programs that are not written in Python."""

from cdp_agent.ws_server.access import METHOD_SCOPES, SCOPES, Access, RateLimit
from cdp_agent.ws_server.server import ACTION_PATH, RPC_PATH, serve

__all__ = [
    "ACTION_PATH",
    "METHOD_SCOPES",
    "RPC_PATH",
    "SCOPES",
    "Access",
    "RateLimit",
    "serve",
]
