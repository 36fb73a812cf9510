"""The layout facts of one session's documents, while a look is under way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.ledger import Ledger
from cdp_agent.snapshot.renewal import Renewal


@dataclass(slots=True)
class Layout:
    """The layout facts of one session, on their way or there."""

    #: The documents are asked what changed, before anything else is asked.
    is_told: bool
    reply: asyncio.Task[dict[str, DomFacts]] = field(init=False)
    #: Set when the facts are on their way: what is asked from then on is no older than they.
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    #: By frame id, where the documents told what changed.
    renewals: dict[str, tuple[Renewal, Ledger]] = field(default_factory=dict)
    #: By frame id, where they compare from this look on.
    ledgers: dict[str, Ledger] = field(default_factory=dict)

    async def in_turn(self) -> None:
        """Wait until what is asked is answered after the facts, or there will be none."""
        if self.asked.is_set():
            return
        asked = asyncio.ensure_future(self.asked.wait())
        try:
            await asyncio.wait([asked, self.reply], return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()

    async def wait(self) -> dict[str, DomFacts]:
        """By frame id. Raises what the command raised."""
        await asyncio.wait([self.reply])  # many wait for it: none may cancel it
        return self.facts

    @property
    def facts(self) -> dict[str, DomFacts]:
        return self.reply.result()

    @property
    def is_there(self) -> bool:
        return self.reply.done() and not self.reply.cancelled() and self.reply.exception() is None

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self.reply.cancel()
