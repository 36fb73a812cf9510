"""`services/netflix.yaml` on Netflix-like pages of the four stages, kept in `fixtures/pages`.

The numbers are rows of fixtures/seed_rows.txt. Only the service's
origin is replaced: the pages are ours.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from cdp_agent import Page
from cdp_agent.agent.loop import Agent
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import Decision
from cdp_agent.agent.service import SERVICES, ServiceConfig
from tests.browser.agent.conftest import Human
from tests.support.site import Request, Response, Site

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "fixtures" / "pages" / "netflix"
SERVICE = ROOT / "cdp_agent" / "services" / "netflix.yaml"
STAGES = {
    "/account": "account_active",
    "/cancelplan": "retention_offer",
    "/cancelplan/confirm": "confirmation",
    "/cancelled": "cancelled",
}
SCRIPT = """name: netflix
steps:
  - {tool: browser_click, target: {role: link, name: Cancel membership}}
  - {tool: browser_click, target: {role: link, name: "No thanks, continue to cancel"}}
  - {tool: browser_click, target: {role: button, name: Finish Cancellation}}
  - {tool: complete_task, arguments: {status: success, reason: It is cancelled.}}
"""


class Membership:
    """The four stages on the tests' site; `finished` counts what reached the last step."""

    def __init__(self, site: Site) -> None:
        self.finished = 0
        for path, stage in STAGES.items():
            site.page((PAGES / f"{stage}.html").read_text("utf-8"), path=path)
        site.route("/cancelplan/finish", self._finish)
        self.url = site.url("/account")

    def _finish(self, _: Request) -> Response:
        self.finished += 1
        return Response(303, {"Location": "/cancelled"})


@pytest.fixture
def membership(site: Site) -> Membership:
    return Membership(site)


@pytest.fixture
def netflix(site: Site) -> ServiceConfig:
    return replace(SERVICES.get("netflix"), origins=(f"http://a.test:{site.port}",))


async def test_row_111_each_stage_is_recognized_for_what_it_is(
    page: Page, site: Site, membership: Membership, netflix: ServiceConfig
) -> None:
    asks: dict[str, list[str]] = {}
    proofs: dict[str, bool] = {}
    for path, stage in STAGES.items():
        await page.goto(site.url(path))
        snapshot = await page.snapshot()
        asks[stage] = [point.name for point in netflix.checkpoints if point.when(snapshot)]
        proofs[stage] = netflix.first(netflix.success, snapshot) is not None
        assert netflix.first(netflix.failure, snapshot) is None

    assert asks.pop("confirmation") == ["finish-cancellation"]
    assert proofs.pop("cancelled")
    assert not any(asks.values())
    assert not any(proofs.values())


async def test_rows_83_and_86_a_membership_is_cancelled_with_one_approval(
    page: Page, membership: Membership, netflix: ServiceConfig, tmp_path: Path
) -> None:
    human = Human(Decision(True, "do it"))
    (tmp_path / "steps.yaml").write_text(SCRIPT)
    await page.goto(membership.url)

    result = await Agent(
        page, ScriptedModel.load(str(tmp_path / "steps.yaml")), netflix, human
    ).run("Cancel my Netflix subscription")

    assert result.success, result.summary
    assert result.reason == result.summary == "It is cancelled."
    assert result.verified == "the page confirms the cancellation"
    assert [(q.name, q.action) for q in human.asked] == [
        ("finish-cancellation", 'use "Finish Cancellation"')
    ]
    assert human.asked[0].picture is not None
    assert membership.finished == 1
    assert result.final_snapshot is not None
    assert "Your cancellation is complete" in result.final_snapshot.text
    assert "final_snapshot" not in result.to_dict()


async def test_a_refusal_leaves_the_membership_as_it_is(
    page: Page, membership: Membership, netflix: ServiceConfig, tmp_path: Path
) -> None:
    human = Human(Decision(False, "not yet"))
    (tmp_path / "steps.yaml").write_text(SCRIPT)
    await page.goto(membership.url)

    result = await Agent(
        page, ScriptedModel.load(str(tmp_path / "steps.yaml")), netflix, human
    ).run("Cancel my Netflix subscription")

    assert not result.success
    assert membership.finished == 0


TITLE = "<!doctype html><title>{}</title><h1>Netflix</h1>"
QUESTIONS = {
    "the title alone": (TITLE.format("Finish Cancellation"), "<button>Yes, cancel</button>"),
    "a title and a button of any name": (
        TITLE.format("Finish cancellation - Netflix"),
        "<button>Continue</button>",
    ),
    "a button of another title": (TITLE.format("Netflix"), "<button>Finish Cancel</button>"),
    "a button in other words": (TITLE.format("Netflix"), "<button>Confirm cancellation</button>"),
    "a link": (TITLE.format("Netflix"), "<a href=/gone>Finish the cancellation</a>"),
}


@pytest.mark.parametrize(("head", "control"), QUESTIONS.values(), ids=QUESTIONS.keys())
async def test_row_108_the_last_step_is_asked_about_and_locked(
    page: Page, site: Site, netflix: ServiceConfig, head: str, control: str
) -> None:
    point = netflix.checkpoints[0]
    await page.goto(site.page(f"{head}{control}<button>Keep my membership</button>"))
    snapshot = await page.snapshot()

    assert point.when(snapshot)
    assert len(point.guarded_nodes(snapshot)) == 1
    assert point.guarded_nodes(snapshot)[0].name in control


async def test_a_button_of_an_offer_is_not_locked(
    page: Page, site: Site, netflix: ServiceConfig
) -> None:
    await page.goto(site.page(TITLE.format("Before you go") + "<button>Continue</button>"))
    snapshot = await page.snapshot()

    assert not any(p.when(snapshot) or p.guarded_nodes(snapshot) for p in netflix.checkpoints)


TITLES = {
    "the title says it": ("Membership cancelled", "", True),
    "another spelling": ("Canceled - Netflix", "", True),
    "something is left to confirm": ("Cancelled?", "<button>Finish cancellation</button>", False),
    "a denial": ("Your plan was not cancelled", "", False),
}


@pytest.mark.parametrize(("title", "body", "is_success"), TITLES.values(), ids=TITLES.keys())
async def test_row_109_a_title_proves_a_cancellation(
    page: Page, site: Site, netflix: ServiceConfig, title: str, body: str, is_success: bool
) -> None:
    await page.goto(site.page(TITLE.format(title) + body))

    found = netflix.first(netflix.success, await page.snapshot())

    assert (found is not None) == is_success


async def test_row_110_an_address_with_error_is_a_failure(
    page: Page, site: Site, netflix: ServiceConfig
) -> None:
    await page.goto(site.page(TITLE.format("Netflix"), path="/cancelplan/Error"))

    found = netflix.first(netflix.failure, await page.snapshot())

    assert found is not None
    assert found.meaning == "Netflix shows an error page"


async def test_row_114_the_command_cancels_at_a_service(
    site: Site, membership: Membership, tmp_path: Path
) -> None:
    service = yaml.safe_load(SERVICE.read_text("utf-8"))
    service |= {"origins": [f"http://127.0.0.1:{site.port}"]}
    service |= {"url": site.url("/account", host="127.0.0.1")}
    (tmp_path / "netflix.yaml").write_text(yaml.safe_dump(service))
    (tmp_path / "steps.yaml").write_text(SCRIPT)
    words = ["cancel", "--service", str(tmp_path / "netflix.yaml"), "--json", "--approve", "auto"]
    words += ["--model", f"script:{tmp_path / 'steps.yaml'}"]

    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cdp_agent",
        *words,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)

    assert process.returncode == 0, err.decode()
    result = json.loads(out)
    assert result["goal"] == "Cancel my Netflix subscription."
    assert result["verified"] == "the page confirms the cancellation"
    assert membership.finished == 1
