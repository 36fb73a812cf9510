"""The interface that the protocol layer needs of a wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Receive = Callable[[bytes | bytearray], None]
Closed = Callable[[str], None]


class Transport(Protocol):
    """Carries whole messages both ways.

    Messages are handed to `receive` from the event loop, in order, as they arrive; `closed`
    is called once, with the reason, when no more will come. `send` never blocks: commands are
    small, and sending without waiting is what lets a caller have several under way.
    """

    def start(self, receive: Receive, closed: Closed) -> None: ...

    def send(self, message: bytes) -> None: ...

    async def aclose(self) -> None: ...
