"""The text of a page state does not depend on the actions and snapshots before it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cdp_agent import CdpAgentError, Page
from cdp_agent.snapshot import SnapshotOptions, Snapshotter
from tests.support.fresh_snapshot import fields
from tests.support.pages.large_pages import REST
from tests.support.pages.mutations import document
from tests.support.site import Site

#: Options of snapshots that may come before, between and after actions.
_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"max_tokens": 8000},
    {"max_tokens": 400},
    {"interactive_only": True},
    {"viewport_only": True, "max_tokens": 8000},
    {"search": "row"},
    {"search": "row", "max_tokens": 2000},
    {"max_elements": 5},
    {"roles": ["button"]},
)
_STEPS = 12
_OBSERVE: tuple[bool | SnapshotOptions, ...] = (False, True, SnapshotOptions(max_tokens=500))


async def _act(page: Page, choice: random.Random) -> str:
    """One random action on the page; what it was."""
    elements = page._tab.last.elements if page._tab.last is not None else ()
    fields_ = [e.id for e in elements if "editable" in e.hints]
    buttons = [e.id for e in elements if e.role in ("button", "link", "checkbox")]
    name = choice.choice(["fill", "click", "hover", "Tab", "scroll", "mutate", "mutate"])
    observe: bool | SnapshotOptions = choice.choice(_OBSERVE)
    try:
        if name == "fill" and fields_:
            await page.fill(choice.choice(fields_), f"v{choice.randint(0, 9)}", timeout=1)
        elif name == "click" and buttons:
            await page.click(choice.choice(buttons), observe=observe, timeout=1)
        elif name == "hover" and buttons:
            await page.hover(choice.choice(buttons), observe=observe, timeout=1)
        elif name == "Tab":
            await page.press("Tab", observe=observe)
        elif name == "scroll":
            await page.scroll(choice.choice(["up", "down"]), observe=observe)
        else:
            return str(await page.evaluate(f"mutate({choice.randint(0, 10_000)})"))
    except CdpAgentError as error:
        return f"{name} failed: {error.code}"
    return name


@pytest.mark.timeout(180)
@pytest.mark.parametrize("kind", ["form", "list", "table", "shadow", "large"])
async def test_a_snapshot_equals_that_of_a_fresh_engine_after_any_history(
    page: Page, site: Site, kind: str
) -> None:
    html = document("list", REST) if kind == "large" else document(kind)
    choice = random.Random(kind)
    await page.goto(site.page(html))
    history: list[str] = []
    compared = 0
    steps = _STEPS // 3 if kind == "large" else _STEPS  # whole captures of it take their time
    for _ in range(steps):
        options = choice.choice(_OPTIONS)
        history += [f"snapshot {options}", await _act(page, choice)]
        for _ in range(3):
            seen = fields(await page.snapshot(**options))
            fresh = fields(
                await Snapshotter(page._tab.target).take(SnapshotOptions.make(**options))
            )
            again = fields(await page.snapshot(**options))
            if seen != again:
                continue  # the page changes by itself at the moment
            for key, value in fresh.items():
                assert seen[key] == value, f"{key} after {history}"
            compared += 1
            break
    assert compared > steps // 2
