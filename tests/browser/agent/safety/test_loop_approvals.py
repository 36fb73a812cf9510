"""The loop asks a person: at checkpoints, and where the model wants it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cdp_agent import Page
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.service import Checkpoint, ServiceConfig
from cdp_agent.demo import DemoSite
from tests.browser.agent.conftest import Human, MakeAgent
from tests.browser.agent.conversations import careful, last_text, model_of
from tests.support.messages_api import Turn, use


async def test_a_refusal_reaches_the_model_in_the_humans_words(
    make_agent: MakeAgent, demo_site: DemoSite
) -> None:
    human = Human(Decision(False, "Not before December."))
    told: list[str] = []

    def policy(body: Mapping[str, Any]) -> Turn:
        newest = last_text(body)
        told.append(newest)
        if sum("human_rejected" in text for text in told) >= 2:
            return use("complete_task", success=False, summary="The human wants to wait.")
        return careful(body)

    async with model_of(policy) as (model, _):
        result = await make_agent(model, approvals=human).run("Cancel my subscription")

    # Refused at the checkpoint, and again when it was tried all the same, without a new question.
    assert len(human.asked) == 1
    assert all("Not before December." in text for text in told if "human_rejected" in text)
    assert result.status == "failed"
    assert demo_site.status == "active"


async def test_without_a_human_checkpoints_are_refused(
    make_agent: MakeAgent, demo_site: DemoSite
) -> None:
    def policy(body: Mapping[str, Any]) -> Turn:
        if "human_rejected" in last_text(body):
            return use("complete_task", success=False, summary="Nobody to ask.")
        return careful(body)

    async with model_of(policy) as (model, _):
        result = await make_agent(model).run("Cancel my subscription")

    assert [(a.name, a.approved) for a in result.asked] == [("finish-cancellation", False)]
    assert demo_site.status == "active"


async def test_what_is_guarded_is_not_set_off_by_a_key_either(
    make_agent: MakeAgent, account: Page
) -> None:
    link = {"role": "link", "name": "Cancel membership"}
    point = Checkpoint("leave", "It begins the cancellation.", lambda _: False, (link,))
    service = ServiceConfig("strict", "Strict", checkpoints=(point,))
    human = Human(Decision(False, "Stay."))
    turns: list[Turn] = [
        use("browser_press", key="Tab"),
        use("browser_press", key="Enter"),
        use("complete_task", success=False, summary="Refused."),
    ]
    async with model_of(turns) as (model, api):
        await make_agent(model, approvals=human, service=service).run("Cancel")

    assert [question.action for question in human.asked] == ['use "Cancel membership"']
    assert "human_rejected" in last_text(api.requests[2])
    assert account.url.endswith("/account")


async def test_the_models_own_question_is_put_to_the_human(make_agent: MakeAgent) -> None:
    human = Human(Decision(True, "Yes, do."), Decision(False, "Too expensive."))
    ask = use("request_human_approval", action="Spend 10 EUR", reason="The plan costs it")
    done = use("complete_task", success=False, summary="Over.")
    async with model_of([ask, ask, done]) as (model, api):
        result = await make_agent(model, approvals=human).run("Buy")

    assert human.asked[0].action == "Spend 10 EUR"
    assert "approved: Yes, do." in last_text(api.requests[1])
    assert "human_rejected" in last_text(api.requests[2])
    assert "Too expensive." in last_text(api.requests[2])
    assert [asked.approved for asked in result.asked] == [True, False]


async def test_every_question_has_a_picture_without_a_trace_too(make_agent: MakeAgent) -> None:
    """Seed row 80: a person is never asked to decide blind."""
    pictures: list[Path] = []

    class Looking:
        async def ask(self, question: Question) -> Decision:
            assert question.picture is not None
            assert question.picture.read_bytes().startswith(b"\x89PNG")
            assert question.picture.stat().st_mode & 0o077 == 0
            pictures.append(question.picture)
            return Decision(False)

    ask = use("request_human_approval", action="Spend\n10 EUR", reason="The plan costs it")
    done = use("complete_task", success=False, summary="Over.")
    async with model_of([ask, ask, done]) as (model, _):
        await make_agent(model, approvals=Looking()).run("Buy")

    assert len(set(pictures)) == 2
    assert not any(path.exists() for path in pictures)
