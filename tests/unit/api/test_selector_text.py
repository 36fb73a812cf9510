"""Targets as one writes them in a command: ids as copied, selectors as short texts."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_agent.api.selectors.selector import Selector
from cdp_agent.errors import InvalidParams, RefInvalid

IDS = ("0-12", "[0-12]", " 0-12 ", "ref=0-12", "[ref=0-12]", "[ 0-12 ]", "[expand 0-12]", "id=0-12")

SELECTORS: dict[str, dict[str, Any]] = {
    "text=Save": {"kind": "text", "value": "Save"},
    "text = Save all ": {"kind": "text", "value": "Save all"},
    'text="Save"': {"kind": "text", "value": "Save", "exact": True},
    "text=a=b": {"kind": "text", "value": "a=b"},
    "label=Order date": {"kind": "label", "value": "Order date"},
    "placeholder=Search": {"kind": "placeholder", "value": "Search"},
    "testid=save": {"kind": "test_id", "value": "save"},
    "test-id=save": {"kind": "test_id", "value": "save"},
    "css=#a > b": {"kind": "css", "value": "#a > b"},
    "xpath=//a[1]": {"kind": "xpath", "value": "//a[1]"},
    "//a[1]": {"kind": "xpath", "value": "//a[1]"},
    "#save": {"kind": "css", "value": "#save"},
    "role=button": {"kind": "role", "value": "button"},
    "role=link[name=RMA-7731]": {"kind": "role", "value": "link", "name": "RMA-7731"},
    'role=link[name="RMA [1]"]': {
        "kind": "role",
        "value": "link",
        "name": "RMA [1]",
        "exact": True,
    },
    'role=link[name="a" i]': {"kind": "role", "value": "link", "name": "a", "exact": True},
    "role=button name=Save all": {"kind": "role", "value": "button", "name": "Save all"},
    "frame=1 text=Save": {"kind": "text", "value": "Save", "frame": 1},
    "nth=-1 frame=2 role=link": {"kind": "role", "value": "link", "frame": 2, "nth": -1},
}


@pytest.mark.parametrize("written", IDS)
def test_an_id_is_taken_as_it_was_copied(written: str) -> None:
    assert Selector.parse(written) == Selector("id", "0-12")


@pytest.mark.parametrize(("written", "fields"), SELECTORS.items(), ids=SELECTORS.keys())
def test_a_selector_is_read(written: str, fields: dict[str, Any]) -> None:
    assert Selector.parse(written) == Selector(**fields)


@pytest.mark.parametrize("written", ["", "Save", "0-12x", "0-", "texts=Save"])
def test_other_texts_are_no_targets_and_the_hint_says_what_is(written: str) -> None:
    with pytest.raises(RefInvalid) as caught:
        Selector.parse(written)
    assert "text=Save" in str(caught.value.hint)


@pytest.mark.parametrize("written", ["text=", "role=", "role=[name=x]", "frame=1 Save", "css="])
def test_half_a_selector_is_an_error_of_its_own(written: str) -> None:
    with pytest.raises(InvalidParams):
        Selector.parse(written)
