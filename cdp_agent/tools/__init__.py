"""The table of tools that a model may call, in Python, MCP, shell and agent."""

from cdp_agent.tools.result import ToolResult
from cdp_agent.tools.table import ALIASES, TOOLS, call, find_tool, schemas
from cdp_agent.tools.tool import Tool, ToolArgs, ToolCall
from cdp_agent.tools.tool_session import ToolSession

__all__ = [
    "ALIASES",
    "TOOLS",
    "Tool",
    "ToolArgs",
    "ToolCall",
    "ToolResult",
    "ToolSession",
    "call",
    "find_tool",
    "schemas",
]
