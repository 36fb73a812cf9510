"""Many steps in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cdp_agent.api.core import Observe, PageCore
from cdp_agent.errors import CdpAgentError

if TYPE_CHECKING:
    from cdp_agent.api.composite import BeforeStep, CompositeResult, OnStep
    from cdp_agent.api.page import Page


class Composing(PageCore):
    """`act`."""

    async def act(
        self,
        steps: Sequence[Mapping[str, Any]],
        *,
        timeout: float = 60.0,
        stop_on_first_error: bool = True,
        continue_on_condition_fail: bool = False,
        observe: Observe = False,
        before_step: BeforeStep | None = None,
        on_step: OnStep | None = None,
    ) -> CompositeResult:
        """Run 1 to 50 steps; all are checked before the first one runs.

        A step is `{"action": "fill", "params": {"selector": {"label": "Name"}, "value": "Ada"}}`
        with, where wanted, `label`, `condition`, `on_error`, `max_retries`, `retry_delay`; see
        `cdp_agent.api.composite`. `timeout` holds for all steps together and interrupts the one
        that is running; the page stays usable. With `observe` the answer has the page afterwards.

        Raises:
            InvalidParams: a step is wrong; none was run. What fails later is in the rows.
        """
        from cdp_agent.api.composite import Rules, plan, run_steps

        planned = plan(steps)
        rules = Rules(
            timeout, stop_on_first_error, continue_on_condition_fail, before_step, on_step
        )
        before = self._last
        result = await run_steps(cast("Page", self), planned, rules)
        observation = self._observation(observe)
        if observation and self._target.closed is None and self._target.dialog is None:
            try:
                result.snapshot = await self._take(observation)
            except CdpAgentError:
                return result  # the rows are worth more than the look that failed
            diff = result.snapshot.unfiltered.diff(before) if before is not None else None
            result.diff = diff if diff is not None and diff.is_worth_it else None
        return result
