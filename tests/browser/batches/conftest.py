"""A demo site for each test, and tasks on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cdp_agent.demo import DemoSite
from tests.support.leaks import LeakCheck

PAUSE: dict[str, Any] = {
    "action": "click",
    "params": {"selector": {"role": "button", "name": "Pause for one month"}},
}


@pytest.fixture
def demo_site(leak_check: LeakCheck | None) -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


def pause_task(site: DemoSite, task_id: str | int, **more: Any) -> dict[str, Any]:
    """A task that pauses the membership: one POST at the server."""
    url = f"{site.account_origin}/cancel/offers"
    return {"id": task_id, "url": url, "steps": [PAUSE], **more}
