"""Commands of the Action Protocol as seed 003 writes them, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_agent.errors import InvalidParams
from cdp_agent.ws_server.action_protocol.action_commands import read_command

#: The examples of sections 2 and 6 of the document.
EXAMPLES: list[dict[str, Any]] = [
    {"type": "navigate_to", "url": "https://example.com"},
    {"type": "click_element", "ref": 1},
    {"type": "type_text", "ref": 2, "text": "Hello World"},
    {"type": "scroll_to", "x": 0, "y": 500},
]


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command["type"])
def test_a_command_comes_in_its_envelope_or_alone(command: dict[str, Any]) -> None:
    assert read_command(json.dumps({"type": "ActionCommand", "data": command})) == command
    assert read_command(json.dumps(command)) == command


@pytest.mark.parametrize(
    "message",
    ["{", "[1]", "7", "{}", '{"type": "ActionCommand"}', '{"type": ["click_element"]}'],
)
def test_what_is_no_command_is_refused(message: str) -> None:
    with pytest.raises(InvalidParams):
        read_command(message)


def test_a_command_alone_is_held_to_its_fields() -> None:
    with pytest.raises(InvalidParams, match="click_element has no 'reff'"):
        read_command('{"type": "click_element", "reff": 1}')
