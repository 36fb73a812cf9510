"""Errors: one code each, as the design lists them, and the tree that the module draws."""

from __future__ import annotations

import inspect
import re

import pytest

import cdp_agent
from cdp_agent import errors
from cdp_agent.errors import (
    ActionTimeout,
    CdpAgentError,
    ElementObscured,
    ProtocolError,
    StaleRef,
)

#: DESIGN.md §5, and the agent's own for its model. A code has one class, but for these two.
CODES = {
    "stale_ref", "ref_invalid", "element_not_found", "element_not_visible", "element_disabled",
    "element_obscured", "element_unstable", "not_editable", "option_not_found", "frame_detached",
    "target_closed", "target_crashed", "dialog_open", "navigation_failed", "blocked_by_policy",
    "timeout", "connection_lost", "invalid_params", "human_rejected", "condition_failed",
    "browser_not_found", "browser_error", "model_error",
}  # fmt: skip
SHARED = {
    "timeout": {"CommandTimeout", "ActionTimeout"},
    "browser_error": {"CdpAgentError", "BrowserError"},
}

CLASSES = {
    name: thing
    for name, thing in vars(errors).items()
    if inspect.isclass(thing) and issubclass(thing, CdpAgentError)
}


def test_every_code_of_the_design_has_one_class_and_no_other_code_exists() -> None:
    own: dict[str, set[str]] = {}
    for name, kind in CLASSES.items():
        if "code" in vars(kind):
            own.setdefault(kind.code, set()).add(name)

    assert set(own) == CODES
    assert {code: names for code, names in own.items() if len(names) > 1} == SHARED


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes() -> None:
    """Its lines read `│   ├── StaleRef   stale_ref`, four columns to a level."""
    drawn: dict[str, tuple[str, str]] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.fullmatch(r"    ([│├└─ ]*)([A-Z]\w+)(?: +([a-z_]+))?", line)
        if match is None:
            continue
        level = len(match[1]) // 4
        parent = above[level - 1] if level else "Exception"
        drawn[match[2]] = (parent, match[3] or CLASSES[parent].code if level else "browser_error")
        above[level:] = [match[2]]

    real = {name: (kind.__mro__[1].__name__, kind.code) for name, kind in CLASSES.items()}
    inner = {"ProtocolError": real.pop("ProtocolError")}
    assert drawn == real
    assert inner == {"ProtocolError": ("BrowserError", "browser_error")}  # a refusal, in detail


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_error_is_exported_from_the_package(name: str) -> None:
    assert name in cdp_agent.__all__
    assert getattr(cdp_agent, name) is CLASSES[name]


def test_everything_that_the_package_exports_is_there() -> None:
    assert sorted(cdp_agent.__all__) == list(cdp_agent.__all__)
    assert {name for name in cdp_agent.__all__ if not hasattr(cdp_agent, name)} == set()
    assert set(cdp_agent.__all__) <= set(dir(cdp_agent))
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(cdp_agent, "no_such" + "_name")


def test_an_error_is_words_for_a_model_and_data_for_a_program() -> None:
    error = ElementObscured("0-7 is under 0-9 <div>", element_id="0-7", cover="0-9")

    assert str(error) == "element_obscured: 0-7 is under 0-9 <div>"
    assert error.to_dict() == {
        "code": "element_obscured",
        "message": "0-7 is under 0-9 <div>",
        "hint": "Close or scroll away what covers it, then retry.",
        "can_retry": True,
        "data": {"element_id": "0-7", "cover": "0-9"},
    }


def test_a_hint_of_its_own_is_one_errors_and_not_its_classes() -> None:
    special = ActionTimeout("too slow", hint="Try page.recover().")

    assert special.hint == "Try page.recover()."
    assert ActionTimeout("too slow").hint == ActionTimeout.hint != special.hint


def test_a_refusal_of_the_browser_names_the_command() -> None:
    error = ProtocolError("DOM.focus", "Element is not focusable", -32000)

    assert str(error) == "browser_error: DOM.focus: Element is not focusable"
    assert error.data == {"method": "DOM.focus", "reason": "Element is not focusable"}
    assert (error.method, error.reason, error.number) == (
        "DOM.focus",
        "Element is not focusable",
        -32000,
    )


def test_what_can_be_tried_again_as_it_is_says_so() -> None:
    again = {name for name, kind in CLASSES.items() if kind.can_retry}

    assert again == {
        "ActionTimeout",
        "CommandTimeout",
        "ElementDisabled",
        "ElementNotVisible",
        "ElementObscured",
        "ElementUnstable",
        "FrameDetached",
        "NavigationFailed",
    }
    assert not StaleRef.can_retry  # the same id stays stale: a new snapshot comes first


def test_every_error_that_an_agent_can_do_something_about_says_what() -> None:
    speechless = {kind.code for kind in CLASSES.values() if not kind.hint}

    assert speechless == {
        "browser_error",  # says in its message what the browser said
        "invalid_params",  # says in its message what is wrong with them
        "blocked_by_policy",
        "human_rejected",  # carries the person's words
        "condition_failed",
    }
