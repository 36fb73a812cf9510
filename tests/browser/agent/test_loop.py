"""The loop on the demo's site, with the real SDK against a Messages API of our own."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cdp_agent
from cdp_agent import Page
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.safety.approvals import Approve, Decision
from cdp_agent.demo import DemoSite
from tests.browser.agent.conftest import Human, MakeAgent, Seen
from tests.browser.agent.conversations import careful, last_text, model_of, ref, shown
from tests.support.messages_api import (
    Drop,
    FailInside,
    Refuse,
    Say,
    Turn,
    Use,
    use,
)


async def test_a_whole_task_is_done_and_proved(make_agent: MakeAgent, demo_site: DemoSite) -> None:
    human = Human(Decision(True, "go ahead"))
    async with model_of(careful) as (model, api):
        result = await make_agent(model, approvals=human).run("Cancel my subscription")

    assert result.success
    assert result.verified == "the page says that the membership has been cancelled"
    assert demo_site.status == "cancelled"
    assert [question.name for question in human.asked] == ["finish-cancellation"]
    assert result.usage.output_tokens == 20 * result.turns
    assert api.problems == []


async def test_further_calls_of_one_answer_are_refused_in_words(
    make_agent: MakeAgent, account: Page, demo_site: DemoSite
) -> None:
    snapshot = await account.snapshot()
    link = str(snapshot.find("link", "Cancel membership").id)
    both = Say(uses=(Use("browser_click", {"ref": link}), Use("browser_navigate", {"url": "x"})))
    done = use("complete_task", success=False, summary="enough")
    async with model_of([both, done]) as (model, api):
        seen = Seen()
        await make_agent(model, watchers=[seen]).run("Look around")

    assert seen.turns[0].refused == 1
    assert "one tool at a time" in last_text(api.requests[1])
    assert demo_site.requests[-1].endswith("/cancel/offers")  # the first was carried out
    assert api.problems == []


async def test_an_answer_without_a_call_is_asked_for_completion(make_agent: MakeAgent) -> None:
    done = use("complete_task", success=False, summary="I give up")
    async with model_of([Say("All done, I think."), done]) as (model, api):
        result = await make_agent(model).run("Cancel")

    assert "call complete_task" in last_text(api.requests[1])
    assert (result.status, result.summary) == ("failed", "I give up")
    assert api.problems == []


async def test_a_model_that_only_talks_is_stopped(make_agent: MakeAgent) -> None:
    async with model_of(lambda _: Say("Hm.")) as (model, api):
        result = await make_agent(model).run("Cancel")

    assert result.status == "failed"
    assert len(api.requests) == 3


async def test_arguments_that_cannot_be_read_are_told_to_the_model(make_agent: MakeAgent) -> None:
    turns: list[Turn] = [
        Say(uses=(Use("browser_click", raw='{"ref": "0-'),)),
        Say(uses=(Use("browser_click", {"reff": "0-4"}),)),
        Say(uses=(Use("browser_fly", {}),)),
        use("complete_task", success="yes", summary=""),
        use("complete_task", success=False, summary="no"),
    ]
    async with model_of(turns) as (model, api):
        await make_agent(model).run("Cancel")

    told = [last_text(body) for body in api.requests[1:]]
    assert "no JSON" in told[0]
    assert "reff" in told[1]
    assert "there is no tool 'browser_fly'" in told[2]
    assert "true or false" in told[3]
    assert all("invalid_params" in text for text in told[:3])
    assert api.problems == []


async def test_a_busy_and_breaking_provider_does_not_end_the_task(
    make_agent: MakeAgent, demo_site: DemoSite
) -> None:
    troubles: list[Turn] = [
        Refuse(429, "rate_limit_error", {"retry-after-ms": "1"}),
        Drop(),
        Refuse(529, "overloaded_error"),
        FailInside(),
    ]
    asked = 0

    def policy(body: Mapping[str, Any]) -> Turn:
        nonlocal asked
        asked += 1
        return troubles.pop() if troubles and asked % 2 else careful(body)

    async with model_of(policy) as (model, api):
        result = await make_agent(model, approvals=Approve()).run("Cancel my subscription")

    assert result.success
    assert not troubles
    assert demo_site.status == "cancelled"
    assert api.problems == []


async def test_a_false_claim_of_success_is_refused_with_what_is_missing(
    make_agent: MakeAgent,
) -> None:
    claim = use("complete_task", success=True, summary="It is cancelled.")
    async with model_of([claim, claim, claim, claim]) as (model, api):
        result = await make_agent(model).run("Cancel my subscription")

    assert result.status == "failed"
    assert len(api.requests) == 3
    assert "membership has been cancelled" in last_text(api.requests[1])
    assert "Your account - Lumen+" in last_text(api.requests[1])


async def test_a_call_that_changes_nothing_is_noticed(make_agent: MakeAgent) -> None:
    def policy(body: Mapping[str, Any]) -> Turn:
        return use("browser_hover", ref=ref(body, "link", "Update card"))

    async with model_of(policy) as (model, api):
        result = await make_agent(model).run("Cancel")

    assert "call number 2" in last_text(api.requests[2]) or "call number 2" in last_text(
        api.requests[3]
    )
    assert result.status == "failed"
    assert "going in circles" in result.summary


LIMITS: dict[str, tuple[dict[str, Any], str]] = {
    "turns": ({"max_turns": 3}, "max_turns"),
    "tokens": ({"max_tokens": 300}, "over_budget"),
}


@pytest.mark.parametrize(("limit", "status"), LIMITS.values(), ids=LIMITS.keys())
async def test_limits_end_a_run_with_a_result(
    make_agent: MakeAgent, limit: dict[str, Any], status: str
) -> None:
    async with model_of(lambda _: use("browser_snapshot")) as (model, api):
        result = await make_agent(model, **limit).run("Cancel")

    assert result.status == status
    assert len(api.requests) <= 3


async def test_a_refusing_provider_ends_the_run_with_its_reason(make_agent: MakeAgent) -> None:
    async with model_of([Refuse(401, "authentication_error", message="bad key")]) as (model, _):
        result = await make_agent(model).run("Cancel")

    assert result.status == "model_error"
    assert "ANTHROPIC_API_KEY" in result.summary


async def test_a_run_is_stopped_in_the_middle_with_a_result(make_agent: MakeAgent) -> None:
    async with model_of(lambda _: use("browser_snapshot")) as (model, _):

        class Impatient(Seen):
            async def turn_over(self, record: Any) -> None:
                agent.stop("enough")

        agent = make_agent(model, watchers=[Impatient()])
        result = await agent.run("Cancel")

    assert (result.status, result.summary, result.turns) == ("interrupted", "enough", 1)


async def test_sixty_turns_stay_under_the_budget_with_every_call_answered(
    make_agent: MakeAgent, account: Page
) -> None:
    """Between two pages, back and forth: each is shown whole, so the history has to be cut."""
    origin = account.url.removesuffix("/account")
    sizes: list[int] = []

    def policy(body: Mapping[str, Any]) -> Turn:
        sizes.append(len(shown(body)))
        number = len(sizes)
        if number > 60:
            return use("complete_task", success=False, summary="Far enough.")
        path = ("/account", "/cancel/offers", "/cancel/confirm")[number % 3]
        return use("browser_navigate", url=f"{origin}{path}?{number}")

    async with model_of(policy) as (model, api):
        agent = make_agent(model, max_turns=80, history_tokens=3_000)
        result = await agent.run("Wander")

    assert result.turns == 61
    assert api.problems == []
    assert max(sizes) < 3 * 3_000 * 1.1
    late = api.requests[-1]["messages"][0]["content"][0]["text"]
    assert "Goal: Wander" in late
    assert "browser_navigate" in late  # dropped turns leave a line each
    assert len(api.requests[-1]["messages"]) <= 1 + 2 * 12


async def test_a_picture_that_is_asked_for_reaches_the_model(make_agent: MakeAgent) -> None:
    done = use("complete_task", success=False, summary="Seen.")
    async with model_of([use("browser_screenshot"), done]) as (model, api):
        await make_agent(model).run("Look")

    content = api.requests[1]["messages"][-1]["content"][0]["content"]
    picture = next(part for part in content if part["type"] == "image")
    assert base64.b64decode(picture["source"]["data"]).startswith(b"\x89PNG")


async def test_a_model_may_not_write_files(make_agent: MakeAgent, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    done = use("complete_task", success=False, summary="No.")
    async with model_of([use("browser_screenshot", path=str(path)), done]) as (model, api):
        await make_agent(model).run("Look")

    assert "blocked_by_policy" in last_text(api.requests[1])
    assert not path.exists()


async def test_a_browser_that_is_gone_ends_the_run(demo_site: DemoSite) -> None:
    class Kill(Seen):
        async def called(self, record: Any) -> None:
            await browser.close()

    async with (
        cdp_agent.launch() as browser,
        model_of(lambda _: use("browser_snapshot")) as (model, api),
    ):
        page = await browser.new_page(demo_site.account_url)
        result = await Agent(page, model, watchers=[Kill()]).run("Look")

    assert result.status == "browser_error"
    assert len(api.requests) == 1


async def test_a_page_that_cannot_succeed_ends_the_run(
    make_agent: MakeAgent, demo_site: DemoSite
) -> None:
    """A failure indicator of the service holds: no more turns are spent."""
    demo_site.variant = "no-cancel"
    async with model_of(careful) as (model, api):
        result = await make_agent(model).run("Cancel my subscription")

    assert result.status == "failed"
    assert result.summary == "the cancellation page asks to call support instead"
    assert len(api.requests) == 1
