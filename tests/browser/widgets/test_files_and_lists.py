"""Upload areas with a face of their own, and a list whose rows exist only while in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.row("WDG-14")
@pytest.mark.parametrize(
    ("name", "names"),
    [
        pytest.param("Drag & Drop", "names()", marks=pytest.mark.widget("filepond")),
        pytest.param("browse files", "uppyNames()", marks=pytest.mark.widget("uppy")),
    ],
)
async def test_two_files_are_uploaded_through_the_widget(
    open_widget: OpenWidget, tmp_path: Path, name: str, names: str
) -> None:
    for file in ("one.txt", "two.txt"):
        (tmp_path / file).write_text(file)
    widget = await open_widget("uploads")
    button = await widget.find("button", name)
    await widget.page.upload(button.id, [tmp_path / "one.txt", tmp_path / "two.txt"])
    await widget.oracle.wait(f"{names} === 'one.txt,two.txt'", 3)

    await widget.page.wait_for(text="two.txt")


@pytest.mark.widget("filepond")
@pytest.mark.row("DND-17")
async def test_a_drop_area_takes_a_file(open_widget: OpenWidget, tmp_path: Path) -> None:
    widget = await open_widget("uploads")
    note = tmp_path / "note.txt"
    note.write_text("hi")
    area = "document.querySelector('.filepond--browser')"

    await widget.page.drop_files(await widget.node(area), note)

    assert await widget.oracle.wait("names()") == "note.txt"


@pytest.mark.widget("clusterize.js")
@pytest.mark.row("SCR-09", "WDG-09")
async def test_a_row_far_down_a_virtual_list_is_reached_and_clicked(
    open_widget: OpenWidget,
) -> None:
    widget = await open_widget("clusterize")
    region = (await widget.find("region", "All rows")).id
    found = []
    for _ in range(12):
        snapshot = await widget.look()
        found = snapshot.find_all("link", "row 5000", exact=True)
        if found:
            break
        rows = [int(e.name.split()[1]) for e in snapshot.find_all("link", "row ")]
        middle = rows[len(rows) // 2]
        pixels = min(abs(5000 - middle) * 20, 60_000)
        await widget.page.scroll("down" if middle < 5000 else "up", pixels=pixels, id=region)
    await widget.page.click(found[0].id)

    assert await widget.eval("window.hit") == 5000
