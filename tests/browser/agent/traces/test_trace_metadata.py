"""Facts for debugging in the trace of a run; each test names its row of fixtures/seed_rows.txt."""

from __future__ import annotations

import json
from pathlib import Path

from cdp_agent.agent.models.scripted_model import ScriptedModel
from cdp_agent.agent.safety.approvals import Approve
from cdp_agent.agent.trace.trace_folder import Trace
from tests.browser.agent.conftest import MakeAgent, Seen
from tests.browser.agent.traces.test_trace import STEPS


async def test_rows_164_and_166_the_trace_has_coverage_and_resolved_elements(
    make_agent: MakeAgent, tmp_path: Path
) -> None:
    agent = make_agent(ScriptedModel.read(STEPS), approvals=Approve(), trace=Trace(tmp_path))
    result = await agent.run("Cancel my subscription")

    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    clicked = lines[1]["element"]
    facts = clicked["resolved"]
    assert facts["id"] == clicked["ref"]
    assert f"0-{facts['backend_node_id']}" == clicked["ref"]
    assert facts["frame_index"] == 0
    assert len(facts["frame_id"]) == len(facts["session"]) == 32
    assert len(facts["quads"][0]) == 8
    assert facts["healed"] is False
    coverage = lines[-1]["coverage"]
    assert coverage == dict(result.coverage)
    assert coverage["full"] >= 1
    assert coverage["characters_sent"] > 0
    page = (tmp_path / "index.html").read_text()
    assert "page text" in page
    assert "whole page" in page


async def test_row_166_without_a_trace_no_element_is_asked_about(make_agent: MakeAgent) -> None:
    seen = Seen()
    agent = make_agent(ScriptedModel.read(STEPS), approvals=Approve(), watchers=[seen])
    result = await agent.run("Cancel my subscription")

    assert result.coverage["full"] >= 1
    assert [turn.element.resolved for turn in seen.turns if turn.element] == [None] * 4
