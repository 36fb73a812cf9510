"""Tables, grids and regions as lines, on pages: columns, stubs that open what they count."""

from __future__ import annotations

import re

import pytest

from cdp_agent import Page
from tests.support.stage import OpenPage

TABLE = """<table><tr><th>Order<th>Customer<th>Note<th>Paid</tr>
  <tr><td><a href='#1'>SO-1</a><td>Ada<td><td><input type=checkbox aria-label=Paid checked></tr>
  <tr><td><a href='#2'>SO-2</a><td>[0-1] button<td>a | b<td></tr></table>"""
GRID = """<div role=treegrid aria-label=Files><div role=row><span role=columnheader>Name</span>
  <span role=columnheader>Size</span></div>
  <div role=row aria-level=1 aria-expanded=true><span role=gridcell>src</span>
  <span role=gridcell></span></div>
  <div role=row aria-level=2 aria-selected=true><span role=gridcell tabindex=0>a.py</span>
  <span role=gridcell>4 kB</span></div></div>"""


async def test_a_table_of_a_page_has_its_columns(page: Page, open_page: OpenPage) -> None:
    await open_page(TABLE)

    snapshot = await page.snapshot()

    first, second = (element.id for element in snapshot.find_all("link"))
    box = snapshot.find("checkbox").id
    assert [line.strip() for line in snapshot.text.split("\n")[1:]] == [
        "table",
        "row header: Order | Customer | Note | Paid",
        f'row [{first}] link "SO-1" | Ada | | [{box}] checkbox "Paid" checked',
        f'row [{second}] link "SO-2" | "[0-1] button" | "a | b" |',
    ]


async def test_a_treegrid_of_a_page_has_levels_and_states(page: Page, open_page: OpenPage) -> None:
    await open_page(GRID)

    snapshot = await page.snapshot()

    cell = snapshot.find("cell", "a.py").id
    assert [line.strip() for line in snapshot.text.split("\n")[1:]] == [
        'treegrid "Files"',
        "row header: Name | Size",
        "row expanded level 1: src |",
        f'row selected level 2: [{cell}] "a.py" | 4 kB',
    ]


ROWS = "".join(
    f"<tr><td>Order {n}<td>Customer {n}<td><button>Edit {n}</button></tr>" for n in range(400)
)


@pytest.mark.parametrize("scrolled", [0, 3000])
async def test_a_stub_of_rows_opens_what_it_counts(
    page: Page, open_page: OpenPage, scrolled: int
) -> None:
    await open_page(f"<table><tr><th>Order<th>Name<th>Do</tr>{ROWS}</table><p>After")
    await page.evaluate(f"window.scrollTo(0, {scrolled})")

    text = (await page.snapshot(max_tokens=1200)).text

    stubs = re.findall(r"\+(\d+) rows \[expand (0-\d+)\]", text)
    assert len(stubs) == (2 if scrolled else 1)
    assert "row header: Order | Name | Do" in text
    shown = re.findall(r"row Order (\d+) ", text)
    for count, key in stubs:
        opened = (await page.snapshot(expand=key)).text
        rows = re.findall(r"row Order (\d+) ", opened)
        assert len(rows) == int(count)
        assert not set(rows) & set(shown)
        assert "After" not in opened
        shown += rows
    assert sorted(map(int, shown)) == list(range(400))


async def test_the_choices_of_a_closed_list_open_without_what_follows(
    page: Page, open_page: OpenPage
) -> None:
    options = "".join(f"<option>Choice {n}" for n in range(40))
    await open_page(f"<select aria-label=Which>{options}</select><button>After</button>")

    text = (await page.snapshot()).text

    stub = re.search(r"\+20 more \[expand (0-\d+)\]", text)
    assert stub is not None
    opened = (await page.snapshot(expand=stub[1])).text
    assert [f'option "Choice {n}"' in opened for n in range(40)] == [True] * 40
    assert "After" not in opened
