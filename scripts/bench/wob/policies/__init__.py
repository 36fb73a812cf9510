"""Policies by kind of task. Each reads the sentence and the page's text, and nothing else."""

from __future__ import annotations

from scripts.bench.wob.policies import choices, clicks, forms, mail, search, widgets
from scripts.bench.wob.policies.policy import Policy

POLICIES: dict[str, Policy] = {
    **clicks.POLICIES,
    **choices.POLICIES,
    **forms.POLICIES,
    **widgets.POLICIES,
    **search.POLICIES,
    **mail.POLICIES,
}
