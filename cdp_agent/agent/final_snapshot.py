"""The page at the end of a run, as a value that may be kept: no secret is in it."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.tool_caller import ToolCaller
from cdp_agent.errors import CdpAgentError
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.model import SnapshotSource

#: A run is over: a page that does not answer is not waited for.
_SECONDS = 5.0


async def final_snapshot(caller: ToolCaller, secrets: Secrets) -> Snapshot | None:
    """The page as it is now, or as the model saw it last where it cannot be captured."""
    try:
        snapshot: Snapshot | None = await caller.here.capture(timeout=_SECONDS)
    except CdpAgentError:
        snapshot = caller.shown
    return None if snapshot is None else masked(snapshot, secrets)


def masked(snapshot: Snapshot, secrets: Secrets) -> Snapshot:
    """The same page without the values of secrets and without its documents."""
    if not secrets:
        return snapshot
    mask = secrets.mask
    page = replace(snapshot.page, title=mask(snapshot.page.title), url=mask(snapshot.page.url))
    return replace(
        snapshot,
        page=page,
        frames=tuple(replace(frame, url=mask(frame.url)) for frame in snapshot.frames),
        nodes=tuple(
            replace(node, name=mask(node.name), value=_masked_value(node.value, secrets))
            for node in snapshot.nodes
        ),
        elements=tuple(
            replace(e, name=mask(e.name), value=_masked_value(e.value, secrets))
            for e in snapshot.elements
        ),
        _source=SnapshotSource(),
    )


def _masked_value(value: str | None, secrets: Secrets) -> str | None:
    return None if value is None else secrets.mask(value)
