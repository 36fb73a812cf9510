"""Options that come from outside: both spellings are taken, and what is unknown is an error."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.agent.predicate import element_test
from cdp_agent.agent.service import read_service
from cdp_agent.api.access.storage import require_state
from cdp_agent.api.composite.step_actions import ACTIONS, check_params, require_action
from cdp_agent.api.composite.steps import plan
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import SnapshotOptions
from cdp_agent.snapshot.options import Focus
from cdp_agent.tools.table import TOOLS, checked
from cdp_agent.ws_server.bap import wire
from cdp_agent.ws_server.bap.methods.agent import ObserveParams


@pytest.mark.parametrize("key", ["frame_index", "frameIndex"])
def test_focus_takes_both_spellings(key: str) -> None:
    options = SnapshotOptions.make(focus={key: 1, "selector": "#a"})

    assert options.focus == Focus(1, "#a")


WRONG_FOCUS: dict[str, Any] = {
    "a misspelt frame": {"frame_idx": 1, "selector": "#a"},
    "another name for it": {"frame": 1, "selector": "#a"},
    "a capital": {"FrameIndex": 1, "selector": "#a"},
    "both spellings": {"frame_index": 1, "frameIndex": 2, "selector": "#a"},
    "a frame in words": {"frame_index": "1", "selector": "#a"},
    "True": {"frame_index": True, "selector": "#a"},
    "no selector": {"frame_index": 1},
    "an empty one": {"selector": ""},
    "a number for it": {"selector": 3},
    "one more": {"selector": "#a", "exact": True},
    "a text": "#a",
}


@pytest.mark.parametrize("focus", WRONG_FOCUS.values(), ids=WRONG_FOCUS.keys())
def test_a_focus_that_is_misread_is_refused(focus: Any) -> None:
    with pytest.raises(InvalidParams):
        SnapshotOptions.make(focus=focus)


def test_snapshot_options_take_both_spellings() -> None:
    made = SnapshotOptions.make(maxTokens=500, viewportOnly=True, max_elements=3)

    assert made == SnapshotOptions(max_tokens=500, viewport_only=True, max_elements=3)
    with pytest.raises(InvalidParams):
        SnapshotOptions.make(maxtokens=500)
    with pytest.raises(InvalidParams):
        SnapshotOptions.make(max_tokens=500, maxTokens=500)


SELECTORS: dict[str, tuple[dict[str, Any], Selector]] = {
    "testId": ({"testId": "a"}, Selector("test_id", "a")),
    "type testId": ({"type": "testId", "value": "a"}, Selector("test_id", "a")),
    "frameIndex": ({"css": "p", "frameIndex": 2}, Selector("css", "p", frame=2)),
    "frame_index": ({"css": "p", "frame_index": 2}, Selector("css", "p", frame=2)),
}


@pytest.mark.parametrize(("given", "selector"), SELECTORS.values(), ids=SELECTORS.keys())
def test_selectors_take_both_spellings(given: dict[str, Any], selector: Selector) -> None:
    assert Selector.parse(given) == selector


WRONG_SELECTORS: dict[str, dict[str, Any]] = {
    "a name beside css": {"css": "p", "name": "Send"},
    "a role beside a label": {"type": "label", "value": "Name", "role": "textbox"},
    "two values": {"css": "p", "value": "q"},
    "two frames": {"css": "p", "frame": 1, "frame_index": 2},
    "a misspelt one": {"css": "p", "framIndex": 1},
    "no type": {"type": "testID", "value": "a"},
}


@pytest.mark.parametrize("given", WRONG_SELECTORS.values(), ids=WRONG_SELECTORS.keys())
def test_a_selector_of_which_a_part_would_be_ignored_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        Selector.parse(given)


def test_steps_take_both_spellings() -> None:
    [planned] = plan(
        [
            {
                "action": "doubleClick",
                "params": {"selector": {"testId": "a", "frameIndex": 0}},
                "onError": "retry",
                "maxRetries": 2,
                "retryDelay": 100,
            }
        ]
    )

    assert planned.action is ACTIONS["double_click"]
    assert (planned.step.on_error, planned.step.max_retries) == ("retry", 2)
    assert require_action("waitFor") is ACTIONS["wait"]


@pytest.mark.parametrize(
    "step",
    [
        {"action": "press", "params": {"key": "a"}, "onerror": "skip"},
        {"action": "press", "params": {"key": "a"}, "on_error": "skip", "onError": "stop"},
        {"action": "press", "params": {"key": "a", "keys": "b"}},
        {"action": "fill", "params": {"id": "0-1", "selector": "0-2", "value": "x"}},
        {"action": "fill", "params": {"id": "0-1", "value": "x", "text": "y"}},
    ],
)
def test_a_step_of_which_a_part_would_be_ignored_is_refused(step: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        plan([step])


def test_actions_take_both_spellings() -> None:
    given = {"ref": "0-1", "text": "x", "delayMs": 3, "commitEnter": True}
    params = dict(check_params(ACTIONS["type"], given))

    assert (params["delay_ms"], params["commit_enter"]) == (3, True)


@pytest.mark.parametrize("name", TOOLS)
def test_tools_refuse_an_unknown_argument(name: str) -> None:
    with pytest.raises(InvalidParams, match="no_such_argument"):
        checked(TOOLS[name], {"no_such_argument": 1})


def test_tools_take_both_spellings() -> None:
    args = checked(TOOLS["browser_snapshot"], {"interactiveOnly": True, "max_tokens": 500})

    assert (args.interactive_only, args.max_tokens) == (True, 500)


def test_the_wire_takes_the_spelling_of_its_protocol_alone() -> None:
    assert wire.checked(ObserveParams, {"maxElements": 3}).max_elements == 3
    with pytest.raises(InvalidParams, match="max_elements"):
        wire.checked(ObserveParams, {"max_elements": 3})


STATES_REFUSED: dict[str, Any] = {
    "a cookie's": {"cookies": [{"name": "a", "value": "b", "domain": "c", "partitionKey": "d"}]},
    "an origin's": {"origins": [{"origin": "https://a.test", "indexedDB": [{"name": "x"}]}]},
    "its own": {"cookies": [], "sessionStorage": {"a": "b"}},
}


@pytest.mark.parametrize("state", STATES_REFUSED.values(), ids=STATES_REFUSED.keys())
def test_a_storage_state_with_more_than_can_be_put_back_is_refused(state: Any) -> None:
    with pytest.raises(InvalidParams, match="cannot be put back"):
        require_state(state)


def test_a_storage_state_takes_both_spellings() -> None:
    cookie = {"name": "a", "value": "b", "domain": "c", "http_only": True, "sameSite": "Lax"}

    [read] = require_state({"cookies": [cookie]})["cookies"]

    assert (read["httpOnly"], read["sameSite"]) == (True, "Lax")


SERVICE = """name: a
checkpoints:
  - {{name: c, reason: r, when: {{text: x}}, {checkpoint}: [{{role: button, name: Go}}]}}
success:
  - {{when: {{text: y}}, {meaning}: done}}
"""


def test_a_service_with_a_misspelt_name_is_refused() -> None:
    assert read_service(SERVICE.format(checkpoint="guards", meaning="meaning"), "a").checkpoints
    for checkpoint, meaning in (("guard", "meaning"), ("guards", "meanings")):
        with pytest.raises(InvalidParams, match="has no"):
            read_service(SERVICE.format(checkpoint=checkpoint, meaning=meaning), "a")
    for element in ({"role": "button", "nmae": "Send"}, {"name": "a", "text": "b"}):
        with pytest.raises(InvalidParams):
            element_test(element)
