"""The text of a snapshot, whole or within its budget. Pure."""

from __future__ import annotations

from cdp_agent.snapshot.model import Snapshot
from cdp_agent.snapshot.text.budget import fit
from cdp_agent.snapshot.text.line import header
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line

#: The share of a budget that is spent: the estimate may be a little low.
_CERTAINTY = 0.95


def snapshot_text(snapshot: Snapshot) -> str:
    """The whole text, or as much as fits into the snapshot's `max_tokens`."""
    news = [f"({one.line})" for one in snapshot.dialogs]
    news += [f"({one.line})" for one in snapshot.lost_values]
    first = "\n".join([header(snapshot), *news])
    last = [f"(warning: {one_line(warning, 300)})" for warning in snapshot.warnings]
    if snapshot.omitted:
        last.insert(0, f"({snapshot.omitted} more elements left out)")
    if snapshot.max_tokens is None:
        return "\n".join([first, *(line.indented for line in snapshot.lines), *last])
    left = int(snapshot.max_tokens * _CERTAINTY) - estimate_tokens("\n".join([first, *last]))
    return "\n".join([first, *fit(snapshot, snapshot.lines, left), *last])
