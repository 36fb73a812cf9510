"""Filling a slider that a page draws itself: by keys, its ARIA value read back."""

from __future__ import annotations

import math
from typing import Any

from cdp_agent.act.stage import Performed, Stage
from cdp_agent.act.text.text_entry import press
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.errors import InvalidParams, NotEditable
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement

#: A slider is moved by so many keys at most.
_MOST_KEYS = 200
#: Keys that move a slider up; pages answer one of them at least.
_UP = ("ArrowRight", "ArrowUp")
_DOWN = {"ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown"}
#: A page that draws once a frame or two shows the new value within this time.
_ANSWER_MS = 400
#: Pages add steps up: 0.1 three times is 0.30000000000000004.
_ROUNDING = 1e-6


async def slide(stage: Stage, live: LiveElement, facts: dict[str, Any], value: str) -> Performed:
    """Move a slider to a number by keys.

    Raises:
        InvalidParams: the value is not a number in the slider's range. Nothing was touched.
        NotEditable: keys do not move it, or none of its steps is that number.
    """
    aim = _aim(live, facts, value)
    thumb = live.id
    if facts["thumb"]:
        adopted = await stage.resolver.adopt(live, "cdpAgent.sliderThumb()", "slider", "")
        thumb = adopted or live.id
    return await _Slide(stage, live, thumb, float(facts["now"]), aim).run(facts)


def _aim(live: LiveElement, facts: dict[str, Any], value: str) -> float:
    low, high = facts["min"], facts["max"]
    hint = f"Write a number from {low:g} to {high:g}."
    try:
        aim = float(value)
    except ValueError:
        raise InvalidParams(
            f"{value!r} is not a number, and {live.id} is a slider",
            hint=hint,
            element_id=str(live.id),
        ) from None
    if not low <= aim <= high:
        raise InvalidParams(
            f"{value} is out of the range of {live.id}", hint=hint, element_id=str(live.id)
        )
    return aim


class _Slide:
    """One slider on its way to a number."""

    def __init__(
        self, stage: Stage, live: LiveElement, thumb: ElementId, now: float, aim: float
    ) -> None:
        self._stage = stage
        self._live = live
        self._thumb = thumb
        self._now = now
        self._aim = aim
        self._mark = Mark.set(stage.target, live.frame)
        self._keys = 0
        self._done: Performed | None = None

    async def run(self, facts: dict[str, Any]) -> Performed:
        if self._aim in (facts["min"], facts["max"]) and not self._is_there:
            await self._press("Home" if self._aim == facts["min"] else "End")
        if not self._is_there or self._done is None:
            await self._approach()
        if not self._is_there or self._done is None:
            raise self._missed(
                f"stopped at {self._now:g}, not at {self._aim:g}",
                "Its steps may not have that number; choose another, or drag it.",
            )
        done = self._done
        data = {"value": f"{self._now:g}", "exact": True}
        return Performed(
            self._live.id, self._mark, done.settled, done.receipt, self._live.healed, data
        )

    @property
    def _is_there(self) -> bool:
        return math.isclose(self._now, self._aim, rel_tol=_ROUNDING, abs_tol=1e-9)

    async def _approach(self) -> None:
        """Press the key that moves it, step by step; the first shows how far a step is."""
        key, step = await self._first_step()
        while not self._is_there and self._keys < _MOST_KEYS:
            left = (self._aim - self._now) / step
            if abs(left) < 1 - _ROUNDING:
                return  # between two steps
            if abs(left) > _MOST_KEYS:
                raise self._missed(
                    f"moves by {abs(step):g} with a key: {abs(left):.0f} would be needed",
                    "Press PageUp or PageDown on it, or drag it.",
                )
            before = self._now
            await self._press(key if left > 0 else _DOWN[key])
            if self._now == before or has_navigated(self._stage.target, self._mark):
                return

    async def _first_step(self) -> tuple[str, float]:
        before = self._now
        is_up = self._aim >= before
        for key in _UP:
            await self._press(key if is_up else _DOWN[key])
            if self._now != before:
                step = self._now - before
                return key, step if is_up else -step
        raise self._missed("does not answer arrow keys", "Drag it, or click at a position of it.")

    async def _press(self, key: str) -> None:
        self._keys += 1
        self._done = await press(self._stage, key, self._thumb)
        options = {"before": self._now, "waitMs": _ANSWER_MS}
        seconds = self._stage.reply_timeout + 1
        self._now = float(await self._live.call("awaitSliderValue", options, timeout=seconds))

    def _missed(self, what: str, hint: str) -> NotEditable:
        live = self._live
        return NotEditable(
            f"{live.id} ({live.ref.role} {live.ref.name[:60]!r}) {what}",
            hint=hint,
            element_id=str(live.id),
            value=f"{self._now:g}",
        )
