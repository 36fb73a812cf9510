"""`agent/*`: many steps in one call, the page for planning, and data out of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from cdp_agent.api.checked_model import problems
from cdp_agent.api.composite.step_actions import Ids, Params
from cdp_agent.api.composite.step_run import run_planned
from cdp_agent.api.composite.steps import (
    BeforeStep,
    OnStep,
    PlannedStep,
    Rules,
    Step,
    StepRow,
    require_steps,
)
from cdp_agent.api.observation.elements import Observation
from cdp_agent.api.observation.pictures import draw_marks
from cdp_agent.errors import CdpAgentError, ConditionFailed, InvalidParams
from cdp_agent.snapshot import Box, Element, SnapshotOptions
from cdp_agent.tools.hooks import after_hooks, before_step, call_of
from cdp_agent.tools.result import ToolResult
from cdp_agent.ws_server.bap.client_approvals import context_of
from cdp_agent.ws_server.bap.client_state import Method, PageCall
from cdp_agent.ws_server.bap.methods.actions import require_step_method, translated
from cdp_agent.ws_server.bap.methods.composite_form import composite_form, row_form
from cdp_agent.ws_server.bap.methods.screenshots import size_of
from cdp_agent.ws_server.bap.methods.trees import tree_of
from cdp_agent.ws_server.bap.selectors import engine_selector
from cdp_agent.ws_server.bap.wire import (
    Milliseconds,
    PageParams,
    Wire,
    camel,
    refused,
    seconds,
    without_none,
)


class ActParams(PageParams):
    steps: Any  # checked step by step, by the engine's models
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    timeout: Milliseconds | None = None
    #: Of ours: the answer has the page afterwards, as `true` or with options of a snapshot.
    observe: bool | dict[str, Any] = False
    #: Of ours: `agent/step` notifications of this name are sent after each step.
    report_steps: str | None = Field(None, min_length=1, max_length=100)


class AnnotationOptions(Wire):
    """Labels on the boxes of a picture; a plain yes or no stands for `enabled`."""

    enabled: bool = True
    max_labels: int | None = Field(default=None, ge=1)
    label_format: Literal["number", "ref", "both"] = "ref"
    #: Refs are always stable here.
    use_stable_refs: bool = True
    style: Annotated[None, refused("Each box has a colour of its own.")] = None


def _marks(given: Any) -> Any:
    return {"enabled": given} if isinstance(given, bool) else given


class ObserveParams(PageParams):
    """`stableRefs` and `refreshRefs` change nothing: a ref is always of one element alone."""

    include_accessibility: bool = False
    include_screenshot: bool = False
    include_interactive_elements: bool = True
    include_metadata: bool = True
    max_elements: int | None = None
    filter_roles: list[str] = Field(default_factory=list)
    include_bounds: bool = False
    viewport_only: bool = False
    stable_refs: bool = True
    refresh_refs: bool = False
    include_ref_history: bool = False
    annotate_screenshot: Annotated[AnnotationOptions | None, BeforeValidator(_marks)] = None


class ExtractParams(PageParams):
    instruction: str = Field("", max_length=2000)
    json_schema: dict[str, Any] = Field(alias="schema")
    mode: Literal["single", "list", "table"] = "single"
    selector: Any = None
    include_source_refs: bool = False
    timeout: Milliseconds | None = None


# -- agent/act -----------------------------------------------------------------------------------


async def _act(call: PageCall, params: ActParams) -> dict[str, Any]:
    given = require_steps(params.steps)
    planned = [_planned(call, number, step) for number, step in enumerate(given)]
    rules = Rules(
        stop_on_first_error=params.stop_on_first_error,
        continue_on_condition_fail=params.continue_on_condition_fail,
        before_step=_before_step(call, given),
        on_step=_on_step(call, params.report_steps) if params.report_steps else None,
        **without_none(timeout=params.timeout),
    )
    observe = params.observe
    options = observe if isinstance(observe, bool) else SnapshotOptions.make(**observe)
    return composite_form(await run_planned(call.page, planned, rules, options))


def _on_step(call: PageCall, name: str) -> OnStep:
    """Sends each row to the client when its step is over, as the session's hooks let it out."""
    about = call_of(call.session, call.page_id, call.page, "browser_execute")

    async def report(row: StepRow, number: int) -> None:
        made = await after_hooks(about, ToolResult("", data=row_form(number, row)))
        await call.state.notify("agent/step", {"name": name, **made.data})

    return report


def _planned(call: PageCall, number: int, given: Any) -> PlannedStep:
    """Raises: InvalidParams: the step is wrong; the message says which."""
    where = f"step {number + 1}"
    if not isinstance(given, Mapping) or not isinstance(given.get("params") or {}, Mapping):
        raise InvalidParams(f"{where} must be an object with action and params")
    fields = {name: value for name, value in given.items() if value is not None}
    try:
        method = require_step_method(fields.get("action"))
        params = dict(fields.pop("params", {}))
        if params.pop("pageId", call.page_id) not in (call.page_id, None):
            raise InvalidParams("another page cannot be named in a step")
        condition = fields.get("condition")
        if isinstance(condition, Mapping):
            fields["condition"] = _condition(condition, call.frame)
        step = Step.model_validate({**fields, "action": method})
        action, checked = translated(method, params, call.frame, call.state.files)
    except ValidationError as error:
        raise InvalidParams(f"{where}: {problems(error)}") from None
    except CdpAgentError as error:
        raise InvalidParams(f"{where}: {error.message}", hint=error.hint) from None
    return PlannedStep(number, step.label or f"{number + 1}. {action.name}", action, checked, step)


def _condition(given: Mapping[str, Any], frame: int | None) -> dict[str, Any]:
    condition = {name: value for name, value in given.items() if value is not None}
    if "selector" in condition:
        condition["selector"] = engine_selector(condition["selector"], frame)
    if "timeout" in condition:
        condition["timeout"] = seconds(condition["timeout"])
    return condition


def _before_step(call: PageCall, given: Any) -> BeforeStep | None:
    """The session's hooks, and the approvals that single methods need."""
    hooks = before_step(call.session, call.page_id, call.page)
    approvals = call.state.approvals

    async def before(step: PlannedStep, ids: Ids) -> Params | None:
        if approvals.needs(step.step.action):
            asked = given[step.number].get("params")
            await approvals.require(step.step.action, asked, await context_of(call.page))
        return await hooks(step, ids) if hooks is not None else None

    return before


# -- agent/observe -------------------------------------------------------------------------------


async def _observe(call: PageCall, params: ObserveParams) -> dict[str, Any]:
    given = params.annotate_screenshot
    marks = given if given is not None and given.enabled else None
    seen = await call.page.observe(
        filter_roles=params.filter_roles,
        viewport_only=params.viewport_only,
        picture=params.include_screenshot or marks is not None,
        **without_none(max_elements=params.max_elements),
    )
    made: dict[str, Any] = {"pageId": call.page_id}
    if params.include_metadata:
        made["metadata"] = camel(seen.metadata)
    if params.include_accessibility and seen.snapshot is not None:
        made["accessibility"] = {"tree": tree_of(seen.snapshot), "text": seen.snapshot.text}
    if params.include_interactive_elements:
        made["interactiveElements"] = _elements(call, seen, params)
        made["totalInteractiveElements"] = seen.total
    if seen.picture is not None:
        width, height = size_of(seen.picture)
        picture: dict[str, Any] = {"format": "png", "width": width, "height": height}
        data = seen.picture
        if marks is not None:
            data, made["annotationMap"] = await _annotated(seen, marks)
            picture["annotated"] = True
        made["screenshot"] = {**picture, "data": data}
    return made


def _elements(call: PageCall, seen: Observation, params: ObserveParams) -> list[dict[str, Any]]:
    before = call.state.refs.get(call.page_id, {})
    listed = [_element(element, params) for element in seen.elements]
    refs = {str(element["selector"]): element["ref"] for element in listed}
    if params.include_ref_history:
        known = set(before.values())
        for element in listed:
            previous = before.get(str(element["selector"]))
            if element["ref"] in known:
                element["stability"] = "stable"
            elif previous is None:
                element["stability"] = "new"
            else:
                element.update(stability="moved", previousRef=previous)
    call.state.refs[call.page_id] = refs
    return listed


def _element(element: Mapping[str, Any], params: ObserveParams) -> dict[str, Any]:
    selector = element["selector"]
    if selector["type"] == "id":
        selector = {"type": "ref", "ref": selector["value"]}
    state = element["state"]
    made = {
        "ref": element["ref"],
        "selector": selector,
        "role": element["role"],
        "name": element["name"],
        "value": element["value"],
        "actionHints": element["hints"],
        "tagName": element["tag"],
        "focused": bool(state.get("focused")),
        "disabled": bool(state.get("disabled")),
        "state": state,
        "frame": element["frame"],
    }
    if params.include_bounds and element["bounds"] is not None:
        made["bounds"] = Box(*element["bounds"])._asdict()
    return {name: value for name, value in made.items() if value is not None}


async def _annotated(
    seen: Observation, marks: AnnotationOptions
) -> tuple[bytes, list[dict[str, Any]]]:
    """The picture with a box around each listed element, and which label is which element."""
    assert seen.snapshot is not None
    assert seen.picture is not None
    view = seen.snapshot.viewport
    shown: list[Element] = []
    for listed in seen.elements:
        element = seen.snapshot.get(listed["ref"])
        box = element.bounds
        if box is not None and box.width >= 2 and box.height >= 2:
            is_in_view = box.x < view.width and box.y < view.height
            if is_in_view and box.x + box.width > 0 and box.y + box.height > 0:
                shown.append(element)
    shown = shown[: marks.max_labels]
    labels = {str(e.id): _label(number, e, marks) for number, e in enumerate(shown, start=1)}
    picture = await asyncio.to_thread(draw_marks, seen.picture, shown, view, labels)
    listing = []
    for element in shown:
        assert element.bounds is not None
        position = {"x": element.bounds.x, "y": element.bounds.y}
        label, ref = labels[str(element.id)], str(element.id)
        listing.append({"label": label, "ref": ref, "position": position})
    return picture, listing


def _label(number: int, element: Element, marks: AnnotationOptions) -> str:
    if marks.label_format == "number":
        return str(number)
    return str(element.id) if marks.label_format == "ref" else f"{number} {element.id}"


# -- agent/extract -------------------------------------------------------------------------------


async def _extract(call: PageCall, params: ExtractParams) -> dict[str, Any]:
    schema = params.json_schema
    if params.mode != "single" and schema.get("type") != "array":
        schema = {"type": "array", "items": schema}
    root = None
    if params.selector is not None:
        root = await call.page.find_soon(engine_selector(params.selector, call.frame))
    try:
        found = await call.page.extract(
            schema,
            root=root,
            instruction=params.instruction,
            ask_model=call.session.ask_model,
            **without_none(timeout=params.timeout),
        )
    except ConditionFailed as error:
        return {"success": False, "error": error.message}
    made: dict[str, Any] = {"success": True, "data": found.data, "method": found.method}
    if found.method == "structure":
        made["confidence"] = 1.0  # read off the page's own structure; nothing is guessed
    if params.include_source_refs:
        made["sources"] = [
            {"ref": ref, "selector": {"type": "ref", "ref": ref}, "path": path}
            for path, ref in found.sources.items()
        ]
    return made


METHODS = {
    "agent/act": Method(_act, ActParams, tool="browser_execute"),
    "agent/execute": Method(_act, ActParams, tool="browser_execute"),
    "agent/observe": Method(_observe, ObserveParams, tool="browser_snapshot"),
    "agent/snapshot": Method(_observe, ObserveParams, tool="browser_snapshot"),
    "agent/extract": Method(_extract, ExtractParams, tool="browser_extract"),
}
