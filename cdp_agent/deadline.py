"""Deadlines: moments of `time.monotonic`, and the seconds until one."""

from __future__ import annotations

import time


def seconds_until(deadline: float, at_least: float = 0.0) -> float:
    """The seconds that are left, at least so many: a reply that is on its way may still arrive."""
    return max(deadline - time.monotonic(), at_least)
