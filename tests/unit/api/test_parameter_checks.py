"""Wrong parameters are refused before anything is done with them."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.api.parameter_checks import require_seconds, require_size
from cdp_agent.errors import InvalidParams


@pytest.mark.parametrize("size", [None, (1, 1), (800, 600), [375, 667]])
def test_a_size_that_a_window_can_have_is_taken(size: Any) -> None:
    require_size(size)


@pytest.mark.parametrize(
    "size", [(0, 0), (-1, 5), (1,), 5, "ab", (800.5, 600), (True, 1), (10**9, 1), {1: 2, 3: 4}]
)
def test_a_size_that_no_window_has_is_refused(size: Any) -> None:
    with pytest.raises(InvalidParams, match="viewport"):
        require_size(size)


@pytest.mark.parametrize("seconds", [0, -1, True, None, "5", float("nan"), float("inf")])
def test_a_time_that_never_comes_or_ends_is_refused(seconds: Any) -> None:
    with pytest.raises(InvalidParams, match="seconds"):
        require_seconds(seconds)
