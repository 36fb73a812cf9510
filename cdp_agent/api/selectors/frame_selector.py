"""`{"frameIndex": 3, "selector": "#checkout"}`: CSS or XPath in a frame. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot.options import with_known_names

_FIELDS = ("frame_index", "selector")
_EXAMPLE = 'It looks like {"frameIndex": 3, "selector": "#checkout"}.'
_XPATH_STARTS = ("/", "(", "./")


def is_frame_selector(given: Any) -> bool:
    """Returns whether it is meant as one, as a mapping or as its JSON text."""
    if isinstance(given, str):
        return given.lstrip().startswith("{")
    return isinstance(given, Mapping) and "selector" in given


def read_frame_selector(given: str | Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the selector that it stands for.

    Raises:
        InvalidParams: it is none; a name that is not known is an error, too.
    """
    fields: Any = given
    if isinstance(given, str):
        try:
            fields = json.loads(given)
        except (ValueError, RecursionError):
            raise InvalidParams(f"{given[:80]!r} is not a selector", hint=_EXAMPLE) from None
        if isinstance(fields, dict) and "selector" not in fields:
            return fields  # one of the other kinds, as JSON
    named = with_known_names(fields, _FIELDS)
    unknown = sorted(str(name) for name in named if name not in _FIELDS)
    if unknown:
        raise InvalidParams(f"a selector of a frame has no {unknown[0][:40]!r}", hint=_EXAMPLE)
    selector, frame = named["selector"], named.get("frame_index", 0)
    is_frame = isinstance(frame, int) and not isinstance(frame, bool)
    if not isinstance(selector, str) or not selector.strip() or not is_frame:
        raise InvalidParams("a frame's number and a selector are needed", hint=_EXAMPLE)
    text = selector.strip()
    if text.startswith(_XPATH_STARTS) or text.startswith("xpath="):
        return {"xpath": text.removeprefix("xpath="), "frame": frame}
    return {"css": text.removeprefix("css="), "frame": frame}
