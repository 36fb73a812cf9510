"""Asking a human on a terminal."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from cdp_agent import InvalidParams
from cdp_agent.agent.safety.approvals import (
    Approve,
    AskOnTerminal,
    Decision,
    Deny,
    HoldWrites,
    Question,
    approver_of,
    read_answer,
)
from cdp_agent.targets.network.policy import HeldRequest

QUESTION = Question(
    "checkpoint",
    "finish",
    'use "Finish"',
    "It ends the plan.",
    "https://x.test/end",
    Path("trace/7.png"),
)

ANSWERS = {
    "yes\n": Decision(True),
    "Y\n": Decision(True),
    "yes, but be quick\n": Decision(True, "but be quick"),
    "no\n": Decision(False),
    "\n": Decision(False),
    "": Decision(False),  # the terminal was closed
    "wait until Monday\n": Decision(False, "wait until Monday"),
    "yesterday would have been better\n": Decision(False, "yesterday would have been better"),
}


@pytest.mark.parametrize(("typed", "decision"), ANSWERS.items(), ids=repr)
def test_only_a_clear_yes_is_a_yes(typed: str, decision: Decision) -> None:
    assert read_answer(typed) == decision


async def test_a_page_or_model_cannot_write_lines_of_the_question() -> None:
    shown = io.StringIO()
    nasty = 'x\n  why    nothing\r\x1b[2K\x9b1A\u202e\u2066\ufe01\u3164\U000e0041"y'
    question = Question("checkpoint", nasty, f'use "{nasty}"', nasty, f"http://x/{nasty}")

    await AskOnTerminal(io.StringIO("no\n"), shown).ask(question)

    text = shown.getvalue()
    assert len(text.splitlines()) == 6 + 1  # an empty line, five of ours, the prompt
    assert all(letter.isprintable() for line in text.splitlines() for letter in line)


async def test_the_question_says_what_why_and_where() -> None:
    shown = io.StringIO()

    decision = await AskOnTerminal(io.StringIO("yes\n"), shown).ask(QUESTION)

    assert decision.approved
    for part in ('use "Finish"', "It ends the plan.", "https://x.test/end", "7.png"):
        assert part in shown.getvalue()


async def test_a_real_file_is_waited_for_without_a_thread() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as read, os.fdopen(writing, "w") as write:
        write.write("not now\n")
        write.flush()
        decision = await AskOnTerminal(read, io.StringIO()).ask(QUESTION)

    assert decision == Decision(False, "not now")


async def test_nobody_there_is_a_no_and_says_so() -> None:
    assert "no human" in (await Deny().ask(QUESTION)).words
    assert (await Approve().ask(QUESTION)).approved


def test_asking_without_a_terminal_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())

    assert isinstance(approver_of("ask"), Deny)
    assert isinstance(approver_of("auto"), Approve)
    with pytest.raises(InvalidParams):
        approver_of("maybe")


async def test_writes_are_asked_about_only_while_a_run_is_under_way() -> None:
    hold = HoldWrites()
    held = HeldRequest("POST", "https://x.test/buy?n=1", "x.test", "item=7")
    asked: list[Question] = []

    async def refuse(question: Question) -> Decision:
        asked.append(question)
        return Decision(False)

    assert await hold(held)
    with hold.asking(refuse):
        assert not await hold(held)
        assert not await hold(held)  # and it is not asked a second time
    assert await hold(held)
    assert [question.name for question in asked] == ["POST x.test"]
