"""The actions that steps and remote callers may name, made from the action table.

A fixed list: what is not here (scripts, other pages, closing things) cannot be asked for. Needs
pydantic, which is slow to import, so the page imports this when it is first used.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BeforeValidator, PlainValidator, ValidationError, WithJsonSchema

from cdp_agent.act.scroll.distance import read_percent
from cdp_agent.action_table.entry import ActionEntry, ElementParameter, Percent, Purpose
from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.checked_model import CheckedModel, problems
from cdp_agent.api.composite.parameter_model import make_model
from cdp_agent.api.outcome import Outcome
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.config import ACTION_TIMEOUT
from cdp_agent.errors import InvalidParams, NavigationFailed
from cdp_agent.snapshot.options import with_known_names

if TYPE_CHECKING:
    from cdp_agent.api.page import Page

SelectorField = Annotated[
    Selector,
    PlainValidator(Selector.parse),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]}),
]
_TYPES = {ElementParameter: SelectorField, Percent: Annotated[float, BeforeValidator(read_percent)]}


class Params(CheckedModel):
    """Base of all parameters; an action's fields are those of the action table."""

    #: The purpose that its element has to suit.
    purpose: ClassVar[Purpose | None] = None
    #: Seconds; None where it depends on the work.
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Ids:
    """The elements that a call's selectors name; `target` is the second of a drag."""

    element: str = ""
    target: str = ""


#: The page, the parameters, and the ids that their selectors were found to mean.
RunAction = Callable[["Page", Any, Ids], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    params: type[Params]
    run: RunAction


# -- carrying them out --------------------------------------------------------------------------


async def perform(page: Page, name: str, **arguments: Any) -> Outcome:
    """Carry out an action; `arguments` are those of its method of `Page`."""
    if name == "select" and arguments.get("label") is None and arguments.get("index") is None:
        arguments["label"] = arguments.get("value")  # a value alone may also be the visible text
    if name == "scroll":
        if brings_into_view(arguments):
            name = "scroll_into_view"
            kept = ("id", "observe", "timeout")
            arguments = {k: v for k, v in arguments.items() if k in kept and v is not None}
        elif arguments.get("direction") is None:
            arguments["direction"] = "down"
    outcome: Outcome = await getattr(page, ACTION_TABLE[name].method)(**arguments)
    if name in ("back", "forward") and not outcome.success:
        raise NavigationFailed(f"there is no page to go {name} to", hint="")
    return outcome


def brings_into_view(arguments: Mapping[str, Any]) -> bool:
    """Returns whether a scroll's arguments name an element and no distance."""
    given = {name for name, value in arguments.items() if value is not None}
    is_far = arguments.get("amount", "page") != "page"
    return "id" in given and not is_far and not given & {"direction", "pixels", "until"}


def _action(entry: ActionEntry) -> Action:
    taken = [parameter for parameter in entry.parameters if parameter.offered != "page"]
    fields = [(parameter.name, parameter) for parameter in taken]
    title = entry.name.title().replace("_", "")
    params = make_model(f"{title}Params", Params, fields, _TYPES)
    params.purpose = entry.purpose

    async def run(page: Page, given: Any, ids: Ids) -> Outcome:
        found = {"selector": ids.element or None, "target": ids.target or None}
        arguments = {
            p.in_page: found[p.name] if p.type is ElementParameter else getattr(given, p.name)
            for p in taken
        }
        return await perform(page, entry.name, **arguments)

    return Action(entry.name, params, run)


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {name: _action(entry) for name, entry in ACTION_TABLE.items()}
)
#: Words that others use for the same.
ALIASES: Mapping[str, str] = MappingProxyType({"goto": "navigate", "wait_for": "wait"})
_OTHER_PAGE = frozenset({"page", "page_id", "pageId", "target", "target_id", "tab", "tab_id"})


def require_action(name: Any) -> Action:
    """Raises: InvalidParams: it is not on the list."""
    known = None
    if isinstance(name, str):
        [word] = with_known_names({name: None}, {*ACTIONS, *ALIASES})
        known = ACTIONS.get(ALIASES.get(word, word))
    if known is None:
        raise InvalidParams(
            f"there is no action {str(name)[:60]!r}", hint=f"Actions: {', '.join(ACTIONS)}."
        )
    return known


def check_params(action: Action, given: Any) -> Params:
    """The parameters of an action.

    Raises:
        InvalidParams: what is wrong with them; another page cannot be named.
    """
    if not isinstance(given, Mapping):
        raise InvalidParams(f"{action.name}: params must be an object")
    foreign = sorted(_OTHER_PAGE & set(given) - set(action.params.model_fields))
    if foreign:
        raise InvalidParams(
            f"{action.name}: {foreign[0]} cannot be named: steps act on the page they are given to"
        )
    try:
        return action.params.model_validate(dict(given))
    except ValidationError as error:
        raise InvalidParams(f"{action.name}: {problems(error)}", hint=usage(action)) from None


def usage(action: Action) -> str:
    names = [
        name if field.is_required() else f"{name}?"
        for name, field in action.params.model_fields.items()
    ]
    return f"{action.name} takes {', '.join(names)}."


async def find_ids(page: Page, params: Params) -> Ids:
    """The elements that the selectors name, awaited for the action's own time.

    Raises:
        ElementNotFound: it did not come, or several fit.
    """
    deadline = time.monotonic() + (params.timeout or ACTION_TIMEOUT)
    selector: Selector | None = getattr(params, "selector", None)
    if selector is not None:
        selector = replace(selector, purpose=params.purpose)
    return Ids(
        await _id_of(page, selector, deadline),
        await _id_of(page, getattr(params, "target", None), deadline),
    )


async def _id_of(page: Page, selector: Selector | None, deadline: float) -> str:
    if selector is None:
        return ""
    return await page.find_soon(selector, timeout=deadline - time.monotonic())
