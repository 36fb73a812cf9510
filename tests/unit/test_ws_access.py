"""Tokens, scopes, rates and what a log may show. No server."""

from __future__ import annotations

import pytest

from cdp_agent.api.actions import ACTIONS
from cdp_agent.errors import BlockedByPolicy, InvalidParams
from cdp_agent.ws_server import METHOD_SCOPES, SCOPES, Access, RateLimit
from cdp_agent.ws_server.access import redacted, weight


def test_every_method_has_a_scope_and_every_action_a_method() -> None:
    assert set(METHOD_SCOPES.values()) <= SCOPES
    assert {f"action/{name}" for name in ACTIONS} <= set(METHOD_SCOPES)


def test_tokens_have_the_scopes_they_were_given() -> None:
    access = Access.parse(["all-of-them", "only-look=look"])
    assert access.scopes_of("all-of-them") == SCOPES
    assert access.scopes_of("only-look") == frozenset({"look"})
    assert access.scopes_of("unknown-one") is None
    assert access.scopes_of("") is None


@pytest.mark.parametrize("token", ["short", "long-enough=fly"])
def test_bad_tokens_are_refused(token: str) -> None:
    with pytest.raises(InvalidParams):
        Access.parse([token])


def test_a_rate_is_used_up_and_says_when_to_come_back() -> None:
    rate = RateLimit(burst=10, per_second=0.001)
    rate.take(10)
    with pytest.raises(BlockedByPolicy) as caught:
        rate.take(1)
    assert caught.value.data["retry_after"] > 900


def test_a_composite_counts_as_its_steps() -> None:
    assert weight("agent/act", {"steps": [{}] * 7}) == 7
    assert weight("action/click", {"steps": [{}] * 7}) == 1


def test_what_would_be_typed_is_in_no_log() -> None:
    steps = [{"action": "fill", "params": {"ref": "0-1", "value": "hunter2"}}]
    shown = str(redacted({"steps": steps, "text": "hunter2"}))
    assert "hunter2" not in shown
    assert "0-1" in shown
