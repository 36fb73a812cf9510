"""Default times of actions whose duration depends on their work."""

from __future__ import annotations

from typing import Any

from cdp_agent.action_table.limits import LONGEST
from cdp_agent.config import ACTION_TIMEOUT


def typing_seconds(text: Any, delay_ms: Any = 0) -> float:
    """The time for typing when its caller names none: it is slow by design."""
    delay = delay_ms if isinstance(delay_ms, int | float) else 0
    keys = len(text) if isinstance(text, str) else 0
    return min(LONGEST, ACTION_TIMEOUT + keys * (max(delay, 0) / 1000 + 0.01))


def pressing_seconds(times: Any) -> float:
    """The time for presses of a key when their caller names none."""
    further = times - 1 if isinstance(times, int) else 0
    return min(LONGEST, ACTION_TIMEOUT + 0.5 * max(further, 0))


def scrolling_seconds(until: str | None) -> float:
    """The time for scrolling when its caller names none: a search takes many steps."""
    return ACTION_TIMEOUT if until is None else 30.0
