"""What is under way for the frames of a page while a look is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import Any

from cdp_agent.errors import CommandTimeout
from cdp_agent.ids import LoaderId
from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax import AxTree
from cdp_agent.snapshot.dom import DomFacts
from cdp_agent.snapshot.layout import Layout
from cdp_agent.snapshot.parts import Part
from cdp_agent.targets import Frame


@dataclass(slots=True)
class Fetch:
    """What is under way for one frame."""

    frame: Frame
    session: Session
    loader_id: LoaderId
    tree: asyncio.Future[AxTree]
    #: The layout of its session; None where only a part is fetched.
    layout: Layout | None = None
    vitals: asyncio.Future[dict[str, Any]] | None = None
    unseen: asyncio.Future[dict[str, Any]] | None = None
    owner: asyncio.Future[dict[str, Any]] | None = None
    box: asyncio.Future[dict[str, Any]] | None = None
    problem: str = ""
    #: Of a large document only this is fetched.
    part: asyncio.Future[Part] | None = None


async def main_frame(
    fetch: Fetch, metrics: asyncio.Future[dict[str, Any]], seconds: float
) -> tuple[dict[str, DomFacts], dict[str, Any]]:
    """The facts of the main frame's process and the viewport, once the tree is there as well.

    Raises:
        CommandTimeout: they are not there in time. One command after another may be given up,
            each in its own time, and what the last look left under way has the time of that look.
    """
    facts: dict[str, DomFacts] = {}
    try:
        async with asyncio.timeout(seconds):
            await fetch.tree
            if fetch.part is None and fetch.layout is not None:
                facts.update(await fetch.layout.wait())
            return facts, await metrics
    except TimeoutError:
        raise CommandTimeout(f"the page was not seen within {seconds:.3g} s") from None


def drop(fetches: Iterable[Fetch], layouts: Iterable[Layout]) -> None:
    """Nobody waits for them any more; nothing happens to what is done."""
    for fetch in fetches:
        fetch.tree.cancel()
        if fetch.part is not None:
            fetch.part.cancel()
        if fetch.unseen is not None:
            fetch.unseen.cancel()
    for layout in layouts:
        layout.drop()


async def wait_all(waiting: Iterable[Awaitable[Any]], seconds: float) -> None:
    futures = [asyncio.ensure_future(one) for one in waiting]
    if futures:
        _, late = await asyncio.wait(futures, timeout=seconds)
        for one in late:
            one.cancel()


async def tree_of(part: asyncio.Future[Part]) -> AxTree:
    return (await asyncio.shield(part)).tree
