"""How far to scroll and which way: checked words and numbers, nothing of a page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from cdp_agent.errors import InvalidParams

Direction = Literal["up", "down", "left", "right", "top", "bottom"]
Amount = Literal["page", "half"]

_WAYS: dict[str, tuple[str, int]] = {
    "up": ("y", -1),
    "down": ("y", 1),
    "left": ("x", -1),
    "right": ("x", 1),
}
_ENDS: dict[str, float] = {"top": 0.0, "bottom": 1.0}
_PAGES: dict[str, float] = {"page": 1.0, "half": 0.5}
#: Of what was in sight, this much stays in sight: no line is lost between two chunks.
CHUNK = 0.9


@dataclass(frozen=True, slots=True)
class Travel:
    """One way to go: `to` a share of the whole, or `pixels` or `pages` in a direction."""

    axis: str
    sign: int = 1
    to: float | None = None
    pixels: float | None = None
    pages: float = 1.0

    @property
    def options(self) -> dict[str, Any]:
        return {
            "axis": self.axis,
            "sign": self.sign,
            "to": self.to,
            "pixels": self.pixels,
            "pages": self.pages,
        }


def travel(direction: str, pixels: float | None, amount: str) -> Travel:
    """Raises: InvalidParams."""
    if direction not in _WAYS and direction not in _ENDS:
        known = ", ".join([*_WAYS, *_ENDS])
        raise InvalidParams(f"{direction!r} is no direction", hint=f"One of: {known}.")
    if amount not in _PAGES:
        raise InvalidParams(f"amount is 'page' or 'half', not {amount!r}", hint="Or give pixels.")
    if pixels is not None and (not is_number(pixels) or pixels <= 0):
        raise InvalidParams(
            f"pixels must be more than 0, not {pixels!r}", hint="The direction says which way."
        )
    if direction in _ENDS:
        if pixels is not None:
            raise InvalidParams(f"{direction} is a place: it takes no pixels")
        return Travel("y", to=_ENDS[direction])
    axis, sign = _WAYS[direction]
    return Travel(axis, sign, pixels=pixels, pages=_PAGES[amount])


def travel_to(percent: float) -> Travel:
    """Raises: InvalidParams."""
    if not is_number(percent) or not 0 <= percent <= 100:
        raise InvalidParams(f"percent is from 0 to 100, not {percent!r}")
    return Travel("y", to=percent / 100)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def position(facts: dict[str, Any], axis: str) -> dict[str, Any]:
    """What a caller is told of where a box stands now, along the way it went."""
    low, high, at = facts[f"min_{axis}"], facts[f"max_{axis}"], facts[axis]
    keys = ("x", "y", "min_x", "max_x", "min_y", "max_y", "moved_x", "moved_y", "prevented", "by")
    told = {key: facts[key] for key in (*keys, "box")}
    told["percent"] = facts[f"percent_{axis}"]
    # A box that counts down from 0 begins at its highest position.
    first, last = (high, low) if low < 0 else (low, high)
    told["at_start"] = abs(at - first) < 1
    told["at_end"] = abs(at - last) < 1
    return told


def chunks(facts: dict[str, Any]) -> dict[str, int]:
    """Which piece of the whole is in sight, counted from 1, and how many there are now."""
    step = max(facts["height"] * CHUNK, 1)
    length = facts["max_y"] - facts["min_y"]
    gone = abs(facts["y"] - (facts["max_y"] if facts["min_y"] < 0 else facts["min_y"]))
    total = math.ceil(max(length - 1, 0) / step) + 1
    number = total if length - gone < 1 else min(math.floor(gone / step + 0.5) + 1, total)
    return {"chunk": number, "chunks": total}
