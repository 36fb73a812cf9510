"""Composite actions on real pages: every clause of the contract."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_agent import Page
from cdp_agent.api.composite.step_actions import Ids
from cdp_agent.api.composite.steps import CompositeResult, PlannedStep
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

FORM = """<label>Name <input id=who></label><button onclick="log.push(who.value)">Send</button>
<button id=off disabled>Off</button><p id=ghost hidden>Ghost</p><script>var log = []</script>"""
SEND = {"action": "click", "params": {"selector": {"role": "button", "name": "Send"}}}
NOTHING = {"action": "click", "params": {"selector": {"css": "#none"}, "timeout": 0.2}}


def fill(value: str) -> dict[str, Any]:
    selector = {"type": "label", "value": "Name"}
    return {"action": "fill", "label": "name", "params": {"selector": selector, "value": value}}


def statuses(result: CompositeResult) -> list[str]:
    return [row.status for row in result.steps]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_steps_run_in_order_in_every_kind_of_frame(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(FORM, frame_kind)
    result = await stage.page.act([fill("Ada"), SEND, fill("Bob"), SEND], observe=True)
    assert await stage.eval("log") == ["Ada", "Bob"]
    assert (result.success, result.completed, result.total, result.failed_at) == (True, 4, 4, None)
    row = result.steps[0].to_dict()
    assert (row["label"], row["success"], row["error"], row["retries"]) == ("name", True, None, 0)
    assert row["result"]["value"] == "Ada"
    assert row["duration"] > 0
    assert result.snapshot is not None


async def test_it_stops_at_the_first_error(open_page: OpenPage, page: Page) -> None:
    await open_page(FORM)
    result = await page.act([fill("Ada"), NOTHING, SEND])
    assert statuses(result) == ["done", "failed", "not_run"]
    assert (result.success, result.completed, result.failed_at) == (False, 1, 1)
    error = result.steps[1].error
    assert error is not None
    assert error["code"] == "element_not_found"


async def test_skip_and_no_stop_go_on(open_page: OpenPage, page: Page, oracle: PageOracle) -> None:
    await open_page(FORM)
    skipped = await page.act([{**NOTHING, "on_error": "skip"}, SEND])
    assert statuses(skipped) == ["skipped", "done"]
    assert (skipped.success, skipped.failed_at) == (True, None)

    went_on = await page.act([NOTHING, SEND], stop_on_first_error=False)
    assert statuses(went_on) == ["failed", "done"]
    assert (went_on.success, went_on.failed_at) == (False, 0)

    stopped = await page.act([{**NOTHING, "on_error": "stop"}, SEND], stop_on_first_error=False)
    assert statuses(stopped) == ["failed", "not_run"]
    assert len(await oracle.eval("log")) == 2


async def test_a_step_is_tried_again_after_doubling_delays(
    open_page: OpenPage, page: Page, monkeypatch: pytest.MonkeyPatch, oracle: PageOracle
) -> None:
    await open_page("<p>Wait</p>")
    slept: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        if seconds >= 0.1:
            slept.append(seconds)
            if len(slept) == 3:
                await oracle.eval("document.body.innerHTML = '<button>Late</button>'")
        await sleep(0 if seconds >= 0.1 else seconds)

    monkeypatch.setattr("cdp_agent.api.composite.step_run.asyncio.sleep", counted)
    # Long enough for the click that succeeds, also while others use the machine.
    late = {"selector": {"text": "Late"}, "timeout": 0.5}
    step = {"action": "click", "params": late, "on_error": "retry", "retry_delay": 100}
    result = await page.act([{**step, "max_retries": 4}])
    assert (result.success, result.steps[0].retries) == (True, 3)
    assert slept == [0.1, 0.2, 0.4]

    await oracle.eval("document.body.innerHTML = ''")
    given_up = await page.act([{**step, "max_retries": 2}, SEND])
    assert statuses(given_up) == ["failed", "not_run"]
    assert given_up.steps[0].retries == 2


CONDITIONS = {
    "visible": ("#who", "#ghost"),
    "hidden": ("#ghost", "#who"),
    "exists": ("#ghost", "#none"),
    "enabled": ("#who", "#off"),
    "disabled": ("#off", "#who"),
}


@pytest.mark.parametrize("state", CONDITIONS)
async def test_a_condition_decides_whether_a_step_runs(
    open_page: OpenPage, page: Page, oracle: PageOracle, state: str
) -> None:
    await open_page(FORM)
    met, unmet = (
        {"selector": {"css": css}, "state": state, "timeout": 0.05} for css in CONDITIONS[state]
    )
    assert (await page.act([{**SEND, "condition": met}])).success
    failed = await page.act([{**SEND, "condition": unmet}, SEND])
    assert statuses(failed) == ["failed", "not_run"]
    error = failed.steps[0].error
    assert error is not None
    assert error["code"] == "condition_failed"
    went_on = await page.act([{**SEND, "condition": unmet}, SEND], continue_on_condition_fail=True)
    assert statuses(went_on) == ["skipped", "done"]
    assert len(await oracle.eval("log")) == 2


async def test_a_condition_is_waited_for(open_page: OpenPage, page: Page) -> None:
    await open_page(FORM + "<script>setTimeout(() => { off.disabled = false }, 150)</script>")
    enabled = {"selector": {"role": "button", "name": "Off"}, "state": "enabled"}
    assert (await page.act([{**SEND, "condition": enabled}])).success


ONE = {"action": "press", "params": {"key": "a"}}


async def test_fifty_steps_are_not_too_many(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page("<script>n = 0; onkeydown = () => n++</script>")
    assert (await page.act([ONE] * 50)).completed == 50
    assert await oracle.eval("n") == 50


async def test_the_time_for_all_interrupts_a_running_step(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(FORM)
    patient = {"action": "click", "params": {"selector": {"css": "#off"}, "timeout": 30}}
    result = await page.act([SEND, patient, SEND], timeout=0.8)
    assert statuses(result) == ["done", "failed", "not_run"]
    error = result.steps[1].error
    assert error is not None
    assert error["code"] == "timeout"
    assert result.failed_at == 1
    assert (await page.act([SEND])).success
    assert len(await oracle.eval("log")) == 2


async def test_the_time_that_a_person_decides_is_not_the_steps(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    """A hook may ask somebody, or hold a step up; the steps have their own time afterwards."""
    await open_page(FORM)

    async def decide(step: PlannedStep, ids: Ids) -> None:
        await page.evaluate("new Promise(done => setTimeout(done, 2100))")

    result = await page.act([SEND], timeout=2.0, before_step=decide)
    assert statuses(result) == ["done"]
    assert len(await oracle.eval("log")) == 1


async def test_two_matches_are_an_error_that_lists_both(
    site: Site, page: Page, make_stage: MakeStage
) -> None:
    stage = await make_stage(
        "<button>Pay</button>", "oopif", outer="<button onclick='paid = 1'>Pay</button>"
    )
    result = await page.act([{"action": "click", "params": {"selector": {"text": "Pay"}}}])
    error = result.steps[0].error
    assert error is not None
    assert len(error["data"]["matches"]) == 2
    index = next(f.index for f in page.frames if f.name == "stage")
    for frame in (index, 0):
        picked = {"type": "role", "role": "button", "name": "Pay", "frame": frame}
        assert (await page.act([{"action": "click", "params": {"selector": picked}}])).success
    assert await stage.oracle.eval("paid") == 1


SELECTORS: dict[str, Any] = {
    "role": {"type": "role", "role": "textbox", "name": "Full name"},
    "label": {"type": "label", "value": "Full name"},
    "placeholder": {"type": "placeholder", "value": "Ada Love"},
    "test id": {"type": "test_id", "value": "who"},
    "css": {"type": "css", "value": "form input"},
    "xpath": {"type": "xpath", "value": "//form//input"},
}


@pytest.mark.parametrize("selector", SELECTORS.values(), ids=SELECTORS.keys())
async def test_every_kind_of_selector(
    open_page: OpenPage, page: Page, oracle: PageOracle, selector: Any
) -> None:
    await open_page(
        "<form><label>Full name <input id=t placeholder='Ada Lovelace' data-testid=who></label>"
        "</form><p>Full name is required</p>"
    )
    result = await page.act([{"action": "fill", "params": {"selector": selector, "value": "x"}}])
    assert result.success, result.steps[0].error
    assert await oracle.eval("t.value") == "x"


async def test_a_text_that_is_no_control_and_an_open_shadow_tree(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(
        "<div id=row onclick='hit = 1'><b>Row five</b></div><div id=host></div><script>"
        "host.attachShadow({mode: 'open'}).innerHTML = '<i class=in>Deep</i>'</script>"
    )
    for selector in ({"text": "Row five"}, {"css": "i.in"}):
        assert (await page.act([{"action": "click", "params": {"selector": selector}}])).success
    assert await oracle.eval("hit") == 1
