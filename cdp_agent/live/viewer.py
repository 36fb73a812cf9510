"""One person who looks at the live page, by one WebSocket.

Messages to them wait by key, the latest of each: a slow connection gets fewer pictures, and
never an ever longer queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from cdp_agent.agent.safety.approvals import Decision
from cdp_agent.errors import CdpAgentError, InvalidParams
from cdp_agent.live.board import Board
from cdp_agent.live.pane import Pane
from cdp_agent.live.viewer_messages import Answer, AnswerDialog, Message, Steer, Watch, parse

#: A viewer that takes nothing for so long is gone.
_SEND_SECONDS = 20.0


class LiveViewer:
    """A viewer of `board`; `attend` lasts as long as their connection."""

    def __init__(self, board: Board, connection: ServerConnection) -> None:
        self._board = board
        self._connection = connection
        self._messages: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self.widths: Mapping[str, int] = {}

    def put(self, key: str, message: dict[str, Any]) -> None:
        self._messages[key] = message
        self._news.set()
        self._idle.clear()

    async def attend(self) -> None:
        sending = asyncio.create_task(self._send(), name="live viewer")
        self._board.add_viewer(self)
        try:
            async for text in self._connection:
                try:
                    await self._take(parse(text))
                except CdpAgentError as error:
                    self.put("error", {"type": "error", **error.to_dict()})
        except ConnectionClosed:
            pass
        finally:
            self._board.remove_viewer(self)
            sending.cancel()
            await asyncio.wait([sending])

    async def _send(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._messages:
                    message = self._messages.pop(next(iter(self._messages)))
                    async with asyncio.timeout(_SEND_SECONDS):
                        await self._connection.send(self._written(message))
                self._idle.set()
        except (ConnectionClosed, TimeoutError):
            self._idle.set()
            self._connection.transport.abort()

    def _written(self, message: dict[str, Any]) -> str:
        """With `mine`: whether it is this viewer who drives."""
        if message["type"] == "pane":
            pane = self._board.panes.get(message["id"])
            mine = pane is not None and pane.control.holder is self
            message = {**message, "mine": mine}
            if message["state"] == "you drive" and not mine:
                message["state"] = "taken over"
        text = json.dumps(message, ensure_ascii=False, default=str)
        return text.encode(errors="replace").decode()  # half a surrogate pair cannot be sent

    async def flush(self, seconds: float) -> None:
        """Wait until all has been sent, at most so long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), seconds)

    async def _take(self, message: Message) -> None:
        if isinstance(message, Watch):
            new = message.panes.keys() - self.widths.keys()
            self.widths = message.panes
            self._board.look_again()
            self._board.show_last_frames(self, set(new))
            return
        pane = self._board.panes.get(message.pane)
        if pane is None:
            raise InvalidParams("this browser is not here any more")
        if isinstance(message, Answer):
            pane.answer(message.question, Decision(message.approved, message.words.strip()))
        elif isinstance(message, AnswerDialog):
            await pane.answer_dialog(message)
        elif isinstance(message, Steer):
            self._steer(pane, message.type)
        else:
            pane.forward(self, message)

    def _steer(self, pane: Pane, how: str) -> None:
        control = pane.control
        if how == "pause":
            control.pause()
        elif how == "resume":
            control.resume()
        elif how == "step":
            control.step()
        elif how == "take":
            control.take(self)
        else:
            control.give(self)
