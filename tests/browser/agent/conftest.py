"""A demo site and a page of the shared browser for each test, and agents put together quickly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio

from cdp_agent import Browser, Page
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.model_interface import Model
from cdp_agent.agent.safety.approvals import Decision, Question
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.record import RunWatcher, TurnRecord
from cdp_agent.demo import DemoSite

PASSWORD = "correct-horse-battery-staple"


class Human:
    """Answers as it was told to, and remembers what it was asked."""

    def __init__(self, *answers: Decision) -> None:
        self._answers = list(answers)
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Decision:
        self.asked.append(question)
        return self._answers.pop(0)


class Seen(RunWatcher):
    """Keeps the turns of a run."""

    def __init__(self) -> None:
        self.turns: list[TurnRecord] = []

    async def turn_over(self, record: TurnRecord) -> None:
        self.turns.append(record)


@pytest.fixture
def demo_site() -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


@pytest_asyncio.fixture(loop_scope="session")
async def account(browser: Browser, demo_site: DemoSite) -> AsyncIterator[Page]:
    """The account page, in a context of its own: cookies do not outlive the test."""
    async with await browser.new_context() as context:
        yield await context.new_page(demo_site.account_url)


MakeAgent = Callable[..., Agent]


@pytest.fixture
def make_agent(account: Page) -> MakeAgent:
    """`make_agent(model, **options of Agent)` on the account page, knowing the demo's service."""

    def make_agent(model: Model, **options: Any) -> Agent:
        return Agent(account, model, **{"service": SERVICES.get("demo"), **options})

    return make_agent
