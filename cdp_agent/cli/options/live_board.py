"""`--live` of a command: the board of its browsers, served while the command runs."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cdp_agent.agent.safety.secrets import Secrets

if TYPE_CHECKING:
    from cdp_agent.live import Board


@contextlib.asynccontextmanager
async def live_board(args: argparse.Namespace, secrets: Secrets) -> AsyncIterator[Board | None]:
    """The board of a command with `add_live_options`, or None without `--live`.

    Raises:
        InvalidParams: the port is taken or is none.
    """
    if not args.live:
        yield None
        return
    from cdp_agent.live import Board, open_live

    board = Board(secrets)
    server = await open_live(board, port=args.live_port)
    print(f"live page at {server.url}", file=sys.stderr, flush=True)
    try:
        yield board
    finally:
        await server.aclose()
        await board.aclose()
