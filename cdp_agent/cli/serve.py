"""`cdp-agent serve`: JSON-RPC and the Action Protocol over WebSocket."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import signal
import sys
from functools import partial

from cdp_agent.cli.guards import Guards, guards_of
from cdp_agent.cli.mcp import TOKEN_VARIABLE
from cdp_agent.cli.open_browser import opening_for
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.host import BrowserHost, Client
from cdp_agent.ws_server import ACTION_PATH, RPC_PATH, Access, serve


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port <= 65535:
        raise InvalidParams(f"{args.port} is no port")
    given = args.token or [t for t in [os.environ.get(TOKEN_VARIABLE)] if t]
    made = [] if given else [secrets.token_urlsafe(24)]
    access = Access.parse(given or made, args.web_origin)
    guards = guards_of(args)
    with guards.secrets.kept_out_of_logs():
        asyncio.run(_serve(args, access, made, guards))
    return 0


async def _serve(args: argparse.Namespace, access: Access, made: list[str], guards: Guards) -> None:
    opening = opening_for(args.connect, headless=not args.headed, policy=guards.policy)
    host = BrowserHost(opening)
    new_client = partial(Client, host, **guards.hooks)

    def ready(address: str) -> None:
        print(f"JSON-RPC at {address}{RPC_PATH}", file=sys.stderr)
        print(f"Action Protocol at {address}{ACTION_PATH}", file=sys.stderr)
        for token in made:
            print(f"Authorization: Bearer {token}", file=sys.stderr)
        sys.stderr.flush()

    serving = asyncio.create_task(serve(new_client, access, args.port, host=args.host, ready=ready))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, serving.cancel)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    finally:
        await host.aclose()
