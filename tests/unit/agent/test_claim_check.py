"""The end of a task as a model claims it. Rows are those of fixtures/seed_rows.txt."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.agent.claim_check import Completion
from cdp_agent.agent.final_snapshot import masked
from cdp_agent.agent.safety.approvals import Question, question_text
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.snapshot import Node
from tests.unit.pages import plain_snapshot

CLAIMS: dict[str, tuple[dict[str, Any], tuple[bool, str]]] = {
    "ours": ({"success": True, "summary": "Done."}, (True, "Done.")),
    "success": ({"status": "success", "reason": "Done."}, (True, "Done.")),
    "failure": ({"status": "failed", "reason": "No way."}, (False, "No way.")),
    "both, and agreed": ({"success": False, "status": "failed", "reason": "No."}, (False, "No.")),
}


@pytest.mark.parametrize(("arguments", "ended"), CLAIMS.values(), ids=CLAIMS.keys())
async def test_row_83_a_claim_is_taken_in_both_forms(
    arguments: dict[str, Any], ended: tuple[bool, str]
) -> None:
    told, result = await Completion(None, Secrets()).answer(arguments, ())

    assert result is not None
    assert (result.success, result.reason) == ended
    assert not told.is_error


WRONG: dict[str, dict[str, Any]] = {
    "neither": {"reason": "Done."},
    "another word": {"status": "finished", "reason": "Done."},
    "no word": {"status": 1},
    "a contradiction": {"success": True, "status": "failed"},
    "a text for a truth value": {"success": "yes", "summary": ""},
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG.keys())
async def test_a_claim_that_says_nothing_clear_does_not_end_the_task(
    arguments: dict[str, Any],
) -> None:
    told, result = await Completion(None, Secrets()).answer(arguments, ())

    assert result is None
    assert told.code == "invalid_params"


def test_row_80_a_question_without_a_picture_says_why() -> None:
    question = Question("model", "buy", "Spend 10 EUR", "", no_picture="no picture: dialog_open")

    assert "look   no picture: dialog_open" in question_text(question)


def test_row_86_the_page_at_the_end_has_no_secret_in_it() -> None:
    node = Node("0-1", 0, "text", "your key is hunter2-hunter2")
    snapshot = plain_snapshot((node,), url="https://x.test/?k=hunter2-hunter2")

    kept = masked(snapshot, Secrets({"key": "hunter2-hunter2"}))

    assert "hunter2" not in repr(kept)
    assert "your key is {{secret:key}}" in kept.text
