"""Mistakes in a list of steps are reported before any of them runs."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.api.composite.steps import plan
from cdp_agent.errors import InvalidParams

ONE = {"action": "press", "params": {"key": "a"}}
WRONG: dict[str, tuple[Any, str]] = {
    "no steps": ([], "1 to 50"),
    "the 51st": ([ONE] * 51, "1 to 50"),
    "no list": ("click", "list"),
    "a forbidden action": ([ONE, {"action": "evaluate", "params": {}}], "step 2: there is no act"),
    "another page": ([{"action": "press", "params": {"key": "a", "page": "p2"}}], "page cannot"),
    "a missing parameter": ([{"action": "fill", "params": {"ref": "0-1"}}], "value: missing"),
    "an unknown parameter": ([{"action": "press", "params": {"key": "a", "x": 1}}], "x: no such"),
    "a malformed id": ([{"action": "click", "params": {"ref": "zero"}}], "not an element id"),
    "two ways": ([{"action": "click", "params": {"selector": {"css": "a", "id": "0-1"}}}], "one w"),
    "too many retries": ([{**ONE, "max_retries": 6}], "max_retries"),
    "too short a delay": ([{**ONE, "retry_delay": 50}], "retry_delay"),
    "a state that is none": (
        [{**ONE, "condition": {"selector": "0-1", "state": "blue"}}],
        "condition.state",
    ),
    "milliseconds": ([{"action": "click", "params": {"ref": "0-1", "timeout": 5000}}], "timeout"),
}


@pytest.mark.parametrize(("steps", "message"), WRONG.values(), ids=WRONG.keys())
def test_all_steps_are_checked_before_any_is_run(steps: Any, message: str) -> None:
    with pytest.raises(InvalidParams, match=message):
        plan(steps)


def test_a_step_has_a_label_of_its_own() -> None:
    labels = [step.label for step in plan([ONE, {**ONE, "label": "go"}])]
    assert labels == ["1. press", "go"]


def test_other_words_for_an_action() -> None:
    assert plan([{"action": "goto", "params": {"url": "about:blank"}}])[0].action.name == "navigate"
