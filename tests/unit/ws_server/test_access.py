"""Tokens, scopes, rates and what a log may show. No server."""

from __future__ import annotations

import pytest

from cdp_agent.errors import BlockedByPolicy, InvalidParams
from cdp_agent.ws_server import METHODS, Access, RateLimit
from cdp_agent.ws_server.access import (
    EVENT_KINDS,
    FREE_METHODS,
    allows,
    redacted,
    require_scope,
    scopes_for,
    weight,
)
from cdp_agent.ws_server.bap import connection


def test_every_method_has_a_handler_and_every_handler_a_scope() -> None:
    assert {*METHODS, *FREE_METHODS} == set(connection.METHODS)
    assert not any(scopes_for(method) == () for method in METHODS)


def test_tokens_have_the_scopes_they_were_given() -> None:
    access = Access.parse(["all-of-them", "only-look=observe:*,agent:execute"])
    assert access.scopes_of("all-of-them") == frozenset({"*"})
    assert access.scopes_of("only-look") == frozenset({"observe:*", "agent:execute"})
    assert access.scopes_of("unknown-one") is None
    assert access.scopes_of("") is None


@pytest.mark.parametrize("token", ["short", "long-enough=fly", "long-enough=action:fly"])
def test_bad_tokens_are_refused(token: str) -> None:
    with pytest.raises(InvalidParams):
        Access.parse([token])


#: As seed 000 names them, and the few that go with them.
ALLOWED = {
    "agent/execute": {"agent:execute", "agent:act", "agent:*", "*"},
    "agent/snapshot": {"agent:snapshot", "agent:observe", "observe:*", "agent:*", "*"},
    "action/click": {"action:click", "action:*", "*"},
    "action/clear": {"action:clear", "action:fill", "action:*", "*"},
    "page/list": {"page:list", "page:read", "observe:*", "page:*", "*"},
    "storage/getCookies": {"storage:getCookies", "storage:read", "storage:*", "*"},
}


@pytest.mark.parametrize(("method", "scopes"), ALLOWED.items(), ids=ALLOWED.keys())
def test_a_method_is_allowed_by_its_scopes_alone(method: str, scopes: set[str]) -> None:
    assert set(scopes_for(method)) == scopes
    others = {scope for one in METHODS for scope in scopes_for(one)} - scopes
    assert not allows(frozenset(others), method)
    with pytest.raises(BlockedByPolicy, match=method):
        require_scope(frozenset(others), method)


def test_events_are_for_those_who_may_observe() -> None:
    for kind in EVENT_KINDS:
        assert allows(frozenset({"observe:*"}), f"events/{kind}")
        assert not allows(frozenset({"action:*", "page:*"}), f"events/{kind}")


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
    steps = [{"action": "action/fill", "params": {"ref": "0-1", "value": "hunter2"}}]
    files = [{"name": "a", "buffer": "hunter2"}]
    shown = str(redacted({"steps": steps, "text": "hunter2", "files": files}))
    assert "hunter2" not in shown
    assert "0-1" in shown
