"""Whether a look at a page that was looked at before shows what a first look would."""

from __future__ import annotations

from cdp_agent import Page, Snapshot
from cdp_agent.snapshot import Capturer, SnapshotOptions, take_snapshot
from cdp_agent.snapshot.memory import Memory

#: A page that changes by itself is given this many chances to hold still.
_TRIES = 3


async def look_afresh(page: Page, max_tokens: int | None = None) -> Snapshot:
    """What somebody sees who has never seen the page, and of whom it knows nothing."""
    capturer = Capturer(page._target, _memory=Memory(keeps_ledgers=False))
    return await take_snapshot(capturer, SnapshotOptions(max_tokens=max_tokens))


def plain(snapshot: Snapshot) -> dict[str, object]:
    """All that a snapshot says, by field."""
    return {**snapshot.model_dump(), "nodes": snapshot.nodes, "kinds": dict(snapshot.kinds)}


async def look_and_compare(page: Page, said: object) -> Snapshot | None:
    """The next look, which equals one by somebody who has never seen the page, field by field.

    None: the page did not hold still long enough to compare.
    """
    before: dict[str, object] = {}
    for _ in range(_TRIES):
        snapshot = await page.snapshot()
        seen, after = plain(snapshot), plain(await look_afresh(page))
        if seen == after:
            return snapshot
        if before == after:  # or else it changed by itself in between
            for key, value in after.items():
                assert seen[key] == value, f"{key} after {said}"
        before = after
    return None
