"""Results of composites as the protocol has them. Pure."""

from __future__ import annotations

from typing import Any

from cdp_agent.api.composite.steps import CompositeResult, StepRow
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.json_form import dump_element
from cdp_agent.ws_server.bap.wire import camel, error_body, milliseconds


def composite_form(result: CompositeResult) -> dict[str, Any]:
    """A result, with a row for each step that was run."""
    rows = [
        row_form(number, row) for number, row in enumerate(result.steps) if row.status != "not_run"
    ]
    made: dict[str, Any] = {
        "completed": result.completed,
        "total": result.total,
        "success": result.completed == result.total,
        "results": rows,
        "duration": milliseconds(result.duration),
    }
    if result.snapshot is not None:
        made["snapshot"] = _snapshot(result.snapshot)
    return made if result.failed_at is None else {**made, "failedAt": result.failed_at}


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot in its JSON form, with what can only be read; its picture is bytes."""
    made = snapshot.model_dump()
    made["readable"] = [
        dump_element(element, [], snapshot.viewport) for element in snapshot.readable.values()
    ]
    return {**camel(made), "screenshot": snapshot.screenshot}


def row_form(number: int, row: StepRow) -> dict[str, Any]:
    """The row of one step."""
    made: dict[str, Any] = {
        "step": number,
        "label": row.label,
        "success": row.success,
        "status": row.status,
        "duration": milliseconds(row.duration),
        "retries": row.retries,
    }
    if row.result is not None:
        made["result"] = camel(row.result)
    return made if row.error is None else {**made, "error": error_body(row.error)}
