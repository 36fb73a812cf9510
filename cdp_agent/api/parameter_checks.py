"""Checks of callers' parameters, made before a page is touched."""

from __future__ import annotations

import math
from typing import Any

from cdp_agent.action_table.limits import MOST_PIXELS
from cdp_agent.errors import InvalidParams


def require_seconds(given: Any) -> float:
    """Raises: InvalidParams: not a positive number of seconds."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not 0 < given < math.inf:
        raise InvalidParams(f"timeout must be a number of seconds, not {given!r}")
    return float(given)


def require_size(given: Any) -> None:
    """Raises: InvalidParams: it is neither None nor a possible width and height."""
    if given is None:
        return
    is_pair = isinstance(given, list | tuple) and len(given) == 2
    if not is_pair or not all(type(one) is int and 1 <= one <= MOST_PIXELS for one in given):
        raise InvalidParams(
            f"viewport must be (width, height) in whole pixels up to {MOST_PIXELS}, not {given!r}"
        )
