"""Messages of a viewer: a wrong one is an error that names the field and not its value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_agent.errors import InvalidParams
from cdp_agent.live.viewer_messages import KeyInput, MouseInput, Watch, parse

WRONG: dict[str, Any] = {
    "no type": {"pane": "1"},
    "another type": {"type": "evaluate", "expression": "1"},
    "a list": [],
    "more than there is": {"type": "pause", "pane": "1", "all": True},
    "a point outside": {"type": "mouse", "pane": "1", "kind": "mouseMoved", "x": 1.5, "y": 0},
    "another event": {"type": "mouse", "pane": "1", "kind": "touchStart", "x": 0, "y": 0},
    "a huge picture": {"type": "watch", "panes": {"1": 100_000}},
    "a long text": {"type": "text", "pane": "1", "text": "x" * 20_000},
    "an empty text": {"type": "text", "pane": "1", "text": ""},
    "a word for yes": {"type": "answer", "pane": "1", "question": "1", "approved": "yes"},
    "no accept": {"type": "dialog", "pane": "1", "message": ""},
}


@pytest.mark.parametrize("message", WRONG.values(), ids=WRONG.keys())
def test_another_message_is_an_error(message: Any) -> None:
    with pytest.raises(InvalidParams):
        parse(json.dumps(message))


@pytest.mark.parametrize("text", ["", "{", "null", '{"type": NaN}', b"\xff"])
def test_what_is_no_json_is_an_error(text: str | bytes) -> None:
    with pytest.raises(InvalidParams):
        parse(text)


def test_an_error_does_not_repeat_what_was_typed() -> None:
    with pytest.raises(InvalidParams) as caught:
        parse(json.dumps({"type": "text", "pane": "1", "text": ["hunter2"]}))
    assert "hunter2" not in str(caught.value)


def test_messages_become_values() -> None:
    assert parse('{"type": "watch", "panes": {"1": 640}}') == Watch(type="watch", panes={"1": 640})
    mouse = parse('{"type": "mouse", "pane": "1", "kind": "mouseMoved", "x": 0.5, "y": 1}')
    assert isinstance(mouse, MouseInput)
    assert (mouse.x, mouse.y, mouse.button) == (0.5, 1.0, "none")
    key = parse('{"type": "key", "pane": "1", "kind": "down", "key": "Enter", "code": "Enter"}')
    assert isinstance(key, KeyInput)
