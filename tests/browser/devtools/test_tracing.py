"""Chromium's own recording of a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cdp_agent import InvalidParams, Page
from tests.support.stage import OpenPage


async def test_a_recording_has_what_the_page_did(
    page: Page, open_page: OpenPage, folder: Path
) -> None:
    await open_page("<h1>Page</h1>")
    await page.start_tracing()
    with pytest.raises(InvalidParams):
        await page.start_tracing()
    await page.evaluate("performance.mark('the mark of the test')")

    recorded = await page.stop_tracing(folder / "trace.json")

    assert recorded == (folder / "trace.json").read_bytes()
    names = {event["name"] for event in json.loads(recorded)["traceEvents"]}
    assert "the mark of the test" in names
    with pytest.raises(InvalidParams):
        await page.stop_tracing()


async def test_categories_choose_what_is_recorded(page: Page, open_page: OpenPage) -> None:
    await open_page("<h1>Page</h1>")
    await page.start_tracing(["blink.user_timing"])
    await page.evaluate("performance.mark('marked')")
    events = json.loads(await page.stop_tracing())["traceEvents"]
    categories = {event["cat"] for event in events if event.get("ph") != "M"}
    assert categories == {"blink.user_timing"}
    with pytest.raises(InvalidParams):
        await page.start_tracing("blink")
