"""Input that arrived and had no effect, because the browser refused it."""

from __future__ import annotations

from typing import Any

from cdp_agent.act.stage import receipt_of
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.act.wait.settle import Settled
from cdp_agent.errors import ConditionFailed
from cdp_agent.resolve import LiveElement
from cdp_agent.targets import PageTarget

#: A link or form that led nowhere is given this long to be refused.
_REFUSAL_SECONDS = 0.15
_REFUSED_HINT = "Its sandbox or security policy forbids it; no click will do it."


async def require_effect(
    target: PageTarget, live: LiveElement, mark: Mark, settled: Settled
) -> None:
    """That the browser has let the page do what the input asks for.

    A link or form whose default action Chromium refuses (a frame that may open no tab, send no
    form, leave for no other address) has none. The same refusal of something that a script asked
    for is none of ours where the page shows another effect: it is in `console_errors`.

    Raises:
        ConditionFailed: the browser refused what the element is for.
    """
    seen = receipt_of(settled)
    if seen is None or _has_led_somewhere(target, mark):
        return
    changed = settled.report is not None and settled.report["changed"]
    if seen.get("leads") and not changed:
        # A refusal is written a moment after the default action would have begun.
        await target.until(
            lambda: (
                _has_led_somewhere(target, mark) or bool(target.console.refused_since(mark.console))
            ),
            _REFUSAL_SECONDS,
        )
    refused = target.console.refused_since(mark.console)
    if refused and (seen.get("leads") or not changed):
        raise ConditionFailed(
            f"{live.id} was reached, but the browser refused what it is for: {refused}",
            hint=_REFUSED_HINT,
            element_id=str(live.id),
        )


def invalid_fields(settled: Settled) -> dict[str, Any]:
    """Fields whose validation kept a form from being sent, as `invalid`."""
    seen = receipt_of(settled)
    return {"invalid": seen["invalid"]} if seen is not None and seen["invalid"] else {}


def _has_led_somewhere(target: PageTarget, mark: Mark) -> bool:
    return (
        has_navigated(target, mark)
        or target.dialogs.count != mark.dialogs
        or len(target.popups) > mark.popups
        or len(target.downloads) > mark.downloads
    )
