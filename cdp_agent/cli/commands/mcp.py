"""`cdp-agent mcp`: the tool table for MCP clients, on stdio or HTTP."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from functools import partial
from secrets import token_urlsafe
from typing import Any

from cdp_agent.cli.options.open_browser import opening_for_clients
from cdp_agent.cli.options.policy_options import guards_of
from cdp_agent.cli.session.step_reader import command_reader
from cdp_agent.errors import InvalidParams
from cdp_agent.mcp_server import serve_http, serve_stdio
from cdp_agent.tools.host import BrowserHost, ToolClient

TOKEN_VARIABLE = "CDP_AGENT_TOKEN"


def run(args: argparse.Namespace) -> int:
    if args.http is not None and not 0 <= args.http <= 65535:
        raise InvalidParams(f"{args.http} is not a port")
    guards = guards_of(args)
    opening = opening_for_clients(
        args, guards.policy, shared=args.shared or (args.http is None and not args.connect)
    )
    host = BrowserHost(opening)
    hooks = {**guards.hooks, "read_command": command_reader()}
    with guards.secrets.kept_out_of_logs():
        if args.http is not None:
            asyncio.run(_http(args, host, hooks))
        else:
            asyncio.run(_stdio(args, host, hooks))
    return 0


async def _stdio(args: argparse.Namespace, host: BrowserHost, hooks: dict[str, Any]) -> None:
    # A browser of its own needs no context beside its own; a found one is left as it is.
    client = ToolClient(host, shared=args.shared or not args.connect, **hooks)
    try:
        await serve_stdio(client)
    finally:
        await client.aclose()
        await host.aclose()


async def _http(args: argparse.Namespace, host: BrowserHost, hooks: dict[str, Any]) -> None:
    given = args.token or os.environ.get(TOKEN_VARIABLE)
    token = given or token_urlsafe(24)

    def ready(address: str) -> None:
        print(f"MCP at {address}", file=sys.stderr)
        if not given:
            print(f"Authorization: Bearer {token}", file=sys.stderr)
        sys.stderr.flush()

    try:
        new_client = partial(ToolClient, host, shared=args.shared, **hooks)
        await serve_http(new_client, args.http, token, host=args.host, ready=ready)
    finally:
        await host.aclose()
