"""The policy for a page's dialogs: a user's setting becomes True, False or "wait for me"."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, get_args

import pytest
import pytest_asyncio

from cdp_agent.api.dialog_policy import make_policy
from cdp_agent.errors import CdpAgentError
from cdp_agent.protocol import Connection
from cdp_agent.targets.dialog import Dialog, DialogType
from tests.unit.memory_transport import MemoryTransport

KINDS: tuple[DialogType, ...] = get_args(DialogType)
YES, NO, WAIT = True, False, None

#: What a user gives, and the answers to alert, confirm, prompt and beforeunload.
POLICIES: dict[str, tuple[Any, tuple[bool | None, bool | None, bool | None, bool | None]]] = {
    "nothing: an alert is read, questions wait": (None, (YES, WAIT, WAIT, WAIT)),
    "accept": ("accept", (YES, YES, YES, YES)),
    "dismiss": ("dismiss", (NO, NO, NO, NO)),
    "wait": ("wait", (WAIT, WAIT, WAIT, WAIT)),
    "by kind, the rest as always": ({"confirm": "accept"}, (YES, YES, WAIT, WAIT)),
    "every kind": (
        {"alert": "wait", "confirm": "dismiss", "prompt": "accept", "beforeunload": "accept"},
        (WAIT, NO, YES, YES),
    ),
    "an empty mapping": ({}, (YES, WAIT, WAIT, WAIT)),
    "a function": (lambda dialog: dialog.message == "Sure?", (YES, YES, YES, YES)),
    "a function of the kind": (lambda dialog: dialog.type == "prompt", (NO, NO, YES, NO)),
}


@pytest_asyncio.fixture
async def connection() -> AsyncIterator[Connection]:
    connection = Connection(MemoryTransport())
    yield connection
    await connection.aclose()


@pytest.mark.parametrize(("given", "answers"), POLICIES.values(), ids=POLICIES.keys())
def test_a_policy_answers_each_kind_of_dialog(
    connection: Connection, given: Any, answers: tuple[bool | None, ...]
) -> None:
    policy = make_policy(given)

    found = tuple(policy(Dialog(connection.root, kind, "Sure?", "", "")) for kind in KINDS)

    assert KINDS == ("alert", "confirm", "prompt", "beforeunload")
    assert found == answers


NOT_POLICIES: dict[str, Any] = {
    "another word": "ok",
    "a capital": "Accept",
    "yes": True,
    "a number": 1,
    "a list": ["accept"],
    "another word for a kind": {"confirm": "yes"},
    "True for a kind": {"confirm": True},
    "a list for a kind": {"confirm": ["accept"]},
    "a kind that does not exist": {"confrim": "accept"},
}


@pytest.mark.parametrize("given", NOT_POLICIES.values(), ids=NOT_POLICIES.keys())
def test_what_is_no_policy_is_refused_with_the_choices(given: Any) -> None:
    with pytest.raises(CdpAgentError) as caught:
        make_policy(given)

    assert caught.value.code == "invalid_params"
    assert "'accept', 'dismiss', 'wait'" in caught.value.hint
