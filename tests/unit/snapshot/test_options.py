"""Options of a snapshot, and the errors for wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.errors import CdpAgentError
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Focus, SnapshotOptions

GOOD: dict[str, tuple[dict[str, Any], SnapshotOptions]] = {
    "nothing": ({}, SnapshotOptions()),
    "None is nothing": (
        {"max_elements": None, "roles": None, "focus": None, "max_name_length": None},
        SnapshotOptions(),
    ),
    "flags": (
        {"viewport_only": True, "interactive_only": True},
        SnapshotOptions(viewport_only=True, interactive_only=True),
    ),
    "numbers": (
        {"max_elements": 1, "max_depth": 3, "max_name_length": 100_000},
        SnapshotOptions(max_elements=1, max_depth=3, max_name_length=100_000),
    ),
    "one role": ({"roles": "button"}, SnapshotOptions(roles=("button",))),
    "several roles": ({"roles": ["button", "link"]}, SnapshotOptions(roles=("button", "link"))),
    "focus by frame and selector": (
        {"focus": {"frame_index": 3, "selector": "#checkout"}},
        SnapshotOptions(focus=Focus(3, "#checkout")),
    ),
    "focus in the main frame": (
        {"focus": {"selector": "//form[1]"}},
        SnapshotOptions(focus=Focus(0, "//form[1]")),
    ),
    "focus as a value": (
        {"focus": Focus(1, "main")},
        SnapshotOptions(focus=Focus(1, "main")),
    ),
    "the subtree of an element": (
        {"root": "0-41"},
        SnapshotOptions(root=ElementId(0, 41)),
    ),
    "seconds": ({"timeout": 2.5}, SnapshotOptions(timeout=2.5)),
}


@pytest.mark.parametrize(("given", "options"), GOOD.values(), ids=GOOD.keys())
def test_options_are_taken_as_they_are_meant(
    given: dict[str, Any], options: SnapshotOptions
) -> None:
    assert SnapshotOptions.make(**given) == options


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "an unknown name": ({"max_element": 5}, "invalid_params", "'max_element'"),
    "zero elements": ({"max_elements": 0}, "invalid_params", "max_elements"),
    "fewer than none": ({"max_depth": -1}, "invalid_params", "max_depth"),
    "beyond measure": ({"max_name_length": 1_000_001}, "invalid_params", "max_name_length"),
    "a fraction": ({"max_elements": 2.5}, "invalid_params", "max_elements"),
    "a number in quotes": ({"max_elements": "5"}, "invalid_params", "max_elements"),
    "yes is not a number": ({"max_elements": True}, "invalid_params", "max_elements"),
    "focus without a selector": ({"focus": {"frame_index": 3}}, "invalid_params", "focus"),
    "focus as a text": ({"focus": "#checkout"}, "invalid_params", "focus"),
    "focus in a frame that is not a number": (
        {"focus": {"frame_index": "first", "selector": "a"}},
        "invalid_params",
        "focus",
    ),
    "a root that is not an id": ({"root": "checkout"}, "ref_invalid", "checkout"),
    "roles that are no names": ({"roles": 5}, "invalid_params", "roles"),
    "a role that is not a name": ({"roles": ["button", 5]}, "invalid_params", "roles"),
    "time without end": ({"timeout": float("inf")}, "invalid_params", "timeout"),
    "a word is not a yes": ({"viewport_only": "false"}, "invalid_params", "viewport_only"),
    "no time at all": ({"timeout": 0}, "invalid_params", "timeout"),
    "time that runs backwards": ({"timeout": -1}, "invalid_params", "timeout"),
    "time that is not a number": ({"timeout": "soon"}, "invalid_params", "timeout"),
}


@pytest.mark.parametrize(("given", "code", "named"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_asked_for_is_refused_by_its_name(
    given: dict[str, Any], code: str, named: str
) -> None:
    with pytest.raises(CdpAgentError) as caught:
        SnapshotOptions.make(**given)

    assert caught.value.code == code
    assert named in caught.value.message


def test_whoever_misspells_an_option_is_shown_all_of_them() -> None:
    with pytest.raises(CdpAgentError) as caught:
        SnapshotOptions.make(viewport=True)

    for name in (
        "viewport_only",
        "interactive_only",
        "max_elements",
        "max_depth",
        "roles",
        "focus",
    ):
        assert name in caught.value.hint
