"""What callers give, checked before a page is touched."""

from __future__ import annotations

import math
from typing import Any

from cdp_agent.errors import InvalidParams


def require_seconds(given: Any) -> float:
    """Raises: InvalidParams: it is no time that ends."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not 0 < given < math.inf:
        raise InvalidParams(f"timeout must be a number of seconds, not {given!r}")
    return float(given)
