"""The guide's page on `serve` names every method and the scopes' families."""

from __future__ import annotations

import json
import re

from cdp_agent.cli.commands.guide import page
from cdp_agent.ws_server.access import FAMILIES, FREE_METHODS
from cdp_agent.ws_server.bap.methods.actions import require_step_method


def test_the_page_names_every_method() -> None:
    """Seed row 49: the methods and the scopes' families are written down."""
    [listed] = re.findall(r"\*\*Methods\*\*: (.*?)\n\n", page("serve"), re.S)
    for family, names in FAMILIES.items():
        assert f"`{family}/" in listed
        assert [name for name in names if not re.search(rf"\b{name}\b", listed)] == []
    for method in FREE_METHODS - {"notifications/initialized"}:
        assert method in listed


def test_its_messages_are_messages() -> None:
    [block] = re.findall(r"```json\n(.*?)```", page("serve"), re.S)
    decoder, messages = json.JSONDecoder(), []
    while block.strip():
        message, end = decoder.raw_decode(block.lstrip())
        messages.append(message)
        block = block.lstrip()[end:]
    assert [message["method"] for message in messages] == ["initialize", "agent/act"]
    for step in messages[1]["params"]["steps"]:
        require_step_method(step["action"])
