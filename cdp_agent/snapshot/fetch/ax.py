"""Commands for the accessibility tree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cdp_agent.protocol import Session
from cdp_agent.snapshot.ax.tree import AxTree

if TYPE_CHECKING:
    from cdp_use.cdp.accessibility.commands import (
        GetFullAXTreeParameters,
        GetPartialAXTreeParameters,
    )


def enable_ax(session: Session) -> None:
    """Keep Chromium's accessibility cache between captures: it is a third of their cost."""
    session.send_only("Accessibility.enable")


def renew_ax(session: Session) -> None:
    """Drop the cache and begin another."""
    session.send_only("Accessibility.disable")
    enable_ax(session)


def full_tree(session: Session, frame_id: str, seconds: float) -> asyncio.Future[AxTree]:
    params: GetFullAXTreeParameters = {"frameId": frame_id}
    return session.post("Accessibility.getFullAXTree", params, into=AxTree, timeout=seconds)


def single_node(session: Session, backend: int, seconds: float) -> asyncio.Future[AxTree]:
    """One node, without its relatives."""
    return _partial(session, backend, seconds, relatives=False)


def node_with_relatives(session: Session, backend: int, seconds: float) -> asyncio.Future[AxTree]:
    """A node with its ancestors and its direct children.

    `getChildAXNodes` would do for those, but then Chromium sends an event for each change to them.
    """
    return _partial(session, backend, seconds, relatives=True)


def _partial(
    session: Session, backend: int, seconds: float, *, relatives: bool
) -> asyncio.Future[AxTree]:
    params: GetPartialAXTreeParameters = {"backendNodeId": backend, "fetchRelatives": relatives}
    return session.post("Accessibility.getPartialAXTree", params, into=AxTree, timeout=seconds)


async def all_trees(replies: Iterable[asyncio.Future[AxTree]]) -> list[AxTree]:
    """Wait for all of them, so that an error leaves none behind. Raises the first error."""
    waiting = list(replies)
    if waiting:
        await asyncio.wait(waiting)
    return [reply.result() for reply in waiting]
