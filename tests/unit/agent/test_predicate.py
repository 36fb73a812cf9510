"""Conditions in data files."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent import ElementId, InvalidParams
from cdp_agent.agent.predicate import predicate
from cdp_agent.snapshot import Node
from tests.unit.pages import plain_snapshot

SHOWN = plain_snapshot(
    title="Cancelled - Lumen+",
    url="https://lumen.test/cancelled?x=1",
    nodes=(
        Node("0-1", 0, "heading", "Your membership has\n been  Cancelled"),
        Node(
            "1-2", 1, "button", "Finish cancellation", state={"disabled": True}, id=ElementId(1, 2)
        ),
        Node("0-3", 0, "textbox", "Note", value="Bye", id=ElementId(0, 3)),
        Node("0-4", 0, "checkbox", "All", state={"checked": "mixed"}, id=ElementId(0, 4)),
    ),
)

CONDITIONS: dict[str, tuple[dict[str, Any], bool]] = {
    "a part of the address": ({"url": "/cancelled"}, True),
    "an address with stars is the whole": ({"url": "*/cancelled"}, False),
    "stars on both sides": ({"url": "https://lumen.test/*cancelled*"}, True),
    "a title, whatever the case": ({"title": "CANCELLED"}, True),
    "white space does not matter": ({"text": "membership has been cancelled"}, True),
    "a text in a value": ({"text": "bye"}, True),
    "a text that is not there": ({"text": "active"}, False),
    "a regular expression": ({"text": "/cancell?ed$/"}, True),
    "a role alone": ({"element": {"role": "button"}}, True),
    "role and name": ({"element": {"role": "button", "name": "finish"}}, True),
    "of another role": ({"element": {"role": "link", "name": "finish"}}, False),
    "a state that is so": ({"element": {"name": "finish", "disabled": True}}, True),
    "a state that is not so": ({"element": {"name": "finish", "disabled": False}}, False),
    "a state that is absent is false": ({"element": {"name": "Note", "disabled": False}}, True),
    "a state with a word": ({"element": {"name": "All", "checked": "mixed"}}, True),
    "inside a frame": ({"element": {"role": "button", "frame": 1}}, True),
    "inside another frame": ({"element": {"role": "button", "frame": 0}}, False),
    "several keys: all of them": ({"url": "lumen", "text": "active"}, False),
    "any": ({"any": [{"text": "active"}, {"title": "cancelled"}]}, True),
    "all": ({"all": [{"text": "active"}, {"title": "cancelled"}]}, False),
    "not": ({"not": {"text": "active"}}, True),
}


@pytest.mark.parametrize(("given", "holds"), CONDITIONS.values(), ids=CONDITIONS.keys())
def test_a_condition_holds_or_not(given: dict[str, Any], holds: bool) -> None:
    assert predicate(given)(SHOWN) is holds


WRONG: dict[str, Any] = {
    "nothing": {},
    "a word": "cancelled",
    "an unknown key": {"adress": "x"},
    "no list": {"any": {"text": "x"}},
    "an empty list": {"all": []},
    "no text": {"text": ""},
    "a broken expression": {"text": "/(/"},
    "an element that says nothing": {"element": {"disabled": True}},
    "deep inside": {"not": {"any": [{"tekst": "x"}]}},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG.keys())
def test_what_is_no_condition_is_refused(given: Any) -> None:
    with pytest.raises(InvalidParams):
        predicate(given)


def test_a_condition_in_words() -> None:
    given = {"any": [{"text": "gone"}, {"element": {"role": "link", "name": "Restart"}}]}

    assert str(predicate(given)) == "(text 'gone' or an element with role link, name Restart)"
