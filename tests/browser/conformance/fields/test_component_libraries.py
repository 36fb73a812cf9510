"""Shapes of pages that component libraries make: they are read as a person reads them."""

from __future__ import annotations

from cdp_agent import Page
from tests.support.stage import OpenPage

TABULATOR = """<style>
.row { display: flex } .cell { width: 90px; height: 20px }
.edge { width: 6px; height: 20px } .edge:hover { cursor: ew-resize }
</style><div role=grid><div role=row class=row><div role=columnheader class=cell>Part</div>
<span class="edge table-col-resize-handle"></span><div role=columnheader class=cell>Left</div></div>
<div role=row class=row><div role=gridcell class=cell tabindex=0>Pump</div>
<span class="edge table-col-resize-handle"></span><div role=gridcell class=cell>7</div></div></div>
<script>
for (const edge of document.querySelectorAll('.edge')) edge.onclick = edge.onmousedown = () => 0;
</script>"""
WIDE_CELLS = """<table border=1><tr><th>Part<th>Left<th>Price</tr><tr><td>Pump<td>7<td>20</tr>
<tr><td colspan=2>Sum<td>140</tr><tr><td colspan=3>No more parts</tr></table>"""
SHADOW_LABELS = """<div id=first></div><div id=second></div><script>
first.attachShadow({mode: 'open'}).innerHTML = `<label for=input>Colour</label>
  <input id=input>`;
second.attachShadow({mode: 'open'}).innerHTML = `<label for=input>Tags</label>
  <div role=combobox aria-expanded=false tabindex=0 style="height: 20px"><select id=input hidden>
  </select></div>`;
</script>"""
LIGATURE = """<button style="width: 40px; height: 40px" class="q-btn non-selectable">
  <i aria-hidden=true class="q-icon notranslate material-icons">edit_calendar</i></button>"""


async def test_edges_that_size_columns_leave_a_row_one_line(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(TABULATOR)

    lines = [line.text for line in (await page.snapshot()).lines]

    assert lines[1] == "row header: Part | Left"
    assert lines[2].endswith('"Pump" | 7')


async def test_an_id_of_another_shadow_root_is_not_what_a_label_is_for(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(SHADOW_LABELS)

    assert (await page.find("label=Tags")) == (await page.snapshot()).find("combobox").id


async def test_the_word_of_an_icon_font_is_the_hint_of_its_button(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(LIGATURE)

    assert (await page.snapshot()).lines[0].text.endswith('button hint="edit_calendar"')


async def test_a_wide_cell_does_not_shift_the_columns_after_it(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(WIDE_CELLS)

    lines = [line.text for line in (await page.snapshot()).lines]

    assert lines[-2:] == ["row Sum | | 140", "row No more parts"]
