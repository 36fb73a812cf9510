"""`--live` of a command: the board of its browsers, served while the command runs."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cdp_agent.agent.safety.secrets import Secrets

if TYPE_CHECKING:
    from cdp_agent.live import Board

_TOKEN_VARIABLE = "CDP_AGENT_LIVE_TOKEN"


@contextlib.asynccontextmanager
async def live_board(args: argparse.Namespace, secrets: Secrets) -> AsyncIterator[Board | None]:
    """The board of a command with `add_live_options`, or None without `--live`.

    Raises:
        InvalidParams: the port is taken or is none, or the token in the environment is too short.
    """
    if not args.live:
        yield None
        return
    from cdp_agent.live import Board, open_live

    board = Board(secrets)
    token = os.environ.get(_TOKEN_VARIABLE) or None
    server = await open_live(board, port=args.live_port, token=token)
    print(f"live page at {server.url}", file=sys.stderr, flush=True)
    try:
        yield board
    finally:
        await server.aclose()
        await board.aclose()
