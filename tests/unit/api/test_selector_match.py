"""The lines of a snapshot that a selector means."""

from __future__ import annotations

from dataclasses import replace

from cdp_agent.api.selectors.match import matching, nearest
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.ids import ElementId
from cdp_agent.snapshot import Element, Node, PageInfo, Snapshot, Viewport


def node(depth: int, role: str, name: str, number: int, *, has_id: bool = True) -> Node:
    return Node(f"0-{number}", depth, role, name, id=ElementId(0, number) if has_id else None)


def page(*nodes: Node) -> Snapshot:
    view = Viewport(800, 600, 0, 0, 800, 600)
    return Snapshot(PageInfo("Test", "http://a.test/"), view, (), nodes, ())


def keys(snapshot: Snapshot, selector: str) -> list[str]:
    return [node.key for node in matching(snapshot, Selector.parse(selector))]


def test_a_text_in_a_box_is_meant_and_not_the_box_around_it_all() -> None:
    drawing = page(
        node(0, "generic", "Every minute delay 5s", 1),
        node(1, "text", "Every minute", 2, has_id=False),
        node(1, "text", "delay 5s", 3, has_id=False),
    )

    assert keys(drawing, "text=delay 5s") == ["0-3"]
    assert keys(drawing, "text=delay") == ["0-1"]


def test_a_field_beside_a_text_of_that_name_wins_over_a_hidden_one_of_that_name() -> None:
    login = node(0, "textbox", "Username", 1)
    signup = [node(0, "label", "Username", 2), node(0, "textbox", "", 3)]

    assert keys(page(login, *signup), "label=Username") == ["0-1"]
    hidden = replace(login, state={"hidden": True})
    assert keys(page(hidden, *signup), "label=Username") == ["0-3"]
    assert keys(page(hidden), "label=Username") == ["0-1"]


def test_a_button_that_contains_the_words_wins_over_a_plain_text() -> None:
    form = page(node(0, "button", "Save all", 1), node(0, "text", "Save", 2, has_id=False))

    assert keys(form, "text=Save") == ["0-1"]


def test_the_controls_behind_a_label_that_names_none_are_near() -> None:
    form = page(
        node(0, "label", "Team", 1),
        node(0, "link", "__None", 2),
        node(0, "label", "Team", 3),
        node(0, "button", "__None", 4),
        node(0, "textbox", "Name", 5),
    )

    assert keys(form, "label=Team") == []
    assert [one.key for one in nearest(form, Selector.parse("label=Team"))] == ["0-2", "0-4"]


def test_a_box_without_a_line_does_not_compete_with_the_control_in_it() -> None:
    box = Element(
        ElementId(0, 9), "generic", "Desk Upload files", None, {}, "div", None, None, 0, 9, ()
    )
    form = page(node(0, "button", "Upload files", 1))
    form = Snapshot(form.page, form.viewport, (), form.nodes, (box,))

    assert keys(form, "text=Upload") == ["0-1"]
    assert keys(form, "text=Desk") == ["0-9"]


def test_a_role_may_be_called_as_aria_calls_it() -> None:
    grid = page(node(0, "cell", "Pump 2", 1), node(0, "image", "Logo", 2))

    assert keys(grid, "role=gridcell[name=Pump 2]") == ["0-1"]
    assert keys(grid, "role=img") == ["0-2"]


def test_the_label_of_a_button_that_opens_a_list_means_it_where_one_chooses() -> None:
    opens = replace(node(0, "button", "Colour", 1), state={"hasPopup": "listbox"})
    form = page(node(0, "text", "Colour", 2, has_id=False), opens, node(0, "button", "Colour", 3))
    wanted = Selector.parse("label=Colour")

    assert matching(form, wanted) == []
    assert matching(form, replace(wanted, purpose="text")) == []
    assert [n.key for n in matching(form, replace(wanted, purpose="choice"))] == ["0-1"]
