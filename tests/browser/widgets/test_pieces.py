"""Dialogs, trees, sliders, colours, pictures, web components, a generated user interface."""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError
from tests.browser.widgets.conftest import OpenWidget
from tests.support.site import Site


@pytest.mark.widget("a11y-dialog")
async def test_a_modal_dialog_is_answered_and_covers_the_rest(open_widget: OpenWidget) -> None:
    widget = await open_widget("dialog")
    behind = (await widget.find("button", "Behind")).id
    await widget.click("button", "Delete account")
    with pytest.raises(CdpAgentError) as refused:
        await widget.page.click(behind, timeout=0.5)
    await widget.click("button", "Yes, delete")

    assert refused.value.code == "element_obscured"
    assert await widget.eval("[window.deleted, window.leaked ?? null]") == [True, None]
    await widget.page.click(behind)
    assert await widget.eval("window.leaked") is True


@pytest.mark.widget("jstree")
async def test_a_tree_opens_and_its_leaf_is_chosen(open_widget: OpenWidget) -> None:
    widget = await open_widget("jstree")
    await widget.oracle.wait("tree() && tree().get_node('docs')")
    item = await widget.find("treeitem", "Documents")
    await widget.page.press("ArrowRight", item.id)
    await widget.click("treeitem", "Letter")

    assert await widget.eval("tree().get_selected()") == ["letter"]


@pytest.mark.row("WDG-11")
@pytest.mark.parametrize(
    ("shown", "name", "value"),
    [
        pytest.param("sliders", "Volume", "volume()", marks=pytest.mark.widget("nouislider")),
        pytest.param("sliders", "Level", "level()", marks=pytest.mark.widget("jquery-ui")),
        pytest.param("antd", "Share", "state.share", marks=pytest.mark.widget("antd")),
        pytest.param("mui", "Rating", "state.rating", marks=pytest.mark.widget("@mui/material")),
    ],
)
async def test_a_slider_is_set_by_keyboard(
    open_widget: OpenWidget, shown: str, name: str, value: str
) -> None:
    widget = await open_widget(shown)
    handle = await widget.find("slider", name)
    for _ in range(20):
        await widget.page.press("ArrowRight", handle.id)

    assert await widget.eval(value) == 30


@pytest.mark.widget("vanilla-colorful")
async def test_a_colour_is_picked_and_typed(open_widget: OpenWidget) -> None:
    widget = await open_widget("colour")
    hue = await widget.find("slider", "Hue")
    await widget.page.press("ArrowRight", hue.id)
    assert await widget.eval("window.colour") != "#336699"

    await widget.fill("textbox", "Hex", "00ff00")
    assert await widget.eval("window.typed") == "#00ff00"


@pytest.mark.widget("@shoelace-style/shoelace")
@pytest.mark.row("WDG-12")
async def test_shoelace_components_in_open_shadow_roots(open_widget: OpenWidget) -> None:
    widget = await open_widget("shoelace")
    await widget.oracle.wait("window.ready", 20)
    await widget.fill("textbox", "Nickname", "Ada")
    await widget.click("checkbox", "Subscribe")
    await widget.click("switch", "Dark mode")
    await widget.click("combobox", "Colour")
    await widget.click("option", "Green")
    await widget.click("button", "Open dialog")
    await widget.click("button", "Yes")

    held = """[document.querySelector('sl-input').value, document.querySelector('sl-select').value,
        document.querySelector('sl-checkbox').checked, document.querySelector('sl-switch').checked,
        window.confirmed]"""
    assert await widget.eval(held) == ["Ada", "green", True, True, True]


@pytest.mark.widget("konva")
@pytest.mark.row("WDG-13")
async def test_a_circle_on_a_canvas_is_clicked_by_its_place(open_widget: OpenWidget) -> None:
    widget = await open_widget("konva")
    drawing = await widget.find("image", "Drawing")
    await widget.page.click(drawing.id, position=(310, 220))
    assert await widget.eval("hits") == 1

    await widget.page.click(drawing.id, position=(20, 20))
    assert await widget.eval("hits") == 1


@pytest.mark.widget("leaflet")
@pytest.mark.row("WDG-13")
async def test_a_map_marker_shows_its_popup(open_widget: OpenWidget) -> None:
    widget = await open_widget("leaflet")
    await widget.click("button", "Office")

    assert "Our office" in (await widget.look()).text


@pytest.mark.widget("swagger-ui-dist")
@pytest.mark.row("WDG-19")
async def test_swagger_ui_tries_an_operation_out(open_widget: OpenWidget, site: Site) -> None:
    site.page('{"name": "Rex the dog"}', path="/pet.json", content_type="application/json")
    widget = await open_widget("swagger")
    await widget.click("button", "GET /pet.json", nth=0)
    await widget.oracle.wait("document.querySelector('.try-out__btn') !== null")
    await widget.click("button", "Try it out")
    await widget.click("button", "Execute")
    await widget.page.wait_for(text="Rex the dog")

    assert "Rex the dog" in (await widget.look()).text
