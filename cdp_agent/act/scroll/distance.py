"""Distance and direction of a scroll, checked before a page is touched. Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from cdp_agent.action_table.entry import Amount
from cdp_agent.action_table.limits import MOST_PIXELS
from cdp_agent.errors import InvalidParams

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
class ScrollDistance:
    """One scroll: `to` a share of the whole, to a `place`, by `pixels` or by `pages`."""

    axis: str
    sign: int = 1
    to: float | None = None
    #: In CSS pixels, as the page itself counts them; beyond the end means the end.
    place: float | None = None
    pixels: float | None = None
    pages: float = 1.0

    @property
    def options(self) -> dict[str, Any]:
        return {
            "axis": self.axis,
            "sign": self.sign,
            "to": self.to,
            "place": self.place,
            "pixels": self.pixels,
            "pages": self.pages,
        }


def travel(direction: str, pixels: float | None, amount: Amount) -> ScrollDistance:
    """Raises: InvalidParams."""
    if is_number(amount) and direction not in _ENDS:
        pixels, amount = amount if pixels is None else pixels, "page"  # type: ignore[assignment]
    if direction not in _WAYS and direction not in _ENDS:
        known = ", ".join([*_WAYS, *_ENDS])
        raise InvalidParams(f"{direction!r} is not a direction", hint=f"One of: {known}.")
    if not is_number(amount) and amount not in _PAGES:
        hint = "Or pixels, a number above 0."
        raise InvalidParams(f"amount is 'page' or 'half', not {amount!r}", hint=hint)
    if pixels is not None and (not is_number(pixels) or not 0 < pixels <= MOST_PIXELS):
        raise InvalidParams(
            f"pixels must be more than 0 and at most {MOST_PIXELS}, not {pixels!r}",
            hint="The direction says which way.",
        )
    if direction in _ENDS:
        if pixels is not None:
            raise InvalidParams(f"{direction} is a place: it takes no pixels")
        return ScrollDistance("y", to=_ENDS[direction])
    axis, sign = _WAYS[direction]
    return ScrollDistance(axis, sign, pixels=pixels, pages=_PAGES[str(amount)])


def travel_to(percent: float | str) -> ScrollDistance:
    """Raises: InvalidParams."""
    share = read_percent(percent)
    if not is_number(share) or not 0 <= share <= 100:
        raise InvalidParams(f"percent is from 0 to 100, not {percent!r}")
    return ScrollDistance("y", to=share / 100)


def read_percent(given: Any) -> Any:
    """The number that `50%` or `12.5` as a text is; anything else as it is."""
    if not isinstance(given, str):
        return given
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%?\s*", given, re.ASCII)
    return float(match[1]) if match is not None else given


def travels_to(x: float | None, y: float | None) -> list[ScrollDistance]:
    """The ways to a position, one for each axis that is given.

    Raises:
        InvalidParams: neither is given, or one is not a number.
    """
    places = {axis: place for axis, place in (("x", x), ("y", y)) if place is not None}
    if not places:
        raise InvalidParams("a position has x, y or both")
    for axis, place in places.items():
        if not is_number(place):
            raise InvalidParams(f"{axis} must be a number of pixels, not {place!r}")
    return [ScrollDistance(axis, place=place) for axis, place in places.items()]


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def position(facts: dict[str, Any], axis: str) -> dict[str, Any]:
    """The position of a box for a caller, along the way it went."""
    low, high, at = facts[f"min_{axis}"], facts[f"max_{axis}"], facts[axis]
    keys = ("x", "y", "min_x", "max_x", "min_y", "max_y", "moved_x", "moved_y", "prevented", "by")
    result = {key: facts[key] for key in (*keys, "box")}
    result["percent"] = facts[f"percent_{axis}"]
    # A box that counts down from 0 begins at its highest position.
    first, last = (high, low) if low < 0 else (low, high)
    result["at_start"] = abs(at - first) < 1
    result["at_end"] = abs(at - last) < 1
    return result


def chunks(facts: dict[str, Any]) -> dict[str, int]:
    """The number of the piece in sight, counted from 1, and of all pieces."""
    step = max(facts["height"] * CHUNK, 1)
    length = facts["max_y"] - facts["min_y"]
    gone = abs(facts["y"] - (facts["max_y"] if facts["min_y"] < 0 else facts["min_y"]))
    total = math.ceil(max(length - 1, 0) / step) + 1
    number = total if length - gone < 1 else min(math.floor(gone / step + 0.5) + 1, total)
    return {"chunk": number, "chunks": total}
