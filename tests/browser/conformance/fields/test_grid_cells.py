"""Filling cells of a grid: the page's own editor is opened, filled and committed."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.support.oracle import PageOracle
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

# `OPEN` is the event that opens the editor of a cell; Enter commits, Escape gives up. Numbers only
# in the second column.
GRID = """<style>td { width: 90px; height: 24px; border: 1px solid }</style>
<table role=grid aria-label=Stock><tr><td role=gridcell tabindex=0>bolt
<td role=gridcell tabindex=0>7<td role=gridcell tabindex=0 aria-readonly=true>B1</table><script>
window.log = [];
for (const cell of document.querySelectorAll('td')) {
  const open = () => {
    if (cell.firstElementChild || cell.ariaReadOnly) return;
    const old = cell.textContent.trim();
    cell.innerHTML = '<input style="width:60px">';
    const field = cell.firstElementChild;
    field.value = old;
    field.focus();
    field.onkeydown = e => {
      if (e.key !== 'Enter') return;
      e.stopPropagation();
      log.push([old, field.value, e.isTrusted]);
      cell.textContent = cell.cellIndex === 1 && isNaN(field.value) ? old : field.value;
      cell.insertAdjacentHTML('beforeend', ' <button>Menu</button>');
      cell.focus();
    };
  };
  OPEN
}
</script>"""
WAYS = {
    "double click": "cell.ondblclick = open;",
    "Enter": "cell.onkeydown = e => { if (e.key === 'Enter') { e.preventDefault(); open() } };",
    "F2": "cell.onkeydown = e => { if (e.key === 'F2') open() };",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_cell_is_filled_by_the_editor_that_the_page_opens(
    make_stage: MakeStage, frame_kind: str, way: str
) -> None:
    stage = await make_stage(GRID.replace("OPEN", way), frame_kind)

    outcome = await stage.page.fill(await stage.id("cell", "7"), "12")

    assert await stage.eval("document.querySelectorAll('td')[1].textContent") == "12 Menu"
    assert await stage.eval("log") == [["7", "12", True]]
    assert outcome.data["value"] == "12"
    assert outcome.receipt is not None
    assert outcome.receipt.trusted


@pytest.mark.parametrize("attribute", ["tabindex=-1", "class='cell-editable'"])
async def test_a_cell_without_a_role_that_is_for_editing_is_filled(
    make_stage: MakeStage, attribute: str
) -> None:
    plain = GRID.replace("role=grid ", "").replace("role=gridcell tabindex=0", attribute)
    stage = await make_stage(plain.replace("OPEN", WAYS["double click"]))

    outcome = await stage.page.fill(await stage.id("cell", "7"), "12")

    assert await stage.eval("log") == [["7", "12", True]]
    assert outcome.data["value"] == "12"


async def test_a_cell_that_keeps_something_else_is_an_error(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(GRID.replace("OPEN", WAYS["double click"]))

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find("cell", "7").id, "many")

    assert caught.value.code == "not_editable"
    assert "it shows '7'" in caught.value.message


REFUSED = {
    "read-only": (GRID.replace("OPEN", WAYS["double click"]), "B1", "is read-only"),
    "opens nothing": (GRID.replace("OPEN", ""), "7", "opens no editor"),
    "in a canvas": (
        "<canvas width=200 height=90 tabindex=0><table role=grid><tr><td role=gridcell>7</table>"
        "</canvas>",
        "7",
        "drawn in a canvas",
    ),
}


@pytest.mark.parametrize(("html", "name", "words"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_cell_without_an_editor_says_why(
    page: Page, open_page: OpenPage, html: str, name: str, words: str
) -> None:
    await open_page(html)

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find("cell", name).id, "12")

    assert caught.value.code == "not_editable"
    assert words in caught.value.message


async def test_a_cell_of_a_plain_table_is_not_clicked(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page(
        "<table border><tr onclick='count++'><td tabindex=0>one<td>two</table>"
        "<script>window.count = 0; onkeydown = () => count++</script>"
    )

    with pytest.raises(CdpAgentError) as caught:
        await page.fill((await page.snapshot()).find("cell", "one").id, "12")

    assert caught.value.code == "not_editable"
    assert await oracle.eval("count") == 0
