"""The tool table for clients of the Model Context Protocol, on the official SDK."""

from cdp_agent.mcp_server.http import serve_http
from cdp_agent.mcp_server.server import INSTRUCTIONS, make_server, serve_stdio

__all__ = ["INSTRUCTIONS", "make_server", "serve_http", "serve_stdio"]
