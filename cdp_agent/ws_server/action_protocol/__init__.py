"""The Action Protocol: commands with integer refs, and a snapshot after each of them."""

from cdp_agent.ws_server.action_protocol.connection import ActionConnection

__all__ = ["ActionConnection"]
