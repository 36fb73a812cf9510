"""Identifiers that a person would understand, and those that only machines do."""

from __future__ import annotations

import pytest

from cdp_agent.snapshot.text.readable_identifiers import icon_in, readable, readable_in_path

IDENTIFIERS = {
    "delete-button": "delete-button",
    "menu-toggle": "menu-toggle",
    "btn btn-primary delete-button": "delete-button",
    "red-ui-view-zoom-in": "red-ui-view-zoom-in",
    "_filter_value": "filter_value",
    "calendarlink0": "calendarlink0",
    "stDataFrameGlideDataEditor": "stDataFrameGlideDataEditor",
    "DeleteIcon": "DeleteIcon",
    "Card_delete__3xYz1": "Card_delete__3xYz1",
    "MuiButtonBase-root MuiIconButton-root MuiIconButton-sizeMedium css-mfslm7": "",
    "css-1x2y3z": "",
    "css-qlmezt": "",
    "sc-bdVaJa": "",
    "sc-bdVaJa kJhfGx": "",
    "jss42": "",
    "svelte-8epfm4": "",
    "st-emotion-cache-1nero eo2qvtu0": "",
    "f12khp2k": "",
    "react-aria3894563529-:r1s:-0": "",
    ":r1s:": "",
    "radix-menu": "",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff": "",
    "flex items-center justify-between px-4 py-2 text-gray-500 hover:bg-red-100": "",
    "w-[32px] md:w-1/2 -mt-2 rounded-full": "",
    "d-flex col-md-6 mb-0 text-center": "",
    "tc-tiny-gap-right tc-popup-handle": "",
    "icon left small active": "",
    "cm-lineWrapping": "",
    "notranslate public-DraftEditor-content": "",
    "shadow-inset active:cursor-grabbing focus-visible:ring-ring print:hidden": "",
    "lucide lucide-settings": "",
    "q-btn q-btn-item q-btn--flat q-btn--rectangle q-btn--actionable q-focusable": "",
    "undefined null": "",
    "loginForm:username": "loginForm:username",
    "x" * 70: "",
    "": "",
}


@pytest.mark.parametrize(("given", "wanted"), IDENTIFIERS.items(), ids=IDENTIFIERS.keys())
def test_the_first_that_a_person_would_understand_is_chosen(given: str, wanted: str) -> None:
    assert readable(given) == wanted


def test_what_an_element_does_stands_last() -> None:
    assert readable("footer-button item-control-hide", by_last_word=True) == "item-control-hide"


ICONS = {
    "an icon font": ({"class": "fa fa-trash"}, "trash"),
    "its size is not its name": ({"class": "fa fa-fw fa-caret-down"}, "caret-down"),
    "a font drawn as shapes": ({"class": "feather feather-pause"}, "pause"),
    "an attribute": ({"data-icon": "ui-components:kernel"}, "kernel"),
    "a symbol of a sprite": ({"href": "#icon-cogs"}, "cogs"),
    "no icon": ({"class": "card", "href": "#"}, ""),
}


@pytest.mark.parametrize(("attributes", "wanted"), ICONS.values(), ids=ICONS.keys())
def test_an_icon_has_a_name(attributes: dict[str, str], wanted: str) -> None:
    assert icon_in(attributes) == wanted


ADDRESSES = {
    "/users/12/delete": "delete",
    "https://shop.test/img/trash.svg?v=3": "trash",
    "/a8f3c2d1e9": "",
    "#": "",
    "javascript:void(0)": "",
    "data:image/png;base64,iVBORw0KGgo": "",
}


@pytest.mark.parametrize(("given", "wanted"), ADDRESSES.items(), ids=ADDRESSES.keys())
def test_the_last_readable_step_of_an_address_tells(given: str, wanted: str) -> None:
    assert readable_in_path(given) == wanted
