"""Date pickers: a day chosen by clicks, as a person would."""

from __future__ import annotations

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.widget("flatpickr")
@pytest.mark.row("WDG-01")
async def test_flatpickr_takes_a_range_with_a_time(open_widget: OpenWidget) -> None:
    widget = await open_widget("dates")
    await widget.click("textbox", "Trip")
    for _ in range(2):
        await widget.page.click(
            await widget.node("document.querySelector('.flatpickr-next-month')")
        )
    await widget.click(None, "March 17, 2027", exact=True)
    await widget.click(None, "March 20, 2027", exact=True)
    await widget.fill("spinbutton", "Hour", "09")
    await widget.page.press("Enter")

    assert await widget.eval("document.querySelector('#trip').value") == (
        "2027-03-17 12:00 to 2027-03-20 09:00"
    )


@pytest.mark.widget("air-datepicker")
@pytest.mark.row("WDG-01")
async def test_air_datepicker_takes_a_day(open_widget: OpenWidget) -> None:
    widget = await open_widget("dates")
    await widget.click("textbox", "Meeting")
    await widget.page.click(await widget.node("document.querySelector('[data-action=next]')"))
    day = """document.querySelector('.air-datepicker-cell[data-date="17"][data-month="2"]')"""
    await widget.page.click(await widget.node(day))

    assert await widget.eval("document.querySelector('#meeting').value") == "2027-03-17"


@pytest.mark.widget("jquery-ui")
@pytest.mark.row("WDG-01")
async def test_jquery_ui_datepicker_takes_a_day(open_widget: OpenWidget) -> None:
    widget = await open_widget("dates")
    await widget.click("textbox", "Birthday")
    await widget.click(None, "Next")
    await widget.click("link", "17", exact=True)

    assert await widget.eval("document.querySelector('#birthday').value") == "2027-03-17"


@pytest.mark.widget("antd")
@pytest.mark.row("WDG-02")
async def test_antd_date_picker_takes_a_typed_day(open_widget: OpenWidget) -> None:
    widget = await open_widget("antd")
    field = await widget.find("textbox", "Day")
    await widget.page.click(field.id)
    await widget.page.type(field.id, "2027-03-17", commit_enter=True)

    assert await widget.eval("state.day") == "2027-03-17"


@pytest.mark.widget("element-plus")
@pytest.mark.row("WDG-02")
async def test_element_plus_date_picker_takes_a_clicked_day(open_widget: OpenWidget) -> None:
    widget = await open_widget("elementplus")
    await widget.click("combobox", "Day")
    await widget.click(None, "17", exact=True)

    assert await widget.eval("state.day") == "2027-03-17"
