"""The actions of an element, in single words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.pages import Document, El, built, el, text, textbox

HINTS: dict[str, tuple[El, tuple[str, ...]]] = {
    "a button": (el("button", "Go", tag="button"), ("clickable",)),
    "a link": (el("link", "Go", tag="a"), ("clickable",)),
    "a text field": (textbox("Name"), ("editable",)),
    "a search field": (el("searchbox", "Find", tag="input"), ("editable",)),
    "a number field": (el("spinbutton", "Age", tag="input"), ("editable",)),
    "a field with suggestions": (el("combobox", "City", tag="input"), ("editable", "selectable")),
    "a select": (el("combobox", "Size", tag="select"), ("clickable", "selectable")),
    "an option": (el("option", "S", tag="option"), ("clickable", "selectable")),
    "a checkbox": (
        el("checkbox", "Agree", tag="input", props={"checked": "false"}),
        ("clickable", "checkable"),
    ),
    "a switch": (el("switch", "On"), ("clickable", "checkable")),
    "a menu that opens": (
        el("button", "More", tag="button", props={"expanded": False}),
        ("clickable", "expandable"),
    ),
    "a slider": (el("slider", "Volume", tag="input"), ()),
    "a card": (
        el("generic", "", text("Card"), attrs={"draggable": "true"}),
        ("clickable", "draggable"),
    ),
    "a card that is a button": (
        el("button", "Card", attrs={"draggable": "true"}),
        ("clickable", "draggable"),
    ),
    "a button that sends a form": (
        el("button", "Send", tag="button", attrs={"type": "submit"}),
        ("clickable", "submittable"),
    ),
    "a button that does not": (
        el("button", "Send", tag="button", attrs={"type": "button"}),
        ("clickable",),
    ),
}


@pytest.mark.parametrize(("one", "hints"), HINTS.values(), ids=HINTS.keys())
def test_an_element_says_what_it_is_good_for(one: El, hints: tuple[str, ...]) -> None:
    (element,) = built(Document(one)).elements

    assert element.hints == hints


def test_a_box_that_scrolls_says_so_when_there_is_more_below() -> None:
    def found(height: float, **styles: Any) -> tuple[str, ...]:
        inside = el("generic", "", text("row"), box=(0, 0, 100, height))
        box = el("group", "Rows", inside, props={"focusable": True}, box=(0, 0, 100, 50), **styles)
        return built(Document(box)).elements[0].hints

    assert "scrollable" in found(200, overflow="auto")
    assert "scrollable" not in found(40, overflow="auto")
    assert "scrollable" not in found(200)
