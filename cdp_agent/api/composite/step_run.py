"""Composite actions: up to fifty steps in one call, all checked before the first.

- `on_error` of a step: `stop` ends the sequence, `skip` goes on, `retry` tries up to `max_retries`
  times more, waiting `retry_delay` ms before the first and twice as long before each next one. A
  step that says nothing, or has used up its retries, ends the sequence unless
  `stop_on_first_error` is off.
- A step whose `condition` does not come true in its time is not run. That is an error like any
  other, but with `continue_on_condition_fail` the sequence goes on.
- `timeout` is for the whole: it interrupts the step that is running. The time that `before_step`
  takes, such as a person's who decides, does not count.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from cdp_agent.action_table.limits import LONGEST
from cdp_agent.api.composite.step_actions import (
    Ids,
    find_ids,
)
from cdp_agent.api.composite.steps import (
    CompositeResult,
    Condition,
    ConditionState,
    PlannedStep,
    Rules,
    StepRow,
    plan,
)
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.selectors.selector_search import find_all
from cdp_agent.api.tab import Observe
from cdp_agent.errors import (
    ActionTimeout,
    BlockedByPolicy,
    CdpAgentError,
    ConditionFailed,
    ConnectionLost,
    HumanRejected,
    InvalidParams,
    TargetClosed,
)

if TYPE_CHECKING:
    from cdp_agent.api.page import Page

#: Trying again cannot help.
_FINAL = (InvalidParams, BlockedByPolicy, HumanRejected, TargetClosed, ConnectionLost)
#: Nothing can be done after these, whatever the step says.
_ENDS_ALL = (TargetClosed, ConnectionLost)


async def run_observed(
    page: Page, steps: Sequence[Mapping[str, Any]], rules: Rules, observe: Observe
) -> CompositeResult:
    """Plan the steps, run them, and capture the page afterwards if it is observed."""
    return await run_planned(page, plan(steps), rules, observe)


async def run_planned(
    page: Page, planned: list[PlannedStep], rules: Rules, observe: Observe
) -> CompositeResult:
    """Run what was planned, and capture the page afterwards if it is observed."""
    tab = page._tab
    before = tab.last
    result = await run_steps(page, planned, rules)
    options = tab.observation(observe)
    if options is not None and tab.target.closed is None and tab.target.dialog is None:
        try:
            result.snapshot = await tab.take(options)
        except CdpAgentError:
            return result  # the rows are worth more than the snapshot that failed
        diff = result.snapshot.unfiltered.diff(before) if before is not None else None
        result.diff = diff if diff is not None and diff.is_worth_it else None
    return result


async def run_steps(page: Page, planned: list[PlannedStep], rules: Rules) -> CompositeResult:
    """Run what was planned. Errors of steps are in their rows."""
    if not 0 < rules.timeout <= LONGEST:
        raise InvalidParams(f"timeout must be above 0 and at most {LONGEST:g} seconds")
    result = CompositeResult([StepRow(step.label, step.action.name) for step in planned])
    began = time.monotonic()
    try:
        async with asyncio.timeout(rules.timeout) as deadline:
            for step in planned:
                if not await _run_step(page, step, result, rules, deadline):
                    break
    except TimeoutError:
        if not deadline.expired():
            raise
        _interrupted(result, rules.timeout)
    result.duration = time.monotonic() - began
    return result


def _interrupted(result: CompositeResult, seconds: float) -> None:
    """The time was over during the first step that has no result yet."""
    for number, row in enumerate(result.steps):
        if row.status == "not_run":
            row.status = "failed"
            error = ActionTimeout(f"the {seconds:g} s for all steps were over during this step")
            row.error = error.to_dict()
            if result.failed_at is None:
                result.failed_at = number
            return


async def _run_step(
    page: Page,
    step: PlannedStep,
    result: CompositeResult,
    rules: Rules,
    deadline: asyncio.Timeout,
) -> bool:
    """Returns whether the sequence goes on."""
    row = result.steps[step.number]
    began = time.monotonic()
    failed: CdpAgentError | None = None
    try:
        row.outcome, ids = await _tried(page, step, row, rules, deadline)
    except CdpAgentError as error:
        failed = error
        row.error = error.to_dict()
        row.status = "skipped" if _is_skipped(step, error, rules) else "failed"
    else:
        row.result = _facts(row.outcome, ids)
        row.status = "done"
        row.error = None
    finally:
        row.duration = time.monotonic() - began
    if row.status == "failed" and result.failed_at is None:
        result.failed_at = step.number
    if rules.on_step is not None:
        await rules.on_step(row, step.number)
    if failed is None or row.status == "skipped":
        return True
    stops = rules.stop_on_first_error or step.step.on_error == "stop"
    return not stops and not isinstance(failed, _ENDS_ALL)


def _is_skipped(step: PlannedStep, error: CdpAgentError, rules: Rules) -> bool:
    if isinstance(error, _ENDS_ALL):
        return False
    unmet = isinstance(error, ConditionFailed) and rules.continue_on_condition_fail
    return unmet or step.step.on_error == "skip"


async def _tried(
    page: Page, step: PlannedStep, row: StepRow, rules: Rules, deadline: asyncio.Timeout
) -> tuple[Outcome, Ids]:
    """Try a step as often as it wants to be tried."""
    pause = step.step.retry_delay / 1000
    most = step.step.max_retries if step.step.on_error == "retry" else 0
    while True:
        try:
            return await _once(page, step, rules, deadline)
        except CdpAgentError as error:
            if row.retries >= most or isinstance(error, _FINAL):
                raise
        await asyncio.sleep(pause)
        pause *= 2
        row.retries += 1


async def _once(
    page: Page, step: PlannedStep, rules: Rules, deadline: asyncio.Timeout
) -> tuple[Outcome, Ids]:
    if step.step.condition is not None:
        await require_condition(page, step.step.condition)
    params = step.params
    ids = await find_ids(page, params)
    if rules.before_step is not None:
        async with _stopped(deadline):
            params = await rules.before_step(step, ids) or params
    return await step.action.run(page, params, ids), ids


@asynccontextmanager
async def _stopped(deadline: asyncio.Timeout) -> AsyncIterator[None]:
    """Stop the clock of a deadline meanwhile."""
    loop = asyncio.get_running_loop()
    when = deadline.when()
    assert when is not None
    left = when - loop.time()
    deadline.reschedule(None)
    try:
        yield
    finally:
        deadline.reschedule(loop.time() + left)


async def require_condition(page: Page, condition: Condition) -> None:
    """Wait until a condition holds.

    Raises:
        ConditionFailed: it did not within its time.
    """

    async def look() -> bool | None:
        return await _holds(page, condition) or None

    if await page.look_until(look, condition.timeout) is None:
        message = f"{condition.selector} is not {_word(condition.state)}"
        raise ConditionFailed(
            f"{message} within {condition.timeout:g} s", hint="Take a new snapshot."
        )


async def _holds(page: Page, condition: Condition) -> bool:
    found = await find_all(page._tab, condition.selector, max(condition.timeout, 1.0))
    state = condition.state
    if state == "exists":
        return bool(found)
    shown = [one for one in found if one.visible]
    if state == "hidden":
        return not shown
    if state == "visible":
        return bool(shown)
    return any(one.disabled == (state == "disabled") for one in shown)


def _word(state: ConditionState) -> str:
    return "there" if state == "exists" else state


def _facts(outcome: Outcome, ids: Ids) -> dict[str, Any]:
    """The part of an outcome that a row reports: what is not as always."""
    facts: dict[str, Any] = {"id": str(ids.element)} if ids.element else {}
    facts.update(outcome.data)
    if outcome.navigated:
        facts["navigated"] = outcome.navigated
    if outcome.healed:
        facts["healed"] = True
    if outcome.dialogs:
        facts["dialogs"] = [dialog.to_dict() for dialog in outcome.dialogs]
    if outcome.new_pages:
        facts["new_pages"] = [page.url for page in outcome.new_pages]
    return facts
