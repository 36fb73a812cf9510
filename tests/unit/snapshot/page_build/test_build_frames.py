"""Frames inside frames, and what is known of each element besides its line."""

from __future__ import annotations

import pytest

from tests.unit.pages import (
    Document,
    El,
    built,
    button,
    el,
    lines_of,
    snapshot_of,
    text,
    textbox,
)


def test_frames_stand_where_their_iframes_do() -> None:
    inner_frame = el("Iframe", "Bank", tag="iframe")
    card = Document(
        textbox("Card number", props={"required": True}),
        inner_frame,
        index=2,
        parent=0,
        owner=5,
        origin="https://pay.test",
    )
    bank = Document(
        button("Confirm"),
        index=7,
        parent=2,
        owner=card.number(inner_frame),
        origin="https://b.test",
    )
    frame = el("Iframe", "Card", tag="iframe")
    shop = Document(el("heading", "Pay", props={"level": 1}), frame, button("Pay now"))
    assert shop.number(frame) == 5

    assert lines_of(shop, card, bank) == [
        'heading "Pay" 1',
        'iframe 2 "Card" https://pay.test',
        ' [2-4] textbox "Card number" required',
        ' iframe 7 "Bank" https://b.test',
        '  [7-4] button "Confirm"',
        '[0-6] button "Pay now"',
    ]


def test_an_iframe_whose_content_is_not_known_is_still_a_line() -> None:
    assert lines_of(el("Iframe", "Card", tag="iframe"), button("Pay")) == [
        'iframe "Card"',
        '[0-5] button "Pay"',
    ]


ORIGINS = {
    "of a server": ("https://pay.test", "https://pay.test/x", "iframe 1 https://pay.test"),
    "of no origin, with its scheme": ("://", "data:text/html,x", "iframe 1 data:"),
    "sandboxed": ("null", "https://pay.test/x", "iframe 1 https:"),
    "empty": ("://", "about:srcdoc", "iframe 1 about:srcdoc"),
}


@pytest.mark.parametrize(("origin", "url", "line"), ORIGINS.values(), ids=ORIGINS.keys())
def test_a_frame_says_where_its_content_comes_from(origin: str, url: str, line: str) -> None:
    shop = Document(el("Iframe", "", tag="iframe"))
    frame = Document(button("x"), index=1, parent=0, owner=4, origin=origin, url=url)

    assert lines_of(shop, frame) == [line, ' [1-4] button "x"']


def test_an_element_that_holds_a_document_is_a_frame_whatever_its_role() -> None:
    shop = Document(el("PluginObject", "Form", tag="object"))
    frame = Document(button("x"), index=1, parent=0, owner=4)

    assert lines_of(shop, frame)[0] == 'iframe 1 "Form" https://shop.test'


def test_equal_numbers_in_two_documents_are_two_elements() -> None:
    shop = Document(el("Iframe", "", tag="iframe"), button("Outer"))
    frame = Document(el("heading", "h"), button("Inner"), index=1, parent=0, owner=4)

    ids = {element.id: element.name for element in built(shop, frame).elements}

    assert ids == {"0-5": "Outer", "1-5": "Inner"}


# -- elements -----------------------------------------------------------------------------------


def test_an_element_knows_its_document_and_what_layout_says_of_it() -> None:
    page = Document(
        button("Pay", attrs={"type": "submit"}, box=(30, 1040, 80, 20)), scroll=(10, 1000)
    )

    (element,) = built(page).elements

    assert (element.id, element.id.loader_id) == ("0-4", "L0")
    assert (element.role, element.name, element.tag) == ("button", "Pay", "button")
    assert element.bounds == (20, 40, 80, 20)  # in the viewport, not in the document
    assert element.hints == ("clickable", "submittable")


def test_boxes_in_a_frame_are_boxes_on_the_page() -> None:
    shop = Document(el("Iframe", "", tag="iframe"))
    frame = Document(
        button("x", box=(10, 120, 50, 20)),
        index=1,
        parent=0,
        owner=4,
        scroll=(0, 100),
        offset=(200, 300),
        scale=(0.5, 2),
    )

    (element,) = built(shop, frame).elements

    assert element.bounds == (205, 340, 25, 40)


def test_a_page_without_layout_facts_still_has_its_lines() -> None:
    page = Document(button("Save"), with_layout=False)

    found = built(page)

    assert [node.name for node in found.nodes] == ["Save"]
    assert (found.elements[0].tag, found.elements[0].bounds) == ("", None)


def test_a_label_can_be_found_and_clicked_though_it_has_no_line() -> None:
    label = el("LabelText", "", text("Email"), tag="label")
    page = Document(label, textbox("Email"))

    elements = built(page).elements

    assert [(e.id, e.role, e.name) for e in elements] == [
        (f"0-{page.number(label)}", "label", "Email"),
        ("0-6", "textbox", "Email"),
    ]


def test_what_listens_for_clicks_and_has_no_line_can_be_found_by_its_words() -> None:
    page = Document(
        El("list", "", (el("listitem", "", text("One"), tag="li"),), tag="ul", listens=False),
        El("", "", (El("", "Shadowy", tag="#text"),), tag="span", listens=True),
    )

    found = built(page)

    assert ("generic", "Shadowy") in [(e.role, e.name) for e in found.elements]


def test_the_focused_element_is_the_one_in_the_innermost_frame() -> None:
    """The page says of the iframe that it has the focus, the frame of the field in it."""
    shop = Document(el("Iframe", "", tag="iframe"), textbox("Outer", props={"focused": True}))
    frame = Document(textbox("Inner", props={"focused": True}), index=1, parent=0, owner=4)

    focused = snapshot_of(shop, frame).focused

    assert focused is not None
    assert focused.name == "Inner"
