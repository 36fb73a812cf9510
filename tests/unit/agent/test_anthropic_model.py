"""The real SDK against a Messages API of our own: whole answers, busy servers, broken streams."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cdp_agent import ModelError
from cdp_agent.agent.models.anthropic_model import AnthropicModel, Pace
from cdp_agent.agent.models.model_interface import ModelRequest, Price, Usage
from tests.support.messages_api import (
    Drop,
    FailInside,
    MessagesApi,
    Refuse,
    Say,
    Stall,
    Turn,
    Use,
    use,
)

REQUEST = ModelRequest(
    "You act in a browser.",
    [{"role": "user", "content": [{"type": "text", "text": "Go."}]}],
    [{"name": "browser_snapshot", "description": "Look.", "input_schema": {"type": "object"}}],
)
QUICK = Pace(attempts=4, first_pause=0.001, longest_pause=0.002, silence=5)

Talk = Callable[..., AbstractAsyncContextManager[tuple[AnthropicModel, MessagesApi]]]


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def talk(pauses: list[float]) -> Talk:
    @asynccontextmanager
    async def talk(
        *turns: Turn, **options: Any
    ) -> AsyncIterator[tuple[AnthropicModel, MessagesApi]]:
        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        with MessagesApi(turns) as api:
            model = AnthropicModel(
                "test", api_key="k", base_url=api.url, sleep=sleep, **{"pace": QUICK, **options}
            )
            try:
                yield model, api
            finally:
                await model.aclose()

    return talk


async def test_words_and_calls_come_together_from_the_stream(talk: Talk) -> None:
    turn = Say("I click the link.", (Use("browser_click", {"ref": "0-7"}),))
    async with talk(turn) as (model, api):
        reply = await model.reply(REQUEST)

    assert reply.text == "I click the link."
    assert [(call.name, call.arguments, call.problem) for call in reply.calls] == [
        ("browser_click", {"ref": "0-7"}, "")
    ]
    assert reply.usage == Usage(100, 20, 50, 0)
    assert reply.stop_reason == "tool_use"
    assert api.problems == []


async def test_tools_system_and_the_last_message_are_cached(talk: Talk) -> None:
    async with talk(Say("yes")) as (model, api):
        await model.reply(REQUEST)

    body = api.requests[0]
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    assert body["stream"] is True
    assert body["tool_choice"]["disable_parallel_tool_use"] is True
    assert "cache_control" not in REQUEST.messages[0]["content"][0]  # the caller's is left alone


async def test_arguments_that_are_no_json_are_said_not_thrown(talk: Talk) -> None:
    async with talk(Say(uses=(Use("browser_click", raw='{"ref": "0-'),))) as (model, _):
        reply = await model.reply(REQUEST)

    assert "no JSON" in reply.calls[0].problem
    assert reply.content[0]["input"] == {}


HEALED: dict[str, Turn] = {
    "rate limit": Refuse(429, "rate_limit_error"),
    "overload": Refuse(529, "overloaded_error"),
    "server error": Refuse(500),
    "gateway": Refuse(502),
    "overload inside the stream": FailInside(),
    "line breaks in the middle": Drop(),
}


@pytest.mark.parametrize("trouble", HEALED.values(), ids=HEALED.keys())
async def test_what_time_heals_is_asked_again(
    talk: Talk, trouble: Turn, pauses: list[float]
) -> None:
    async with talk(trouble, trouble, use("browser_snapshot")) as (model, api):
        reply = await model.reply(REQUEST)

    assert reply.calls[0].name == "browser_snapshot"
    assert reply.attempts == 3
    assert len(api.requests) == 3
    assert len(pauses) == 2


async def test_a_silent_stream_is_given_up_and_asked_again(talk: Talk) -> None:
    pace = Pace(attempts=3, first_pause=0.001, silence=0.3)
    async with talk(Stall(), Say("here I am"), pace=pace) as (model, _):
        assert (await model.reply(REQUEST)).text == "here I am"


async def test_the_pause_is_at_least_what_the_server_asks_for(
    talk: Talk, pauses: list[float]
) -> None:
    busy = Refuse(429, "rate_limit_error", {"retry-after": "7"})
    async with talk(busy, Say("now")) as (model, _):
        await model.reply(REQUEST)

    assert pauses == [7.0]


def test_pauses_double_with_jitter_up_to_a_limit() -> None:
    pace = Pace(first_pause=1, longest_pause=5)

    for attempt, ceiling in enumerate((1, 2, 4, 5, 5), 1):
        assert ceiling / 2 <= pace.pause(attempt, None) <= ceiling
    assert len({pace.pause(3, None) for _ in range(20)}) > 1


async def test_a_server_that_stays_busy_is_an_error_in_the_end(talk: Talk) -> None:
    async with talk(*[Refuse(529, "overloaded_error")] * 9) as (model, api):
        with pytest.raises(ModelError, match="4 attempts") as caught:
            await model.reply(REQUEST)

    assert len(api.requests) == 4
    assert caught.value.hint


REFUSED = {
    "key": (Refuse(401, "authentication_error"), "ANTHROPIC_API_KEY"),
    "model": (Refuse(404, "not_found_error"), "--model"),
    "request": (Refuse(400, "invalid_request_error", message="too long"), ""),
}


@pytest.mark.parametrize(("turn", "hint"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_time_does_not_heal_is_said_at_once(talk: Talk, turn: Turn, hint: str) -> None:
    async with talk(turn) as (model, api):
        with pytest.raises(ModelError) as caught:
            await model.reply(REQUEST)

    assert hint in caught.value.hint
    assert len(api.requests) == 1


def test_without_a_key_it_says_how_to_set_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(ModelError) as caught:
        AnthropicModel()

    assert "ANTHROPIC_API_KEY" in caught.value.hint
    assert "demo" in caught.value.hint


async def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with MessagesApi([Say("hello")]) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("CDP_AGENT_MODEL", "local-model")
        model = AnthropicModel()
        try:
            assert (await model.reply(REQUEST)).text == "hello"
        finally:
            await model.aclose()

    assert api.requests[0]["model"] == "local-model"


def test_cost_counts_cached_tokens_at_their_price() -> None:
    usage = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000)

    assert Price(3, 15).of(usage) == pytest.approx(3 + 15 + 0.3 + 3.75)
