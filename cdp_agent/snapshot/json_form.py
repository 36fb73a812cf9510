"""The JSON form of a snapshot, as `fixtures/snapshot.schema.json` describes it. Pure.

Elements have `id` and `state` as the Python object has them, and beside these what programs of
other protocols read: `ref`, `states` (a list of words), `bbox` (an object) and `children`.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from cdp_agent.snapshot.model import Element, Node, Snapshot, Viewport

#: A state that is there, and its word where it is not.
_OPPOSITES = {"checked": "unchecked", "expanded": "collapsed"}
_WORDS = ("readonly", "focused", "busy")


def dump(snapshot: Snapshot) -> dict[str, Any]:
    """The snapshot as plain data."""
    children = children_of(snapshot.nodes)
    focused, picture = snapshot.focused, snapshot.screenshot
    return {
        "snapshot_id": snapshot.snapshot_id,
        "timestamp": snapshot.timestamp,
        "page": _plain(snapshot.page),
        "viewport": _plain(snapshot.viewport),
        "frames": [_plain(frame) for frame in snapshot.frames],
        "elements": [
            dump_element(element, children.get(element.id, []), snapshot.viewport)
            for element in snapshot.elements
        ],
        "focused": None if focused is None else str(focused.id),
        "screenshot": None if picture is None else base64.b64encode(picture).decode(),
        "text": snapshot.text,
        "dialogs": [dialog.to_dict() for dialog in snapshot.dialogs],
        "lost_values": [value.to_dict() for value in snapshot.lost_values],
        "warnings": list(snapshot.warnings),
        "omitted": snapshot.omitted,
    }


def children_of(nodes: Sequence[Node]) -> dict[str, list[str]]:
    """For each line with an id, the ids of the next lines with an id below it."""
    found: dict[str, list[str]] = {}
    above: list[Node] = []
    for node in nodes:
        while above and above[-1].depth >= node.depth:
            above.pop()
        if node.id is not None:
            if above:
                found.setdefault(above[-1].key, []).append(str(node.id))
            above.append(node)
    return found


def state_words(element: Element, viewport: Viewport) -> list[str]:
    """The states of an element as words: `visible`, `enabled`, `unchecked` …"""
    state = element.state
    words = [_sight(element, viewport), "disabled" if state.get("disabled") else "enabled"]
    for name, opposite in _OPPOSITES.items():
        if name in state:
            value = state[name]
            words.append("mixed" if value == "mixed" else name if value else opposite)
    return [*words, *(name for name in _WORDS if state.get(name))]


def _sight(element: Element, viewport: Viewport) -> str:
    box = element.bounds
    if box is None or element.state.get("hidden"):
        return "hidden"
    inside = (
        box.x < viewport.width
        and box.y < viewport.height
        and box.x + box.width > 0
        and box.y + box.height > 0
    )
    return "visible" if inside else "offscreen"


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def dump_element(element: Element, children: list[str], viewport: Viewport) -> dict[str, Any]:
    """One element as plain data; `children` are the ids of the elements next below it."""
    box = element.bounds
    sizes = None if box is None else [round(size) for size in box]
    return {
        **_plain(element),
        "id": str(element.id),
        "ref": str(element.id),
        "state": dict(element.state),
        "states": state_words(element, viewport),
        "hints": list(element.hints),
        "bounds": None if box is None else list(box),
        "bbox": None if sizes is None else dict(zip(_SIZES, sizes, strict=True)),
        "children": children,
    }


_SIZES = ("x", "y", "width", "height")
