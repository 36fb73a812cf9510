"""Schedules: a seed says which fault strikes which call, and before which of its messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from cdp_agent import Page, Snapshot

#: Seconds that a call is given.
SECONDS = 4.0

#: The codes that a call may end with, by the fault. An empty one is success.
CODES: dict[str, frozenset[str]] = {
    "renderer killed": frozenset(
        ("", "target_crashed", "frame_detached", "stale_ref", "timeout", "navigation_failed")
    ),
    "GPU process killed": frozenset(("", "timeout")),
    "browser killed": frozenset(("", "connection_lost")),
    "socket cut": frozenset(("", "connection_lost")),
    "socket slow": frozenset(("", "timeout")),
    "socket half open": frozenset(("", "timeout")),
    "replies lost": frozenset(("", "timeout")),
    "frame detached": frozenset(("", "frame_detached", "stale_ref", "element_not_found")),
    "frame navigated": frozenset(("", "frame_detached", "stale_ref", "timeout")),
    # A frame of a document that was left is not shown any more.
    "page navigated": frozenset(
        ("", "frame_detached", "stale_ref", "navigation_failed", "element_not_visible")
    ),
}
FAULTS = tuple(CODES)
#: Seeds that have found a fault of ours: typing in a removed frame (7) and in a document that was
#: left (119), a hit test that got no answer taken for a frame out of sight (66), an iframe element
#: of a document that was left (149).
FOUND = (7, 66, 119, 149)
#: A call sends up to about so many messages.
_MOST_MESSAGES = 12

Call = Callable[[Page, Snapshot], Awaitable[object]]

CALLS: dict[str, Call] = {
    "click": lambda page, seen: page.click(seen.find("button", "Order").id, timeout=SECONDS),
    "click in a frame": lambda page, seen: page.click(
        seen.find("button", "Pay").id, timeout=SECONDS
    ),
    "click, observed": lambda page, seen: page.click(
        seen.find("button", "Order").id, observe=True, timeout=SECONDS
    ),
    "fill": lambda page, seen: page.fill(seen.find("textbox", "Name").id, "Ada", timeout=SECONDS),
    "fill in a frame": lambda page, seen: page.fill(
        seen.find("textbox", "Card").id, "4242", timeout=SECONDS
    ),
    "select": lambda page, seen: page.select(
        seen.find("combobox", "Size").id, label="Large", timeout=SECONDS
    ),
    "press": lambda page, _: page.press("Tab", timeout=SECONDS),
    "snapshot": lambda page, _: page.snapshot(timeout=SECONDS),
    "screenshot": lambda page, _: page.screenshot(timeout=SECONDS),
    "reload": lambda page, _: page.reload(timeout=SECONDS),
    "wait": lambda page, _: page.wait_for(text="Lamp", timeout=SECONDS),
    "evaluate": lambda page, _: page.evaluate("document.title", timeout=SECONDS),
}


@dataclass(frozen=True)
class Schedule:
    seed: int
    fault: str
    call: str
    #: The message of the call before which it strikes.
    message: int
    #: For what the fault itself may choose.
    choice: float

    @classmethod
    def of(cls, seed: int) -> Schedule:
        """The faults take turns, so that a dozen seeds have each of them."""
        random = Random(seed)
        return cls(
            seed,
            FAULTS[seed % len(FAULTS)],
            random.choice(sorted(CALLS)),
            random.randint(1, _MOST_MESSAGES),
            random.random(),
        )

    def __str__(self) -> str:
        return f"{self.seed}: {self.fault} before message {self.message} of {self.call}"
