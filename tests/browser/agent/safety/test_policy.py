"""An agent inside a policy: what it is told when the gate stops something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import cdp_agent
from cdp_agent import Policy
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.safety.approvals import Approve, Decision, HoldWrites
from cdp_agent.agent.service import SERVICES
from cdp_agent.demo import DemoSite
from tests.browser.agent.conftest import Human
from tests.browser.agent.conversations import careful, last_text, model_of, ref
from tests.browser.conftest import BROWSER_ARGS
from tests.support.messages_api import Turn, use
from tests.support.site import Site


async def test_the_model_is_told_what_was_stopped_and_goes_on(site: Site) -> None:
    url = site.page(f"<a href='{site.url('/out', 'evil.test')}'>Free prizes</a><p>Here</p>")
    policy = Policy((f"http://a.test:{site.port}",))

    def tempted(body: Mapping[str, Any]) -> Turn:
        if "blocked_by_policy" in last_text(body):
            return use("complete_task", success=False, summary="Not allowed there.")
        return use("browser_click", ref=ref(body, "link", "Free"))

    async with (
        cdp_agent.launch(args=BROWSER_ARGS, policy=policy) as browser,
        model_of(tempted) as (model, api),
    ):
        page = await browser.new_page(url)
        result = await Agent(page, model).run("Get the prize")

    assert result.summary == "Not allowed there."
    assert "GET http://evil.test" in last_text(api.requests[1])
    assert not [r for r in site.requests if r.host == "evil.test"]


ANSWERS = {
    "approved": (Decision(True), "cancelled"),
    "refused": (Decision(False, "Not today."), "active"),
}


@pytest.mark.parametrize(("answer", "status"), ANSWERS.values(), ids=ANSWERS.keys())
async def test_a_write_waits_for_the_human(answer: Decision, status: str) -> None:
    human = Human(answer)
    hold = HoldWrites()

    def policy(body: Mapping[str, Any]) -> Turn:
        if "blocked_by_policy" in last_text(body):
            return use("complete_task", success=False, summary="The human stopped it.")
        return careful(body)

    class ByKind:
        """The checkpoint is approved; the write is what this test asks about."""

        async def ask(self, question: Any) -> Decision:
            return await (human if question.kind == "write" else Approve()).ask(question)

    with DemoSite() as demo:
        async with (
            cdp_agent.launch(args=BROWSER_ARGS, policy=Policy(hold=hold)) as browser,
            model_of(policy) as (model, _),
        ):
            page = await browser.new_page(demo.account_url)
            agent = Agent(page, model, SERVICES.get("demo"), ByKind(), hold_writes=hold)
            result = await agent.run("Cancel my subscription")

        assert demo.status == status
    assert result.success is (status == "cancelled")
    assert [question.name for question in human.asked] == [f"POST localhost:{demo.port}"]
    assert human.asked[0].action.startswith("send ticket=")
