"""Selectors of the protocol, as selectors of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cdp_agent.api.selectors.selector import Selector
from cdp_agent.errors import InvalidParams

#: The field that holds the value where it is not called `value`.
_VALUE_FIELDS = {"ref": "ref", "semantic": "description"}
#: These name one element of the page wherever it is; a frame that was switched to is not a limit.
_ANYWHERE = frozenset({"id", "ref", "coordinates"})


def engine_selector(given: Any, frame: int | None = None) -> Selector:
    """Reads css, xpath, role, text, label, placeholder, testId, semantic, coordinates and ref.

    A text is an id or a selector as commands have it. `frame` is the frame that was switched to.

    Raises:
        InvalidParams, RefInvalid: it is none of these.
    """
    fields = dict(given) if isinstance(given, Mapping) else given
    if isinstance(fields, dict):
        fields = {name: value for name, value in fields.items() if value is not None}
        kind = fields.get("type")
        if kind in _VALUE_FIELDS and _VALUE_FIELDS[kind] in fields:
            fields["value"] = fields.pop(_VALUE_FIELDS[kind])
        if kind == "ref":
            fields["type"] = "id"
        if kind == "coordinates":
            fields = _point(fields)
        is_anywhere = kind in _ANYWHERE or {"frame", "frameIndex", "frame_index"} & set(fields)
        if frame is not None and not is_anywhere:
            fields["frame"] = frame
    return Selector.parse(fields)


def _point(fields: dict[str, Any]) -> dict[str, Any]:
    x, y = fields.pop("x", None), fields.pop("y", None)
    for value in (x, y):
        if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
            raise InvalidParams("coordinates need x and y, both from 0", hint='{"x": 120, "y": 80}')
    return {**fields, "value": f"{x},{y}"}
