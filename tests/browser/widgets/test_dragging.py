"""Libraries that let things be dragged: each with its own idea of what a drag is."""

from __future__ import annotations

import pytest

from tests.browser.widgets.conftest import OpenWidget


@pytest.mark.row("DND-11", "DND-12", "WDG-10")
@pytest.mark.parametrize(
    ("library", "first", "last", "order"),
    [
        pytest.param(
            "sortable", "Alpha", "Gamma", "Beta,Gamma,Alpha", marks=pytest.mark.widget("sortablejs")
        ),
        pytest.param(
            "dragula", "Red", "Blue", "Green,Blue,Red", marks=pytest.mark.widget("dragula")
        ),
        pytest.param(
            "jquery", "One", "Three", "Two,Three,One", marks=pytest.mark.widget("jquery-ui")
        ),
    ],
)
async def test_the_first_item_of_a_list_is_dragged_below_the_last(
    open_widget: OpenWidget, library: str, first: str, last: str, order: str
) -> None:
    widget = await open_widget("sorting")
    snapshot = await widget.look()
    item, end = snapshot.find("listitem", first), snapshot.find("listitem", last)
    await widget.page.drag(item.id, end.id, target_position=(80, 28))

    await widget.oracle.wait(f"order('{library}') === '{order}'", 2)


@pytest.mark.widget("gridstack")
@pytest.mark.row("WDG-10")
async def test_a_tile_of_a_grid_is_dragged_to_another_place(open_widget: OpenWidget) -> None:
    widget = await open_widget("gridstack")
    tile = await widget.node("document.querySelector('[gs-id=news] .grid-stack-item-content')")
    await widget.page.drag(tile, by=(400, 0))

    await widget.oracle.wait("place('news')[0] >= 5", 2)


@pytest.mark.widget("interactjs")
@pytest.mark.row("WDG-10")
async def test_a_box_follows_the_mouse_by_as_much_as_it_was_dragged(
    open_widget: OpenWidget,
) -> None:
    widget = await open_widget("interact")
    await widget.page.drag((await widget.find("button", "Box")).id, by=(120, 45))

    assert await widget.eval("moved.map(Math.round)") == [120, 45]


@pytest.mark.widget("jstree")
@pytest.mark.row("WDG-10")
async def test_a_leaf_of_a_tree_is_dragged_to_another_branch(open_widget: OpenWidget) -> None:
    widget = await open_widget("jstree")
    await widget.oracle.wait("tree() && tree().get_node('docs')")
    await widget.eval("tree().open_all()")
    leaf = await widget.node("document.querySelector('#cv_anchor')")
    branch = await widget.node("document.querySelector('#pics_anchor')")
    await widget.page.drag(leaf, branch)

    await widget.oracle.wait("tree().get_parent('cv') === 'pics'", 2)


@pytest.mark.row("DND-13", "WDG-11")
@pytest.mark.parametrize(
    ("shown", "name", "value", "width"),
    [
        pytest.param("sliders", "Volume", "volume()", 300, marks=pytest.mark.widget("nouislider")),
        pytest.param("sliders", "Level", "level()", 300, marks=pytest.mark.widget("jquery-ui")),
        pytest.param(
            "mui", "Rating", "state.rating", 300, marks=pytest.mark.widget("@mui/material")
        ),
        pytest.param("antd", "Share", "state.share", None, marks=pytest.mark.widget("antd")),
    ],
)
async def test_a_slider_is_set_by_dragging_its_handle(
    open_widget: OpenWidget, shown: str, name: str, value: str, width: int | None
) -> None:
    widget = await open_widget(shown)
    handle = await widget.find("slider", name)
    if width is None:
        rail = "document.querySelector('.ant-slider-rail').getBoundingClientRect().width"
        width = await widget.eval(rail)
    await widget.page.drag(handle.id, by=(width * 0.2, 0))

    assert await widget.eval(value) == pytest.approx(30, abs=1)
