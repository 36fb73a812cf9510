"""The four stages of the cancellation, as they are kept in `fixtures/snapshots`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from cdp_agent.snapshot.schema import SnapshotJson

FOLDER = Path(__file__).parents[3] / "fixtures" / "snapshots"

STAGES = {
    "account_active": 'definition "Active"',
    "retention_offer": 'link "Continue to cancel"',
    "confirmation": 'button "Finish cancellation" disabled',
    "cancelled": 'heading "Your membership has been cancelled"',
}


@pytest.mark.parametrize(("stage", "shown"), STAGES.items(), ids=STAGES.keys())
def test_a_stage_is_valid_and_shows_what_it_is(stage: str, shown: str) -> None:
    data = json.loads((FOLDER / f"{stage}.json").read_text("utf-8"))

    snapshot = TypeAdapter(SnapshotJson).validate_python(data)

    assert shown in snapshot.text
    assert set(data) == set(SnapshotJson.__dataclass_fields__)


def test_the_confirmation_stands_in_a_frame_of_another_process() -> None:
    data = json.loads((FOLDER / "confirmation.json").read_text("utf-8"))

    frame = data["frames"][1]
    assert frame["is_oopif"]
    assert frame["origin"] == "http://localhost:8000"
    assert {e["role"] for e in data["elements"] if e["frame_index"] == 1} >= {"checkbox", "button"}
