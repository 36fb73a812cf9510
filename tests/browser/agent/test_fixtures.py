"""The kept snapshots are what the site shows today, but for numbers that differ by run."""

from __future__ import annotations

import json
from typing import Any

from cdp_agent import Browser
from cdp_agent.demo import DemoSite
from scripts.make_fixtures import FOLDER, STAGES, stages


def told(stage: dict[str, Any]) -> list[tuple[Any, ...]]:
    keys = ("role", "name", "value", "tag", "frame_index", "state", "hints")
    return [tuple(str(element[key]) for key in keys) for element in stage["elements"]]


async def test_the_kept_stages_are_those_of_the_site(browser: Browser) -> None:
    with DemoSite() as site:
        async with await browser.new_context() as context:
            made = await stages(await context.new_page(), site)

    assert tuple(made) == STAGES
    for name, stage in made.items():
        kept = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        assert told(stage) == told(kept), f"run scripts/make_fixtures.py: {name} has changed"
