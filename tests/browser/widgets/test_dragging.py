"""Widgets that are moved by hand: lists, sliders, boxes, drop areas, and very long lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.widgets.conftest import OpenWidget

LISTS = {"sortable": "Alpha,Beta,Gamma", "dragula": "Red,Green,Blue", "jquery": "One,Two,Three"}


@pytest.mark.row("DND-11", "DND-12")
@pytest.mark.parametrize("library", LISTS)
async def test_the_first_item_of_a_list_becomes_the_last(
    open_widget: OpenWidget, library: str
) -> None:
    widget = await open_widget("sorting")
    item = "document.getElementById('{}').children[{}]"
    first = await widget.node(item.format(library, 0))
    last = await widget.node(item.format(library, 2))

    await widget.page.drag(first, last, target_position=(60, 24))

    one, two, three = LISTS[library].split(",")
    assert await widget.eval(f"order('{library}')") == f"{two},{three},{one}"


@pytest.mark.row("DND-13")
@pytest.mark.parametrize(("name", "value"), [("Volume", "volume()"), ("Level", "level()")])
async def test_a_slider_is_dragged_by_fifty_pixels(
    open_widget: OpenWidget, name: str, value: str
) -> None:
    widget = await open_widget("sliders")

    await widget.page.drag((await widget.find("slider", name)).id, by=(50, 0))

    assert 24 <= await widget.eval(value) <= 29  # 300 px are 100


async def test_a_box_follows_the_mouse(open_widget: OpenWidget) -> None:
    widget = await open_widget("interact")

    await widget.page.drag((await widget.find("button", "Box")).id, by=(120, 45))

    assert await widget.eval("moved.map(Math.round)") == [120, 45]


@pytest.mark.row("DND-17")
async def test_a_drop_area_takes_a_file(open_widget: OpenWidget, tmp_path: Path) -> None:
    widget = await open_widget("uploads")
    note = tmp_path / "note.txt"
    note.write_text("hi")
    area = "document.querySelector('.filepond--browser')"

    await widget.page.drop_files(await widget.node(area), note)

    assert await widget.oracle.wait("names()") == "note.txt"


@pytest.mark.row("SCR-09")
async def test_a_row_far_down_a_long_list_is_scrolled_to_and_clicked(
    open_widget: OpenWidget,
) -> None:
    widget = await open_widget("clusterize")
    box = (await widget.find("region", "All rows")).id

    await widget.page.scroll_to(24, id=box)
    for _ in range(60):
        rows = (await widget.look()).find_all("link", "row 5000", exact=True)
        if rows:
            break
        await widget.page.next_chunk(id=box)
    await widget.page.click(rows[0].id)

    assert await widget.eval("hit") == 5000
