"""Steps, results and errors between the engine's form and the wire's. Pure.

The engine has snake_case and seconds, the wire camelCase and milliseconds.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic.alias_generators import to_camel

from cdp_agent import errors
from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.steps import CompositeResult, PlannedStep, StepRow
from cdp_agent.api.observation.elements import Observation
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.api.tab import Observe
from cdp_agent.errors import BrowserError, CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Element, FrameInfo, Snapshot, SnapshotOptions
from cdp_agent.snapshot.dom.columns import Box
from cdp_agent.snapshot.model import PageInfo, Viewport
from cdp_agent.snapshot.options import Focus
from cdp_agent.targets.dialog import DialogInfo

_ERRORS: dict[str, type[CdpAgentError]] = {
    kind.code: kind
    for kind in (
        errors.ConnectionLost,
        errors.ActionTimeout,
        errors.BrowserNotFound,
        errors.InvalidParams,
        errors.BlockedByPolicy,
        errors.HumanRejected,
        errors.ConditionFailed,
        errors.ModelError,
        errors.NavigationFailed,
        errors.DialogOpen,
        errors.TargetClosed,
        errors.TargetCrashed,
        errors.FrameDetached,
        errors.RefInvalid,
        errors.StaleRef,
        errors.ElementNotFound,
        errors.ElementNotVisible,
        errors.ElementDisabled,
        errors.ElementObscured,
        errors.ElementUnstable,
        errors.NotEditable,
        errors.OptionNotFound,
    )
}


def wire_step(step: PlannedStep) -> dict[str, Any]:
    """A checked step as the wire has it."""
    written = step.step
    made: dict[str, Any] = {
        "action": ACTION_TABLE[step.action.name].wire,
        "params": _wire_params(step),
        "label": step.label,
        "onError": written.on_error,
        "maxRetries": written.max_retries,
        "retryDelay": written.retry_delay,
    }
    if written.condition is not None:
        made["condition"] = {
            "selector": wire_selector(written.condition.selector),
            "state": written.condition.state,
            "timeout": written.condition.timeout * 1000,
        }
    return {name: value for name, value in made.items() if value is not None}


def _wire_params(step: PlannedStep) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name in type(step.params).model_fields:
        value = getattr(step.params, name)
        if value is None:
            continue
        if isinstance(value, Selector):
            value = wire_selector(value)
        elif name == "timeout":
            value = value * 1000
        params[to_camel(name)] = value
    return params


def wire_options(observe: Observe) -> bool | dict[str, Any]:
    """Options of a snapshot as the wire has them; a plain yes or no as it is."""
    if isinstance(observe, bool):
        return observe
    usual, made = SnapshotOptions(), {}
    for name in SnapshotOptions.__dataclass_fields__:
        value = getattr(observe, name)
        if value != getattr(usual, name):
            plain = asdict(value) if isinstance(value, Focus) else value
            made[to_camel(name)] = str(plain) if isinstance(plain, ElementId) else plain
    return made


def wire_selector(selector: Selector) -> dict[str, Any]:
    """A selector as the protocol has it."""
    kind, value = selector.kind, str(selector.value)
    if kind == "coordinates":
        x, y = selector.point
        made: dict[str, Any] = {"type": kind, "x": x, "y": y}
    elif kind == "role":
        made = {"type": kind, "role": value, "name": selector.name}
    else:
        names = {"id": ("ref", "ref"), "semantic": ("semantic", "description")}
        wire_kind, field = names.get(kind, (to_camel(kind), "value"))
        made = {"type": wire_kind, field: value}
    made |= {"frame": selector.frame, "nth": selector.nth, "exact": selector.exact or None}
    return {name: part for name, part in made.items() if part is not None}


def composite_result(planned: list[PlannedStep], answer: Mapping[str, Any]) -> CompositeResult:
    """The result of `agent/act`, with a row for each step."""
    rows = [StepRow(step.label, step.action.name) for step in planned]
    for data in answer["results"]:
        rows[data["step"]] = step_row(planned[data["step"]], data)
    result = CompositeResult(rows, answer["duration"] / 1000, answer.get("failedAt"))
    if "snapshot" in answer:
        result.snapshot = snapshot_of(answer["snapshot"])
    return result


def step_row(step: PlannedStep, data: Mapping[str, Any]) -> StepRow:
    """One row of `agent/act`."""
    row = StepRow(step.label, step.action.name)
    row.status = data["status"]
    row.result = snake(data["result"]) if "result" in data else None
    row.error = error_of(data["error"]).to_dict() if "error" in data else None
    row.duration = data["duration"] / 1000
    row.retries = data["retries"]
    return row


def snapshot_of(data: Mapping[str, Any]) -> Snapshot:
    """A snapshot from its JSON form, with text and elements, without nodes."""
    picture = data.get("screenshot")
    made = Snapshot(
        page=PageInfo(**snake(data["page"])),
        viewport=Viewport(**snake(data["viewport"])),
        frames=tuple(FrameInfo(**snake(frame)) for frame in data["frames"]),
        nodes=(),
        elements=tuple(_snapshot_element(element) for element in data["elements"]),
        warnings=tuple(data["warnings"]),
        omitted=data["omitted"],
        screenshot=None if picture is None else base64.b64decode(picture),
        dialogs=tuple(DialogInfo(**snake(dialog)) for dialog in data["dialogs"]),
        snapshot_id=data["snapshotId"],
        timestamp=data["timestamp"],
    )
    readable = (_snapshot_element(element) for element in data["readable"])
    # The object would compute it from the capture, which the server has.
    vars(made).update(text=data["text"], readable={str(one.id): one for one in readable})
    return made


def _snapshot_element(data: Mapping[str, Any]) -> Element:
    fields = snake(data)
    box = fields["bounds"]
    return Element(
        id=ElementId.parse(fields["id"]),
        bounds=None if box is None else Box(*box),
        state=data["state"],
        hints=tuple(fields["hints"]),
        **{name: fields[name] for name in _PLAIN},
    )


_PLAIN = ("role", "name", "value", "tag", "level", "frame_index", "backend_node_id")


def observation(answer: Mapping[str, Any]) -> Observation:
    """The result of `agent/observe`."""
    picture = answer.get("screenshot")
    return Observation(
        metadata=snake(answer["metadata"]),
        elements=tuple(_element(element) for element in answer["interactiveElements"]),
        total=answer["totalInteractiveElements"],
        tree=answer.get("accessibility", {}).get("text"),
        picture=None if picture is None else base64.b64decode(picture["data"]),
    )


def _element(data: Mapping[str, Any]) -> dict[str, Any]:
    box = data.get("bounds")
    return {
        "ref": data["ref"],
        "selector": data["selector"],
        "role": data["role"],
        "name": data.get("name", ""),
        "value": data.get("value"),
        "state": data["state"],
        "hints": data["actionHints"],
        "bounds": None if box is None else [box["x"], box["y"], box["width"], box["height"]],
        "tag": data["tagName"],
        "frame": data["frame"],
    }


def error_of(body: Mapping[str, Any]) -> CdpAgentError:
    """The error that the server's own side had, by its word."""
    data = body.get("data") or {}
    kind = _ERRORS.get(data.get("code", ""), BrowserError)
    details = snake(data.get("details") or {})
    made = kind(str(body["message"]), hint=data.get("hint"), **_safe(details))
    made.can_retry = bool(data.get("retryable"))
    return made


def _safe(details: Any) -> dict[str, Any]:
    """Without names that the constructor of an error has for itself."""
    return {name: value for name, value in details.items() if name not in ("message", "hint")}


def snake(value: Any) -> Any:
    """Facts of the wire with their names in snake_case, all the way down."""
    if isinstance(value, Mapping):
        return {_snake(str(name)): snake(part) for name, part in value.items()}
    if isinstance(value, list):
        return [snake(part) for part in value]
    return value


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"_{match[0].lower()}", name)
