"""The JSON Schema of a snapshot. Apart from the model, because pydantic is slow to import."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter

from cdp_agent.snapshot.model import FrameInfo, PageInfo, Viewport
from cdp_agent.targets.dialog import DialogInfo
from cdp_agent.targets.page_reports import LostValue

StateWord = Literal[
    "visible",
    "hidden",
    "offscreen",
    "enabled",
    "disabled",
    "readonly",
    "checked",
    "unchecked",
    "mixed",
    "expanded",
    "collapsed",
    "focused",
    "busy",
]


@dataclass(frozen=True, slots=True)
class BoxJson:
    """A box in CSS pixels of the viewport."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ElementJson:
    """An element in the JSON form."""

    id: str
    #: The same as `id`.
    ref: str
    role: str
    name: str
    value: str | None
    state: dict[str, bool | int | float | str]
    states: list[StateWord]
    tag: str
    level: int | None
    bounds: tuple[float, float, float, float] | None
    #: `bounds` in whole pixels.
    bbox: BoxJson | None
    frame_index: int
    backend_node_id: int
    hints: list[str]
    #: Ids of the elements next below it.
    children: list[str]


@dataclass(frozen=True, slots=True)
class SnapshotJson:
    """The JSON form of a snapshot."""

    snapshot_id: str
    timestamp: str
    page: PageInfo
    viewport: Viewport
    frames: Sequence[FrameInfo]
    elements: Sequence[ElementJson]
    #: The id of the element that has the keyboard.
    focused: str | None
    #: PNG in base64, where it was asked for.
    screenshot: str | None
    text: str
    dialogs: Sequence[DialogInfo]
    lost_values: Sequence[LostValue]
    warnings: Sequence[str]
    omitted: int


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `Snapshot.model_dump()`."""
    schema = TypeAdapter(SnapshotJson).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def schema_text() -> str:
    """The schema as it is kept in `fixtures/snapshot.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
