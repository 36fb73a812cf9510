"""Answers of a page's scripts as Python values."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cdp_agent.errors import BrowserError
from cdp_agent.resolve.live import script_value

VALUES: dict[str, tuple[dict[str, Any], Any]] = {
    "a value": ({"type": "object", "value": {"a": [1]}}, {"a": [1]}),
    "nothing": ({"type": "undefined"}, None),
    "an infinity": ({"type": "number", "unserializableValue": "-Infinity"}, -math.inf),
    "a large number": (
        {"type": "bigint", "unserializableValue": "12345678901234567890n"},
        12345678901234567890,
    ),
}


def reply(result: dict[str, Any], **more: Any) -> Any:
    return {"result": result, **more}


@pytest.mark.parametrize(("result", "value"), VALUES.values(), ids=VALUES.keys())
def test_a_value_is_what_the_script_gave(result: dict[str, Any], value: Any) -> None:
    assert script_value(reply(result)) == value


def test_what_is_no_number_is_none_of_ours_either() -> None:
    assert math.isnan(script_value(reply({"unserializableValue": "NaN"})))


def test_what_a_script_throws_is_an_error() -> None:
    with pytest.raises(BrowserError, match="broken"):
        script_value(reply({}, exceptionDetails={"text": "broken"}))
