"""Select boxes that are not `<select>`: opened, searched, chosen from."""

from __future__ import annotations

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.widget("select2")
@pytest.mark.row("WDG-03")
async def test_select2_is_searched_and_chosen_from(open_widget: OpenWidget) -> None:
    widget = await open_widget("choices")
    await widget.click("combobox", "Austria")
    await widget.type("searchbox", None, "port")
    await widget.click("option", "Portugal")

    assert await widget.eval("document.querySelector('#country').value") == "portugal"


@pytest.mark.widget("choices.js")
@pytest.mark.row("WDG-03")
async def test_choices_js_is_searched_and_chosen_from(open_widget: OpenWidget) -> None:
    widget = await open_widget("choices")
    box = "document.querySelector('#city').closest('.choices')"
    await widget.page.click(await widget.node(box))
    search = "document.querySelector('.choices__input--cloned')"
    await widget.page.type(await widget.node(search), "lis")
    option = "document.querySelector('.choices__list--dropdown [data-value=lisbon]')"
    await widget.page.click(await widget.node(option))

    assert await widget.eval("document.querySelector('#city').value") == "lisbon"


@pytest.mark.widget("tom-select")
@pytest.mark.row("WDG-03")
async def test_tom_select_takes_two_by_search(open_widget: OpenWidget) -> None:
    widget = await open_widget("choices")
    for start in ("ban", "eld"):
        await widget.fill("combobox", "Fruit", start)
        await widget.oracle.wait("document.querySelectorAll('.ts-dropdown .option').length === 1")
        await widget.page.click(await widget.node("document.querySelector('.ts-dropdown .option')"))

    chosen = "[...document.querySelector('#fruit').selectedOptions].map(o => o.value).join()"
    assert await widget.eval(chosen) == "banana,elderberry"


#: Lists without roles: the native list behind each, its field, and what is chosen.
PLAIN = {
    "chosen-js, one": ("chosen-js", "river", "#river_chosen .chosen-search-input", ["Rhine"]),
    "chosen-js, several": (
        "chosen-js",
        "towns",
        "#towns_chosen .chosen-search-input",
        ["Bath", "Évora"],
    ),
    "selectize, one": ("@selectize/selectize", "tree", "#tree-selectized", ["Larch"]),
    "selectize, several": (
        "@selectize/selectize",
        "birds",
        "#birds-selectized",
        ["Heron", "Stork"],
    ),
}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.widget(row[0])) for kind, row in PLAIN.items()],
)
@pytest.mark.row("WDG-03")
async def test_a_list_without_roles_has_just_these_chosen(
    open_widget: OpenWidget, kind: str
) -> None:
    _, native, field, labels = PLAIN[kind]
    widget = await open_widget("choices")

    outcome = await widget.page.select(
        await widget.node(f"document.querySelector('{field}')"), label=labels
    )

    chosen = f"[...document.querySelector('#{native}').selectedOptions].map(o => o.value).join()"
    assert await widget.eval(chosen) == ",".join(labels).lower()
    assert outcome.data["value"] == (labels if len(labels) > 1 else labels[0])


@pytest.mark.widget("antd")
@pytest.mark.row("WDG-03")
async def test_antd_select_reaches_an_option_that_is_not_rendered(open_widget: OpenWidget) -> None:
    widget = await open_widget("antd")
    box = await widget.find("combobox", "Item")
    await widget.page.type(box.id, "Item 777", commit_enter=True)

    assert await widget.eval("state.item") == 777


@pytest.mark.widget("@mui/material")
@pytest.mark.row("WDG-03")
async def test_mui_autocomplete_is_searched_and_chosen_from(open_widget: OpenWidget) -> None:
    widget = await open_widget("mui")
    await widget.type("combobox", "Film", "metro")
    await widget.click("option", "Metropolis")

    assert await widget.eval("state.film") == "Metropolis"


@pytest.mark.widget("intl-tel-input")
@pytest.mark.row("WDG-20")
async def test_intl_tel_input_country_is_searched_and_chosen(open_widget: OpenWidget) -> None:
    widget = await open_widget("telephone")
    await widget.click("button", "Change country")
    await widget.type("combobox", "Search", "Portugal")
    await widget.click("option", "Portugal")

    assert await widget.eval("iti.getSelectedCountryData().dialCode") == "351"
