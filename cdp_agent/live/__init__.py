"""The live page: people watch what browsers show, answer questions, and take over.

A `Board` has one `Pane` for each browser that is watched; `open_live` serves it on loopback. A
batch has a `BatchView` as a watcher, shows each task's run by `show_run` (or, for steps, a session
with `board.open_pane(…).around(hooks)`) and ends its pane by `board.close_pane`.
"""

from cdp_agent.live.agent_watcher import LiveApprover, ShownRun, show_run
from cdp_agent.live.batch_view import BatchView
from cdp_agent.live.board import Board
from cdp_agent.live.overview import Overview
from cdp_agent.live.pane import Pane
from cdp_agent.live.server import LiveServer, open_live

__all__ = [
    "BatchView",
    "Board",
    "LiveApprover",
    "LiveServer",
    "Overview",
    "Pane",
    "ShownRun",
    "open_live",
    "show_run",
]
