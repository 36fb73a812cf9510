"""Models that read what they are told, and what a request to one has told it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from cdp_agent.agent.models.anthropic_model import AnthropicModel, Pace
from tests.support.messages_api import (
    MessagesApi,
    Policy,
    Turn,
    use,
)


@asynccontextmanager
async def model_of(
    turns: list[Turn] | Policy,
) -> AsyncIterator[tuple[AnthropicModel, MessagesApi]]:
    with MessagesApi(turns) as api:
        model = AnthropicModel(
            "test",
            api_key="k",
            base_url=api.url,
            pace=Pace(attempts=4, first_pause=0.001, longest_pause=0.002),
        )
        try:
            yield model, api
        finally:
            await model.aclose()


def last_text(body: Mapping[str, Any]) -> str:
    """The last text that the model received."""
    blocks = body["messages"][-1]["content"]
    texts: list[str] = []
    for block in blocks:
        parts = block.get("content", [block])
        texts.extend(part.get("text", "") for part in parts)
    return "\n".join(texts)


def shown(body: Mapping[str, Any]) -> str:
    """All that the model can see, the newest last."""
    users = [message for message in body["messages"] if message["role"] == "user"]
    return "\n".join(last_text({"messages": [message]}) for message in users)


def ref(body: Mapping[str, Any], role: str, name: str) -> str:
    """The id that the newest line with that role and name shows."""
    found = re.findall(rf'\[(\d+-\d+)\] {role} "{name}', shown(body))
    assert found, f"no {role} {name!r} in:\n{shown(body)}"
    return str(found[-1])


def careful(body: Mapping[str, Any]) -> Turn:
    """A model that reads the page and does the next right thing."""
    seen = shown(body)
    newest = last_text(body)
    if "has been cancelled" in newest:
        return use("complete_task", success=True, summary="Cancelled.")
    if 'checkbox "I understand' in newest and " checked" in newest:
        return use("browser_click", ref=ref(body, "button", "Finish"))
    if 'checkbox "I understand' in newest:
        return use("browser_click", ref=ref(body, "checkbox", "I understand"))
    if "Confirm cancellation" in newest:
        return use("browser_snapshot")
    if "Before you go" in newest:
        return use("browser_click", ref=ref(body, "link", "Continue"))
    assert "Your account" in seen
    return use("browser_click", ref=ref(body, "link", "Cancel membership"))
