"""The soak in its short form: mixed actions on parallel pages, all proven, nothing grows."""

from __future__ import annotations

import pytest

from cdp_agent.chromium.find import find_browser
from scripts.bench.generated.pages import MAIN_HOST
from scripts.bench.generated.server import PageServer
from scripts.bench.load.mixed import PAGE, soak
from scripts.bench.load.parallel import throughput
from scripts.bench.load.resources import growths


@pytest.mark.timeout(240)
async def test_mixed_actions_on_parallel_pages_are_proven_and_leave_nothing() -> None:
    with PageServer() as server:
        server.add({"/orders.html": PAGE})
        url = server.url("/orders.html", MAIN_HOST)
        facts = await soak(find_browser(), url, actions=60, pages=3)
    assert facts["failures"] == []
    assert sum(facts["done"].values()) == 60
    tight = [growth for growth in growths(facts["samples"]) if growth.name in ("handles", "tasks")]
    assert [growth.line for growth in tight if not growth.is_flat] == []


@pytest.mark.timeout(120)
async def test_steps_of_parallel_pages_are_counted_by_their_pages() -> None:
    with PageServer() as server:
        server.add({"/orders.html": PAGE})
        url = server.url("/orders.html", MAIN_HOST)
        facts = await throughput("ours", find_browser(), url, pages=2, steps=6)
    assert facts["unproven"] == 0
    assert facts["per_second"] > 0
    assert facts["client_mb"] > 0
