"""The action table against every front: the same names, defaults and limits everywhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

import pytest

from cdp_agent.act.controls.select import WantedOptions
from cdp_agent.act.scroll.distance import travel, travel_to
from cdp_agent.act.text.field_value import require_keys, require_text
from cdp_agent.action_table.default_times import pressing_seconds, typing_seconds
from cdp_agent.action_table.entry import (
    REQUIRED,
    ActionEntry,
    Amount,
    ElementParameter,
    Parameter,
    Percent,
)
from cdp_agent.action_table.limits import (
    LONGEST,
    MOST_DELAY_MS,
    MOST_ITEMS,
    MOST_PIXELS,
    MOST_TEXT,
    MOST_TYPED,
)
from cdp_agent.action_table.table import ACTION_TABLE
from cdp_agent.api.composite.step_actions import ACTIONS, check_params
from cdp_agent.api.page import Page
from cdp_agent.cli.main import build_parser
from cdp_agent.errors import InvalidParams
from cdp_agent.tools.table import TOOLS, checked
from cdp_agent.ws_server.access import FAMILIES
from cdp_agent.ws_server.bap.methods.actions import STEP_METHODS, translated
from cdp_agent.ws_server.bap.received_files import ReceivedFiles

ENTRIES = pytest.mark.parametrize("entry", ACTION_TABLE.values(), ids=lambda entry: entry.name)
#: Optional in the table; `Page` wants to be told, if only None.
SAID_TO_PAGE = {("type", "id"), ("drag", "source_id"), ("scroll", "direction")}
NAMED_LIKE_TOOLS = {e.name for e in ACTION_TABLE.values() if TOOLS.get(f"browser_{e.name}")}
#: Tools whose own argument stands in place of the action's.
OPTIONAL_IN_TOOLS = {("browser_navigate", "url")}


@ENTRIES
def test_the_method_of_page_has_the_same_parameters(entry: ActionEntry) -> None:
    signature = inspect.signature(getattr(Page, entry.method)).parameters
    declared = {parameter.in_page: parameter for parameter in entry.parameters}

    assert set(signature) - {"self", "observe"} == set(declared)
    for name, parameter in declared.items():
        default = signature[name].default
        if (entry.name, name) in SAID_TO_PAGE:
            assert default is inspect.Parameter.empty
        elif parameter.default is REQUIRED:
            assert default is inspect.Parameter.empty, name
        else:
            assert default == parameter.default, name


def of_tool(entry: ActionEntry) -> list[Parameter]:
    return [parameter for parameter in entry.parameters if parameter.offered == "tools"]


def test_every_action_but_focus_has_a_tool() -> None:
    assert {e.name for e in ACTION_TABLE.values() if e.tool not in TOOLS} == {"focus"}


@pytest.mark.parametrize("name", sorted(NAMED_LIKE_TOOLS))
def test_the_tool_has_the_same_parameters(name: str) -> None:
    entry = ACTION_TABLE[name]
    fields = TOOLS[entry.tool].args.model_fields
    for parameter in of_tool(entry):
        field = fields[parameter.in_tools]
        is_optional = (entry.tool, parameter.in_tools) in OPTIONAL_IN_TOOLS
        assert field.is_required() == (parameter.default is REQUIRED and not is_optional)
        if parameter.default is not REQUIRED:
            assert field.default == parameter.default
        assert (field.description or "") == parameter.description


def valid(parameter: Parameter) -> Any:
    """A value within the limits."""
    kind = parameter.type
    if kind is ElementParameter:
        return "0-1"
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if get_origin(kind) is list:
        return ["a"]
    return {int: 1, float: 1, bool: True, Percent: 1, Amount: "page"}.get(kind, "a")


def beyond(parameter: Parameter) -> list[Any]:
    """Values just outside the limits, and what is none of the words."""
    limits, kind = parameter.limits, parameter.type
    wrong: list[Any] = ["none of them"] if get_origin(kind) is Literal else []
    if "gt" in limits:
        wrong.append(limits["gt"])
    if "ge" in limits:
        wrong.append(limits["ge"] - 1)
    if "le" in limits:
        wrong.append(limits["le"] + 1)
    if "min_length" in limits:
        wrong.append([])
    if "max_length" in limits:
        most = int(limits["max_length"])
        wrong.append(["a"] * (most + 1) if get_origin(kind) is list else "a" * (most + 1))
    return wrong


def beyond_limits(has: Callable[[ActionEntry, Parameter], bool]) -> pytest.MarkDecorator:
    """A case for each limit of those parameters that a front has."""
    cases = {
        f"{entry.name}-{parameter.name}-{str(wrong)[:12]}": (entry, parameter, wrong)
        for entry in ACTION_TABLE.values()
        for parameter in entry.parameters
        for wrong in beyond(parameter)
        if has(entry, parameter)
    }
    names = ("entry", "parameter", "wrong")
    return pytest.mark.parametrize(names, cases.values(), ids=cases.keys())


def others(entry: ActionEntry, parameter: Parameter) -> list[Parameter]:
    return [p for p in entry.parameters if p.default is REQUIRED and p is not parameter]


@beyond_limits(lambda _, parameter: parameter.offered != "page")
def test_steps_have_the_limits(entry: ActionEntry, parameter: Parameter, wrong: Any) -> None:
    given = {p.name: valid(p) for p in others(entry, parameter)}
    right = {**given, parameter.name: valid(parameter)}

    check_params(ACTIONS[entry.name], right)
    with pytest.raises(InvalidParams, match=parameter.name):
        check_params(ACTIONS[entry.name], {**given, parameter.name: wrong})


@beyond_limits(
    lambda entry, parameter: (
        parameter.offered == "tools" and (entry.name == "replace" or entry.name in NAMED_LIKE_TOOLS)
    )
)
def test_tools_have_the_limits(entry: ActionEntry, parameter: Parameter, wrong: Any) -> None:
    tool, name = TOOLS[entry.tool], parameter.in_tools
    given = {p.in_tools: valid(p) for p in others(entry, parameter)}

    checked(tool, {**given, name: valid(parameter)})
    with pytest.raises(InvalidParams, match=name):
        checked(tool, {**given, name: wrong})


@beyond_limits(lambda entry, parameter: parameter.offered != "page" and entry.wire in STEP_METHODS)
def test_the_browser_agent_protocol_has_the_limits(
    entry: ActionEntry, parameter: Parameter, wrong: Any
) -> None:
    """In milliseconds, and under the names of the protocol."""
    files = ReceivedFiles()
    given = {p.name: valid(p) for p in others(entry, parameter)}
    shown = wrong * 1000 if parameter.name == "timeout" else wrong

    translated(entry.wire, {**given, parameter.name: valid(parameter)}, None, files)
    # A number of the protocol's `amount` is what the engine calls `pixels`.
    with pytest.raises(InvalidParams, match=f"{parameter.name}|pixels"):
        translated(entry.wire, {**given, parameter.name: shown}, None, files)


def test_every_action_of_the_protocol_is_in_the_table() -> None:
    wires = {entry.wire for entry in ACTION_TABLE.values()}

    assert set(STEP_METHODS) == wires - {"action/scrollToPosition"}
    assert len(FAMILIES["action"]) + 4 == len(STEP_METHODS)


# -- the library's own checks, which take the same numbers ---------------------------------

TOO_MUCH: dict[str, Any] = {
    "text": lambda: require_text("a" * (MOST_TEXT + 1)),
    "keys": lambda: require_keys("a" * (MOST_TYPED + 1), 0),
    "a delay": lambda: require_keys("a", MOST_DELAY_MS + 1),
    "a delay that is not a number": lambda: require_keys("a", float("nan")),
    "pixels": lambda: travel("down", MOST_PIXELS + 1, "page"),
    "percent": lambda: travel_to(101),
    "options": lambda: WantedOptions.parse(["a"] * (MOST_ITEMS + 1), None, None),
}


@pytest.mark.parametrize("check", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_the_library_refuses_what_is_beyond_the_limits(check: Any) -> None:
    with pytest.raises(InvalidParams):
        check()


def test_times_that_depend_on_the_work_are_bounded() -> None:
    assert typing_seconds("a" * 100) == pytest.approx(6)
    assert typing_seconds("a" * MOST_TYPED, MOST_DELAY_MS) == LONGEST
    assert typing_seconds("a", float("nan")) <= LONGEST
    assert pressing_seconds(3) == 6
    assert pressing_seconds(10**9) == LONGEST


# -- the shell -----------------------------------------------------------------------------------


def commands() -> dict[str, Any]:
    found = next(a.choices for a in build_parser()._actions if isinstance(a.choices, dict))
    assert found is not None
    return found


@pytest.mark.parametrize("name", sorted(NAMED_LIKE_TOOLS - {"navigate"}))
def test_the_command_has_the_words_of_the_table(name: str) -> None:
    entry, parser = ACTION_TABLE[name], commands()[name]
    actions = {action.dest: action for action in parser._actions}

    assert parser.description == f"{entry.description}."
    for parameter in of_tool(entry):
        action = actions.get(parameter.in_tools)
        if action is not None and get_origin(parameter.type) is Literal:
            assert tuple(action.choices or ()) == get_args(parameter.type)
