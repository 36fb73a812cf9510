"""`action/*` and the navigations, as actions of the engine.

Parameters are renamed and then checked by the engine's own model of the action, so that a step, a
single call and every other front take the same values.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.step_actions import (
    ACTIONS,
    Action,
    Ids,
    Params,
    check_params,
)
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.page import Page
from cdp_agent.deadline import seconds_until
from cdp_agent.errors import ActionTimeout, ElementNotVisible, InvalidParams
from cdp_agent.ids import ElementId
from cdp_agent.resolve.hit_test import frame_offset
from cdp_agent.snapshot import Box
from cdp_agent.ws_server.access import FAMILIES
from cdp_agent.ws_server.bap.received_files import ReceivedFiles
from cdp_agent.ws_server.bap.selectors import engine_selector
from cdp_agent.ws_server.bap.wire import flattened, seconds

_ENGINE_NAMES = {entry.wire: entry.name for entry in ACTION_TABLE.values()}
#: Every method that may be a step of a composite.
STEP_METHODS: tuple[str, ...] = (
    *(f"action/{name}" for name in FAMILIES["action"]),
    *("page/navigate", "page/reload", "page/goBack", "page/goForward"),
)
#: Parameters that the engine calls otherwise.
_RENAMED = {"clickCount": "count", "delay": "delay_ms", "source": "selector", "values": "value"}
_SELECTORS = ("selector", "target", "to", "ref", "id")
_WAIT_UNTIL = ("load", "domcontentloaded", "networkidle", "commit")
_TRIED = ("action/click", "action/dblclick")
_NO_FORCE = "Without the checks a press could reach another element than the one that is named."


def require_step_method(given: Any, where: str = "") -> str:
    """The method that a step names; a bare `click` is `action/click`.

    Raises:
        InvalidParams: it is none that a step may name.
    """
    for method in (given, f"action/{given}", f"page/{given}"):
        if method in STEP_METHODS:
            return str(method)
    hint = f"Actions: {', '.join(STEP_METHODS)}."
    raise InvalidParams(f"{where}there is no action {str(given)[:60]!r}", hint=hint)


def translated(
    method: str, given: Mapping[str, Any], frame: int | None, files: ReceivedFiles
) -> tuple[Action, Params]:
    """The action of the engine that a method stands for, with its checked parameters.

    Raises:
        InvalidParams, RefInvalid: what is wrong with the parameters.
    """
    named = flattened(given)
    is_trial = _take_trial(method, named)
    named.pop("noWaitAfter", None)  # what an action began is awaited, and nothing else
    wait_until = named.pop("waitUntil", None)
    params = {_RENAMED.get(name, name): _value(name, value) for name, value in named.items()}
    if "timeout" in params:
        params["timeout"] = seconds(params["timeout"])
    for name in _SELECTORS:
        if name in params and not (method == "action/drag" and _is_plain_point(params[name])):
            params[name] = engine_selector(params[name], frame)
    engine_name = _ENGINE_NAMES[method]
    special = _SPECIAL.get(method)
    if special is not None:
        engine_name = special(params) or engine_name
    action = ACTIONS[engine_name]
    if method == "action/upload" and "files" in params:
        action = _uploading(files.keep(params.pop("files")))
    checked = check_params(action, params)
    if wait_until is not None:
        action = _waiting(action, wait_until, method)
    elif is_trial:
        action = _tried(action)
    return action, checked


def _take_trial(method: str, named: dict[str, Any]) -> bool:
    """Take `force` and `trial` out of the parameters; whether the action is only tried."""
    if named.pop("force", None):
        raise InvalidParams(f"{method}: force is not taken", hint=_NO_FORCE)
    is_trial = named.pop("trial", False)
    if is_trial and method not in _TRIED:
        hint = f"{' and '.join(_TRIED)} are tried; agent/observe shows states and places."
        raise InvalidParams(f"{method}: trial is not taken", hint=hint)
    return is_trial is True


def _value(name: str, value: Any) -> Any:
    if name == "position" and isinstance(value, Mapping) and set(value) == {"x", "y"}:
        return value["x"], value["y"]
    return value


def _is_plain_point(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"x", "y"}


# -- methods whose parameters mean something else in the engine -----------------------------------


def _dblclick(params: dict[str, Any]) -> str:
    """A click that takes what a single one takes."""
    params["count"] = 2
    return "click"


def _scroll(params: dict[str, Any]) -> str | None:
    """`toElement`, and an element alone, bring it into view; a number is pixels."""
    amount = params.get("amount")
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        params["pixels"] = params.pop("amount")
    is_alone = "selector" in params and not {"direction", "amount", "pixels", "until"} & set(params)
    if amount == "toElement" or is_alone:
        params.pop("amount", None)
        params.pop("direction", None)
        return "scroll_into_view"
    return None


def _drag(params: dict[str, Any]) -> None:
    if _is_plain_point(params.get("target")):
        params["target"] = engine_selector({"type": "coordinates", **params["target"]})


def _type(params: dict[str, Any]) -> str | None:
    """`clear` writes over what is there, which is what `fill` does."""
    if not params.pop("clear", False):
        return None
    if params.pop("delay_ms", 0):
        raise InvalidParams(
            "action/type: delay and clear do not go together", hint="Use two calls."
        )
    return "fill"


_SPECIAL = {
    "action/dblclick": _dblclick,
    "action/scroll": _scroll,
    "action/drag": _drag,
    "action/type": _type,
}


def _uploading(paths: list[str]) -> Action:
    """An upload of files that the client sent; no rule about this machine's files concerns it."""

    async def run(page: Page, p: Any, ids: Ids) -> Outcome:
        return await page.upload(ids.element, paths, timeout=p.timeout)

    return Action("upload", ACTIONS["focus"].params, run)


# -- actions that are only tried, and navigations that wait longer ---------------------------------


def _tried(action: Action) -> Action:
    """A click that waits until the element could be clicked, and presses nothing."""

    async def run(page: Page, p: Any, ids: Ids) -> Outcome:
        position = getattr(p, "position", None)
        return await page.click(ids.element, position=position, trial=True, timeout=p.timeout)

    return replace(action, run=run)


async def box_of(page: Page, element_id: str) -> Box:
    """The box of an element in the page's viewport, as it is now.

    Raises:
        ElementNotVisible: it has no box.
    """
    facts = await page.describe(element_id)
    if facts["box"] is None:
        raise ElementNotVisible(f"{element_id} has no box", ref=str(element_id))
    frame = page._tab.resolver.frame(ElementId.parse(facts["id"]).frame_index)
    left, top = await frame_offset(page._tab.target, frame, 5.0)
    x, y, width, height = facts["box"]
    return Box(x + left, y + top, width, height)


def _waiting(action: Action, until: Any, method: str) -> Action:
    """A navigation that is over when the page has loaded wholly, or no request is under way.

    Every navigation is read to its end at least, which is `domcontentloaded` and `commit`.

    Raises:
        InvalidParams: there is no such state.
    """
    if until not in _WAIT_UNTIL:
        hint = f"One of {', '.join(_WAIT_UNTIL)}."
        raise InvalidParams(f"{method}: waitUntil is not {str(until)[:40]!r}", hint=hint)

    async def run(page: Page, p: Any, ids: Ids) -> Outcome:
        deadline = time.monotonic() + p.timeout
        outcome = await action.run(page, p, ids)
        left = seconds_until(deadline, 0.1)
        if page.dialog is not None:
            return outcome
        if until == "networkidle":
            await page.wait_for(quiet=True, timeout=left)
        elif until == "load" and not await page.wait_loaded(left):
            raise ActionTimeout(f"the page has not loaded wholly in {p.timeout:g} s")
        return outcome

    return replace(action, run=run)
