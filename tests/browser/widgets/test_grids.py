"""Grids and long lists: cells edited, sorted, filtered; rows that exist only while in view."""

from __future__ import annotations

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.widget("ag-grid-community")
@pytest.mark.row("WDG-08")
async def test_ag_grid_cell_is_edited_and_rows_are_filtered(open_widget: OpenWidget) -> None:
    widget = await open_widget("aggrid")
    await widget.oracle.wait("document.querySelector('.ag-row') !== null")
    cell = await widget.find("cell", "Name 7919")
    await widget.page.double_click(cell.id)
    editor = await widget.find("textbox", "Input Editor")
    await widget.page.fill(editor.id, "Renamed")
    await widget.page.press("Enter")
    assert await widget.eval("api.getDisplayedRowAtIndex(1).data.name") == "Renamed"

    await widget.fill("textbox", "Name Filter Input", "Name 999")
    await widget.oracle.wait("api.getDisplayedRowCount() === 11")
    assert (await widget.look()).find_all("cell", "Name 9990")


@pytest.mark.widget("tabulator-tables")
@pytest.mark.row("WDG-08")
async def test_tabulator_cell_is_edited_and_sorted(open_widget: OpenWidget) -> None:
    widget = await open_widget("tabulator")
    await widget.oracle.wait("document.querySelector('.tabulator-row') !== null")
    await widget.click("cell", "Ann")
    editor = await widget.node("document.querySelector('.tabulator-cell.tabulator-editing input')")
    await widget.page.fill(editor, "Zoe")
    await widget.page.press("Enter")
    await widget.click("columnheader", "Age")

    ages = "table.getRows('active').map(r => r.getData().name + r.getData().age).join()"
    assert await widget.eval(ages) == "Bob27,Cleo33,Zoe51"


@pytest.mark.widget("handsontable")
@pytest.mark.row("WDG-08")
async def test_handsontable_cell_is_typed_into(open_widget: OpenWidget) -> None:
    widget = await open_widget("handsontable")
    await widget.click("cell", "Milk")
    for key in ("O", "a", "t", "s", "Enter"):
        await widget.page.press(key)

    assert await widget.eval("sheet.getDataAtCell(1, 0)") == "Oats"
