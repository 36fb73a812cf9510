"""The trace of a run, opened by our own engine on the screen of a phone."""

from __future__ import annotations

import json
from pathlib import Path

from cdp_agent import Browser, Page
from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import Approve
from cdp_agent.agent.trace.trace_folder import Trace
from tests.browser.agent.conftest import MakeAgent

STEPS = """
steps:
  - {say: "<b>There</b> it is.", tool: browser_click, target: {role: link, name: Cancel membership}}
  - {tool: browser_click, target: {role: link, name: Continue}}
  - {tool: browser_click, target: {role: checkbox, name: I understand}}
  - {tool: browser_click, target: {role: button, name: Finish, disabled: false}}
  - {tool: complete_task, arguments: {success: true, summary: Cancelled.}}
"""


async def test_a_trace_is_readable_by_its_owner_alone(
    make_agent: MakeAgent, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "trace.jsonl").write_text("of an older version")
    for folder in (tmp_path / "new" / "trace", shared):
        agent = make_agent(ScriptedModel.read(STEPS), approvals=Approve(), trace=Trace(folder))
        await agent.run("Cancel my subscription")

        entries = [folder, *folder.rglob("*")]
        assert len(entries) > 6
        assert [str(path) for path in entries if path.stat().st_mode & 0o077] == []


async def test_the_trace_is_one_page_that_reads_well_on_a_phone(
    browser: Browser, make_agent: MakeAgent, tmp_path: Path
) -> None:
    agent = make_agent(ScriptedModel.read(STEPS), approvals=Approve(), trace=Trace(tmp_path))
    result = await agent.run("Cancel my subscription")
    assert result.success

    page = await browser.new_page(viewport=(390, 844))
    try:
        await page.goto((tmp_path / "index.html").as_uri())
        await check_page(page)
    finally:
        await page.close()

    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert [line["type"] for line in lines] == ["start", *["turn"] * result.turns, "result"]
    clicked = lines[1]["element"]
    assert (clicked["role"], clicked["name"], clicked["tag"]) == ("link", "Cancel membership", "a")
    assert clicked["xpath"]
    assert lines[-2]["tool"] == "complete_task"


async def check_page(page: Page) -> None:
    snapshot = await page.snapshot()
    names = [node.name for node in snapshot.nodes if node.role == "heading"]
    assert names[0] == "Cancel my subscription"
    assert any("browser_click" in name for name in names)
    assert "finish-cancellation approved" in snapshot.text.replace('" ', " ").replace('"', "")
    assert "<b>There</b> it is." in snapshot.text  # what a model says is text, not markup
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Self-contained: nothing is asked of anybody, every picture is there and not empty.
    assert await page.evaluate(
        "[...document.images].every(i => i.complete && i.naturalWidth > 0"
        " && i.src.startsWith('data:'))"
    )
    assert await page.evaluate("performance.getEntriesByType('resource').length") == 0
    # The mark stands where the link was: on the picture, and as wide as a link.
    box = await page.evaluate(
        "(() => { const b = document.querySelector('.box').getBoundingClientRect(),"
        " p = document.querySelector('.box').parentElement.getBoundingClientRect();"
        " return [(b.x - p.x) / p.width, b.width / p.width, b.bottom <= p.bottom]; })()"
    )
    assert 0.2 < box[0] < 0.5
    assert 0.05 < box[1] < 0.3
    assert box[2]
