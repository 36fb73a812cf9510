"""A batch on the live page: its overview, its panes, and questions that are answered there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

import cdp_agent
from cdp_agent import InvalidParams
from cdp_agent.agent.safety.approvals import Decision
from cdp_agent.demo import DemoSite
from cdp_agent.live import Board
from tests.browser.batches.conftest import pause_task
from tests.support.messages_api import MessagesApi, use


class Looker:
    """A viewer that keeps every message."""

    def __init__(self) -> None:
        self.widths: Mapping[str, int] = {}
        self.messages: list[dict[str, Any]] = []

    def put(self, key: str, message: dict[str, Any]) -> None:
        self.messages.append(message)


async def test_tasks_are_shown_while_they_run_and_counted_when_they_end(
    demo_site: DemoSite,
) -> None:
    missing = {"action": "click", "params": {"selector": {"text": "No such"}, "timeout": 0.2}}
    press = {"action": "press", "params": {"key": "End"}}
    steps = [press, missing]
    tasks = [pause_task(demo_site, "good"), {**pause_task(demo_site, "bad"), "steps": steps}]
    board, looker = Board(), Looker()
    board.add_viewer(looker)

    async with cdp_agent.batch(tasks, workers=1, board=board) as run:
        ends = [(result.id, result.success) async for result in run]

    assert ends == [("good", True), ("bad", False)]
    assert board.panes == {}
    assert board.overview is not None
    shown = board.overview.to_dict()
    assert (shown["total"], shown["counts"]) == (2, {"done": 1, "failed": 1, "waiting": 0})
    overviews = [message for message in looker.messages if message["type"] == "overview"]
    running = [row for message in overviews for row in message["rows"] if row["state"] == "running"]
    titles = {m["id"]: m["title"] for m in looker.messages if m["type"] == "pane"}
    assert {titles[row["pane"]] for row in running} == {"task good", "task bad"}
    entries = [m for m in looker.messages if m["type"] == "entry"]
    assert [m["state"] for m in entries if m["what"] == "press End"] == ["running", "done"]
    assert any("2. click" in str(entry) for entry in entries)
    assert any("element_not_found" in str(entry) for entry in entries)


async def test_a_question_of_a_task_is_answered_on_the_live_page(
    demo_site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = use("request_human_approval", action="Pay 5 EUR", reason="It costs.")
    done = use("complete_task", success=True, summary="Paid.")
    board = Board()

    async def approve() -> str:
        while True:
            for pane in list(board.panes.values()):
                for question in pane.messages()[0][1]["questions"]:
                    pane.answer(question["id"], Decision(True, "go on"))
                    return str(question["action"])
            await asyncio.sleep(0.01)

    with MessagesApi([asks, done]) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        tasks = [{"id": 1, "url": demo_site.account_url, "goal": "Pay"}]
        async with cdp_agent.batch(tasks, workers=1, board=board, approve="ask") as run:
            async with asyncio.timeout(60):
                asked, result = await asyncio.gather(approve(), anext(run))

    assert asked == "Pay 5 EUR"
    assert (result.success, result.summary) == (True, "Paid.")
    assert "approved: go on" in str(api.requests[-1])


def test_without_a_live_page_nobody_can_be_asked(demo_site: DemoSite) -> None:
    with pytest.raises(InvalidParams, match="who is asked"):
        cdp_agent.batch([pause_task(demo_site, 1)], approve="ask")
