"""Ids of things, and nothing about how they are found."""

from __future__ import annotations

import re
from typing import NewType

from cdp_agent.errors import RefInvalid

FrameId = NewType("FrameId", str)
LoaderId = NewType("LoaderId", str)

_PATTERN = re.compile(r"([0-9]{1,6})-([0-9]{1,10})\Z")


class ElementId(str):
    """`frameIndex-backendNodeId`, e.g. `2-1047`: a string that knows its parts.

    An id that came out of a snapshot also remembers the document it was issued for,
    because another document may use the same numbers. One parsed from text does not.
    """

    __slots__ = ("backend_node_id", "frame_index", "loader_id")

    frame_index: int
    backend_node_id: int
    loader_id: LoaderId | None

    def __new__(
        cls, frame_index: int, backend_node_id: int, loader_id: LoaderId | None = None
    ) -> ElementId:
        self = super().__new__(cls, f"{frame_index}-{backend_node_id}")
        self.frame_index = frame_index
        self.backend_node_id = backend_node_id
        self.loader_id = loader_id
        return self

    def __getnewargs__(self) -> tuple[int, int, LoaderId | None]:  # type: ignore[override]
        return self.frame_index, self.backend_node_id, self.loader_id

    @classmethod
    def parse(cls, text: str) -> ElementId:
        """Read an id as a model or a person wrote it.

        Raises:
            RefInvalid: it does not look like an id.
        """
        if isinstance(text, ElementId):
            return text
        match = _PATTERN.match(text) if isinstance(text, str) else None
        if match is None:
            shown = repr(text)[:60]
            raise RefInvalid(f"{shown} is not an element id", ref=shown)
        return cls(int(match[1]), int(match[2]))


class PointedId(ElementId):
    """The id of what was found at a point; a pointer goes to that point of it, not to its middle.

    `position` is from its top left corner.
    """

    __slots__ = ("position",)

    position: tuple[float, float]

    @classmethod
    def at(cls, element_id: ElementId, position: tuple[float, float]) -> PointedId:
        parts = (element_id.frame_index, element_id.backend_node_id, element_id.loader_id)
        pointed = cls(*parts)
        pointed.position = position
        return pointed


def position_in(
    element_id: str | None, position: tuple[float, float] | None
) -> tuple[float, float] | None:
    """The position that is asked for, or else the one at which the element was found."""
    if position is None and isinstance(element_id, PointedId):
        return element_id.position
    return position
