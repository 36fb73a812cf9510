"""Hints for nameless elements: the best of what the page offers, and never a name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cdp_agent import ElementNotFound
from cdp_agent.snapshot.text.fallback_name import fallback_name
from tests.unit.pages import Document, El, el, lines_of, snapshot_of, text, textbox, wrapper


def drawing(**attrs: str) -> El:
    return wrapper(tag="svg", attrs=attrs)


def icon_button(*inside: El, **attrs: str) -> El:
    return el("button", "", *inside, tag="button", attrs=attrs)


def field(**attrs: str) -> El:
    return textbox("", attrs=attrs)


def label(words: str, **attrs: str) -> El:
    return wrapper(text(words), tag="label", attrs=attrs)


#: The accessibility tree has neither a title nor its text.
TITLE = El("", "", (El("", "Print", tag="#text"),), tag="title")

#: Hidden from screen readers: a font draws it.
LIGATURE = El(
    "",
    "",
    (El("", "edit_calendar", tag="#text"),),
    tag="i",
    attrs={"class": "q-icon notranslate material-icons", "aria-hidden": "true"},
)

HINTS: dict[str, tuple[El, str]] = {
    "a title before everything": (
        icon_button(drawing(**{"data-testid": "PrintIcon"}), title="Print it"),
        "Print it",
    ),
    "a title inside": (icon_button(wrapper(attrs={"title": "Choose a date"})), "Choose a date"),
    "the tooltip of a library": (icon_button(**{"data-original-title": "Undo"}), "Undo"),
    "the title of a drawing": (
        icon_button(wrapper(TITLE, tag="svg", attrs={"data-testid": "PrintIcon"})),
        "Print",
    ),
    "a placeholder": (field(placeholder="Your city", id="city"), "Your city"),
    "a test id": (icon_button(id="delete-it", **{"data-testid": "remove-row"}), "remove-row"),
    "the test id of a drawing, not the classes of the button": (
        icon_button(drawing(**{"data-testid": "DeleteIcon"}), **{"class": "MuiButtonBase-root"}),
        "DeleteIcon",
    ),
    "a test id that a machine made": (icon_button(id="delete-it", **{"data-testid": "x9f8"}),
                                      "delete-it"),
    "the icon, not the shape of the button": (
        icon_button(wrapper(tag="i", attrs={"class": "fa fa-angle-up"}), **{"class": "foot-btn"}),
        "angle-up",
    ),
    "what the class says it does, not the icon": (
        icon_button(wrapper(tag="i", attrs={"class": "fa fa-eye"}), **{"class": "item-hide"}),
        "item-hide",
    ),
    "the word that a font draws as an icon": (
        icon_button(LIGATURE, **{"class": "q-btn non-selectable"}),
        "edit_calendar",
    ),
    "a readable class": (icon_button(**{"class": "css-1x2y3z delete-button"}), "delete-button"),
    "a picture's address": (
        icon_button(wrapper(tag="img", attrs={"src": "/img/trash.svg"})), "trash",
    ),
    "long words are cut with a mark": (icon_button(title="x" * 50), "x" * 40 + "..."),
    "glyphs of an icon font say nothing": (icon_button(title="\uf0c9", id="side-menu"),
                                           "side-menu"),
}  # fmt: skip


@pytest.mark.parametrize(("page", "hint"), HINTS.values(), ids=HINTS.keys())
def test_a_nameless_control_has_the_best_hint(page: El, hint: str) -> None:
    assert lines_of(page) == [f'[0-4] {page.role} hint="{hint}"']


def test_the_label_of_a_box_around_one_button_is_its_hint() -> None:
    """The tooltip of a disabled button, which has none of its own."""
    label = {"aria-label": "Query tool"}
    alone = wrapper(icon_button(), tag="span", attrs=label)
    several = wrapper(icon_button(), icon_button(), tag="span", attrs=label)

    assert lines_of(alone) == ['[0-5] button hint="Query tool"']
    assert lines_of(several) == ["[0-5] button", "[0-6] button"]


def test_machine_made_classes_are_no_hint() -> None:
    page = icon_button(**{"class": "MuiButtonBase-root MuiIconButton-root css-mfslm7"})

    assert lines_of(page) == ["[0-4] button"]


def test_a_class_that_says_the_role_again_is_no_hint() -> None:
    page = el("checkbox", "", attrs={"class": "q-checkbox cursor-pointer"})

    assert lines_of(page) == ["[0-4] checkbox"]


def test_a_hint_is_not_a_name() -> None:
    snapshot = snapshot_of(Document(icon_button(title="Print it")))

    with pytest.raises(ElementNotFound):
        snapshot.find("button", "Print it")
    assert snapshot.find("button").name == ""


def test_a_field_with_a_value_has_a_hint_too() -> None:
    page = textbox("", "Riga", attrs={"name": "city"})

    assert lines_of(page) == ['[0-4] textbox value="Riga" hint="city"']


def test_a_name_of_glyphs_alone_is_no_name() -> None:
    page = el("link", "\uf0c9", text("\uf0c9"), tag="a", attrs={"id": "side-menu"})

    assert lines_of(page) == ['[0-4] link hint="side-menu"']


# -- labels ---------------------------------------------------------------------------------------


def test_the_label_of_a_hidden_field_is_the_hint_of_its_widget_unless_it_stands_there() -> None:
    behind = wrapper(tag="select", attrs={"id": "customer", "aria-hidden": "true"})
    combobox = el("combobox", "", tag="span", props={"expanded": False})
    page = wrapper(label("Customer:", **{"for": "customer"}), wrapper(behind, combobox))

    assert lines_of(page) == ['text "Customer:"', "[0-9] combobox collapsed"]
    snapshot = snapshot_of(Document(page))
    assert replace(snapshot, nodes=snapshot.nodes[1:]).lines[0].text.endswith('hint="Customer:"')


def test_the_label_of_another_field_is_not_taken() -> None:
    page = wrapper(
        label("City", **{"for": "city"}), textbox("City", attrs={"id": "city"}), field(name="zip")
    )

    assert lines_of(page)[-1].endswith('hint="zip"')


# -- column headers -------------------------------------------------------------------------------


def _row(*cells: El) -> El:
    return el("row", "", *cells, tag="tr")


def _cell(*inside: El, **attrs: str) -> El:
    return el("cell", "", *inside, tag="td", attrs=attrs)


def _head(words: str, **attrs: str) -> El:
    return el("columnheader", words, text(words), tag="th", attrs=attrs)


def _hint_of_field(page: El) -> str:
    snapshot = snapshot_of(Document(page))
    node = next(node for node in snapshot.nodes if node.role == "textbox")
    return fallback_name(snapshot, node)


def test_a_field_in_a_table_is_hinted_by_its_column_unless_the_head_stands_above_its_row() -> None:
    head = wrapper(_row(_head("Name"), _head("Price")), tag="thead")
    body = wrapper(_row(_cell(text("Tea")), _cell(field(name="form-0-price"))), tag="tbody")
    table = el("table", "", head, body, tag="table")

    assert _hint_of_field(table) == "Price"
    assert lines_of(table)[-1].endswith("| [0-16] textbox")


def test_a_wide_cell_counts_for_its_columns() -> None:
    head = wrapper(_row(_head("Who", colspan="2"), _head("Age")), tag="thead")
    body = wrapper(_row(_cell(text("Ada")), _cell(text("L")), _cell(field())), tag="tbody")

    assert _hint_of_field(el("table", "", head, body, tag="table")) == "Age"


def test_icons_tell_two_buttons_of_one_column_apart() -> None:
    head = wrapper(_row(_head("Name"), _head("Actions")), tag="thead")
    buttons = [icon_button(drawing(**{"data-testid": f"{what}Icon"})) for what in ("Edit", "Drop")]
    body = wrapper(_row(_cell(text("Tea")), _cell(*buttons)), tag="tbody")

    row = lines_of(el("table", "", head, body))[-1]
    assert row.count("hint=") == 2
    assert row.index('hint="EditIcon"') < row.index('hint="DropIcon"')
