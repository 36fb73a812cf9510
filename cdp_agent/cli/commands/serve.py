"""`cdp-agent serve`: two agent protocols over WebSocket."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from cdp_agent.cli.commands.mcp import TOKEN_VARIABLE
from cdp_agent.cli.options.live_board import live_board
from cdp_agent.cli.options.open_browser import opening_for_clients
from cdp_agent.cli.options.policy_options import Guards, guards_of
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.host import BrowserHost, ToolClient
from cdp_agent.ws_server import ACTION_PATH, BAP_PATH, METHODS, Access, serve

if TYPE_CHECKING:
    from cdp_agent.live import Board


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port <= 65535:
        raise InvalidParams(f"{args.port} is not a port")
    given = args.token or [t for t in [os.environ.get(TOKEN_VARIABLE)] if t]
    made = [] if given else [secrets.token_urlsafe(24)]
    access = Access.parse(given or made, args.web_origin)
    for method in args.ask:
        if method not in METHODS:
            raise InvalidParams(
                f"there is no method {method[:60]!r}", hint="`cdp-agent guide serve` lists them."
            )
    guards = guards_of(args)
    with guards.secrets.kept_out_of_logs():
        asyncio.run(_serve(args, access, made, guards))
    return 0


async def _serve(args: argparse.Namespace, access: Access, made: list[str], guards: Guards) -> None:
    async with live_board(args, guards.secrets) as board:
        await _serve_clients(args, access, made, guards, board)


async def _serve_clients(
    args: argparse.Namespace,
    access: Access,
    made: list[str],
    guards: Guards,
    board: Board | None,
) -> None:
    opening = opening_for_clients(args, guards.policy, shared=args.shared)
    host = BrowserHost(opening)
    new_client: Callable[[], ToolClient] = partial(
        ToolClient, host, shared=args.shared, **guards.hooks
    )
    if board is not None:
        new_client = board.new_client(host, {**guards.hooks, "shared": args.shared})

    def ready(address: str) -> None:
        print(f"BAP at {address}{BAP_PATH}", file=sys.stderr)
        print(f"Action Protocol at {address}{ACTION_PATH}", file=sys.stderr)
        for token in made:
            print(f"Authorization: Bearer {token}", file=sys.stderr)
        sys.stderr.flush()

    serving = asyncio.create_task(
        serve(
            new_client,
            access,
            args.port,
            host=args.host,
            approve=frozenset(args.ask),
            ready=ready,
        )
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, serving.cancel)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    finally:
        await host.aclose()
