"""The JSON Schema that is kept is the one that the model has now."""

from __future__ import annotations

from pathlib import Path

from cdp_agent.snapshot.schema import schema_text

KEPT = Path(__file__).parents[3] / "fixtures" / "snapshot.schema.json"


def test_the_kept_schema_is_current() -> None:
    assert KEPT.read_text("utf-8") == schema_text(), "run scripts/fix"
