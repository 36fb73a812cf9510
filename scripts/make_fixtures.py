"""Snapshots of the demo's cancellation, stage by stage, as `fixtures/snapshots/*.json`.

    PYTHONPATH=. python scripts/make_fixtures.py

Made from the site that `cdp-agent demo` serves. The port is written as 8000, whatever it was.
"""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import cdp_agent
from cdp_agent import Page, Snapshot
from cdp_agent.demo import DemoSite

FOLDER = Path(__file__).parent.parent / "fixtures" / "snapshots"
#: The same in every run: a fixture changes only where the page does.
_FIXED = {
    "snapshot_id": "00000000-0000-4000-8000-000000000000",
    "timestamp": "2026-01-01T00:00:00.000+00:00",
}
STAGES = ("account_active", "retention_offer", "confirmation", "cancelled")


async def stages(page: Page, site: DemoSite) -> dict[str, dict[str, Any]]:
    """Walk through the cancellation and keep each stage."""
    found: dict[str, dict[str, Any]] = {}

    def keep(name: str, snapshot: Snapshot) -> None:
        plain = {**snapshot.model_dump(), **_FIXED}
        text = json.dumps(plain, ensure_ascii=False, default=str)
        found[name] = json.loads(text.replace(f":{site.port}", ":8000"))

    await page.goto(site.account_url)
    snapshot = await page.snapshot()
    keep("account_active", snapshot)
    await page.click(snapshot.find("link", "Cancel membership").id)
    snapshot = await page.snapshot()
    keep("retention_offer", snapshot)
    await page.click(snapshot.find("link", "Continue to cancel").id)
    snapshot = await with_frame(page)
    keep("confirmation", snapshot)
    await page.click(snapshot.find("checkbox").id)
    await page.click((await page.snapshot()).find("button", "Finish").id)
    keep("cancelled", await page.snapshot())
    return found


async def with_frame(page: Page, seconds: float = 10) -> Snapshot:
    """The page when the billing frame is in it."""
    deadline = time.monotonic() + seconds
    while True:
        snapshot = await page.snapshot()
        if snapshot.find_all("checkbox") or time.monotonic() > deadline:
            return snapshot


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with DemoSite() as site:
        async with cdp_agent.launch(args=("--site-per-process",)) as browser:
            page = await browser.new_page()
            for name, stage in (await stages(page, site)).items():
                text = json.dumps(stage, indent=1, ensure_ascii=False) + "\n"
                (FOLDER / f"{name}.json").write_text(text, "utf-8")
                print(f"fixtures/snapshots/{name}.json: {len(stage['elements'])} elements")


if __name__ == "__main__":
    asyncio.run(main())
