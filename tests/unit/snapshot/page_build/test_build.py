"""Accessibility trees and layout facts, made into lines: what is said, once, and where."""

from __future__ import annotations

import pytest

from tests.unit.pages import El, button, el, lines_of, text, textbox, wrapper


def strong(inside: El) -> El:
    return el("strong", "", inside, tag="strong")


def slanted(inside: El) -> El:
    """As Draft.js writes it."""
    return wrapper(inside, tag="span", attrs={"style": "font-style: italic;"})


PAGES: dict[str, tuple[list[El], list[str]]] = {
    # -- what is said once --
    "the text of a button is its name": ([button("Save")], ['[0-4] button "Save"']),
    "a link's parts are its name": (
        [el("link", "Terms and conditions", text("Terms"), text("and conditions"), tag="a")],
        ['[0-4] link "Terms and conditions"'],
    ),
    "a heading in a link": (
        [el("link", "News", el("heading", "News", text("News"), props={"level": 2}), tag="a")],
        ['[0-4] link "News"', ' heading "News" 2'],
    ),
    "a picture in a link that is called what the link is called": (
        [el("link", "Ada Lovelace", el("image", "Ada"), text("Ada Lovelace"), tag="a")],
        ['[0-4] link "Ada Lovelace"'],
    ),
    "a picture in a button that says more": (
        [el("button", "Buy", el("image", "Only two left"), text("Buy"), tag="button")],
        ['[0-4] button "Buy"', ' image "Only two left"'],
    ),
    "a label that answers clicks by itself": (
        [el("LabelText", "", text("More"), tag="label", cursor="pointer", listens=True)],
        ['[0-4] label "More"'],
    ),
    "a value of white space alone": ([textbox("Note", " \n ")], ['[0-4] textbox "Note"']),
    "text beyond the name is kept": (
        [el("button", "Save", text("Save"), text("as a draft"), tag="button")],
        ['[0-4] button "Save"', ' text "as a draft"'],
    ),
    "a number in the name of a region is not its text": (
        [el("region", "Order 1234", text("12"))],
        ['region "Order 1234"', ' text "12"'],
    ),
    "a chip that takes the focus is not followed by its own text": (
        [
            el(
                "generic",
                "North",
                wrapper(text("North"), tag="span"),
                button("Remove North"),
                tag="span",
                props={"focusable": True},
            )
        ],
        ['[0-4] generic "North"', ' [0-7] button "Remove North"'],
    ),
    "a label is its control's name": (
        [
            el("LabelText", "", text("Email"), tag="label"),
            textbox("Email", "a@b.c", props={"focusable": True, "focused": True}),
        ],
        ['[0-6] textbox "Email" value="a@b.c" focused'],
    ),
    "a label around its control": (
        [
            el(
                "LabelText",
                "",
                el("checkbox", "I agree", tag="input", props={"checked": "false"}),
                text("I agree"),
                tag="label",
            )
        ],
        ['[0-5] checkbox "I agree" unchecked'],
    ),
    "the only text of what is named says a part of the name": (
        [
            el("generic", "March 5, 2024", text("5"), tag="span", listens=True),
            el("generic", "March 6, 2024", text("3 left"), tag="span", listens=True),
        ],
        ['[0-4] generic "March 5, 2024"', '[0-6] generic "March 6, 2024"', ' text "3 left"'],
    ),
    "a label without a control is text": (
        [el("LabelText", "", text("Just words"), tag="label")],
        ['text "Just words"'],
    ),
    "what a field holds is its value and no text": (
        [
            el("textbox", "Notes", wrapper(text("abc")), tag="textarea", value="abc"),
        ],
        ['[0-4] textbox "Notes" value="abc"'],
    ),
    # -- structure --
    "wrappers are left out": (
        [wrapper(wrapper(el("generic", "", button("Buy"))))],
        ['[0-7] button "Buy"'],
    ),
    "a list has its items below it": (
        [el("list", "", el("listitem", "", text("One")), el("listitem", "", text("Two")))],
        ["list", ' listitem "One"', ' listitem "Two"'],
    ),
    "a marker of an item is left out": (
        [el("list", "", el("listitem", "", el("ListMarker", "1. "), text("One")))],
        ["list", ' listitem "One"'],
    ),
    "an item with a link keeps both": (
        [
            el(
                "list",
                "",
                el("listitem", "", text("See"), el("link", "it", text("it"), tag="a")),
            )
        ],
        ["list", ' * text "See"', '  [0-7] link "it"'],
    ),
    "an empty list says nothing": ([el("list", ""), button("Buy")], ['[0-5] button "Buy"']),
    "an empty item in a list neither": (
        [el("list", "", el("listitem", ""), el("listitem", "", text("Two")))],
        ["list", ' listitem "Two"'],
    ),
    "a progress bar speaks for itself": (
        [el("progressbar", "", value=0.5)],
        ['progressbar value="0.5"'],
    ),
    "a table has rows and cells": (
        [
            el(
                "table",
                "Prices 2024",
                el(
                    "row",
                    "",
                    el("columnheader", "Item", text("Item"), tag="th"),
                    el("cell", "20", text("20"), tag="td"),
                    tag="tr",
                ),
                tag="table",
            )
        ],
        ['table "Prices 2024"', " row Item | 20"],
    ),
    "texts that stand together are one line": (
        [wrapper(text("Hello"), text("world"))],
        ['text "Hello world"'],
    ),
    "texts around a button are not one text": (
        [el("paragraph", "", text("Press"), button("OK"), text("to go on"))],
        ['text "Press"', '[0-6] button "OK"', 'text "to go on"'],
    ),
    "texts of two places are two lines": (
        [el("generic", "", text("Hello")), el("generic", "", text("world"))],
        ['text "Hello"', 'text "world"'],
    ),
    "a picture without a name is left out": (
        [el("image", "", tag="img"), el("image", "Logo", tag="img")],
        ['image "Logo"'],
    ),
    "line boxes repeat their text": (
        [el("paragraph", "", el("StaticText", "Hi", el("InlineTextBox", "Hi"), tag="#text"))],
        ['text "Hi"'],
    ),
    # -- values and states --
    "a heading has its level": (
        [el("heading", "Pay", text("Pay"), props={"level": 1})],
        ['heading "Pay" 1'],
    ),
    "a password is never shown": (
        [textbox("Password", "hunter2", attrs={"type": "password"})],
        ['[0-4] textbox "Password" value="•••"'],
    ),
    "nor one in capitals": (
        [textbox("Password", "hunter2", attrs={"type": "PASSWORD"})],
        ['[0-4] textbox "Password" value="•••"'],
    ),
    "states follow the name": (
        [
            el("checkbox", "A", tag="input", props={"checked": "true", "disabled": True}),
            el("checkbox", "B", tag="input", props={"checked": "mixed", "required": True}),
            el("button", "More", tag="button", props={"expanded": False}),
            el("button", "Bold", tag="button", props={"pressed": "true"}),
            el("tab", "One", props={"selected": True}),
            el("textbox", "C", tag="input", props={"invalid": "true", "readonly": True}),
        ],
        [
            '[0-4] checkbox "A" checked disabled',
            '[0-5] checkbox "B" checked=mixed required',
            '[0-6] button "More" collapsed',
            '[0-7] button "Bold" pressed',
            '[0-8] tab "One" selected',
            '[0-9] textbox "C" invalid readonly',
        ],
    ),
    "states that say nothing are not said": (
        [
            el(
                "textbox",
                "A",
                tag="input",
                props={"invalid": "false", "required": False, "disabled": False, "focused": False},
            )
        ],
        ['[0-4] textbox "A"'],
    ),
    "a slider's number is not a fraction without need": (
        [el("slider", "Volume", tag="input", value=5.0)],
        ['[0-4] slider "Volume" value="5"'],
    ),
    "the options of a select stand below it": (
        [
            el(
                "combobox",
                "Size",
                el(
                    "MenuListPopup",
                    "",
                    el("option", "Small", props={"selected": True}, tag="option", box=None),
                    el("option", "Large", tag="option", box=None),
                    tag="",
                ),
                tag="select",
                value="Small",
            )
        ],
        [
            '[0-4] combobox "Size" value="Small"',
            ' [0-6] option "Small" selected',
            ' [0-7] option "Large"',
        ],
    ),
    "rich text is a textbox that keeps its parts": (
        [
            el(
                "generic",
                "",
                text("Dear"),
                el("link", "Ada", text("Ada"), tag="a"),
                props={"editable": "richtext", "focusable": True},
                value="Dear Ada",
            )
        ],
        ['[0-4] textbox value="Dear Ada"', ' [0-6] link "Ada"'],
    ),
    "formatted text shows its blocks and marks": (
        [
            el(
                "generic",
                "",
                el("heading", "News", text("News"), tag="h2", props={"level": 2}),
                el("paragraph", "", text("The"), strong(text("crane")), text("is"), tag="p"),
                el("paragraph", "", slanted(text("closed")), tag="p"),
                el("list", "", el("listitem", "", text("Ask Ada"), tag="li"), tag="ul"),
                props={"editable": "richtext", "focusable": True},
                value="News\nThe crane is\nclosed\nAsk Ada",
            )
        ],
        [
            "[0-4] textbox",
            ' heading "News" 2',
            ' text "The **crane** is"',
            ' text "*closed*"',
            " list",
            '  listitem "Ask Ada"',
        ],
    ),
    "plain lines of an editor are its value": (
        [
            el(
                "textbox",
                "Code",
                el("generic", "", text("one"), listens=True, cursor="pointer"),
                el("generic", "", text("  two"), listens=True, cursor="pointer"),
                props={"editable": "plaintext", "focusable": True},
                attrs={"contenteditable": "true"},
                value="one\n  two\n",
            )
        ],
        ['[0-4] textbox "Code" value="one\\n  two"'],
    ),
    "a glyph is not a text": ([text("\uf0c9"), button("\uf0c9 Info")], ['[0-5] button "Info"']),
    "bold words stay in their sentence": (
        [el("paragraph", "", text("Not"), el("strong", "", text("now")), text("please"))],
        ['text "Not now please"'],
    ),
    "a text and an icon of one name": (
        [el("button", "Settings Settings", text("Settings"), tag="button")],
        ['[0-4] button "Settings"'],
    ),
    "a name that says its word twice": (
        [el("link", "Baden Baden", text("Baden Baden"), tag="a")],
        ['[0-4] link "Baden Baden"'],
    ),
    "the text before a field that is its name": (
        [text("Department *"), el("combobox", "Department", tag="input")],
        ['[0-5] combobox "Department"'],
    ),
    "the text before a field that is not": (
        [text("Pick a department"), el("combobox", "Department", tag="input")],
        ['text "Pick a department"', '[0-5] combobox "Department"'],
    ),
    "the text after a button that is its name": (
        [el("button", "More", tag="button"), text("More")],
        ['[0-4] button "More"'],
    ),
    "a number after a button is not its name": (
        [button("0"), wrapper(text("0"))],
        ['[0-4] button "0"', 'text "0"'],
    ),
    "the value of a list and its text": (
        [el("combobox", "Newest", text("Newest"), value="Newest", props={"expanded": False})],
        ['[0-4] combobox value="Newest" collapsed'],
    ),
    "capitals of a style": (
        [el("button", "Save", text("SAVE"), tag="button")],
        ['[0-4] button "Save"'],
    ),
    # -- what one can act on --
    "what takes the focus has an id": (
        [el("generic", "", text("Menu"), props={"focusable": True}, attrs={"tabindex": "0"})],
        ['[0-4] generic "Menu"'],
    ),
    "what can be dragged has an id": (
        [el("generic", "", text("Card"), attrs={"draggable": "true"})],
        ['[0-4] generic "Card"'],
    ),
    "what listens for clicks has an id": (
        [el("generic", "", text("Row"), listens=True)],
        ['[0-4] generic "Row"'],
    ),
    "a listener on the whole page makes no button of it": (
        [el("generic", "", button("Buy"), listens=True, box=(0, 0, 800, 2000))],
        ['[0-5] button "Buy"'],
    ),
    "a hand over a text makes its outermost element a thing": (
        [wrapper(wrapper(text("Open"), tag="span"), cursor="pointer")],
        ['[0-4] generic "Open"'],
    ),
    "two texts under one hand are one thing": (
        [wrapper(wrapper(text("Red")), wrapper(text("shoes")), cursor="pointer")],
        ['[0-4] generic "Red shoes"'],
    ),
    "two hands are two things": (
        [wrapper(text("Red"), cursor="pointer"), wrapper(text("Blue"), cursor="pointer")],
        ['[0-4] generic "Red"', '[0-6] generic "Blue"'],
    ),
    "a hand inside a button is the button's": (
        [el("button", "Save", wrapper(text("Save"), cursor="pointer"), tag="button")],
        ['[0-4] button "Save"'],
    ),
    "a hand on the page itself is nobody's": (
        [wrapper(text("Hello"), tag="main")],
        ['text "Hello"'],
    ),
    "an icon that says nothing is found by its hand, where it stands": (
        [
            button("First"),
            El("", tag="i", cursor="pointer", attrs={"title": "Delete"}),
            button("Last"),
        ],
        ['[0-4] button "First"', '[0-6] generic "Delete"', '[0-7] button "Last"'],
    ),
    "an icon of no size is none": ([El("", tag="i", cursor="pointer", box=(0, 0, 1, 1))], []),
    "an icon that is hidden from users is none": (
        [El("", "", (El("", tag="i", cursor="pointer"),), attrs={"aria-hidden": "true"})],
        [],
    ),
    "an inert icon is none": (
        [El("", "", (El("", tag="i", cursor="pointer"),), attrs={"inert": ""})],
        [],
    ),
    "our own marks on the page are not of the page": (
        [
            wrapper(button("Ours"), text("ours"), attrs={"data-browser-agent-ui": ""}),
            el("link", "Ours", tag="a", attrs={"data-browser-agent-ui": ""}),
            wrapper(El("", tag="i", cursor="pointer"), attrs={"data-browser-agent-ui": ""}),
            button("Theirs"),
        ],
        ['[0-11] button "Theirs"'],
    ),
}


@pytest.mark.parametrize(("page", "lines"), PAGES.values(), ids=PAGES.keys())
def test_a_page_is_these_lines(page: list[El], lines: list[str]) -> None:
    assert lines_of(*page) == lines
