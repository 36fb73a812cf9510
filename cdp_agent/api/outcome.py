"""The outcome of an action: that it happened, and what it caused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cdp_agent.act.receipt import Receipt
from cdp_agent.snapshot import Snapshot, SnapshotDiff
from cdp_agent.targets.dialog import DialogInfo
from cdp_agent.targets.network.downloads import Download

if TYPE_CHECKING:
    from cdp_agent.api.page import Page


@dataclass(frozen=True)
class Outcome:
    """`success` is never set without evidence; what went wrong is raised instead."""

    success: bool
    healed: bool = False
    #: False: something that the action began was not over at the ceiling.
    settled: bool = True
    receipt: Receipt | None = None
    #: The address that the page or the element's frame navigated to, or None.
    navigated: str | None = None
    #: Dialogs that opened during the action, after those (`earlier`) that opened before it and that
    #: no other result has reported.
    dialogs: tuple[DialogInfo, ...] = ()
    #: Tabs that it opened.
    new_pages: tuple[Page, ...] = ()
    #: Files that it had sent, finished or not.
    downloads: tuple[Download, ...] = ()
    console_errors: tuple[str, ...] = ()
    #: What was still under way at the bound of the wait: `2 requests`; empty: nothing was.
    loading: str = ""
    #: What the page wrote to a server meanwhile, and what failed: `PUT /note 204`.
    requests: tuple[str, ...] = ()
    #: Facts of the action: value after typing, position after scrolling …
    #: `elsewhere` lists addresses for other programs (`tel:`) that it led to; they are not opened.
    #: `lost_values`: what this or earlier actions gave to elements and the page has changed since.
    data: Mapping[str, Any] = field(default_factory=dict)
    #: With `observe`; None while a dialog is open, or not seen in time: `data["look"]` says why.
    snapshot: Snapshot | None = None
    #: The page before the action, as it was last seen.
    before: Snapshot | None = field(default=None, repr=False)

    @cached_property
    def diff(self) -> SnapshotDiff | None:
        """The page's diff; None where the whole text is shorter, or without `observe`."""
        if self.snapshot is None or self.before is None:
            return None
        diff = self.snapshot.unfiltered.diff(self.before)
        return diff if diff.is_worth_it else None
