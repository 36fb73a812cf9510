"""A recorded task, played again without a model: on the same site and on changed ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from cdp_agent import Browser, InvalidParams
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import Approve, Deny
from cdp_agent.agent.safety.secrets import Secrets
from cdp_agent.agent.service import SERVICES
from cdp_agent.agent.trace.replay import ReplayResult, replay
from cdp_agent.agent.trace.trace_folder import Trace
from cdp_agent.cli.commands.demo import script
from cdp_agent.demo import DemoSite, Variant
from tests.browser.agent.conftest import PASSWORD


@contextmanager
def site_and_secrets(variant: Variant = "plain") -> Iterator[tuple[DemoSite, Secrets]]:
    with DemoSite(variant=variant, password=PASSWORD) as site:
        yield site, Secrets({"password": PASSWORD}, origins=[site.account_origin])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Path]:
    trace = Trace(tmp_path_factory.mktemp("trace"))
    with site_and_secrets() as (site, secrets):
        async with await browser.new_context() as context:
            page = await context.new_page(site.account_url)
            trace.describe(url=site.account_url, service="demo")
            model = ScriptedModel.read(script())
            agent = Agent(
                page, model, SERVICES.get("demo"), Approve(), secrets=secrets, trace=trace
            )
            result = await agent.run("Cancel")
            assert result.success, result
    yield trace.folder


async def play(
    browser: Browser, recorded: Path, variant: Variant, approver: Approve | Deny | None = None
) -> tuple[ReplayResult, str]:
    with site_and_secrets(variant) as (site, secrets):
        async with await browser.new_context() as context:
            page = await context.new_page()
            done = await replay(
                page,
                recorded,
                url=site.account_url,
                secrets=secrets,
                approvals=approver or Approve(),
                timeout=2,
            )
        return done, site.status


async def test_on_the_unchanged_site_every_step_is_the_same(
    browser: Browser, recorded: Path
) -> None:
    done, status = await play(browser, recorded, "plain")

    assert done.success
    assert {step.state for step in done.steps} == {"same"}
    assert len(done.steps) == 7
    assert status == "cancelled"


async def test_on_a_redesigned_site_elements_are_found_again(
    browser: Browser, recorded: Path
) -> None:
    done, status = await play(browser, recorded, "shuffled")

    assert done.success, done
    assert done.healed == 7
    assert status == "cancelled"


async def test_a_removed_button_stops_it_there_with_the_reason(
    browser: Browser, recorded: Path
) -> None:
    done, status = await play(browser, recorded, "no-cancel")

    assert done.stopped is not None
    assert done.stopped.what == 'link "Continue to cancel"'
    assert 'there is no link "Continue to cancel"' in done.stopped.reason
    assert len(done.steps) == 5
    assert status == "active"


async def test_a_checkpoint_holds_in_a_replay_too(browser: Browser, recorded: Path) -> None:
    done, status = await play(browser, recorded, "plain", Deny())

    assert done.stopped is not None
    assert "human_rejected" in done.stopped.reason
    assert status == "active"


WRONG = {
    "nothing there": None,
    "no JSON": "hello\n",
    "another file": '{"type": "turn"}\n',
    "another version": '{"type": "start", "version": 99}\n',
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
async def test_what_is_no_trace_is_said(browser: Browser, tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "trace.jsonl").write_text(text)
    async with await browser.new_context() as context:
        with pytest.raises(InvalidParams):
            await replay(await context.new_page(), tmp_path)
