"""The path of a drag, checked before a page is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cdp_agent.act.scroll.distance import is_number
from cdp_agent.errors import InvalidParams
from cdp_agent.ids import ElementId, position_in

Offset = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a drag: to an element, by an offset, or along points of the source."""

    target: ElementId | None = None
    by: Offset | None = None
    path: tuple[Offset, ...] | None = None
    source_position: Offset | None = None
    target_position: Offset | None = None
    steps: int = 8
    #: Press Escape at the end instead of letting go.
    cancel: bool = False

    @classmethod
    def of(
        cls,
        target_id: str | None,
        by: Any,
        path: Any,
        source_position: Any,
        target_position: Any,
        steps: int,
        cancel: bool,
    ) -> Route:
        """Raises: InvalidParams: not exactly one way to go, or numbers that are none."""
        if sum(way is not None for way in (target_id, by, path)) != 1:
            raise InvalidParams(
                "a drag goes to an element, by an offset or along a path",
                hint="Give one of target_id, by=(x, y) and path=[(x, y), …].",
            )
        if not isinstance(steps, int) or isinstance(steps, bool) or not 1 <= steps <= 200:
            raise InvalidParams(f"steps must be from 1 to 200, not {steps!r}")
        if target_position is not None and target_id is None:
            raise InvalidParams("target_position needs a target_id")
        points: tuple[Offset, ...] | None = None
        if path is not None:
            if source_position is not None:
                raise InvalidParams("a path begins at its first point: no source_position")
            if not isinstance(path, Sequence) or not 2 <= len(path) <= 2000:
                raise InvalidParams("a path is a list of 2 to 2000 points")
            points = tuple(_offset("a point of the path", point) for point in path)
            source_position = points[0]
        return cls(
            ElementId.parse(target_id) if target_id is not None else None,
            _offset("by", by) if by is not None else None,
            points,
            _offset("source_position", source_position) if source_position is not None else None,
            _offset("target_position", target_position) if target_position is not None else None,
            steps,
            bool(cancel),
        )


def drag_route(
    source_id: str | None, at: Any, source_position: Any, path: Any, **rest: Any
) -> tuple[ElementId | None, Route]:
    """The element to press on (None: the point `at` of the viewport), and the route.

    Raises:
        InvalidParams: neither an element nor a point to begin at, or a wrong route.
    """
    if at is not None and (source_position is not None or path is not None):
        raise InvalidParams("at is where it is pressed: no source_position, and no path")
    source = ElementId.parse(source_id) if source_id is not None else None
    if at is None and path is None:
        at = position_in(source_id, source_position)
    start = source_position if at is None else at
    route = Route.of(path=path, source_position=start, **rest)
    if source is None and route.source_position is None:
        raise InvalidParams("a drag begins at an element or at a point", hint="Give id or at.")
    return source, route


def _offset(name: str, value: Any) -> Offset:
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or len(value) != 2
        or not all(is_number(part) for part in value)
    ):
        raise InvalidParams(f"{name} is two numbers (x, y), not {value!r}")
    return float(value[0]), float(value[1])
