"""Waits for conditions on what a page shows."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from cdp_agent.act import Performed
from cdp_agent.act.wait.conditions import ConditionWatch, WaitConditions
from cdp_agent.act.wait.lines_before import LinesBefore
from cdp_agent.act.wait.mark import Mark
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.parameter_checks import require_seconds
from cdp_agent.api.tab import Observe, Tab
from cdp_agent.errors import ActionTimeout, InvalidParams
from cdp_agent.ids import ElementId

#: What `quiet=True` means.
_QUIET_SECONDS = 0.5
_SHOWN_BEFORE = "The text was shown already when the wait began: without new it holds."
#: Rest is a matter of time, which no event tells.
_LOOK = 0.05


def make_condition(
    text: str | Sequence[str] | None,
    text_gone: str | Sequence[str] | None,
    id: str | None,
    state: str,
    url: str | re.Pattern[str] | None,
    quiet: bool | float,
    new: bool | LinesBefore,
) -> WaitConditions:
    """The conditions that a caller waits for, checked.

    Raises:
        InvalidParams: nothing is waited for, or a value has the wrong type.
    """
    return WaitConditions(
        texts=_several(text),
        texts_gone=_several(text_gone),
        element_id=ElementId.parse(id) if id is not None else None,
        state=state,
        url=url,
        quiet=_QUIET_SECONDS if quiet is True else (quiet or None),
        new=new,
    )


async def wait_for(tab: Tab, wish: WaitConditions, observe: Observe, timeout: float) -> Outcome:
    """Wait until everything that is wished for holds at once; see `Page.wait_for`."""
    require_seconds(timeout)
    tab.require_ready()
    target = tab.target
    before, popups = tab.last, len(target.popups)
    mark = Mark.set(target, target.frames.main)
    deadline = time.monotonic() + timeout
    async with ConditionWatch(target, tab.resolver, wish, deadline) as watch:

        def over() -> bool:
            return watch.is_met() or target.dialog is not None

        step = timeout if wish.quiet is None else _LOOK
        while not await target.until(over, max(min(deadline - time.monotonic(), step), 0)):
            if time.monotonic() >= deadline:
                raise _too_late(watch, timeout)
        rows, lines = watch.report(), watch.matched()
    if not all(held for _, held, _ in rows):
        tab.require_no_dialog()
    data = {"met": [f"{what}: {seen}" for what, _, seen in rows], "lines": lines}
    performed = Performed(None, mark, True, None, data=data)
    return await tab.outcome(performed, before, popups, tab.observation(observe), deadline)


def _several(given: str | Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    texts = (given,) if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(one, str) for one in texts):
        raise InvalidParams(f"what to wait for must be a text or a list of texts, not {given!r}")
    return tuple(texts)


def _too_late(watch: ConditionWatch, seconds: float) -> ActionTimeout:
    missing = [f"{what} ({seen})" for what, held, seen in watch.report() if not held]
    hint = _SHOWN_BEFORE if watch.shows_old else ActionTimeout.hint
    said = f"not within {seconds:g} s: {'; '.join(missing)}"
    return ActionTimeout(said, hint=hint, missing=missing)
