"""The JSON Schema of a snapshot. Apart from the model, because pydantic is slow to import."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from cdp_agent.snapshot.model import FrameInfo, PageInfo, Viewport
from cdp_agent.targets.dialog import DialogInfo
from cdp_agent.targets.page_reports import LostValue


@dataclass(frozen=True, slots=True)
class ElementJson:
    """An element in the JSON form."""

    id: str
    role: str
    name: str
    value: str | None
    state: dict[str, bool | int | float | str]
    tag: str
    level: int | None
    bounds: tuple[float, float, float, float] | None
    frame_index: int
    backend_node_id: int
    hints: list[str]


@dataclass(frozen=True, slots=True)
class SnapshotJson:
    """The JSON form of a snapshot."""

    page: PageInfo
    viewport: Viewport
    frames: Sequence[FrameInfo]
    elements: Sequence[ElementJson]
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
