"""Compares a snapshot with one by an engine that has never seen the page."""

from __future__ import annotations

from cdp_agent import Page, Snapshot
from cdp_agent.snapshot import SnapshotOptions, Snapshotter

#: A page that changes by itself is given this many chances to hold still.
_TRIES = 3


async def fresh_snapshot(page: Page, max_tokens: int | None = None) -> Snapshot:
    """The first snapshot of an engine that keeps nothing of the page."""
    return await Snapshotter(page._tab.target).take(SnapshotOptions(max_tokens=max_tokens))


def fields(snapshot: Snapshot) -> dict[str, object]:
    """Everything that a snapshot holds, by field, but for its own name and time."""
    unique = {str(e.id): snapshot.is_unique(e) for e in snapshot.elements}
    plain = snapshot.model_dump()
    del plain["snapshot_id"], plain["timestamp"]
    return {**plain, "nodes": snapshot.nodes, "unique": unique}


async def equal_snapshot(
    page: Page, context: object, max_tokens: int | None = None
) -> Snapshot | None:
    """The next snapshot, which equals a fresh one in every field.

    None: the page did not hold still long enough to compare.
    """
    before: dict[str, object] = {}
    for _ in range(_TRIES):
        snapshot = await page.snapshot(max_tokens=max_tokens)
        seen, after = fields(snapshot), fields(await fresh_snapshot(page, max_tokens))
        if seen == after:
            return snapshot
        if before == after:  # or else it changed by itself in between
            for key, value in after.items():
                assert seen[key] == value, f"{key} after {context}"
        before = after
    return None
