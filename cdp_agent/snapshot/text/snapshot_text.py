"""The text of a snapshot, whole or within its budget. Pure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise

from cdp_agent.snapshot.model import Snapshot
from cdp_agent.snapshot.text.budget import fit
from cdp_agent.snapshot.text.choices import is_closed_list
from cdp_agent.snapshot.text.layout import Line
from cdp_agent.snapshot.text.line import header
from cdp_agent.snapshot.text.tokens import estimate_tokens
from cdp_agent.text import one_line

#: The share of a budget that is spent: the estimate may be a little low.
_CERTAINTY = 0.95


def element_count(snapshot: Snapshot) -> int:
    """The number of elements with a line of their own; options of closed lists have none."""
    inside = 0
    for index, node in enumerate(snapshot.nodes):
        if is_closed_list(node):
            inside += sum(
                n.id is not None for n in snapshot.nodes[index + 1 : snapshot.ends[index]]
            )
    return sum(node.id is not None for node in snapshot.nodes) - inside


def snapshot_text(
    snapshot: Snapshot, lines: Sequence[Line] | None = None, known: Container[str] = ()
) -> str:
    """The whole text, or as much as fits into the snapshot's `max_tokens`.

    `lines` are those of the snapshot unless others are given. `known`: the keys of nodes whose
    lines are folded first.
    """
    lines = snapshot.lines if lines is None else lines
    news = [f"({one.line})" for one in snapshot.dialogs]
    news += [f"({one.line})" for one in snapshot.lost_values]
    first = "\n".join([header(snapshot), *news])
    last = [f"(warning: {one_line(warning, 300)})" for warning in snapshot.warnings]
    if snapshot.omitted:
        shown = element_count(snapshot)
        last.insert(0, f"({shown} of {shown + snapshot.omitted} elements)")
    if snapshot.is_partial:
        after = ((node, following.key) for node, following in pairwise(snapshot.nodes))
        snapshot.stubs.update({node.key: key for node, key in after if node.folded})
    if snapshot.max_tokens is None:
        return "\n".join([first, *(line.indented for line in lines), *last])
    left = int(snapshot.max_tokens * _CERTAINTY) - estimate_tokens("\n".join([first, *last]))
    return "\n".join([first, *fit(snapshot, lines, left, known), *last])
