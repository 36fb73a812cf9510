"""A seeded search for a press that lands elsewhere, on pages that change while actions run.

200 actions in the suite, 5,000 with `--thorough`. Two things must never be: a trusted press at
another control than the one that was meant, and a success without a press at that one.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest

from cdp_agent import CdpAgentError, Outcome, Page
from cdp_agent.ids import ElementId
from tests.support.oracle import PageOracle
from tests.support.pages.restless import THIEF, restless_page
from tests.support.site import Site

#: How often the page changes by itself, and how often in answer to an event.
TEMPERS = {"slow": (60, 0.0), "quick": (8, 0.1), "answering": (40, 0.6), "frantic": (2, 0.4)}
ACTIONS: dict[str, Callable[[Page, ElementId], Awaitable[Outcome]]] = {
    "click": lambda page, target: page.click(target, timeout=0.5),
    "right click": lambda page, target: page.click(target, button="right", timeout=0.5),
    "double click": lambda page, target: page.double_click(target, timeout=0.5),
    "hover": lambda page, target: page.hover(target, timeout=0.5),
}
_PER_PAGE = 25


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("temper", TEMPERS)
async def test_no_press_lands_on_another_element(
    request: pytest.FixtureRequest, page: Page, oracle: PageOracle, site: Site, temper: str
) -> None:
    actions = (5000 if request.config.getoption("thorough") else 200) // len(TEMPERS)
    pause_ms, reacts = TEMPERS[temper]
    frames = [site.page(THIEF, host=host) for host in ("a.test", "b.a.test", "b.test")]
    ends: dict[str, int] = {}
    for seed in range(-(-actions // _PER_PAGE)):
        await page.goto(
            site.page(restless_page(seed + 1, frames, pause_ms=pause_ms, reacts=reacts))
        )
        chance = random.Random(seed)
        for number in range(_PER_PAGE):
            end = await one_action(page, oracle, chance, f"{temper}, seed {seed}, {number}")
            ends[end] = ends.get(end, 0) + 1
    # A search in which nothing succeeds, or nothing is refused, has not searched.
    assert ends.get("ok", 0) > actions // 20, ends


async def one_action(page: Page, oracle: PageOracle, chance: random.Random, case: str) -> str:
    """Act once, and return how it ended."""
    items = [one for one in (await page.snapshot()).elements if one.name.startswith("Item ")]
    item = chance.choice([one for one in items if one.role != "generic"])
    key = item.name.split()[1]
    name = chance.choice(list(ACTIONS))
    await oracle.eval("void (seen.length = 0)")
    receipt = None
    try:
        receipt = (await ACTIONS[name](page, item.id)).receipt
        end = "ok"
    except CdpAgentError as error:
        end = error.code
    # Frames of other processes tell of a press in a task of their own.
    await oracle.eval("new Promise((done) => setTimeout(done, 10))")
    seen = await oracle.eval("seen")
    case = f"{case}: {name} on {key}: {end}, {seen}, {receipt}"
    # What was pressed here and let go there makes a click of what is around both.
    elsewhere = [one for one in seen if one.split()[0] not in (key, "none")]
    assert not elsewhere, case
    assert not [one for one in seen if one in ("none pointerdown", "none mousedown")], case
    if end == "ok" and name != "hover":
        assert f"{key} pointerdown" in seen, case
        assert receipt is not None, case
    assert end not in ("browser_error", "connection_lost"), case
    return end
